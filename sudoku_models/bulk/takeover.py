"""Reads long files of classic lines as arrays, millions a second; the first puzzles of a pipe are read one by one.

A text whose first line is a classic board has a puzzle on each line, so that the rest of a pipe can be read in blocks
after any of them.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FormatError
from ..formats import Entry
from ..formats.arrow import opened_table, sniffed
from ..formats.catalogue import CSV, LINE
from ..formats.kinds.line import read_lines
from ..formats.options import Options
from ..formats.reading import read_with
from ..formats.source import LONGEST_LINE, MARK, Prefixed, name_of, opened
from ..puzzle import Puzzle
from .rows import Block
from .text import PEEK, kind_of

ENDLESS = 1 << 62
BYTES = 100
"""The length in bytes of a classic line, with room for a comment."""


def entries_and_blocks(source: str | Path | BinaryIO, options: Options, many: int) -> Iterator[Block]:
    """Yield at least ``many`` entries of a text as single rows, and the rest in blocks if it consists of classic lines.

    Tables come in blocks from the start. Raises FormatError as ``read`` does.
    """
    with sniffed(source) as (kind, found):
        if kind is not None:
            from .blocks import of_batches

            with opened_table(kind, found, name_of(source)) as (schema, batches):
                yield from of_batches(schema, batches, name_of(source), options)
            return
        with opened(found) as stream:
            kind = kind_of(stream.peek(PEEK)[:PEEK], options)
            if kind == CSV:
                from .csv_blocks import blocks_of_csv

                yield from blocks_of_csv(stream, name_of(source), options)
            elif kind == LINE and _are_usual(options) and many < ENDLESS:
                yield from _of_text(stream, name_of(source), options, many, _is_file(found))
            else:
                stream.raw.name = name_of(source)  # type: ignore[attr-defined]
                stream.is_file = _is_file(found)  # type: ignore[attr-defined]
                yield from (Block.of_entries([entry]) for entry in read_with(stream, options))


def _of_text(stream: io.BufferedReader, name: str, options: Options, many: int, is_file: bool) -> Iterator[Block]:
    if is_file and Path(name).stat().st_size > BYTES * many:
        from ..formats.arrays import past_mark

        yield from behind_of(past_mark(stream), 1, name, 0, options)
        return
    line = number = 0
    while number < many and line < 2 * many and (data := stream.readline(LONGEST_LINE)):
        found = None if b"\r" in data.removesuffix(b"\r\n") else _read(data, line + 1, options)
        if found is None:  # a line that needs care, as those after it may
            stream = io.BufferedReader(Prefixed(data, stream), PEEK)
            break
        line += 1
        for puzzle in found:
            number += 1
            error = puzzle.at(name, line) if isinstance(puzzle, FormatError) else None
            yield Block.of_entries([Entry(number, line, None if error else puzzle, error, name)])  # type: ignore[arg-type]
    if stream.peek(1):  # only then is it worth loading numpy
        yield from behind_of(stream, line + 1, name, number, options)


def _read(data: bytes, line: int, options: Options) -> list[Puzzle | FormatError] | None:
    """Read the puzzle of a line, if it has one; None for a line that is too long to be one."""
    if len(data) >= LONGEST_LINE:
        return None
    text = data.decode("utf-8", "surrogateescape").rstrip("\r\n").removeprefix(MARK)
    return [found for _, found in read_lines(iter([(line, text)]), options)]


def behind_of(stream: Any, line: int, name: str, number: int, options: Options) -> Iterator[Block]:
    """Yield the remaining lines of a stream, from this line on; ``number`` is the number of earlier puzzles."""
    from ..formats.arrays import blocks_behind  # which loads numpy
    from .blocks import block_of_lines

    for block in blocks_behind(stream, line, name):
        if len(block.values):
            yield block_of_lines(block, name, number, options)
            number += len(block.values)


def _are_usual(options: Options) -> bool:
    """Return whether nothing was chosen that changes how a line is read."""
    return replace(options, input_format=None) == Options() and options.input_format in (None, LINE)


def _is_file(source: str | Path | BinaryIO) -> bool:
    return isinstance(source, str | Path) and source != "-" and Path(source).is_file()
