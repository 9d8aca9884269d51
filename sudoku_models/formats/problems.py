"""The problems in a container: a file, a table, an array, or any iterable."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import FormatError
from ..puzzle.grid import Grid
from ..puzzle.puzzle import Puzzle
from .kinds.line import as_format_error
from .puzzle_columns import cells_of, puzzle_of
from .reading import parse, read

_MANY = "a list of them, an array, a Path (of a file), or a table of pandas, polars or Arrow"


def problems_of(data: Any, column: str | None = None) -> Iterable[Any]:
    """Return the problems in ``data``: its elements, the rows of a table, or the puzzles of a file (a Path or a byte
    stream).

    A row of a table or an entry of a file without a puzzle becomes a FormatError with its place. ``column`` names the
    column of a table; by default it is recognised by its name.
    """
    _refuse_one(data)
    if isinstance(data, bytes):
        return [line for line in data.decode("utf-8-sig", "replace").splitlines() if line.strip() and line[0] != "#"]
    if isinstance(data, Path) or is_stream(data):
        return (entry.error if entry.puzzle is None else entry.puzzle for entry in read(data, column=column))
    cells = cells_of(data, column)
    if _kind(data) == "S":
        cells = data.tolist()  # texts as numpy keeps them in files
    if cells is not None:
        return (_problem(cell, row) for row, cell in enumerate(cells, 1))
    if column is not None:
        raise TypeError(f"column is {column!r}, but {type(data).__name__} is not a table and has no columns")
    try:
        iter(data)
    except TypeError:
        raise TypeError(f"{_named(data)} where many puzzles are expected: {_MANY}") from None
    return data  # type: ignore[no-any-return]


def is_stream(data: Any) -> bool:
    """Return whether an object is a binary stream, such as ``open(path, "rb")`` returns."""
    return hasattr(data, "read") and not hasattr(data, "schema") and not isinstance(data, io.TextIOBase)


def _refuse_one(data: Any) -> None:
    """Raise TypeError for a single puzzle, which could be mistaken for many rows, and for a dict of columns."""
    if isinstance(data, str):
        raise TypeError("a text where many puzzles are expected: a Path (of a file), or a list of texts")
    if isinstance(data, (Puzzle, Grid, Mapping)) or (_kind(data) in tuple("biuf") and len(data)):
        raise TypeError(f"{_named(data)} where many puzzles are expected: {_MANY}")


def _kind(data: Any) -> str:
    """Return numpy's letter for the type of a one-dimensional array: texts, objects, numbers; "" for other objects."""
    return str(data.dtype.kind) if type(data).__module__ == "numpy" and getattr(data, "ndim", 0) == 1 else ""


def _named(data: Any) -> str:
    shape = getattr(data, "shape", None)
    return f"an array of shape {shape}" if isinstance(shape, tuple) else f"one {type(data).__name__}"


def _problem(cell: object, row: int) -> Puzzle | FormatError:
    try:
        return puzzle_of(cell, parse)
    except ValueError as error:
        return as_format_error(error).at(row=row)
