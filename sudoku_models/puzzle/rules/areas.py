"""Rules about the whole grid: every 2 x 2 square, flatmates, connected values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...model import Connected, Constraint, Count, InDomain, Or
from . import fields as f
from .board import Board, Filled
from .lines import thirds
from .rule_base import Rule
from .sentences import Sentence, about


def _squares(board: Board, wrap: bool) -> Iterator[tuple[str, ...]]:
    """Yield every 2 x 2 square of four cells once; ``wrap`` adds squares across the edges."""
    height, width = board.shape.height, board.shape.width
    if height > 1 and width > 1:
        for r in range(1, height + (wrap and height > 2)):
            for c in range(1, width + (wrap and width > 2)):
                below, right = r % height + 1, c % width + 1
                yield f"R{r}C{c}", f"R{r}C{right}", f"R{below}C{c}", f"R{below}C{right}"


@dataclass(frozen=True)
class GlobalEntropy(Rule):
    """Every 2 x 2 square holds a low, a middle and a high value (thirds as in ``Entropic``).

    ``wrap`` joins opposite edges of the board (toroidal).
    """

    sentence = "Every 2 x 2 square holds a low, a middle and a high value."
    turning = "whole grid"
    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        third = thirds(board)
        for square in _squares(board, self.wrap):
            for kind in (0, 1, 2):
                yield Count(square, [v for v in board.values if third[v] == kind], ">=", 1)

    def judge(self, grid: Filled) -> bool:
        return all(sentence(grid) for sentence in self.sentences(grid.board))

    def sentences(self, board: Board) -> Iterable[Sentence]:
        values = board.values
        size = (len(values) + 1) // 3
        kinds = (values[:size], values[size : len(values) - size], values[len(values) - size :])
        return (
            about(square, lambda *found: all(any(v in kind for v in found) for kind in kinds))
            for square in _squares(board, self.wrap)
        )


@dataclass(frozen=True)
class GlobalMod(Rule):
    """Every 2 x 2 square holds all remainders modulo 3.

    ``wrap`` joins opposite edges of the board (toroidal).
    """

    turning = "whole grid"
    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for square in _squares(board, self.wrap):
            for rest in (0, 1, 2):
                yield Count(square, [v for v in board.values if v % 3 == rest], ">=", 1)

    def judge(self, grid: Filled) -> bool:
        return all(sentence(grid) for sentence in self.sentences(grid.board))

    def sentences(self, board: Board) -> Iterable[Sentence]:
        squares = _squares(board, self.wrap)
        return (about(square, lambda *found: {v % 3 for v in found} == {0, 1, 2}) for square in squares)


@dataclass(frozen=True)
class DutchFlatmates(Rule):
    """Every 5 has a 1 directly above it or a 9 directly below it.

    ``wrap`` joins opposite edges of the board (toroidal).
    """

    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        others = [v for v in board.values if v != 5]
        for name in board.cells:
            flatmates = ((board.step(name, (-1, 0), self.wrap), 1), (board.step(name, (1, 0), self.wrap), 9))
            yield Or([InDomain(name, others), *(InDomain(x, (v,)) for x, v in flatmates if x is not None)])

    def judge(self, grid: Filled) -> bool:
        columns = [grid.along(grid.board.line(f"C{c}")) for c in range(1, grid.board.shape.width + 1)]
        for column in columns:
            padded = [column[-1], *column, column[0]] if self.wrap else [None, *column, None]
            if any(v == 5 and padded[i - 1] != 1 and padded[i + 1] != 9 for i, v in enumerate(column, start=1)):
                return False
        return True


@dataclass(frozen=True)
class ConnectedValues(Rule):
    """The cells of a group ("" is the grid) that hold one of ``values`` are connected side by side.

    There are ``size`` of them, or at least one if ``size`` is None. ``wrap`` joins opposite edges of the group.
    """

    sentence = "The cells that hold one of the values are connected side by side."
    values: tuple[int, ...] = f.value_set()
    size: int | None = f.optional_number(0)
    group: str = f.text()
    wrap: bool = f.flag(False)

    def check(self, board: Board) -> None:
        if self.group not in board.groups:
            raise ValueError(f"{self.group!r} is not a group of cells")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        cells = self._cells(board)
        yield Count(cells, self.values, ">=" if self.size is None else "==", self.size or 1)
        if self.size == 0:
            yield Or()
        yield Connected(cells, board.edges(self.group, self.wrap), self.values)

    def judge(self, grid: Filled) -> bool:
        board = grid.board
        left = {x for x in self._cells(board) if grid[x] in self.values}
        if not left or self.size not in (None, len(left)):
            return False
        reached = [left.pop()]
        for name in reached:
            near = left.intersection(board.around(name, wrap=self.wrap))
            left -= near
            reached += near
        return not left

    def _cells(self, board: Board) -> tuple[str, ...]:
        return board.groups[self.group].cells if self.group else board.cells
