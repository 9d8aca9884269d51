"""Cells that take only some values: candidates, odd, even, low, high."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...model import Constraint, InDomain
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule
from .traits import Placing
from .yields import among, linear


@dataclass(frozen=True)
class OneOf(Rule):
    """The cell holds one of the values."""

    drawing = "one of", "currentColor"
    turning = "cells"
    cell: str = f.cell()
    values: tuple[int, ...] = f.value_set(0)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield InDomain(self.cell, self.values)

    def judge(self, grid: Filled) -> bool:
        return grid[self.cell] in self.values


@dataclass(frozen=True)
class OnlyValues(Rule):
    """Every cell of the grid holds one of the values; extra cells are not restricted."""

    turning = "cells"
    values: tuple[int, ...] = f.value_set()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for name in board.cells:
            yield from among(board, name, self.values.__contains__)
        for house in board.houses:
            if len(house) == len(self.values):
                yield linear([(1, x) for x in house], "==", sum(self.values))

    def judge(self, grid: Filled) -> bool:
        return set(self.values).issuperset(grid.along(grid.board.cells))


@dataclass(frozen=True)
class Parity(Rule):
    """The cell holds an odd (or even) value."""

    sentence = "A circle holds an odd value, a square an even one."
    drawing = "parity", "#7d8794"
    turning = "cells"
    placing = Placing("single", number="odd", value=lambda v: v[0] % 2 == 1)
    cell: str = f.cell()
    odd: bool = f.flag(True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return among(board, self.cell, lambda v: v % 2 == self.odd)

    def judge(self, grid: Filled) -> bool:
        return (grid[self.cell] % 2 == 1) is self.odd


@dataclass(frozen=True)
class Half(Rule):
    """The cell holds a value from the low half of the values (or from the high half); a middle value is in neither."""

    sentence = "The cell holds a value of the low half, or of the high half."
    drawing = "half", "#7d8794"
    turning = "cells"
    cell: str = f.cell()
    low: bool = f.flag(True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return among(board, self.cell, self._kept(board).__contains__)

    def judge(self, grid: Filled) -> bool:
        return grid[self.cell] in self._kept(grid.board)

    def _kept(self, board: Board) -> Sequence[int]:
        """Return one half of the values by position, however far apart they are."""
        half = len(board.values) // 2
        return board.values[:half] if self.low else board.values[len(board.values) - half :]
