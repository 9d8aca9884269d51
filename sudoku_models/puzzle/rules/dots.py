"""Marks between two cells, and rules about pairs without a mark: Kropki, XV, greater-than, fortress."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from ...model import Compare, Constraint
from . import fields as f
from .board import ORTHOGONAL, Board, Filled, Sentence, _Judged, about
from .composed import AnyOf
from .rule_base import Rule, each
from .traits import Placing
from .yields import compare, linear, not_adding_up, not_apart, pairs


class _Mark(Rule):
    cells: f.Cells = f.cells(2)

    def validate(self) -> None:
        if len(self.cells) != 2:
            raise ValueError(f"{len(self.cells)} cells: 2 are expected")

    @property
    def couple(self) -> tuple[str, str]:
        """The two cells."""
        return self.cells[0], self.cells[1]


class Difference(_Mark):
    """The two cells differ by ``value`` (a white dot: 1)."""

    title = "White dot"
    sentence = "Cells with a white dot differ by 1, or by the number in the dot."
    drawing = "dot", "#ffffff"
    technique = "pairs of a dot"
    turning = "cells"
    order = "any"
    placing = Placing("couple")
    value: int = f.number(0, default=1, name=lambda value: "White dot" if value == 1 else f"White dot {value}")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, [self.couple], _apart, self.value)

    def judge(self, grid: Filled) -> bool:
        a, b = grid.along(self.cells)
        return max(a, b) - min(a, b) == self.value


class Ratio(_Mark):
    """One of the two cells is ``value`` times the other (a black dot: 2)."""

    title = "Black dot"
    sentence = "Of two cells with a black dot one is twice the other, or is the other times the number in the dot."
    drawing = "dot", "#222222"
    technique = "pairs of a dot"
    turning = "cells"
    order = "any"
    placing = Placing("couple")
    value: int = f.number(0, default=2, name=lambda value: "Black dot" if value == 2 else f"Black dot {value}")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, [self.couple], _in_ratio, self.value)

    def judge(self, grid: Filled) -> bool:
        a, b = grid.along(self.cells)
        return a == b * self.value or a * self.value == b


class XV(_Mark):
    """The two cells add up to ``total``: 10 is an X, 5 a V. None is a mark without a sum."""

    title = "XV"
    sentence = "X: the two cells add up to 10; V: to 5; otherwise to the number."
    drawing = "letter", "#ffffff"
    technique = "pairs of a sum"
    turning = "cells"
    order = "any"
    placing = Placing("couple", number="total", value=lambda v: sum(v) if sum(v) in (5, 10) else None)
    total: int | None = f.optional_number(name=lambda total: {5: "V", 10: "X"}.get(total, f"Sum {total}"))

    def constraints(self, board: Board) -> Iterable[Constraint]:
        if self.total is not None:
            yield linear([(1, x) for x in self.cells], "==", self.total)

    def judge(self, grid: Filled) -> bool:
        a, b = grid.along(self.cells)
        return self.total is None or a == self.total - b


class Greater(_Mark):
    """The first cell is greater than the second."""

    drawing = "greater", "currentColor"
    technique = "bounds of an inequality"
    turning = "cells"
    placing = Placing("couple")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return compare(self.cells[0], ">", self.cells[1])

    def judge(self, grid: Filled) -> bool:
        return grid[self.cells[0]] > grid[self.cells[1]]


def _apart(a: int, b: int, number: int) -> bool:
    return abs(a - b) == number


def _in_ratio(a: int, b: int, k: int) -> bool:
    return a == k * b or b == k * a


def _unmarked(a: int, b: int) -> bool:
    return abs(a - b) != 1 and not _in_ratio(a, b, 2)


def _in_no_ratio(a: int, b: int, ratios: frozenset[int]) -> bool:
    return not any(_in_ratio(a, b, k) for k in ratios)


class _Strict(_Judged):
    """Base of the rules about pairs without a mark: marks in branches of an Or are refused."""

    marks: ClassVar[tuple[type[_Mark], ...]]

    @property
    def wrap(self) -> bool:
        """Whether opposite edges are joined."""
        raise NotImplementedError

    def check(self, board: Board) -> None:
        branches = [part for rule in each(board.rules) if isinstance(rule, AnyOf) for part in each(rule.parts)]
        if any(isinstance(part, self.marks) for part in branches):
            raise ValueError("a mark is in a branch of an Or, so it is not known whether its pair is marked")

    def marked(self, board: Board) -> set[frozenset[str]]:
        """Return the pairs of cells with a mark."""
        return {frozenset(mark.scope) for kind in self.marks for mark in board.standing(kind)}

    def neighbours(self, board: Board) -> Iterable[tuple[str, str]]:
        return board.pairs(ORTHOGONAL, self.wrap)

    def unmarked(self, board: Board) -> Iterable[tuple[str, str]]:
        """Return the pairs of neighbours without a mark."""
        marked = self.marked(board)
        return ((a, b) for a, b in self.neighbours(board) if frozenset((a, b)) not in marked)

    def couples(self, board: Board) -> Iterable[tuple[str, str]]:
        return self.unmarked(board)

    def keeping(self, board: Board) -> Callable[..., bool]:
        raise NotImplementedError

    def sentences(self, board: Board) -> Iterable[Sentence]:
        keeps = self.keeping(board)
        return (about(couple, keeps) for couple in self.couples(board))


class StrictKropki(_Strict):
    """No pair of neighbours without a dot differs by 1 or is in the ratio 2."""

    title = "Strict Kropki"
    technique = "neighbours without a dot"
    turning = "whole grid"

    marks = (Difference, Ratio)
    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, self.unmarked(board), _unmarked)

    def keeping(self, board: Board) -> Callable[..., bool]:
        return lambda a, b: a - b not in (1, -1) and a != 2 * b and b != 2 * a


class StrictXV(_Strict):
    """No pair of neighbours without an X or V adds up to 10 or 5."""

    title = "Strict XV"
    technique = "neighbours without a mark"
    turning = "whole grid"

    marks = (XV,)
    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, self.unmarked(board), not_adding_up, (5, 10))

    def keeping(self, board: Board) -> Callable[..., bool]:
        return lambda *values: sum(values) not in (5, 10)


class StrictRatio(_Strict):
    """No pair of neighbours without a dot is in a ratio stated by some dot on the board (2 if there is none)."""

    technique = "neighbours without a dot"
    turning = "whole grid"

    marks = (Difference, Ratio)
    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, self.unmarked(board), _in_no_ratio, frozenset(self._ratios(board)))

    def keeping(self, board: Board) -> Callable[..., bool]:
        stated = self._ratios(board)
        return lambda a, b: not any(a == k * b or b == k * a for k in stated)

    def _ratios(self, board: Board) -> set[int]:
        return {rule.value for rule in board.standing(Ratio) if isinstance(rule, Ratio)} or {2}


class NonConsecutive(_Strict):
    """Neighbours never differ by 1; with ``spare_dots``, pairs with a dot are exempt."""

    title = "Non-consecutive"
    sentence = "Neighbours never differ by 1 (if dots are spared, pairs with a dot may)."
    technique = "neighbours that are not consecutive"
    turning = "whole grid"

    marks = (Difference, Ratio)
    spare_dots: bool = f.flag(False)
    wrap: bool = f.flag(False)

    def check(self, board: Board) -> None:
        if self.spare_dots:
            super().check(board)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, self.couples(board), not_apart, 1)

    def keeping(self, board: Board) -> Callable[..., bool]:
        return lambda a, b: a + 1 != b and b + 1 != a

    def couples(self, board: Board) -> Iterable[tuple[str, str]]:
        return self.unmarked(board) if self.spare_dots else self.neighbours(board)


class _Peak(Rule):
    """Base of marked cells: how each compares with its neighbours that do not have the same mark."""

    op: ClassVar[str]
    cell: str = f.cell()
    wrap: bool = f.flag(False)

    def unlike(self, board: Board) -> list[str]:
        """Return the neighbours that do not have the same mark."""
        marked = {other.scope[0] for other in board.standing(type(self))}
        return [name for name in board.around(self.cell, wrap=self.wrap) if name not in marked]

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return (Compare(self.cell, self.op, other) for other in self.unlike(board))


class Minimum(_Peak):
    """The cell is less than every neighbour that is not itself marked as a minimum."""

    drawing = "peak", "#d1495b"
    placing = Placing("single")
    op = "<"

    def judge(self, grid: Filled) -> bool:
        return all(grid[self.cell] < grid[other] for other in self.unlike(grid.board))


class Maximum(_Peak):
    """The cell is greater than every neighbour that is not itself marked as a maximum."""

    drawing = "peak", "#d1495b"
    placing = Placing("single")
    op = ">"

    def judge(self, grid: Filled) -> bool:
        return all(grid[self.cell] > grid[other] for other in self.unlike(grid.board))
