"""Rules that count values: quadruples, look-and-say, counting circles, equal sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from ...model import Constraint, Count, InDomain, Linear, MultisetEqual, NValue
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule, _OfCells
from .traits import Placing
from .yields import among, compare


def _others(board: Board, cells: Sequence[str], values: Sequence[int]) -> Iterator[Constraint]:
    """Leave other values only the cells that listed values do not need: engines see the counts of those one by one."""
    spare = len(cells) - len(values)
    if spare > 0:
        yield Count(cells, [v for v in board.values if v not in values], "<=", spare)
    elif spare == 0:
        for x in dict.fromkeys(cells):
            yield from among(board, x, values.__contains__)


class ContainAtLeast(_OfCells):
    """Each of ``values`` occurs in the cells at least as often as it is listed."""

    sentence = "The cells hold the listed values, each at least as often as it is listed."
    drawing = "cage", "#1aa6a6"
    turning = "cells"
    order = "any"
    values: tuple[int, ...] = f.numbers()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield from _others(board, self.cells, self.values)
        for v, times in Counter(self.values).items():
            yield Count(self.cells, (v,), ">=", times)

    def judge(self, grid: Filled) -> bool:
        left = grid.along(self.cells)
        for value in self.values:
            if value not in left:
                return False
            left.remove(value)
        return True

    def split(self) -> Iterator[Rule]:
        return (type(self)(self.cells, (value,) * times) for value, times in Counter(self.values).items())


class Quadruple(ContainAtLeast):
    """The 2 x 2 cells hold the listed values, each as often as it is listed."""

    sentence = "The four cells around hold the listed values."
    drawing = "quadruple", "#ffffff"
    technique = "values around a corner"
    turning = "cells"
    order = "any"

    def validate(self) -> None:
        if len(self.cells) != 4:
            raise ValueError(f"{len(self.cells)} cells: 4 are expected")

    split = ContainAtLeast.split


class ContainExact(_OfCells):
    """Each of ``values`` occurs in the cells exactly as often as it is listed; other values are free."""

    sentence = "The cells hold the listed values, each exactly as often as it is listed."
    drawing = "cage", "#2e86de"
    turning = "cells"
    order = "any"
    values: tuple[int, ...] = f.numbers()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield from _others(board, self.cells, self.values)
        for v, times in Counter(self.values).items():
            yield Count(self.cells, (v,), "==", times)

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return sorted(x for x in v if x in self.values) == sorted(self.values)


class LookAndSay(_OfCells):
    """``said`` is count, value, count, value, ...: each value occurs in the cells exactly that often."""

    sentence = "The label lists count, value, count, value, ...: each value is in the cells that often."
    drawing = "cage", "#c0629a"
    said: tuple[int, ...] = f.numbers(2)

    def validate(self) -> None:
        if len(self.said) % 2:
            raise ValueError(f"{len(self.said)} numbers: pairs of a count and a value are expected")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        pairs = zip(self.said[::2], self.said[1::2], strict=True)
        return (Count(self.cells, (value,), "==", times) for times, value in pairs)

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return all(v.count(self.said[i + 1]) == self.said[i] for i in range(0, len(self.said), 2))


class CountingCircles(Rule):
    """A value in a circle is the number of circles that hold it."""

    drawing = "circles", "#7d8794"
    turning = "cells"
    order = "any"
    placing = Placing("anywhere", 4, 4)
    cells: f.Cells = f.cells(distinct=True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        listed, numbers = " ".join(self.cells), []
        for value in board.values:
            name = f"number of {value} in {listed}"
            board.auxiliary(name, range(len(self.cells) + 1), Count(self.cells, (value,), "==", name))
            numbers.append(name)
            yield InDomain(name, {0, value} if 0 < value <= len(self.cells) else {0})
        yield Linear([1] * len(numbers), numbers, "==", len(self.cells))

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return all(v.count(x) == x for x in v)


class CountDistinct(Rule):
    """The cell ``control`` holds the number of distinct values in the cells."""

    sentence = "The circled cell is the number of distinct values in the shaded cells."
    drawing = "distinct", ""
    turning = "cells"
    control: str = f.cell()
    cells: f.Cells = f.cells()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield NValue(self.cells, "==", self.control)

    def judge(self, grid: Filled) -> bool:
        return grid[self.control] == len(set(grid.along(self.cells)))


class SameValues(Rule):
    """All sets of cells hold the same values, equally often."""

    drawing = "alike", ""
    turning = "cells"
    sets: f.Segments = f.segments()

    def validate(self) -> None:
        if len({len(part) for part in self.sets}) > 1:
            raise ValueError("sets of equal size are expected")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for other in self.sets[1:]:
            if len(other) == 1:
                yield from compare(self.sets[0][0], "==", other[0])
            else:
                yield MultisetEqual(self.sets[0], other)

    def pieces(self, board: Board) -> Iterable[Constraint]:
        return (c for couple in combinations(self.sets, 2) for c in SameValues(couple).constraints(board))

    def judge(self, grid: Filled) -> bool:
        return len({tuple(sorted(grid.along(part))) for part in self.sets}) == 1


class Clone(_OfCells):
    """Each cell is equal to the clone in the same position of the other list."""

    drawing = "alike", ""
    turning = "cells"
    clones: f.Cells = f.cells()

    def validate(self) -> None:
        if len(self.cells) != len(self.clones):
            raise ValueError(f"{len(self.clones)} clones of {len(self.cells)} cells: one for each is expected")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for a, b in zip(self.cells, self.clones, strict=True):
            yield from compare(a, "==", b)

    def judge(self, grid: Filled) -> bool:
        return grid.along(self.cells) == grid.along(self.clones)

    def split(self) -> Iterator[Rule]:
        return (Clone((a,), (b,)) for a, b in zip(self.cells, self.clones, strict=True))
