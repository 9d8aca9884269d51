"""A long file of classic lines is read as arrays, millions a second; of a pipe the first puzzles are read one by one.

The reader of all formats is given whole lines only. When it asks for more, every puzzle of the lines before was read:
then, if they were many and all of them classic lines, it is given the end of the file, and the rest is read here.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..formats import Entry
from ..formats.arrow import opened_table, sniffed
from ..formats.catalogue import CSV, LINE
from ..formats.line_texts import classic
from ..formats.options import Options
from ..formats.reading import read_with
from ..formats.source import LONGEST_LINE, Prefixed, name_of, opened
from .text import PEEK, kind_of
from .where import NINE

if TYPE_CHECKING:
    from .blocks import Block

ENDLESS = 1 << 62
BYTES = 100
"""Bytes of a classic line, with some of a comment."""
PIECE = 1 << 16
"""Bytes that are handed to the reader of all formats at once, at most."""


def entries_and_blocks(source: str | Path | BinaryIO, options: Options, many: int) -> Iterator[Entry | Block]:
    """Yield the entries of a text, at least ``many``, and what is behind them as blocks, if it is classic lines.

    Tables come as blocks from the start. Raises FormatError as ``read`` does.
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
            else:
                plain = kind == LINE and _may_end_early(options)
                yield from _of_text(stream, name_of(source), options, many if plain else ENDLESS, _is_file(found))


def _of_text(
    stream: io.BufferedReader, name: str, options: Options, many: int, is_file: bool
) -> Iterator[Entry | Block]:
    if is_file and Path(name).stat().st_size > BYTES * many:
        from ..formats.arrays import past_mark

        yield from behind_of(past_mark(stream), 1, name, 0, options)
        return
    head = _Head(stream, name, is_file, many)
    for entry in read_with(head, options):  # type: ignore[arg-type]
        head.seen(entry)
        yield entry
    if head.left is not None:
        rest: Any = io.BufferedReader(Prefixed(head.left, stream), PIECE)
        yield from behind_of(rest, head.lines + 1, head.name, head.entries, options)


def behind_of(stream: Any, line: int, name: str, number: int, options: Options) -> Iterator[Block]:
    """Yield the lines that are left of a stream, from this line on; ``number`` puzzles came before."""
    from ..formats.arrays import blocks_behind  # which loads numpy
    from .blocks import block_of_lines

    for block in blocks_behind(stream, line, name):
        if len(block.values):
            yield block_of_lines(block, name, number, options)
            number += len(block.values)


def _may_end_early(options: Options) -> bool:
    """Tell whether a file may be read so: nothing was chosen that changes how a line is read."""
    return replace(options, input_format=None) == Options() and options.input_format in (None, LINE)


def _is_file(source: str | Path | BinaryIO) -> bool:
    return isinstance(source, str | Path) and source != "-" and Path(source).is_file()


class _Head(io.RawIOBase):
    """The first lines of a stream. ``left`` is what was read of the stream behind them, None when it is at its end."""

    def __init__(self, stream: io.BufferedReader, name: str, is_file: bool, many: int) -> None:
        self.name, self.is_file, self.many = name, is_file, many
        self.entries = self.lines = 0
        self.left: bytes | None = None
        self._stream, self._tail, self._ready = stream, b"", b""
        self._last: tuple[Entry | None, bytes] = (None, b"")
        self._first_line, self._all_classic = 0, True

    def seen(self, entry: Entry) -> None:
        """Take note of an entry that was read."""
        self.entries += 1
        self._first_line = self._first_line or entry.line
        self._all_classic &= entry.puzzle is None or entry.puzzle.structure is NINE.model
        self._last = entry, self._last[1]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer with lines; return how many bytes there were, 0 at the end."""
        if not self._ready:
            if self.left is not None or self._may_end():
                self.left = self._tail
                return 0
            self._ready = self._whole_lines()
        data, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)

    def _whole_lines(self) -> bytes:
        data = self._tail
        while b"\n" not in data and b"\r" not in data and len(data) <= LONGEST_LINE:
            more = self._stream.read1(PIECE)
            if not more:
                break
            data += more
        cut = data.rfind(b"\n") + 1 or len(data)
        data, self._tail = data[:cut], data[cut:]
        self.lines += data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
        self._last = self._last[0], data.rstrip(b"\r\n").rpartition(b"\n")[2]
        self._all_classic &= data.endswith(b"\n") or not data
        return data

    def _may_end(self) -> bool:
        """Tell whether what came so far are many lines, each a classic board, read as such."""
        entry, line = self._last
        if entry is None or entry.puzzle is None or self.entries < self.many or not self._all_classic:
            return False
        read = classic(line.decode("utf-8", "replace"))
        alike = read is not None and (read.givens, read.comment) == (entry.puzzle.givens, entry.puzzle.comment)
        return alike and entry.line - self._first_line < 1.5 * self.entries
