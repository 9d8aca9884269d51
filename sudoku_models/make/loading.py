"""Load puzzles in the usual plain forms: tables (CSV, Parquet) and arrays (extra ``data``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FormatError
from ..puzzle import Puzzle
from .bands import Array


@dataclass(frozen=True)
class Loaded:
    """Loaded puzzles: ``puzzles`` and ``solutions`` (uint8, n x cells), and their ``ratings`` as given."""

    puzzles: Array
    solutions: Array | None
    ratings: list[Any] | None


_NAMES = {"puzzles": ("question", "quizzes", "puzzle"), "solutions": ("answer", "solutions", "solution")}


def load(path: str | Path) -> Loaded:
    """Read puzzles and solutions in a plain form: a table (CSV, Parquet) or arrays (``.npz``).

    Columns, or arrays, are called question and answer, quizzes and solutions, puzzle and solution, or puzzles; a table
    may have a rating or a level. FormatError for a file without such a column, and for lines that are not boards.
    """
    source = Path(path)
    if source.suffix == ".npz":
        with np.load(source) as arrays:
            columns: dict[str, Any] = dict(arrays)
    else:
        import pandas as pd

        table = pd.read_parquet(source) if source.suffix == ".parquet" else pd.read_csv(source, dtype=str)
        columns = {name: table[name].tolist() for name in table.columns}
    puzzles = _boards(columns, (*_NAMES["puzzles"], "puzzles"), source)
    if puzzles is None:
        raise FormatError(f"{source}: no column of puzzles: question, quizzes or puzzle is expected")
    ratings = next((list(columns[name]) for name in ("rating", "level", "difficulty") if name in columns), None)
    return Loaded(puzzles, _boards(columns, _NAMES["solutions"], source), ratings)


def _boards(columns: Mapping[str, Any], names: tuple[str, ...], source: Path) -> Array | None:
    found = next((columns[name] for name in names if name in columns), None)
    if found is None:
        return None
    if hasattr(found, "dtype"):
        rows: Array = found.reshape(len(found), -1).astype(np.uint8)
        return rows
    from ..bulk.batches import rows_of

    lines = [str(line) for line in found]
    if {len(line) for line in lines} <= {81}:
        read: Array = rows_of(lines)
        return read
    try:
        grids = [[v or 0 for v in Puzzle.parse(line).givens] for line in lines]
        return np.array(grids, np.uint8)
    except (FormatError, ValueError) as error:
        raise FormatError(f"{source}: lines of boards of one size are expected: {error}") from None
