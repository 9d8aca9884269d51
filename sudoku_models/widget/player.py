"""The player's values, marks and colours, undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
    _history: History | None = None

    def undo(self) -> None:
        """Undo the last change of values, marks or colours, if there is one."""
        if self._history:
            self._restore(self._history.back())

    def redo(self) -> None:
        """Redo the last undone change, if there is one."""
        if self._history:
            self._restore(self._history.forward())

    def _begin(self) -> None:
        """Start again without marks, colours and history."""
        self._history = None
        self.corners, self.centres, self.colours = unmarked(self.puzzle.shape.cells)
        self._history = History(self._written())
        self._tell_travels()

    def _written(self) -> Written:
        givens = tuple(self.values) if self.setting else self.puzzle.givens
        return Written(givens, tuple(self.values), self.corners, self.centres, self.colours)

    def _restore(self, state: Written) -> None:
        """Show a state of the history, including givens, which change while a puzzle is being set."""
        if state.givens != self.puzzle.givens:
            history, self._history = self._history, None
            self.puzzle = replace(self.puzzle, givens=state.givens)
            self._history = history
        with self.hold_trait_notifications():
            self.values = state.values
            self.corners, self.centres, self.colours = state.corners, state.centres, state.colours
        self._tell_travels()

    @traitlets.observe("values", "corners", "centres", "colours")
    def _remember(self, _: Any) -> None:
        if self._history and len(self.values) == len(self.corners) == self.puzzle.shape.cells:
            self._history.changed(self._written())
            self._tell_travels()

    def _tell_travels(self) -> None:
        if self._history:
            self._travels = (bool(self._history.past), bool(self._history.future))

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
