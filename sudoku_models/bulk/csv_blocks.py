"""CSV in blocks: Arrow reads many rows at a time as long as no field has quotes.

The first rows of a pipe, rows that Arrow refuses (with too few fields, for example) and everything after the first
quote are parsed one by one: a quoted field may span several lines, and a stray quote is an error only on its own
line.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..formats.arrays import newlines
from ..formats.options import Options
from ..formats.source import LONGEST_LINE, Prefixed, encoding_of
from ..formats.table import Header, needed_header
from .arrow_texts import Strings
from .blocks import Block, block_of_rows, of_csv, rows_of_cells
from .memory_tables import distinct
from .text import PEEK, fields_or_error, rows_behind, rows_of_csv

CHUNK = 1 << 20
"""The largest number of bytes in one read; a read from a pipe waits only for the next available bytes."""

FEW = 64
"""The number of rows that are read one by one, with their titles and stated solutions."""


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
        if not line.strip() or b'"' in line or text.lstrip()[:1] == "#":
            return None
        header = needed_header(text, self.line, self.options)
        self.line, self.tail = self.line + 1, rest
        return header

    def _lines(self) -> bytes | None:
        """Return the next complete lines; None at the end, and before a line that needs the row-by-row parser."""
        while True:
            odd = min((at for at in (self.tail.find(b'"'), self.tail.find(b"\0")) if at >= 0), default=None)
            cut = self.tail.rfind(b"\n", 0, odd) + 1
            if cut:
                chunk, self.tail = self.tail[:cut], self.tail[cut:]
                return chunk
            if odd is not None or len(self.tail) > LONGEST_LINE:
                return None
            if not self._read():
                chunk, self.tail = self.tail, b""
                return chunk + b"\n" if chunk else None

    def _part(self, chunk: bytes, header: Header) -> Iterator[Block]:
        """Yield the rows of some lines, as one block if there are many and Arrow accepts them."""
        n = chunk.count(b"\n")
        columns = _columns(chunk, n, header) if n > FEW else None
        if columns is None:
            yield from self._singly(chunk, header, 1 if n <= FEW else n)
        else:
            puzzles = rows_of_cells(columns[header.puzzle].array, self.options)
            found = dict(zip(distinct(header.names), columns, strict=True))
            numbers = np.arange(self.line, self.line + n)
            yield Block(found, puzzles, self.name, numbers, "line", first=self.first)
            self.first += n
        self.line += n

    def _singly(self, chunk: bytes, header: Header, size: int) -> Iterator[Block]:
        """Yield the rows of some lines, which are parsed one by one."""
        lines = enumerate(chunk.decode("utf-8", "surrogateescape").split("\n")[:-1], self.line)
        rows = [(number, fields_or_error(text, header)) for number, text in lines if text.strip()]
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            yield block_of_rows(some, header, self.name, self.options, self.first)
            self.first += len(some)


def _columns(chunk: bytes, n: int, header: Header) -> list[Strings] | None:
    """Return the columns of n lines without quotes; None if a line and the header differ in their number of fields."""
    one = len(header.names) == 1 and (b" " in chunk or b"\t" in chunk)
    if one or chunk.startswith(b"\n") or b"\n\n" in chunk:
        return None  # blank lines are no rows
    pyarrow, names = _arrow(), list(map(str, range(len(header.names))))
    csv = pyarrow.csv
    try:
        table = csv.read_csv(
            io.BytesIO(chunk),
            csv.ReadOptions(use_threads=False, block_size=len(chunk) + 1, column_names=names),
            csv.ParseOptions(delimiter=header.delimiter, quote_char=False, ignore_empty_lines=False),
            csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False),
        )
    except pyarrow.ArrowInvalid:
        return None
    (batch,) = table.combine_chunks().to_batches()
    return list(map(Strings, batch.columns)) if batch.num_rows == n else None
