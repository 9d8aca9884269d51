"""The player's entries in the grid, with undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Cells = tuple[int | None, ...]
Marks = tuple[tuple[int, ...], ...]
COLOURS = 9
"""The number of colours; 0 means no colour."""


@dataclass(frozen=True)
class Written:
    """The givens and all entries, cell by cell: values, corner and centre marks, colours."""

    givens: Cells
    values: Cells
    corners: Marks
    centres: Marks
    colours: tuple[int, ...]


@dataclass
class History:
    """The states before and after the current one."""

    now: Written
    past: list[Written] = field(default_factory=list)
    future: list[Written] = field(default_factory=list)

    def changed(self, now: Written) -> None:
        """Record the previous state, if it differs; states for redo are discarded."""
        if now != self.now:
            self.past.append(self.now)
            self.future.clear()
            self.now = now

    def back(self) -> Written:
        """Undo one change; return the current state if there is none."""
        return self._travel(self.past, self.future)

    def forward(self) -> Written:
        """Redo one change; return the current state if there is none."""
        return self._travel(self.future, self.past)

    def _travel(self, source: list[Written], target: list[Written]) -> Written:
        if source:
            target.append(self.now)
            self.now = source.pop()
        return self.now


def checked_marks(name: str, marks: object, cells: int, values: Sequence[int]) -> Marks:
    """Return marks as tuples: sorted values for each cell. Raises ValueError for invalid marks."""
    given = marks if isinstance(marks, list | tuple) else ()
    rows = [
        row
        for row in given
        if isinstance(row, list | tuple) and all(type(mark) is int and mark in values for mark in row)
    ]
    if len(given) != cells or len(rows) != cells:
        raise ValueError(f"{name}: {cells} lists are expected, each of values from {values[0]} to {values[-1]}")
    return tuple(tuple(sorted(set(row))) for row in rows)


def checked_colours(colours: object, cells: int) -> tuple[int, ...]:
    """Return colours as a tuple: a number for each cell. Raises ValueError for invalid colours."""
    given = colours if isinstance(colours, list | tuple) else ()
    if len(given) != cells or not all(type(colour) is int and 0 <= colour <= COLOURS for colour in given):
        raise ValueError(f"colours: {cells} numbers from 0 (none) to {COLOURS} are expected")
    return tuple(given)
