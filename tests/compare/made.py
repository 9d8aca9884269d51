"""Rows made by hand: what the tests of figures and pages report on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from sudoku_models.compare import Journal, JournalError, Row

LIMIT = 10.0
ROW = Row(1, "made.txt", None, "", 81, 17, "a", "unique", "solved", True, "", 1.0, 1.0, time_limit=LIMIT, side=9)
LOST = None
"""Stands for a run that reached the limit."""


def row(backend: str, instance: int, wall: float | None, **changes: Any) -> Row:
    """Make the row of a run of so many seconds; None for a timeout."""
    status = "timeout" if wall is None else "solved"
    said = {"status": status, "wall": LIMIT if wall is None else wall, "unique": None if wall is None else True}
    return replace(ROW, puzzle=instance, sha256=f"{instance:064x}", backend=backend, **{**said, **changes})


def rows(**times: list[float | None]) -> list[Row]:
    """Make the rows of several backends: the times of the instances 1, 2, ..."""
    return [row(name, i, wall) for name, walls in times.items() for i, wall in enumerate(walls, 1)]


def done(folder: Path) -> int:
    """Return how many runs are in the journal of a folder, in which a program may be about to make one."""
    try:
        return len(Journal.open(folder).done())
    except JournalError:
        return 0
