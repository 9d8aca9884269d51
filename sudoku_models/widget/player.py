"""The player's values, marks and colours, undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import traitlets


def unmarked(cells: int) -> tuple[Marks, Marks, tuple[int, ...]]:
    """Return empty corner marks, centre marks and colours."""
    return ((),) * cells, ((),) * cells, (0,) * cells


class Player(traitlets.HasTraits):
    """The traits that a player changes, and their history. The widget adds ``puzzle`` and ``values``."""

    puzzle: Any
    values: Any
    setting: Any
    corners: Any = traitlets.Tuple(help="the player's marks in the corners of each cell, row by row").tag(sync=True)
    centres: Any = traitlets.Tuple(help="the player's marks in the middle of each cell").tag(sync=True)
    colours: Any = traitlets.Tuple(help="the colour of each cell, 1 to 9; 0: none").tag(sync=True)
    _travels: Any = traitlets.Tuple((False, False)).tag(sync=True)
    _now: Written | None = None  # while it is None, nothing is remembered
    _past: list[Written]
    _future: list[Written]

    def undo(self) -> None:
        """Undo the last change of values, marks or colours, if there is one."""
        self._travel(self._past, self._future)

    def redo(self) -> None:
        """Redo the last undone change, if there is one."""
        self._travel(self._future, self._past)

    def _begin(self) -> None:
        """Start again without marks, colours and history."""
        self._now, self._past, self._future = None, [], []
        self.corners, self.centres, self.colours = unmarked(self.puzzle.shape.cells)
        self._now = self._written()
        self._tell_travels()

    def _written(self) -> Written:
        givens = tuple(self.values) if self.setting else self.puzzle.givens
        return givens, tuple(self.values), self.corners, self.centres, self.colours

    def _travel(self, source: list[Written], target: list[Written]) -> None:
        """Show a state of the history, including givens, which change while a puzzle is being set."""
        if not source or self._now is None:
            return
        target.append(self._now)
        state, self._now = source.pop(), None
        givens, values, *marks = state
        if givens != self.puzzle.givens:
            self.puzzle = replace(self.puzzle, givens=givens)
        with self.hold_trait_notifications():
            self.values = values
            self.corners, self.centres, self.colours = marks
        self._now = state
        self._tell_travels()

    @traitlets.observe("values", "corners", "centres", "colours")
    def _remember(self, _: Any) -> None:
        """Record the previous state, if it differs; states for redo are discarded."""
        if self._now is None or not len(self.values) == len(self.corners) == self.puzzle.shape.cells:
            return
        now = self._written()
        if now != self._now:
            self._past.append(self._now)
            self._future.clear()
            self._now = now
        self._tell_travels()

    def _tell_travels(self) -> None:
        self._travels = (bool(self._past), bool(self._future))

    @traitlets.validate("corners", "centres")
    def _check_marks(self, proposal: Any) -> Any:
        shape = self.puzzle.shape
        return self._checked(checked_marks, proposal["trait"].name, proposal["value"], shape.cells, shape.values)

    @traitlets.validate("colours")
    def _check_colours(self, proposal: Any) -> Any:
        return self._checked(checked_colours, proposal["value"], self.puzzle.shape.cells)

    @staticmethod
    def _checked(check: Any, *arguments: Any) -> Any:
        try:
            return check(*arguments)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None


Cells = tuple[int | None, ...]
Marks = tuple[tuple[int, ...], ...]
COLOURS = 9
"""The number of colours; 0 means no colour."""


Written = tuple[Cells, Cells, Marks, Marks, tuple[int, ...]]
"""The givens and all entries, cell by cell: values, corner and centre marks, colours."""


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
