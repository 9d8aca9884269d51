"""CSV in blocks: Arrow reads many rows at a time.

The first rows of a pipe, rows that Arrow refuses (with too few fields, for example) and all rows from one whose quotes
do not enclose whole fields on are parsed one by one: a stray quote is an error only on its own line.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
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
        self.line, self.first, self.tail, self.ended = 1, 0, b"", False

    def blocks(self) -> Iterator[Block]:
        """Yield blocks; a table without rows gives an empty one, so that the columns are known.

        What follows a stray quote is read row by row.
        """
        header = self._header()
        if header is None:
            yield from of_csv(rows_of_csv(self._rest(), self.options), self.name, self.options)
            return
        empty, careful, left = True, False, b""
        while not careful and (chunk := left + self._lines(bool(left))) > left:
            rows = rows_at_once(chunk, header.delimiter)
            cut = int(rows.ends[-1]) + 1 if len(rows.ends) else 0
            for block in self._rows(chunk[:cut], rows, header):
                empty = False
                yield block
            left = chunk[cut:]
            careful = bool(left) and (rows.stray or self.ended or len(left) > LONGEST_LINE)
        self.tail = left + self.tail
        if self.tail or empty:
            behind = rows_behind(self._rest(), header, self.line)
            yield from of_csv(behind, self.name, self.options, header, self.first)

    def _rest(self) -> io.BufferedReader:
        return io.BufferedReader(Prefixed(self.tail, self.stream), PEEK)

    def _read(self) -> bool:
        """Read more; return False at the end."""
        more = newlines(self.stream.read1(CHUNK), self.stream)
        self.tail += more
        self.ended = not more
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

    def _lines(self, further: bool) -> bytes:
        """Return the next complete lines, ``further`` ones if the last are unfinished; nothing at the end.

        Nothing is returned before a line that is too long either.
        """
        while further or b"\n" not in self.tail:
            if len(self.tail) > LONGEST_LINE:
                return b""
            further = False
            if not self._read():
                chunk, self.tail = self.tail, b""
                return chunk + b"\n" if chunk else b""
        cut = self.tail.rfind(b"\n") + 1
        chunk, self.tail = self.tail[:cut], self.tail[cut:]
        return chunk

    def _rows(self, chunk: bytes, rows: RowEnds, header: Header) -> Iterator[Block]:
        """Yield rows whose ends are known, together if there are many and Arrow accepts them."""
        columns = _columns(chunk, len(rows.ends), header) if len(rows.ends) > FEW else None
        if columns is not None:
            puzzles = rows_of_cells(columns[header.puzzle], self.options)
            found = dict(zip(distinct(header.names), columns, strict=True))
            yield Block(found, puzzles, self.name, self.line + rows.lines, "line", first=self.first)
            self.first += len(puzzles)
        else:
            lines = TableLines(_numbered(chunk, self.line))
            lines.header = header
            some = [(number, fields_or_error(text, header)) for number, text in lines if text and text.strip()]
            size = 1 if len(some) <= FEW else len(some)
            for at in range(0, len(some), size):
                yield block_of_rows(some[at : at + size], header, self.name, self.options, self.first)
                self.first += len(some[at : at + size])
        self.line += chunk.count(b"\n")


def _numbered(chunk: bytes, first: int) -> Iterator[Line]:
    """Yield lines with their numbers."""
    return enumerate(chunk.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n"), first)


class RowEnds(NamedTuple):
    """The ends of the rows of a text, each with a newline, and the line, from 0, in which each row begins.

    ``stray`` says that a quote that does not enclose a whole field, or a row of very many lines, follows them.
    """

    ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    stray: bool = False


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
    return RowEnds(known[last[:good]], lines[:good], bool(len(stray)) or good < len(last))


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
