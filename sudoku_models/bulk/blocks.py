"""Where rows come from: files and tables, some thousand rows at a time, with the columns that they came with."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..errors import FormatError
from ..formats.arrays import PuzzleBlock as Lines
from ..formats.arrays import read_blocks
from ..formats.arrow import opened_table, sniffed
from ..formats.line_texts import as_format_error, line_or_error
from ..formats.options import Options
from ..formats.problems import is_stream, problems_of
from ..formats.puzzle_columns import cells_of, named_column
from ..formats.reading import parse_with, read_with
from ..formats.source import name_of
from ..puzzle import Puzzle
from ..verbs.task import as_puzzle
from .columns import Texts, boards
from .memory_tables import distinct, table_of, text_of
from .rows import Rows, boards_of_arrow
from .shards import Shard, lines_of
from .text import lines_or_table

SIZE = 8_192
"""Rows to a block, where the source does not say otherwise."""

PUZZLE = "puzzle"
"""The column that puzzles get which came without one."""


@dataclass(frozen=True)
class Block:
    """Some consecutive rows of a source: ``columns`` by name (lists of text, or Arrow arrays) and their puzzles.

    ``source`` names the file, ``numbers`` are the lines (of text) or rows (of tables, from 1), as ``unit`` says.
    ``schema`` is that of the Arrow table which the rows come from.
    """

    columns: Mapping[str, Any]
    rows: Rows
    source: str
    numbers: Any
    unit: str = "row"
    schema: Any = None

    def __len__(self) -> int:
        return len(self.rows)

    def parts(self, size: int) -> Iterator[Block]:
        """Yield blocks of at most that many rows; one without rows is one part."""
        for start in range(0, max(len(self), 1), size):
            part = slice(start, start + size)
            columns = {name: column[part] for name, column in self.columns.items()}
            yield replace(self, columns=columns, rows=self.rows.part(start, start + size), numbers=self.numbers[part])

    def place(self, row: int) -> str:
        """Say where a row stands."""
        return f"{self.source}: {self.unit} {self.numbers[row]}"


def blocks_of(source: Any, options: Options | None = None, shard: Shard | None = None) -> Iterator[Block]:
    """Return the rows of a source, block by block.

    A source is a file ("-" is standard input; any format, Parquet and Arrow too), a binary stream, a table of pandas,
    polars or Arrow, an array of shape (n, 81), or any other container of puzzles (see ``problems_of``). FormatError is
    raised for a source that cannot be read at all; a row that holds no puzzle is an error among the rows. ``shard`` is
    the part of a file that is wanted.
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
        return _of_batches(table.schema, table.batches, "the table", options, table.raw)
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
                yield from _of_batches(schema, batches, name, options)


def _of_shard(path: str | Path, options: Options, shard: Shard) -> Iterator[Block]:
    with sniffed(path) as (kind, found):
        if kind == "parquet":
            with opened_table(kind, found, str(path), shard.part) as (schema, batches):
                yield from _of_batches(schema, batches, str(path), options)
        else:
            empty = True
            for behind in lines_of(path, shard):
                empty = False
                yield _of_block(behind.block, str(path))
            if empty:
                yield _block([], [], str(path), [])  # so that its columns are known, as those of the other shards


def _of_text(source: str | Path | BinaryIO, name: str, options: Options) -> Iterator[Block]:
    with lines_or_table(source, options) as (kind, stream):
        if kind == "line":
            yield from _of_lines(stream, name)
        elif kind == "csv":
            yield from _of_table(stream, name, options)
        else:
            yield from _of_entries(stream, name, options)


def _of_lines(stream: BinaryIO, name: str) -> Iterator[Block]:
    """Read lines of 81 characters, many at a time; lines of other boards one by one."""
    for block in read_blocks(stream):
        if len(block.values):
            yield _of_block(block, name)


def _of_block(block: Lines, name: str) -> Block:
    texts = {row: block.texts.get(row) for row in block.errors}  # of a line that is too long there is none
    others = {row: error if (text := texts[row]) is None else line_or_error(text, Options())
              for row, error in block.errors.items()}  # fmt: skip
    column = _with(boards(block.values), texts)
    return Block({PUZZLE: column}, Rows(block.values, others).settled(), name, block.numbers, "line")


def _with(column: Texts, others: Mapping[int, str | None]) -> Any:
    """Return a column with other texts in some rows."""
    if not others:
        return column
    texts = column.tolist()
    for row, text in others.items():
        texts[row] = text
    return texts


def _of_table(rows: Iterator[tuple[int, Any]], name: str, options: Options) -> Iterator[Block]:
    """Read a CSV table: the first of ``rows`` is its header, the others lists of fields, or what is wrong."""
    _, (header, found_names) = next(rows)
    names = distinct(found_names)
    for some in _some(rows):
        fields = [row if isinstance(row, list) else [None] * len(names) for _, row in some]
        columns = {column: [row[i] for row in fields] for i, column in enumerate(names)}
        found = rows_of_cells(columns[names[header.puzzle]], options)
        wrong = {i: row for i, (_, row) in enumerate(some) if isinstance(row, FormatError)}
        rows_read = replace(found, others={**found.others, **wrong})
        yield Block(columns, rows_read, name, [number for number, _ in some], "line")


def _some(items: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield items in lists of bounded length; where there are none, one empty list, so that the columns are known."""
    waiting = iter(items)
    yield list(islice(waiting, SIZE))
    while some := list(islice(waiting, SIZE)):
        yield some


def _of_entries(stream: BinaryIO, name: str, options: Options) -> Iterator[Block]:
    entries = read_with(stream, options)
    while some := list(islice(entries, SIZE)):
        texts = [None if entry.puzzle is None else entry.puzzle.to_line() for entry in some]
        yield _block(texts, [entry.puzzle or entry.error for entry in some], name, [entry.line for entry in some])


def _block(texts: list[str | None], found: list[Any], name: str, numbers: Any, unit: str = "line") -> Block:
    rows = Rows(np.zeros((len(found), 81), np.uint8), dict(enumerate(found))).settled()
    return Block({PUZZLE: texts}, rows, name, numbers, unit)


def _of_batches(
    schema: Any, batches: Iterable[Any], source: str, options: Options, raw: Mapping[int, Iterable[Any]] | None = None
) -> Iterator[Block]:
    """Read record batches; ``raw`` holds the cells of columns that the batches have as text only."""
    at, start = schema.names.index(named_column(schema.names, options.column, source)), 1
    names = distinct(schema.names)
    cells = iter(raw[at]) if raw and at in raw else None
    for piece in _pieces(schema, batches):
        columns = dict(zip(names, piece.columns, strict=True))
        rows = rows_of_cells(columns[names[at]] if cells is None else list(islice(cells, piece.num_rows)), options)
        known = schema if names == schema.names else None
        yield Block(columns, rows, source, range(start, start + len(rows)), schema=known)
        start += len(rows)


def _pieces(schema: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Cut batches into smaller ones; a table without rows gives one empty batch, which has its columns."""
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
        texts = _with(boards(rows.values), dict.fromkeys(errors))
        yield Block({PUZZLE: texts}, rows, "the array", range(start + 1, start + 1 + len(some)))


def _of_problems(problems: Any, options: Options) -> Iterator[Block]:
    cells, start = cells_of(problems, options.column), 1
    for some in _some(problems_of(problems, options.column) if cells is None else cells):
        numbers = range(start, start + len(some))
        if cells is not None or all(cell is None or isinstance(cell, str) for cell in some):
            yield Block({PUZZLE: list(map(text_of, some))}, rows_of_cells(some, options), "the input", numbers)
        else:
            puzzles = [_puzzle(problem) for problem in some]
            yield _block([text_of(puzzle) for puzzle in puzzles], puzzles, "the input", numbers, "row")
        start += len(some)


def _puzzle(problem: Any) -> Puzzle | FormatError:
    try:
        return as_puzzle(problem)
    except (ValueError, TypeError) as error:
        return as_format_error(error if isinstance(error, ValueError) else ValueError(str(error)))


def rows_of_cells(cells: Any, options: Options) -> Rows:
    """Read the cells of a column: a list, or an array of Arrow."""
    quick = options.is_plain and not options.strict
    if not isinstance(cells, list):
        values = boards_of_arrow(cells) if quick else None
        if values is not None:
            return Rows(values)
        cells = cells.to_pylist()
    return Rows.of(cells, lambda text: parse_with(text, options), quick)
