"""The rows of files and tables, in blocks of some thousand rows that keep their columns."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..errors import FormatError
from ..formats.arrays import PuzzleBlock as Lines
from ..formats.arrays import read_blocks
from ..formats.arrow import opened_table, rows_before, sniffed
from ..formats.catalogue import CSV, LINE
from ..formats.kinds.line import as_format_error, line_or_error
from ..formats.options import Options
from ..formats.problems import is_stream, problems_of
from ..formats.puzzle_columns import cells_of, named_column
from ..formats.reading import checked, parse_with, read_with
from ..formats.source import name_of
from ..formats.table import Header, puzzle_of_row
from ..puzzle import Puzzle
from ..verbs.task import as_puzzle
from .columns import Same, boards, patched
from .memory_tables import distinct, table_of, text_of
from .rows import PLACE, Block, Rows, puzzle_or_error, rows_of_arrow
from .shards import Shard, lines_of
from .text import lines_or_table
from .where import MANY

SIZE = 8_192
"""The number of rows in a block, unless the source determines it."""

PUZZLE = "puzzle"
"""The column name for puzzles that have none."""


def blocks_of(source: Any, options: Options | None = None, shard: Shard | None = None) -> Iterator[Block]:
    """Yield the rows of a source, block by block.

    A source is a file ("-" is standard input; any format, Parquet and Arrow too), a binary stream, a table of pandas,
    polars or Arrow, an array of shape (n, 81), or any other container of puzzles (see ``problems_of``). Raises
    FormatError for a source that cannot be read at all; a row without a puzzle becomes an error among the rows.
    ``shard`` is the part of the file to read.
    """
    options = options or Options()
    if isinstance(source, io.TextIOBase):
        raise TypeError("the stream yields text, but bytes are expected: open the file with open(path, 'rb')")
    if shard is not None:
        return _of_shard(source, options, shard)
    if isinstance(source, (str, Path)) or is_stream(source):
        return _of_file(source, options)
    if isinstance(source, bytes):
        return _of_file(io.BytesIO(source), options)
    table = table_of(source)
    if table is not None:
        return of_batches(table.schema, table.batches, "the table", options, table.raw)
    if type(source) is np.ndarray and source.ndim == 2 and source.dtype == np.uint8 and source.shape[1] == 81:
        if options.column is not None:
            raise TypeError(f"column is {options.column!r}, but an array is not a table and has no columns")
        return _of_array(source)
    return _of_problems(source, options)


def _of_file(source: str | Path | BinaryIO, options: Options) -> Iterator[Block]:
    name = name_of(source)
    with sniffed(source) as (kind, found):
        if kind is None:
            yield from _of_text(found, name, options)
        else:
            with opened_table(kind, found, name) as (schema, batches):
                yield from of_batches(schema, batches, name, options)


def _of_shard(path: str | Path, options: Options, shard: Shard) -> Iterator[Block]:
    with sniffed(path) as (kind, found):
        if kind == "parquet":
            with opened_table(kind, found, str(path), shard.part) as (schema, batches):
                yield from of_batches(schema, batches, str(path), options, first=rows_before(path, shard.part))
        else:
            empty = True
            for block in lines_of(path, shard):
                empty = False
                yield block
            if empty:
                none = Rows(np.zeros((0, 81), np.uint8))  # so that its columns are known, as those of other shards
                yield replace(Block.of_entries([], str(path)), rows=none)


def _of_text(source: str | Path | BinaryIO, name: str, options: Options) -> Iterator[Block]:
    with lines_or_table(source, options) as (kind, stream):
        if kind == LINE:
            yield from _of_lines(stream, name, options)
        elif kind == CSV:
            from .csv_blocks import blocks_of_csv

            yield from blocks_of_csv(stream, name, options)
        else:
            yield from _of_entries(stream, name, options)


def _of_lines(stream: BinaryIO, name: str, options: Options) -> Iterator[Block]:
    """Read lines of 81 characters, many at a time; lines of other boards and formats one by one."""
    number = 0
    for block in read_blocks(stream):
        if len(block.values):
            yield block_of_lines(block, name, number, options)
            number += len(block.values)


def block_of_lines(block: Lines, name: str, first: int, options: Options) -> Block:
    """Return lines of a file as a block; ``first`` is the number of earlier puzzles."""
    others = {row: error if (text := block.texts.get(row)) is None else line_or_error(text, options)
              for row, error in block.errors.items()}  # fmt: skip
    rows, n = Rows(block.values, others).settled(), len(block.values)
    texts = {row: found.to_line() if isinstance(found, Puzzle) else None for row, found in rows.others.items()}
    numbers = np.arange(first + 1, first + n + 1), Same(name, n), block.numbers
    columns = dict(zip(PLACE, (*numbers, patched(boards(rows.values), texts)), strict=True))
    return Block(columns, rows, name, block.numbers, "line", first=first)


def of_csv(
    rows: Iterator[tuple[int, Any]], name: str, options: Options, header: Header | None = None, first: int = 0
) -> Iterator[Block]:
    """Read a CSV table from its rows: lists of fields, or errors. The first is the header if none is given.

    ``first`` is the number of earlier rows.
    """
    if header is None:
        _, header = next(rows)
    for some in _lists(rows, _growing(max(0, MANY - first))):
        yield block_of_rows(some, header, name, options, first)
        first += len(some)


def block_of_rows(some: list[tuple[int, Any]], header: Header, name: str, options: Options, first: int) -> Block:
    """Return rows of a CSV table as a block: their line numbers, and their fields or errors."""
    names = distinct(header.names)
    fields = [row if isinstance(row, list) else [None] * len(names) for _, row in some]
    columns = {column: [row[i] for row in fields] for i, column in enumerate(names)}
    lines = [line for line, _ in some]
    return Block(columns, _rows_of_table(some, header, options), name, lines, "line", None, first)


def _rows_of_table(some: list[tuple[int, Any]], header: Header, options: Options) -> Rows:
    """Read the puzzles of some rows, with their titles and stated solutions if they come one by one."""
    if len(some) == 1:
        ((_, row),) = some
        return Rows(None, {0: _whole_row(row, header, options)})
    cells = [row[header.puzzle] if isinstance(row, list) else None for _, row in some]
    found = rows_of_cells(cells, options)
    wrong = {i: row for i, (_, row) in enumerate(some) if isinstance(row, FormatError)}
    return replace(found, others={**found.others, **wrong})


def _whole_row(row: Any, header: Header, options: Options) -> Puzzle | FormatError:
    """Read a row with its title and stated solution; errors in its puzzle are those of a table cell."""
    if isinstance(row, FormatError):
        return row
    try:
        return checked(puzzle_of_row(row, header, options), options)
    except FormatError:
        return puzzle_or_error(row[header.puzzle], partial(parse_with, options=_of_cells(options)))


def _lists(items: Iterable[Any], sizes: Iterable[int]) -> Iterator[list[Any]]:
    """Yield items in lists of the given sizes; without items, yield one empty list so that the columns are known."""
    waiting = iter(items)
    some = list(islice(waiting, next(sizes := iter(sizes))))
    yield some
    while some and (some := list(islice(waiting, next(sizes)))):
        yield some


def _growing(singly: int = 0) -> Iterator[int]:
    """Yield block sizes: some single rows first, then growing blocks, so that the first rows need not wait."""
    return chain(repeat(1, singly), (1 << k for k in range(SIZE.bit_length() - 1)), repeat(SIZE))


def _of_entries(stream: BinaryIO, name: str, options: Options) -> Iterator[Block]:
    for some in _lists(read_with(stream, options), _growing(MANY)):
        if some:
            block = Block.of_entries(some)
            yield block if block.single else replace(block, rows=_settled(list(block.rows.others.values())))


def _settled(found: list[Any]) -> Rows:
    return Rows(np.zeros((len(found), 81), np.uint8), dict(enumerate(found))).settled()


def of_batches(
    schema: Any,
    batches: Iterable[Any],
    source: str,
    options: Options,
    raw: Mapping[int, Iterable[Any]] | None = None,
    first: int = 0,
) -> Iterator[Block]:
    """Read record batches; ``raw`` holds the cells of columns that the batches hold only as text.

    ``first`` rows of the source come before.
    """
    at, start = schema.names.index(named_column(schema.names, options.column, source)), first + 1
    names = distinct(schema.names)
    cells = iter(raw[at]) if raw and at in raw else None
    for piece in _pieces(schema, batches):
        columns = dict(zip(names, piece.columns, strict=True))
        rows = rows_of_cells(columns[names[at]] if cells is None else list(islice(cells, piece.num_rows)), options)
        known = schema if names == schema.names else None
        yield Block(columns, rows, source, range(start, start + len(rows)), schema=known, first=start - 1)
        start += len(rows)


def _pieces(schema: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Split batches into smaller ones; a table without rows gives one empty batch with its columns."""
    from pyarrow import RecordBatch

    empty = True
    for batch in batches:
        for i in range(0, batch.num_rows, SIZE):
            empty = False
            yield batch.slice(i, SIZE)
    if empty:
        yield RecordBatch.from_pylist([], schema)


def _of_array(values: Any) -> Iterator[Block]:
    for start in range(0, max(len(values), 1), SIZE):
        some = np.ascontiguousarray(values[start : start + SIZE])
        errors = {row: _puzzle(some[row]) for row in np.flatnonzero(some.max(axis=1, initial=0) > 9).tolist()}
        rows = Rows(np.where(some.max(axis=1, keepdims=True) > 9, np.uint8(0), some) if errors else some, errors)
        texts = patched(boards(rows.values), dict.fromkeys(errors))
        yield Block({PUZZLE: texts}, rows, "the array", range(start + 1, start + 1 + len(some)), first=start)


def _of_problems(problems: Any, options: Options) -> Iterator[Block]:
    cells, start = cells_of(problems, options.column), 1
    sizes = repeat(SIZE) if isinstance(problems, Sized) else _growing()
    for some in _lists(problems_of(problems, options.column) if cells is None else cells, sizes):
        numbers = range(start, start + len(some))
        if cells is not None or all(cell is None or isinstance(cell, str) for cell in some):
            texts, rows = list(map(text_of, some)), rows_of_cells(some, options)
        else:
            puzzles = [_puzzle(problem) for problem in some]
            texts, rows = list(map(text_of, puzzles)), _settled(puzzles)
        yield Block({PUZZLE: texts}, rows, "the input", numbers, first=start - 1)
        start += len(some)


def _puzzle(problem: Any) -> Puzzle | FormatError:
    try:
        return as_puzzle(problem)
    except (ValueError, TypeError) as error:
        return as_format_error(error if isinstance(error, ValueError) else ValueError(str(error)))


def rows_of_cells(cells: Any, options: Options) -> Rows:
    """Read the cells of a column: a list or an Arrow array."""
    options = _of_cells(options)
    quick = options.is_plain and not options.strict
    read = partial(parse_with, options=options)
    if not isinstance(cells, list):
        found = rows_of_arrow(cells, read) if quick else None
        if found is not None:
            return found
        cells = cells.to_pylist()
    return Rows.of(cells, read, quick)


def _of_cells(options: Options) -> Options:
    """Return the options for the puzzles in a table: a cell is not a table itself."""
    return replace(options, input_format=None) if options.input_format == CSV else options
