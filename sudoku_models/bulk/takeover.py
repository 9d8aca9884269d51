"""Reads long files of classic lines as arrays, millions a second; the first puzzles of a pipe are read one by one.

The general reader gets complete lines only. When it asks for more, it has read every puzzle of the earlier lines: if
there were many, all of them classic lines, it then gets the end of the file, and the rest is read here.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from ..formats import Entry
from ..formats.arrow import opened_table, sniffed
from ..formats.catalogue import CSV, LINE
from ..formats.kinds.line import classic
from ..formats.options import Options
from ..formats.reading import read_with
from ..formats.source import LONGEST_LINE, Prefixed, name_of, opened
from .rows import Block
from .text import PEEK, kind_of
from .where import NINE

ENDLESS = 1 << 62
BYTES = 100
"""The length in bytes of a classic line, with room for a comment."""
PIECE = 1 << 16
"""The largest number of bytes passed to the general reader at a time."""


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
            else:
                plain = kind == LINE and _may_end_early(options)
                yield from _of_text(stream, name_of(source), options, many if plain else ENDLESS, _is_file(found))


def _of_text(stream: io.BufferedReader, name: str, options: Options, many: int, is_file: bool) -> Iterator[Block]:
    if is_file and Path(name).stat().st_size > BYTES * many:
        from ..formats.arrays import past_mark

        yield from behind_of(past_mark(stream), 1, name, 0, options)
        return
    head = _Head(stream, name, is_file, many)
    for entry in read_with(head, options):  # type: ignore[arg-type]
        head.seen(entry)
        yield Block.of_entries([entry])
    if head.left is not None:
        rest: Any = io.BufferedReader(Prefixed(head.left, stream), PIECE)
        yield from behind_of(rest, head.lines + 1, head.name, head.entries, options)


def behind_of(stream: Any, line: int, name: str, number: int, options: Options) -> Iterator[Block]:
    """Yield the remaining lines of a stream, from this line on; ``number`` is the number of earlier puzzles."""
    from ..formats.arrays import blocks_behind  # which loads numpy
    from .blocks import block_of_lines

    for block in blocks_behind(stream, line, name):
        if len(block.values):
            yield block_of_lines(block, name, number, options)
            number += len(block.values)


def _may_end_early(options: Options) -> bool:
    """Return whether a file may be read so: nothing was chosen that changes how a line is read."""
    return replace(options, input_format=None) == Options() and options.input_format in (None, LINE)


def _is_file(source: str | Path | BinaryIO) -> bool:
    return isinstance(source, str | Path) and source != "-" and Path(source).is_file()


class _Head(io.RawIOBase):
    """The first lines of a stream. ``left`` holds bytes read after them, or None at the end of the stream."""

    def __init__(self, stream: io.BufferedReader, name: str, is_file: bool, many: int) -> None:
        self.name, self.is_file, self.many = name, is_file, many
        self.entries = self.lines = 0
        self.left: bytes | None = None
        self._stream, self._tail, self._ready = stream, b"", b""
        self._last: tuple[Entry | None, bytes] = (None, b"")
        self._first_line, self._all_classic = 0, True

    def seen(self, entry: Entry) -> None:
        """Record an entry that was read."""
        self.entries += 1
        self._first_line = self._first_line or entry.line
        self._all_classic &= entry.puzzle is None or entry.puzzle.structure is NINE.model
        self._last = entry, self._last[1]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer with lines; return the number of bytes, 0 at the end."""
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
        """Return whether there were many lines so far, and each was read as a classic board."""
        entry, line = self._last
        if entry is None or entry.puzzle is None or self.entries < self.many or not self._all_classic:
            return False
        read = classic(line.decode("utf-8", "replace"))
        alike = read is not None and (read.givens, read.comment) == (entry.puzzle.givens, entry.puzzle.comment)
        return alike and entry.line - self._first_line < 1.5 * self.entries
