"""CSV in blocks: the rows of many lines are read at a time where each line is a row.

The first rows of a pipe, and lines that need care, are parsed one by one; so are all rows from the first one on whose
quotes enclose several lines or no whole field: a stray quote is an error only on its own line.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice, repeat
from typing import Any

import numpy as np

from ..errors import FormatError
from ..formats.arrays import whole_lines
from ..formats.cells import Options
from ..formats.reading import checked, parse_with
from ..formats.source import MARK, Line, encoding_of, opened_text, within_reach
from ..formats.table import DELIMITERS, Header, needed_header, puzzle_of_row, table_rows
from ..puzzle import Puzzle
from .blocks import PEEK, SIZE, distinct, of_cell, rows_of_cells
from .rows import MANY, Block, Rows, puzzle_or_error

FEW = 64
"""The number of rows that are read one by one, with their titles and stated solutions."""

_ALL_BUT = {sign: bytes(set(range(256)) - {ord(sign), ord("\n")}) for sign in DELIMITERS}

Row = tuple[int, Any]
"""The number of a row's first line, and its fields or what is wrong with it, a FormatError."""


def blocks_of_csv(stream: io.BufferedReader, name: str, options: Options) -> Iterator[Block]:
    """Yield the rows of a CSV table, which begins with its header (# lines may precede it).

    A table without rows gives an empty block, so that the columns are known.
    """
    table = _Table(name, options)
    yield from table.blocks(stream)
    if not table.first:
        yield table.block([])


class _Table:
    """A table being read: ``line`` is the number of the next line, ``first`` the number of rows so far."""

    def __init__(self, name: str, options: Options) -> None:
        self.name, self.options, self.line, self.first = name, options, 1, 0
        self.header: Header | None = None

    def blocks(self, stream: io.BufferedReader) -> Iterator[Block]:
        if encoding_of(stream.peek(PEEK)[:PEEK]) not in ("utf-8", "utf-8-sig"):
            with opened_text(stream) as lines:
                yield from self._one_by_one(lines)
            return
        chunks = whole_lines(stream, stream.read1)
        for chunk in chunks:
            rest = chunk if self.header or chunk is None else self._behind_header(chunk)
            many, quoted = rest is not None and rest.count(b"\n") > FEW, rest is not None and b'"' in rest
            columns = self._columns(rest) if rest and (many or quoted) else None
            if columns is not None and many:
                rows = rows_of_cells(columns[self.header.puzzle], self.options)  # type: ignore[union-attr]
                yield self._block(columns, rows, np.arange(self.line, self.line + len(rows)))
            elif columns is not None or not quoted:  # each line is a row
                yield from self._one_by_one(_lines([rest], self.line))
            else:
                yield from self._one_by_one(_lines(chain([rest], chunks), self.line))
                return
            self.line += 1 if rest is None else rest.count(b"\n")
        if self.header is None:
            needed_header("", self.line, self.options)

    def _behind_header(self, chunk: bytes) -> bytes:
        """Read the header, if it is among the lines of a chunk, and return what follows."""
        while self.header is None and chunk:
            line, _, chunk = chunk.partition(b"\n")
            text = line.decode("utf-8", "surrogateescape").removeprefix(MARK)
            if text.strip() and text.lstrip()[0] != "#":
                self.header = needed_header(text, self.line, self.options)
            self.line += 1
        return chunk

    def _columns(self, chunk: bytes) -> list[list[str]] | None:
        """Return the columns of a chunk in which each line is a row with all its fields; None if it needs care."""
        assert self.header
        n, sign = len(self.header.names), self.header.delimiter
        if b"\0" in chunk or (text := _decoded(chunk)) is None:
            return None
        if '"' not in text:
            signs = chunk.translate(None, _ALL_BUT[sign])
            if signs != (sign * (n - 1) + "\n").encode() * chunk.count(b"\n"):
                return None
            fields = text.removesuffix("\n").replace("\n", sign).split(sign)
            columns = [fields[at::n] for at in range(n)]
        else:
            lines = text.removesuffix("\n").split("\n")
            try:
                rows = list(csv.reader(lines, delimiter=sign, strict=True))
            except csv.Error:
                return None
            if len(rows) != len(lines) or set(map(len, rows)) != {n}:
                return None
            columns = list(map(list, zip(*rows, strict=True)))
        return columns if n > 1 or all(map(str.strip, columns[0])) else None  # a line of spaces is no row

    def _block(self, columns: list[Any], rows: Rows, lines: Any) -> Block:
        assert self.header
        named, first = dict(zip(distinct(self.header.names), columns, strict=True)), self.first
        self.first += len(rows)
        return Block(named, rows, self.name, lines, "line", first=first)

    def _one_by_one(self, lines: Iterator[Line]) -> Iterator[Block]:
        """Read rows from lines: first in blocks of one, then in growing ones."""
        rows = self._rows(lines)
        sizes = chain(repeat(1, max(0, MANY - self.first)), (1 << k for k in range(13)), repeat(SIZE))
        while some := list(islice(rows, next(sizes))):
            yield self.block(some)

    def _rows(self, lines: Iterator[Line]) -> Iterator[Row]:
        last = [self.line]
        for number, header, row in table_rows(within_reach(lines, last), self.options, self.header):
            last[0], self.header = number, header
            yield number, row

    def block(self, some: list[Row]) -> Block:
        """Return a block of some rows; one that comes alone is read with its title and stated solution."""
        assert self.header
        none, at = [None] * len(self.header.names), self.header.puzzle
        fields = [row if isinstance(row, list) else none for _, row in some]
        if len(some) == 1:
            rows = Rows(None, {0: _whole_row(some[0][1], self.header, self.options)})
        else:
            rows = rows_of_cells([row[at] if isinstance(row, list) else row for _, row in some], self.options)
        return self._block([[row[i] for row in fields] for i in range(len(none))], rows, [line for line, _ in some])


def _lines(chunks: Iterable[bytes | None], number: int) -> Iterator[Line]:
    """Yield the lines of chunks with their numbers; None stands for a line that is too long."""
    for chunk in chunks:
        texts: list[Any] = [None]
        if chunk is not None:
            texts = chunk.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
        yield from enumerate(texts, number)
        number += len(texts)


def _whole_row(row: Any, header: Header, options: Options) -> Puzzle | FormatError:
    """Read a row with its title and stated solution; errors in its puzzle are those of a table cell."""
    if isinstance(row, FormatError):
        return row
    try:
        return checked(puzzle_of_row(row, header, options), options)
    except FormatError:
        return puzzle_or_error(row[header.puzzle], partial(parse_with, options=of_cell(options)))


def _decoded(chunk: bytes) -> str | None:
    try:
        return chunk.decode()
    except UnicodeDecodeError:
        return None
