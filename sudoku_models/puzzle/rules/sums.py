"""Rules about sums of lines, arrows and segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, groupby, pairwise

from ...model import Automaton, Constraint, Domain, Or, Regular
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule, _OfCells
from .traits import Placing
from .yields import among, linear, never, one_of, parts, sums

LARGEST_SUM = 2_000
"""The largest sum of the segments of a sum line."""


class Arrow(Rule):
    """The first cell, the circle, is the sum of the others; these may repeat."""

    drawing = "arrow", "#7d8794"
    technique = "sum of an arrow"
    turning = "cells"
    placing = Placing("line", 3, 4, easy=(3, 3))
    cells: f.Cells = f.cells(2)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield sums(parts(board, self.cells[1:]), "==", self.cells[:1])

    def judge(self, grid: Filled) -> bool:
        circle, *shaft = grid.along(self.cells)
        return circle == sum(shaft)


class PillArrow(Rule):
    """The pill, read by row and then by column as a number of two or three places, is the sum of the shaft.

    If the board has values above 9, every cell of the pill except the first is below 10.
    """

    sentence = "The pill, read as one number, is the sum of the shaft."
    drawing = "pill arrow", "#7d8794"
    pill: f.Cells = f.cells(2)
    shaft: f.Cells = f.cells()

    def validate(self) -> None:
        if len(self.pill) not in (2, 3) or len(set(self.pill)) < len(self.pill):
            raise ValueError(f"a pill of 2 or 3 different cells is expected, not {' '.join(self.pill)}")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        pill = self._read(board)
        for x in pill[1:]:
            yield from among(board, x, lambda v: v < 10)
        places = [(10**i, x) for i, x in enumerate(reversed(pill))]
        yield linear([*places, *((-1, x) for x in parts(board, self.shaft))], "==", 0)

    def judge(self, grid: Filled) -> bool:
        number, *rest = grid.along(self._read(grid.board))
        for digit in rest:
            number = 10 * number + digit
        return max(rest) < 10 and number == sum(grid.along(self.shaft))

    def _read(self, board: Board) -> list[str]:
        return sorted(self.pill, key=board.place)


class DoubleArrow(Rule):
    """The two ends add up to the sum of the cells between them."""

    drawing = "double arrow", "#7d8794"
    technique = "sum of a double arrow"
    turning = "cells"
    placing = Placing("line", 4, 6)
    cells: f.Cells = f.cells(2)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield sums((self.cells[0], self.cells[-1]), "==", parts(board, self.cells[1:-1]))

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return v[0] + v[-1] == sum(v[1:-1])


class Vudoku(Rule):
    """Of three cells in a V shape, the middle one (the vertex) is the sum or the difference of the other two."""

    sentence = "The cell at the dot is the sum or the difference of the other two."
    drawing = "vertex", "#a05fb8"
    cells: f.Cells = f.cells(3)

    def validate(self) -> None:
        if len(self.cells) != 3:
            raise ValueError(f"{len(self.cells)} cells: an end, the vertex and the other end are expected")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        a, vertex, b = self.cells
        whole = ((vertex, a, b), (a, vertex, b), (b, vertex, a))
        yield one_of([sums((x,), "==", others)] for x, *others in whole)

    def judge(self, grid: Filled) -> bool:
        a, vertex, b = grid.along(self.cells)
        return vertex in (a + b, a - b, b - a)


class Zipper(_OfCells):
    """Cells equally far from the middle have the same sum; the middle cell of an odd line is that sum."""

    drawing = "zipper", "#9c7fe0"
    technique = "pairs of a zipper line"
    turning = "cells"
    order = "both ways"
    placing = Placing("middle", 3, 7, grows=True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        half = len(self.cells) // 2
        couples = list(zip(self.cells[:half], reversed(self.cells), strict=False))
        middle = [self.cells[half]] if len(self.cells) % 2 else list(couples.pop())
        for couple in couples:
            yield sums(couple, "==", middle)

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        found = {a + b for a, b in zip(v, v[::-1], strict=True)}
        if len(v) % 2:
            middle = v[len(v) // 2]
            found = {v[i] + v[-1 - i] for i in range(len(v) // 2)} | {middle}
        return len(found) <= 1

    def split(self) -> Iterator[Rule]:
        cells, middle = self.cells, len(self.cells) // 2
        return (Zipper((cells[i], cells[middle], cells[-1 - i])) for i in range(middle if len(cells) % 2 else 0))


class EqualSums(Rule):
    """All segments have the same sum."""

    drawing = "segments", ""
    segments: f.Segments = f.segments()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return equal_sums(board, self.segments)

    def pieces(self, board: Board) -> Iterable[Constraint]:
        return (c for couple in combinations(self.segments, 2) for c in equal_sums(board, couple))

    def judge(self, grid: Filled) -> bool:
        return len({sum(grid.along(segment)) for segment in self.segments}) == 1

    def split(self) -> Iterator[Rule]:
        return (EqualSums(couple) for couple in pairwise(self.segments))


class RegionSumLine(_OfCells):
    """Every run of the line inside one region has the same sum; entering a region again begins a new run."""

    drawing = "line", "#2e86de"
    technique = "equal sums on a line"
    turning = "cells"
    order = "both ways"
    placing = Placing("line", 4, 7, regions=2)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return equal_sums(board, self._runs(board)) if board.regions else ()

    def pieces(self, board: Board) -> Iterable[Constraint]:
        return EqualSums(self._runs(board)).pieces(board) if board.regions else ()

    def _runs(self, board: Board) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(run) for _, run in groupby(self.cells, board.region))

    def judge(self, grid: Filled) -> bool:
        totals: list[int] = []
        before: object = "none"
        for x in self.cells:
            region = grid.board.region(x)
            if region != before:
                totals.append(0)
            totals[-1] += grid[x]
            before = region
        return not grid.board.regions or min(totals) == max(totals)


class SumLine(_OfCells):
    """The line can be cut into consecutive segments that each add up to ``total``; a ``loop`` from some cell."""

    sentence = "The line can be cut into consecutive segments that each add up to the number."
    drawing = "sum line", "#e0a100"
    turning = "cells"
    placing = Placing("line", 4, 6, number="total", value=lambda v: _least_sum(v))
    total: int = f.number()
    loop: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        if not 0 <= self.total <= board.high * len(self.cells):
            yield never(self.cells[0])
        elif not self.loop or not self.total:
            yield Regular(self.cells, _cut(self.total, board.values, 0))
        elif self.total <= len(self.cells):
            yield Or([Regular(self.cells, _cut(self.total, board.values, c)) for c in range(self.total)])
        else:
            turned = (self.cells[i:] + self.cells[:i] for i in range(len(self.cells)))
            yield Or([Regular(cells, _cut(self.total, board.values, 0)) for cells in turned])

    def check(self, board: Board) -> None:
        if board.low < 0:
            raise ValueError("lines with values below 0 cannot be cut into sums")
        if LARGEST_SUM < self.total <= board.high * len(self.cells):
            raise ValueError(f"segments of sum {self.total}: at most {LARGEST_SUM} is possible")

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        starts = range(len(v)) if self.loop else range(1)
        return any(_can_be_cut(v[i:] + v[:i], self.total) for i in starts)


def equal_sums(board: Board, segments: Sequence[Sequence[str]]) -> Iterator[Constraint]:
    """Require that all segments have the sum of the shortest."""
    shortest = min(segments, key=len)
    for segment in segments:
        if segment is not shortest:
            yield sums(parts(board, segment), "==", shortest)


@lru_cache(maxsize=256)
def _cut(total: int, values: Domain, carried: int) -> Automaton:
    """Return the automaton of lines cut into segments with the same sum.

    The line begins in a segment whose sum is ``carried`` so far, and ends in one with the same partial sum (0: a
    complete one). A state is the sum of the line so far, from which ``total`` is taken whenever it exceeds that.
    """
    arrows = (
        (state, value, state + value if state + value <= total else state + value - total)
        for state in range(total + 1)
        for value in values
        if value <= total - (state + carried) % (total or 1)
    )
    return Automaton(total + 1, 0, (total,), arrows)


def _least_sum(v: Sequence[int]) -> int | None:
    """Return the least sum of two segments or more into which a line can be cut."""
    return next((total for total in range(max(v), sum(v) // 2 + 1) if _can_be_cut(v, total)), None)


def _can_be_cut(v: Sequence[int], total: int) -> bool:
    ends = {0}
    for end in range(1, len(v) + 1):
        if any(sum(v[start:end]) == total for start in ends):
            ends.add(end)
    return len(v) in ends
