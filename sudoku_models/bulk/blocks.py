"""The rows of files and tables, in blocks of some thousand rows that keep their columns.

Lines of classic boards are read by numpy, tables by Arrow. Any other text is read puzzle by puzzle, and so are the
first lines of a short file or a pipe if the caller wants the first answers soon: then numpy need not be loaded.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FormatError
from ..formats import Entry
from ..formats.arrow import opened_table, rows_before, sniffed
from ..formats.catalogue import CSV, LINE
from ..formats.cells import Options
from ..formats.kinds.line import as_format_error, classic, is_skipped, line_or_error, read_lines
from ..formats.reading import is_stream, parse_with, problems_of, read_with
from ..formats.source import LONGEST_LINE, MARK, Prefixed, encoding_of, name_of, opened, past_mark
from ..formats.table import arrow_reader, cells_of, collected, header_of, is_null, library_of, named_column
from ..puzzle import Puzzle
from ..verbs.task import as_puzzle
from .rows import PLACE, Block, Rows, Same, boards, patched, puzzle_or_error
from .shards import Shard, lines_of

SIZE = 8_192
"""The number of rows in a block, unless the source determines it."""

PEEK = 1 << 16
"""The number of bytes from which the kind of a text is recognised."""

BYTES = 100
"""The length in bytes of a classic line, with room for a comment."""

ALL = 1 << 62
"""The value of ``singly`` for which every puzzle of a text comes by itself."""

PUZZLE = "puzzle"
"""The column name for puzzles that have none."""


def blocks_of(
    source: Any, options: Options | None = None, shard: Shard | None = None, *, singly: int = 0
) -> Iterator[Block]:
    """Yield the rows of a source, block by block.

    A source is a file ("-" is standard input; any format, Parquet and Arrow too), a binary stream, a table of pandas,
    polars or Arrow, an array of shape (n, 81), or any other container of puzzles (see ``problems_of``). Raises
    FormatError for a source that cannot be read at all; a row without a puzzle becomes an error among the rows.
    ``shard`` is the part of the file to read, and ``singly`` the number of lines that come one by one before blocks.
    """
    options = options or Options()
    if isinstance(source, io.TextIOBase):
        raise TypeError("the stream yields text, but bytes are expected: open the file with open(path, 'rb')")
    if shard is not None:
        return _of_shard(source, options, shard)
    if isinstance(source, (str, Path)) or is_stream(source):
        return _of_file(source, options, singly)
    if isinstance(source, bytes):
        return _of_file(io.BytesIO(source), options, singly)
    table = _table_of(source)
    if table is not None:
        return _of_batches(*table[:2], "the table", options, raw=table[2])
    numpy = sys.modules.get("numpy")
    if numpy and type(source) is numpy.ndarray and source.dtype == numpy.uint8 and source.shape[1:] == (81,):
        if options.column is not None:
            raise TypeError(f"column is {options.column!r}, but an array is not a table and has no columns")
        return _of_array(source)
    return _of_problems(source, options)


def _of_file(source: str | Path | BinaryIO, options: Options, singly: int) -> Iterator[Block]:
    name = name_of(source)
    with sniffed(source) as (kind, found):
        if kind is not None:
            with opened_table(kind, found, name) as (schema, batches):
                yield from _of_batches(schema, batches, name, options)
            return
        is_file = isinstance(found, str | Path) and found != "-" and Path(found).is_file()
        with opened(found) as stream:
            kind = kind_of(stream.peek(PEEK)[:PEEK], options)
            if kind == CSV:
                from .csv_blocks import blocks_of_csv

                yield from blocks_of_csv(stream, name, options)
            elif kind == LINE and singly < ALL:
                is_long = is_file and Path(found).stat().st_size > BYTES * singly
                yield from _of_lines(stream, name, options, 0 if is_long else singly, is_file)
            else:
                stream.raw.name = name  # type: ignore[attr-defined]
                stream.is_file = is_file  # type: ignore[attr-defined]
                yield from map(Block.of_entry, read_with(stream, options))


def kind_of(head: bytes, options: Options) -> str:
    """Return the kind of a file from its beginning: LINE (classic lines), CSV, or "other"."""
    if options.input_format not in (None, LINE, CSV) or options.strict:
        return "other"
    encoding = encoding_of(head)
    lines = head.decode(encoding, "replace").removeprefix("\ufeff").splitlines()
    text = next((line for line in lines if not is_skipped(line)), "")
    if options.input_format != LINE and header_of(text, options.column) is not None:
        return CSV
    usual = replace(options, input_format=None, guess=False) == Options() and options.input_format != CSV
    return LINE if encoding.startswith("utf-8") and usual and classic(text) is not None else "other"


def _of_shard(path: str | Path, options: Options, shard: Shard) -> Iterator[Block]:
    name = str(path)
    with sniffed(path) as (kind, found):
        if kind == "parquet":
            with opened_table(kind, found, name, shard.part) as (schema, batches):
                yield from _of_batches(schema, batches, name, options, rows_before(path, shard.part))
            return
        with lines_of(path, shard) as (stream, line, number):
            block = None
            for block in _of_lines_behind(stream, line, name, number, options):
                yield block
        if block is None:  # so that its columns are known, as those of other shards
            yield Block({column: [] for column in PLACE}, rows_of_cells([], options), name, [], "line")


def _of_lines(stream: io.BufferedReader, name: str, options: Options, singly: int, is_file: bool) -> Iterator[Block]:
    """Read lines of 81 characters many at a time, after ``singly`` puzzles one by one: first answers come at once."""
    stream, line, number = past_mark(stream), 0, 0
    while number < singly and line < 2 * singly and (data := stream.readline(LONGEST_LINE)):
        if b"\r" in data.removesuffix(b"\r\n") or len(data) >= LONGEST_LINE:  # a line that needs care
            stream = io.BufferedReader(Prefixed(data, stream), PEEK)
            break
        line += 1
        text = data.decode("utf-8", "surrogateescape").rstrip("\r\n").removeprefix(MARK)
        for _, found in read_lines(iter([(line, text)]), options):
            number += 1
            error = found.at(name, line) if isinstance(found, FormatError) else None
            yield Block.of_entry(Entry(number, line, None if error else found, error, name))  # type: ignore[arg-type]
    if stream.peek(1):  # only then is it worth loading numpy
        yield from _of_lines_behind(stream, line + 1, name, number, options, is_file)


def _of_lines_behind(
    stream: io.BufferedReader, line: int, name: str, first: int, options: Options, is_file: bool = True
) -> Iterator[Block]:
    """Read the rest of a stream, which begins with this line and has ``first`` puzzles before it, in blocks."""
    import numpy as np

    from ..formats.arrays import blocks_behind

    for found in blocks_behind(stream, line, name, is_file):
        if n := len(found.values):
            others = {row: error if (text := found.texts.get(row)) is None else line_or_error(text, options)
                      for row, error in found.errors.items()}  # fmt: skip
            rows = Rows(found.values, others).settled()
            texts = {row: one.to_line() if isinstance(one, Puzzle) else None for row, one in rows.others.items()}
            places = np.arange(first + 1, first + n + 1), Same(name, n), found.numbers
            columns = dict(zip(PLACE, (*places, patched(boards(rows.values), texts)), strict=True))
            yield Block(columns, rows, name, found.numbers, "line", first=first)
            first += n


def _of_batches(
    schema: Any,
    batches: Iterable[Any],
    source: str,
    options: Options,
    first: int = 0,
    raw: Mapping[int, Iterable[Any]] | None = None,
) -> Iterator[Block]:
    """Read record batches, before which the source has ``first`` rows.

    ``raw`` holds the cells of columns that the batches hold only as text. Without rows there is one empty block.
    """
    at = schema.names.index(named_column(schema.names, options.column, source))
    names = distinct(schema.names)
    cells = iter(raw[at]) if raw and at in raw else None
    for piece in _pieces(schema, batches):
        columns = dict(zip(names, piece.columns, strict=True))
        found = columns[names[at]] if cells is None else list(islice(cells, piece.num_rows))
        numbers = range(first + 1, first + 1 + piece.num_rows)
        known = schema if names == schema.names else None
        yield Block(columns, rows_of_cells(found, options), source, numbers, schema=known, first=first)
        first += piece.num_rows


def _pieces(schema: Any, batches: Iterable[Any]) -> Iterator[Any]:
    from pyarrow import RecordBatch

    empty = True
    for batch in batches:
        for start in range(0, batch.num_rows, SIZE):
            empty = False
            yield batch.slice(start, SIZE)
    if empty:
        yield RecordBatch.from_pylist([], schema)


def _of_array(values: Any) -> Iterator[Block]:
    import numpy as np

    for start in range(0, max(len(values), 1), SIZE):
        some = np.ascontiguousarray(values[start : start + SIZE])
        wrong = some.max(axis=1, initial=0) > 9
        errors = {row: _puzzle(some[row]) for row in np.flatnonzero(wrong).tolist()}
        rows = Rows(np.where(wrong[:, None], np.uint8(0), some) if errors else some, errors)
        texts = patched(boards(rows.values), dict.fromkeys(errors))
        yield Block({PUZZLE: texts}, rows, "the array", range(start + 1, start + 1 + len(some)), first=start)


def _of_problems(problems: Any, options: Options) -> Iterator[Block]:
    """Read any container: in large blocks if it has a length, otherwise in growing ones, so that none waits long."""
    cells, first = cells_of(problems, options.column), 0
    growing = chain((1 << k for k in range(SIZE.bit_length() - 1)), repeat(SIZE))
    sizes = repeat(SIZE) if isinstance(problems, Sized) else growing
    waiting = iter(problems_of(problems, options.column) if cells is None else cells)
    while (some := list(islice(waiting, next(sizes)))) or not first:
        numbers = range(first + 1, first + 1 + len(some))
        if cells is None and not all(cell is None or isinstance(cell, str) for cell in some):
            some = list(map(_puzzle, some))
        yield Block({PUZZLE: list(map(text_of, some))}, rows_of_cells(some, options), "the input", numbers, first=first)
        if not some:
            return
        first += len(some)


def _puzzle(problem: Any) -> Puzzle | FormatError:
    try:
        return as_puzzle(problem)
    except (ValueError, TypeError) as error:
        return as_format_error(error if isinstance(error, ValueError) else ValueError(str(error)))


def rows_of_cells(cells: Any, options: Options) -> Rows:
    """Read the cells of a column: a list or an Arrow array."""
    options = of_cell(options)
    read = partial(puzzle_or_error, read=partial(parse_with, options=options))
    return Rows.of(cells, read, options.is_plain and not options.strict)


def of_cell(options: Options) -> Options:
    """Return the options for a puzzle in a table: a cell is no table itself."""
    return replace(options, input_format=None) if options.input_format == CSV else options


# tables in memory, as Arrow record batches; cells that Arrow cannot hold are stored as text

_UNFIT = (TypeError, ValueError, ArithmeticError, NotImplementedError)
"""The exceptions that Arrow raises for a column that it cannot hold; its own errors are subclasses."""

Table = tuple[Any, Iterable[Any], Mapping[int, Iterable[Any]]]
"""A schema, record batches, and by position the original cells of columns that they hold only as text."""


def _table_of(source: Any) -> Table | None:
    """Return a table of pandas, polars or anything that exports Arrow data; None for single columns and all else."""
    source, library = collected(source), library_of(source)
    if library in ("pandas", "polars"):
        return (_of_pandas if library == "pandas" else _of_polars)(source) if hasattr(source, "columns") else None
    column = type(source).__name__ == "ChunkedArray"
    is_table = type(source).__name__ == "RecordBatch" or (hasattr(source, "__arrow_c_stream__") and not column)
    return _arrow(source) if is_table else None


def _arrow(source: Any, raw: Mapping[int, Iterable[Any]] | None = None) -> Table:
    reader = arrow_reader(source)
    return reader.schema, reader, raw or {}


def _of_pandas(frame: Any) -> Table:
    names = distinct(map(str, frame.columns))
    if names != list(frame.columns):
        frame = frame.set_axis(names, axis="columns")
    try:
        return _arrow(frame)
    except _UNFIT:
        raw = {at: frame[name] for at, name in enumerate(names) if frame[name].dtype.kind in "Oc"}  # objects, complex
    try:
        return _arrow(frame.assign(**{names[at]: list(map(text_of, column)) for at, column in raw.items()}), raw)
    except _UNFIT as error:
        raise FormatError(f"cannot be converted to Arrow ({error})", source="the table") from error


def _of_polars(frame: Any) -> Table:
    import polars

    raw = {at: frame.to_series(at) for at, kind in enumerate(frame.dtypes) if kind == polars.Object}
    texts = [polars.Series(column.name, list(map(text_of, column)), polars.String) for column in raw.values()]
    return _arrow(frame.with_columns(texts), raw)


def text_of(cell: Any) -> str | None:
    """Return a cell as text, a puzzle as its line; None for an empty cell or an error."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Puzzle):
        return cell.to_line()
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    none = isinstance(cell, Exception) or (not isinstance(cell, Sized) and is_null(cell))
    return None if none else str(cell)


def distinct(names: Iterable[str]) -> list[str]:
    """Return distinct names of columns: repeated ones are numbered."""
    found: list[str] = []
    for name in names:
        number, candidate = 2, name
        while candidate in found:
            candidate, number = f"{name}_{number}", number + 1
        found.append(candidate)
    return found
