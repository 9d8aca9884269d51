"""The player's values, marks and colours, undo and redo."""

from __future__ import annotations

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
    def _check_marks(self, proposal: Any) -> Marks:
        shape, given = self.puzzle.shape, _listed(proposal["value"])
        rows = [_listed(row, default=("none",)) for row in given]
        if len(given) != shape.cells or not all(type(v) is int and v in shape.values for row in rows for v in row):
            span = f"each of values from {shape.values[0]} to {shape.values[-1]}"
            raise traitlets.TraitError(f"{proposal['trait'].name}: {shape.cells} lists are expected, {span}")
        return tuple(tuple(sorted(set(row))) for row in rows)

    @traitlets.validate("colours")
    def _check_colours(self, proposal: Any) -> tuple[int, ...]:
        cells, given = self.puzzle.shape.cells, _listed(proposal["value"])
        if len(given) != cells or not all(type(colour) is int and 0 <= colour <= COLOURS for colour in given):
            raise traitlets.TraitError(f"colours: {cells} numbers from 0 (none) to {COLOURS} are expected")
        return given


def _listed(value: object, default: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Return what a page sent as a list; something else for anything that is none."""
    return tuple(value) if isinstance(value, list | tuple) else default


Cells = tuple[int | None, ...]
Marks = tuple[tuple[int, ...], ...]
COLOURS = 9
"""The number of colours; 0 means no colour."""


Written = tuple[Cells, Cells, Marks, Marks, tuple[int, ...]]
"""The givens and all entries, cell by cell: values, corner and centre marks, colours."""
