"""The player's marks and colours, undo and redo."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import traitlets

from .history import History, Marks, Written, checked_colours, checked_marks


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
