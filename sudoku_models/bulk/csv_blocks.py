"""CSV in blocks: Arrow reads many rows at a time.

The first rows of a pipe, rows that Arrow refuses (with too few fields, for example) and rows whose quotes do not
enclose whole fields are parsed one by one: a stray quote is an error only on its own line.
"""

from __future__ import annotations

import io
from collections.abc import Generator, Iterator
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..formats.arrays import newlines
from ..formats.options import Options
from ..formats.source import LONGEST_LINE, Line, Prefixed, encoding_of
from ..formats.table import FIELD, Header, TableLines, needed_header
from .blocks import block_of_rows, of_csv, rows_of_cells
from .memory_tables import distinct
from .rows import Block
from .text import PEEK, fields_or_error, rows_behind, rows_of_csv

CHUNK = 1 << 20
"""The largest number of bytes in one read; a read from a pipe waits only for the next available bytes."""

FEW = 64
"""The number of rows that are read one by one, with their titles and stated solutions."""

WORTH = 256
"""Rows before a stray quote that are worth reading at once; after two times fewer, the rest is read one by one."""


def blocks_of_csv(stream: io.BufferedReader, name: str, options: Options) -> Iterator[Block]:
    """Yield the rows of a CSV table, which begins with its header (# lines may precede it)."""
    if encoding_of(stream.peek(PEEK)[:PEEK]) not in ("utf-8", "utf-8-sig") or not _arrow():
        yield from of_csv(rows_of_csv(stream, options), name, options)
        return
    yield from _Table(stream, name, options).blocks()


def _arrow() -> Any:
    try:
        import pyarrow.csv
    except ImportError:
        return None
    return pyarrow


class _Table:
    """A table being read: ``line`` is the number of the next line, ``first`` the number of rows so far."""

    def __init__(self, stream: io.BufferedReader, name: str, options: Options) -> None:
        self.stream, self.name, self.options = stream, name, options
        self.line, self.first, self.tail = 1, 0, b""

    def blocks(self) -> Iterator[Block]:
        """Yield blocks; a table without rows gives an empty one, so that the columns are known."""
        header = self._header()
        if header is None:
            yield from of_csv(rows_of_csv(self._rest(), self.options), self.name, self.options)
            return
        empty = True
        while (chunk := self._lines()) is not None:
            for block in self._part(chunk, header):
                empty = False
                yield block
        if self.tail or empty:
            rows = rows_behind(self._rest(), header, self.line)
            yield from of_csv(rows, self.name, self.options, header, self.first)

    def _rest(self) -> io.BufferedReader:
        return io.BufferedReader(Prefixed(self.tail, self.stream), PEEK)

    def _read(self) -> bool:
        """Read more; return False at the end."""
        more = newlines(self.stream.read1(CHUNK), self.stream)
        self.tail += more
        return bool(more)

    def _header(self) -> Header | None:
        """Read the header; return None if it must be read by the row-by-row parser, which starts from the beginning."""
        while b"\n" not in self.tail and self._read():
            pass
        line, _, rest = self.tail.partition(b"\n")
        text = line.decode("utf-8-sig", "surrogateescape")
        if not line.strip() or text.lstrip()[:1] == "#":
            return None
        header = needed_header(text, self.line, self.options)
        self.line, self.tail = self.line + 1, rest
        return header

    def _lines(self) -> bytes | None:
        """Return the next complete lines; None at the end, and before a line that is too long."""
        while True:
            cut = self.tail.rfind(b"\n") + 1
            if cut:
                chunk, self.tail = self.tail[:cut], self.tail[cut:]
                return chunk
            if len(self.tail) > LONGEST_LINE:
                return None
            if not self._read():
                chunk, self.tail = self.tail, b""
                return chunk + b"\n" if chunk else None

    def _part(self, chunk: bytes, header: Header) -> Iterator[Block]:
        """Yield the rows of some lines together, except for rows whose quotes need care."""
        short = 0
        while short < 2:
            rows = rows_at_once(chunk, header.delimiter)
            short += len(rows.ends) < WORTH
            cut = int(rows.ends[-1]) + 1 if len(rows.ends) else 0
            yield from self._plainly(chunk[:cut], rows, header)
            chunk = chunk[cut:]
            if not chunk:
                return
            chunk = yield from self._carefully(chunk, 1, header)
        yield from self._carefully(chunk, chunk.count(b"\n"), header)

    def _plainly(self, chunk: bytes, rows: RowEnds, header: Header) -> Iterator[Block]:
        """Yield rows whose ends are known, together if there are many and Arrow accepts them."""
        columns = _columns(chunk, len(rows.ends), header) if len(rows.ends) > FEW else None
        if columns is None:
            yield from self._carefully(chunk, chunk.count(b"\n"), header)
            return
        puzzles = rows_of_cells(columns[header.puzzle], self.options)
        found = dict(zip(distinct(header.names), columns, strict=True))
        yield Block(found, puzzles, self.name, self.line + rows.lines, "line", first=self.first)
        self.line, self.first = self.line + chunk.count(b"\n"), self.first + len(puzzles)

    def _carefully(self, chunk: bytes, n: int, header: Header) -> Generator[Block, None, bytes]:
        """Yield the rows that begin in the first n of some lines, and return the lines after them.

        The last row may continue in lines that have not been read yet.
        """
        lines = TableLines(self._following(chunk))
        lines.header = header
        begin, end, some = self.line, self.line + n, list[tuple[int, Any]]()
        while self.line < end and (found := next(lines, None)):
            number, text = found
            self.line += 1 + (text or "").count("\n")
            if text and text.strip():
                some.append((number, fields_or_error(text, header)))
            if some and (n <= FEW or self.line >= end):
                yield block_of_rows(some, header, self.name, self.options, self.first)
                self.first, some = self.first + len(some), []
        beyond = self.line - begin - chunk.count(b"\n")
        self.tail = self.tail[_behind(self.tail, beyond) :]
        return chunk[_behind(chunk, self.line - begin) :]

    def _following(self, chunk: bytes) -> Iterator[Line]:
        """Yield some lines with their numbers, then the following lines, without consuming these."""
        at, numbers = 0, count(self.line)
        while at < len(chunk):
            start, at = at, chunk.index(b"\n", at) + 1
            yield next(numbers), chunk[start : at - 1].decode("utf-8", "surrogateescape")
        at = 0
        while True:
            end = self.tail.find(b"\n", at)
            if end < 0 and len(self.tail) - at <= LONGEST_LINE and self._read():
                continue
            line = self.tail[at : end if end >= 0 else None]
            if (not line and end < 0) or len(line) > LONGEST_LINE:
                return
            at = end + 1 if end >= 0 else len(self.tail)
            yield next(numbers), line.decode("utf-8", "surrogateescape")


def _behind(data: bytes, lines: int) -> int:
    """Return the start of the line after n lines; the end if there are fewer."""
    at = 0
    for _ in range(lines):
        at = data.find(b"\n", at) + 1 or len(data)
    return at


class RowEnds(NamedTuple):
    """The ends of the rows of a text, each with a newline, and the line, from 0, in which each row begins."""

    ends: NDArray[np.int64]
    lines: NDArray[np.int64]


def rows_at_once(chunk: bytes, delimiter: str) -> RowEnds:
    """Return the leading rows of a text whose quotes enclose whole fields, which may contain newlines.

    They end before the first row with any other quote, and before one that is incomplete or has more than 100 lines.
    """
    data = np.frombuffer(chunk, np.uint8)
    newlines = np.flatnonzero(data == ord("\n"))
    if b'"' not in chunk:
        return RowEnds(newlines, np.arange(len(newlines)))
    quotes = np.flatnonzero(data == ord('"'))
    border = np.zeros(256, np.bool_)
    border[[ord(delimiter), ord("\n"), ord('"')]] = True  # two quotes within quotes are one of the field
    beside = np.where(np.arange(len(quotes)) % 2, quotes + 1, quotes - 1)  # before the first byte comes the last one
    stray = quotes[~border[data[beside]]][:1]
    known = newlines[: np.searchsorted(newlines, stray[0]) if len(stray) else None]
    last = np.flatnonzero(np.searchsorted(quotes, known) % 2 == 0)
    lines = np.concatenate([np.zeros(1, np.int64), last[:-1] + 1])[: len(last)]
    good = len(last) if (short := last - lines < FIELD).all() else int(short.argmin())
    return RowEnds(known[last[:good]], lines[:good])


def _columns(chunk: bytes, n: int, header: Header) -> list[Any] | None:
    """Return the columns of n rows; None if a row and the header differ in their number of fields."""
    one = len(header.names) == 1 and (b" " in chunk or b"\t" in chunk)
    if one or chunk.startswith(b"\n") or b"\n\n" in chunk or b"\0" in chunk:
        return None  # blank lines are no rows, and a zero byte is no text
    pyarrow, names = _arrow(), list(map(str, range(len(header.names))))
    csv, quoted = pyarrow.csv, b'"' in chunk
    try:
        table = csv.read_csv(
            io.BytesIO(chunk),
            csv.ReadOptions(use_threads=False, block_size=len(chunk) + 1, column_names=names),
            csv.ParseOptions(
                delimiter=header.delimiter,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted,
                ignore_empty_lines=False,
            ),
            csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False),
        )
    except pyarrow.ArrowInvalid:
        return None
    (batch,) = table.combine_chunks().to_batches()
    return list(batch.columns) if batch.num_rows == n else None
