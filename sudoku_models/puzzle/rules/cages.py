"""Cages and sums: killer cages, sums with weights, several sums, sums that must not occur, balanced cages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model import OPERATORS, Constraint, Count, InDomain, NoSubsetSum
from . import fields as f
from .board import Board, Filled, differ
from .regions import ExtraRegion
from .rule_base import Rule, _Clued, _OfCells
from .traits import Placing
from .yields import among, different, linear, never, parts, sums


class KillerCage(_OfCells):
    """All cells differ and add up to ``total`` (None: any sum). A cell named twice counts twice in the sum."""

    sentence = "All cells of a cage differ; they add up to its number, if there is one."
    drawing = "cage", "currentColor"
    technique = "cage combinations"
    turning = "cells"
    order = "any"
    placing = Placing("cage", 2, 5, number="total", value=sum, easy=(2, 2), grows=True)
    total: int | None = f.optional_number(clue=True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield from different(board, self.cells)
        if self.total is not None:
            yield linear([(1, x) for x in parts(board, self.cells)], "==", self.total)

    def judge(self, grid: Filled) -> bool:
        return differ(grid, self.cells) and self.total in (None, sum(grid.along(self.cells)))

    def split(self) -> Iterator[Rule]:
        yield ExtraRegion(self.cells)
        if self.total is not None:
            yield WeightedSum(self.cells, total=self.total)


class WeightedSum(_OfCells):
    """The values times their ``weights`` (all 1 when there are none) add up to ``total``; values may repeat."""

    sentence = "The cells add up to the number; values may repeat."
    drawing = "cage", "#2e86ab"
    turning = "cells"
    placing = Placing("cage", 2, 4, number="total", value=sum)
    total: int = f.number()
    weights: tuple[int, ...] = f.numbers(0, default=())

    def validate(self) -> None:
        if self.weights and len(self.weights) != len(self.cells):
            raise ValueError(f"{len(self.weights)} weights for {len(self.cells)} cells: one for each is expected")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        if self.weights:
            yield linear(zip(self.weights, self.cells, strict=True), "==", self.total)
        else:
            yield linear([(1, x) for x in parts(board, self.cells)], "==", self.total)

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return (sum(c * x for c, x in zip(self.weights, v, strict=True)) if self.weights else sum(v)) == self.total


class FrameSum(_Clued):
    """The first three cells of a line, seen from the clue, add up to ``total``."""

    sentence = "The first three cells, seen from the clue, add up to it."
    drawing = "clue", "#e08e1b"
    placing = Placing("outside", 3, number="total", value=lambda v: sum(v[:3]))
    cells: f.Cells = f.cells(3)
    total: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield linear([(1, x) for x in self.cells[:3]], "==", self.total)


class SumOneOf(_OfCells):
    """All cells differ and their sum is one of ``totals``."""

    sentence = "All cells differ and add up to one of the numbers."
    drawing = "cage", "#3a9d5d"
    turning = "cells"
    order = "any"
    totals: tuple[int, ...] = f.value_set()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield from different(board, self.cells)
        yield from total_among(board, self.cells, self.totals)

    def judge(self, grid: Filled) -> bool:
        return differ(grid, self.cells) and sum(grid.along(self.cells)) in self.totals


class DigitalRoot(_OfCells):
    """All cells differ; adding the digits of their sum, and of what results, ends in ``root``."""

    sentence = "All cells differ; the digital root of their sum is the number."
    drawing = "cage", "#8e5bb5"
    turning = "cells"
    placing = Placing("cage", 2, 4, number="root", value=lambda v: (sum(v) - 1) % 9 + 1)
    root: int = f.number(0, 9)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield from different(board, self.cells)
        low, high = _bounds(board, self.cells)
        possible = range(max(low, 0), high + 1)
        yield from total_among(
            board, self.cells, [t for t in possible if self.root in (t, 1 + (t - 1) % 9 if t else 0)]
        )

    def judge(self, grid: Filled) -> bool:
        total = sum(grid.along(self.cells))
        while total > 9:
            total = sum(map(int, str(total)))
        return differ(grid, self.cells) and total == self.root


class CompareSums(Rule):
    """The sum of the cells on the left is ``op`` (one of == != <= < >= >) that of the cells on the right."""

    sentence = "The sums of the two sets of cells compare as stated."
    told = "{left} {op} {right}"
    drawing = "compared", ""
    turning = "cells"
    left: f.Cells = f.cells()
    op: str = f.choice(*OPERATORS)
    right: f.Cells = f.cells()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield sums(parts(board, self.left), self.op, parts(board, self.right))

    def judge(self, grid: Filled) -> bool:
        left, right = sum(grid.along(self.left)), sum(grid.along(self.right))
        order = (left > right) - (left < right)
        return order in {"==": [0], "!=": [-1, 1], "<": [-1], "<=": [-1, 0], ">": [1], ">=": [0, 1]}[self.op]


class RellikCage(_OfCells):
    """All cells differ, and no choice of one or more of them adds up to ``total``."""

    sentence = "All cells differ, and no choice of them adds up to the number."
    drawing = "cage", "#d1495b"
    turning = "cells"
    order = "any"
    total: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield from different(board, self.cells)
        yield NoSubsetSum(tuple(dict.fromkeys(self.cells)), self.total)

    def judge(self, grid: Filled) -> bool:
        sums = {0}
        for x in dict.fromkeys(self.cells):
            if self.total - grid[x] in sums:
                return False
            sums |= {grid[x] + other for other in sums}
        return differ(grid, self.cells)


class EqualityCage(_OfCells):
    """All cells differ; as many are odd as even, and as many low as high; none holds the middle value.

    Half of the values are low, the greater half is high; the middle one of an odd number of values is neither.
    """

    drawing = "cage", "#e08e1b"
    turning = "cells"
    order = "any"
    placing = Placing("cage", 2, 4)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        names = tuple(dict.fromkeys(self.cells))
        yield from different(board, names)
        if len(names) % 2:
            yield never(names[0])
        half = len(board.values) // 2
        middle = board.values[half:-half] if half else board.values
        for name in names:
            yield from among(board, name, lambda v: v not in middle)
        yield Count(names, [v for v in board.values if v % 2], "==", len(names) // 2)
        yield Count(names, board.values[:half], "==", len(names) // 2)

    def judge(self, grid: Filled) -> bool:
        v = [grid[x] for x in set(self.cells)]
        below = [sum(y < x for y in grid.board.values) for x in v]
        above = [sum(y > x for y in grid.board.values) for x in v]
        order = [(a > b) - (a < b) for a, b in zip(below, above, strict=True)]
        odd = sum(x % 2 for x in v)
        return len(set(v)) == len(v) == 2 * odd and sum(order) == 0 and 0 not in order


def total_among(board: Board, cells: tuple[str, ...], totals: Iterable[int]) -> Iterator[Constraint]:
    """Require that the sum of some cells is one of ``totals``; if there are several, use an auxiliary variable."""
    low, high = _bounds(board, cells)
    kept = [total for total in totals if low <= total <= high]
    if not kept:
        yield never(cells[0])
    elif len(cells) == 1:
        yield InDomain(cells[0], kept)
    elif len(kept) == 1:
        yield linear([(1, x) for x in cells], "==", kept[0])
    else:
        name = "total." + "+".join(cells)
        board.auxiliary(name, range(low, high + 1), linear([(1, name), *((-1, x) for x in cells)], "==", 0))
        yield InDomain(name, kept)


def _bounds(board: Board, cells: Iterable[str]) -> tuple[int, int]:
    domains = [board.domain(x) for x in cells]
    return sum(d[0] for d in domains), sum(d[-1] for d in domains)
