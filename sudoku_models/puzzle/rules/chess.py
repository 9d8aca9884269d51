"""Rules about all pairs of cells one move apart: chess, taxicab distances, diagonal neighbours; across edges too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from ...model import Compare, Constraint, Table
from . import fields as f
from .board import DIAGONAL, Board, Filled, Sentence, Step, about, leaps
from .rule_base import Rule
from .yields import not_adding_up, not_apart, pairs

MOST_PAIRS = 250_000
"""The largest number of pairs of cells in an anti-taxicab rule."""


class _Moves(Rule):
    """Base: ``wrap`` joins opposite edges of the board (toroidal)."""

    _only_shape = True
    _moves: ClassVar[tuple[Step, ...]]
    wrap: bool = f.flag(False)

    def steps(self) -> tuple[Step, ...]:
        return self._moves

    def couples(self, board: Board) -> Iterator[tuple[str, str]]:
        return board.pairs(self.steps(), self.wrap)

    def keeps(self, a: int, b: int) -> bool:
        """Return whether the values of two cells that are a move apart satisfy the rule."""
        raise NotImplementedError

    def judge(self, grid: Filled) -> bool:
        values = grid.values
        return all(self.keeps(values[a], values[b]) for a, b in self.cells_apart(grid.board))

    def sentences(self, board: Board) -> Iterable[Sentence]:
        return (about(couple, self.keeps) for couple in self.cells_apart(board))

    def cells_apart(self, board: Board) -> tuple[tuple[str, str], ...]:
        """Return every cell with each cell that is a move away."""
        return _cells_apart(board.shape.height, board.shape.width, self.steps(), self.wrap)


@lru_cache(maxsize=32)
def _cells_apart(height: int, width: int, steps: tuple[Step, ...], wrap: bool) -> tuple[tuple[str, str], ...]:
    """Return every cell with each cell that is one of the steps away, for the judge: written apart from Board.pairs."""
    found = []
    for r in range(height):
        for c in range(width):
            for dr, dc in steps:
                there = (r + dr) % height, (c + dc) % width
                if (wrap or there == (r + dr, c + dc)) and there != (r, c):
                    found.append((f"R{r + 1}C{c + 1}", f"R{there[0] + 1}C{there[1] + 1}"))
    return tuple(found)


def _no_repeat(a: int, b: int, values: tuple[int, ...]) -> bool:
    return a != b or a not in values


class _Apart(_Moves):
    """Cells a move apart differ."""

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return (Compare(a, "!=", b) for a, b in self.couples(board) if not board.same_house((a, b)))

    def keeps(self, a: int, b: int) -> bool:
        return a != b


class AntiKnight(_Apart):
    """Cells a knight's move apart differ."""

    title = "Anti-knight"
    technique = "knight's move"
    turning = "whole grid"
    only_differ = True
    _moves = leaps(1, 2)


class AntiKing(_Apart):
    """Cells that touch, even at a corner, differ."""

    title = "Anti-king"
    technique = "king's move"
    turning = "whole grid"
    only_differ = True
    _moves = (*leaps(0, 1), *leaps(1, 1))


class Taxicab(_Apart):
    """Equal values are never at the taxicab distance ``distance``.

    ``wrap`` joins opposite edges of the board: distances follow the shortest way.
    """

    sentence = "Equal values are never at this distance, counted in horizontal and vertical steps."
    turning = "whole grid"
    distance: int = f.number(1, 800, default=3, clue=True)

    def couples(self, board: Board) -> Iterator[tuple[str, str]]:
        return _at_distance(board, self.distance, self.wrap)

    def judge(self, grid: Filled) -> bool:
        return all(far != self.distance for _, far in _equals(grid, self.wrap))

    def sentences(self, board: Board) -> Iterable[Sentence]:
        apart = (couple for couple, far in _distances(board, self.wrap) if far == self.distance)
        return (about(couple, self.keeps) for couple in apart)


class Leaper(_Moves):
    """Cells an (a, b) leap apart differ; if ``values`` are stated, only these must not repeat."""

    sentence = "Cells an (a, b) leap apart differ."
    turning = "whole grid"
    a: int = f.number(0, 400, default=1, clue=True)
    b: int = f.number(0, 400, default=2, clue=True)
    values: tuple[int, ...] = f.value_set(0, default=())

    def validate(self) -> None:
        if not self.a and not self.b:
            raise ValueError("a leap of (0, 0) leads nowhere")

    def steps(self) -> tuple[Step, ...]:
        return leaps(self.a, self.b)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        couples = (couple for couple in self.couples(board) if not board.same_house(couple))
        return pairs(board, couples, _no_repeat, self.values or board.values)

    def keeps(self, a: int, b: int) -> bool:
        return a != b or bool(self.values and a not in self.values)


class DiagonalNonConsecutive(_Moves):
    """Neighbours on a diagonal never differ by 1."""

    title = "Diagonally non-consecutive"
    turning = "whole grid"
    _moves = DIAGONAL

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, self.couples(board), not_apart, 1)

    def keeps(self, a: int, b: int) -> bool:
        return a - b != 1


class Knightmare(_Moves):
    """Cells a knight's move apart never add up to one of ``sums``."""

    sentence = "Cells a knight's move apart never add up to 5 or 15, or to one of the listed sums."
    _moves = leaps(1, 2)
    sums: tuple[int, ...] = f.value_set(default=(5, 15))

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, self.couples(board), not_adding_up, self.sums)

    def keeps(self, a: int, b: int) -> bool:
        return all(a + b != total for total in self.sums)


class AntiTaxicab(Rule):
    """Two equal values x are never at the taxicab distance x.

    ``wrap`` joins opposite edges of the board: distances follow the shortest way.
    """

    title = "Anti-taxicab"
    _only_shape = True
    wrap: bool = f.flag(False)

    def check(self, board: Board) -> None:
        if board.low < 1:
            raise ValueError("values from 1 are expected")
        count = 0
        for value in self._distances(board):
            h, w = board.shape.height, board.shape.width
            steps = _ways(value, h, w, self.wrap)  # across edges of even sides some couples are counted twice
            count += sum(h * w if self.wrap else (h - abs(dy)) * (w - abs(dx)) for dy, dx in steps) // 2
            if count > MOST_PAIRS:
                raise ValueError(
                    f"more than {MOST_PAIRS} pairs of cells are at a distance equal to a value on {board.shape}"
                )

    @staticmethod
    def _distances(board: Board) -> list[int]:
        """Return the values that are distances on the board."""
        return [value for value in board.values if value <= board.shape.height + board.shape.width - 2]

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for value in self._distances(board):
            barred = Table(("a", "b"), [(value, value)], allowed=False)
            for couple in _at_distance(board, value, self.wrap):
                if not board.same_house(couple):
                    yield barred.over(*couple)

    def judge(self, grid: Filled) -> bool:
        return all(far != value for value, far in _equals(grid, self.wrap))

    def sentences(self, board: Board) -> Iterable[Sentence]:
        for couple, far in _distances(board, self.wrap):
            if far in board.values:
                yield about(couple, lambda a, b, far=far: not a == b == far)


def _at_distance(board: Board, distance: int, wrap: bool) -> Iterator[tuple[str, str]]:
    """Return the pairs of cells at a taxicab distance."""
    return board.pairs(_ways(distance, board.shape.height, board.shape.width, wrap), wrap)


def _ways(distance: int, height: int, width: int, wrap: bool) -> list[Step]:
    """Return the steps of a taxicab distance that fit on a board; across the edges, only the shortest ones."""
    steps = sorted({s for a in range(distance + 1) for s in leaps(a, distance - a)})
    longest = (height // 2, width // 2) if wrap else (height - 1, width - 1)
    return [(dy, dx) for dy, dx in steps if abs(dy) <= longest[0] and abs(dx) <= longest[1]]


def _distances(board: Board, wrap: bool, cells: Iterable[str] = ()) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield every two cells, of the grid or of those listed, with their taxicab distance."""
    shape = board.shape
    places = [(name, *board.place(name)[1:]) for name in cells or board.cells]
    for (one, r, c), (other, y, x) in combinations(places, 2):
        down, right = abs(r - y), abs(c - x)
        if wrap:
            down, right = min(down, shape.height - down), min(right, shape.width - right)
        yield (one, other), down + right


def _equals(grid: Filled, wrap: bool) -> Iterator[tuple[int, int]]:
    """Yield the value and the taxicab distance of every two cells of the grid with equal values."""
    held: dict[int, list[str]] = {}
    for name in grid.board.cells:
        held.setdefault(grid[name], []).append(name)
    return ((value, far) for value, names in held.items() for _, far in _distances(grid.board, wrap, names))
