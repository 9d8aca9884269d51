"""Puzzles in the columns of tables: pandas, polars, and anything that exports Arrow data.

None of these packages is imported unless one of its tables is passed. A cell of the column is a text in any known
format, or a list of the values of the puzzle's cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from typing import Any

from ..errors import FormatError, meant
from ..puzzle.grid import Grid
from ..puzzle.puzzle import Puzzle
from .table import PUZZLE

ROWS = 8_192
"""The number of rows that are converted to Python objects at a time."""


def cells_of(data: Any, column: str | None = None) -> Iterable[Any] | None:
    """Return the column of puzzles of a table, or a single column; None for anything else."""
    library = type(data).__module__.partition(".")[0]
    if library in ("pandas", "polars"):
        data = data.collect() if library == "polars" and hasattr(data, "collect") else data
        return _of_frame(data, column, library) if hasattr(data, "columns") else data
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return _of_arrow(data, column)
    return None


def puzzle_column(names: Sequence[str], column: str | None = None) -> str | None:
    """Return the name of the column of puzzles: the chosen one, or one with a usual name; None if there is none."""
    if column is not None:
        return column if column in names else None
    by_name = {name.lower(): name for name in reversed(names)}
    return next((by_name[name] for name in PUZZLE if name in by_name), None)


def named_column(names: Iterable[Any], column: str | None = None, source: str | None = None) -> str:
    """Return the name of the column of puzzles; if there is none, raise FormatError with the existing names."""
    texts = [name for name in names if isinstance(name, str)]
    found = puzzle_column(texts, column)
    if found is not None:
        return found
    wanted = (
        repr(column)
        if column is not None
        else "puzzle (or quizzes, sudoku, board, givens, ...; commands with --column accept any name)"
    )
    there = f"the columns are {', '.join(texts)}" if texts else "there is no named column"
    raise FormatError(f"{there}: a column named {wanted} is expected{meant(column or '', texts)}", source=source)


def _of_frame(data: Any, column: str | None, library: str) -> Iterable[Any]:
    names = list(data.columns)
    at = names.index(named_column(names, column))
    cells: Iterable[Any] = data.iloc[:, at] if library == "pandas" else data.to_series(at)
    return cells


def _of_arrow(data: Any, column: str | None) -> Iterator[Any]:
    """Yield the cells of an Arrow column, some rows at a time."""
    import pyarrow

    if isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray)):
        yield from _pieces(data)
        return
    if isinstance(data, pyarrow.RecordBatch):
        data = pyarrow.Table.from_batches([data])
    batches = pyarrow.RecordBatchReader.from_stream(data)
    names = batches.schema.names
    at = names.index(named_column(names, column))
    for batch in batches:
        yield from _pieces(batch.column(at))


def _pieces(array: Any) -> Iterator[Any]:
    for start in range(0, len(array), ROWS):
        yield from array.slice(start, ROWS).to_pylist()


def is_null(cell: object) -> bool:
    """Return whether a cell of a table is empty: None, NaN, or pandas' NA, which cannot be compared."""
    return cell is None or type(cell).__name__ == "NAType" or bool(cell != cell)


def puzzle_of(cell: Any, parse: Callable[[str], Puzzle]) -> Puzzle:
    """Read one cell of a column: a text, bytes, or the values of the cells; raise FormatError if it holds no puzzle."""
    if isinstance(cell, bytes):
        cell = cell.decode("utf-8", "replace")
    if isinstance(cell, str):
        try:
            return parse(cell)
        except FormatError as error:  # a text of one line needs no line number, only the cell
            raise FormatError(error.message, line=error.line if "\n" in cell else None, cell=error.cell) from None
    if isinstance(cell, Puzzle):
        return cell
    if not isinstance(cell, Sized):
        what = "null" if is_null(cell) else type(cell).__name__
        raise FormatError(f"no puzzle ({what}): a text or the values of the cells are expected")
    try:
        import numpy as np

        return Puzzle.of(Grid.from_numpy(np.asarray(cell, dtype=object).reshape(-1)))
    except (TypeError, ValueError) as error:
        raise FormatError(f"{type(cell).__name__} is not a puzzle: {error}") from None
