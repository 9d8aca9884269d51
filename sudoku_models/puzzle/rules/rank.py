"""Full rank: the readings of all rows and columns from both ends, ranked as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import TYPE_CHECKING

from ...model import And, Compare, Constraint, InDomain, LexLess, Linear, Or
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule
from .yields import never

if TYPE_CHECKING:
    from ..shape import Shape

Reading = tuple[str, ...]
MOST_SIDE = 50
"""The longest side of a board whose readings are all compared with each other."""


@dataclass(frozen=True)
class FullRank(Rule):
    """The reading of the line from the clue on has ``rank``: one more than the number of smaller readings.

    Unless ``ties`` are allowed, no other reading is equal to it.
    """

    sentence = "The reading of the line, beginning at the clue, has this rank among all readings of rows and columns."
    drawing = "clue", "#d1495b"
    cells: f.Cells = f.cells()
    rank: int = f.number(1)
    ties: bool = f.flag(False)

    def check(self, board: Board) -> None:
        _check_board(board)
        if self.cells not in [reading for side in _sides(board) for reading in side]:
            raise ValueError(f"{' '.join(self.cells)} is not a whole row or column")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield constraints. From each side, every value begins one reading, so four readings begin with a value.

        So the rank determines the first value, and how many of the other three readings that begin with it are
        smaller. On a board of one cell all four are the same.
        """
        if len(self.cells) == 1:
            if not self.ties or self.rank > 1:
                yield never(self.cells[0])
            return
        first, smaller = divmod(self.rank - 1, 4)
        if first >= len(board.values):
            yield never(self.cells[0])
            return
        value = board.values[first]
        yield InDomain(self.cells[0], (value,))
        others = [side for side in _sides(board) if self.cells not in side]
        if smaller in (0, len(others)):
            for reading in self._rivals(board, chain.from_iterable(others)):
                pair = (reading, self.cells) if smaller else (self.cells, reading)
                ordered = _ordered(board, *pair, strict=bool(smaller) or not self.ties)
                yield Or(_begins_otherwise(board, reading, value), ordered)
            return
        flags = [self._flag(board, side, value) for side in others]
        yield Linear([1, 1, 1], flags, "==", smaller)
        if not self.ties:
            for flag, side in zip(flags, others, strict=True):
                for reading in self._rivals(board, side):
                    if _decided(board.shape, self.cells, reading)[1]:
                        continue  # they are never equal
                    otherwise = _begins_otherwise(board, reading, value)
                    yield Or(otherwise, InDomain(flag, (1,)), _ordered(board, self.cells, reading))

    def _rivals(self, board: Board, readings: Iterable[Reading]) -> Iterator[Reading]:
        """Yield the readings that may begin with the same value: in the same cell, or in one that shares no house."""
        first = self.cells[0]
        for reading in readings:
            if reading[0] == first or not board.same_house((reading[0], first)):
                yield reading

    def _flag(self, board: Board, side: list[Reading], value: int) -> str:
        """Return a variable that is 1 if the reading from that side that begins with ``value`` is smaller."""
        name = f"reading from {side[0][0]}..{side[-1][0]} with {value} before {self.cells[0]}..{self.cells[-1]}"
        rivals = set(self._rivals(board, side))
        made = (self._stated(board, name, reading, value, reading in rivals) for reading in side)
        return board.auxiliary(name, (0, 1), *made)

    def _stated(self, board: Board, flag: str, reading: Reading, value: int, rival: bool) -> Constraint:
        """Define the flag: if a reading begins with ``value``, whether it is smaller; 0 if both readings cannot."""
        unmarked, marked = InDomain(flag, (0,)), InDomain(flag, (1,))
        if rival:
            after = _ordered(board, self.cells, reading, strict=False)
            before = _ordered(board, reading, self.cells)
            return Or(_begins_otherwise(board, reading, value), And(unmarked, after), And(marked, before))
        return Or(_begins_otherwise(board, reading, value), unmarked)

    def judge(self, grid: Filled) -> bool:
        mine = grid.along(self.cells)
        readings = [grid.along(reading) for side in _sides(grid.board) for reading in side]
        rank = 1 + sum(reading < mine for reading in readings)
        return rank == self.rank and (self.ties or readings.count(mine) == 1)


@dataclass(frozen=True)
class NoRankTies(Rule):
    """No two readings of rows and columns, from either end, are equal."""

    def check(self, board: Board) -> None:
        _check_board(board)
        if board.shape.width > MOST_SIDE:
            raise ValueError(f"all readings of a board of side {board.shape.width}: at most {MOST_SIDE} is possible")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for side, other in combinations(_sides(board), 2):
            yield from (_unequal(a, b) for a in side for b in other if not _decided(board.shape, a, b)[1])

    def judge(self, grid: Filled) -> bool:
        readings = [tuple(grid.along(reading)) for side in _sides(grid.board) for reading in side]
        return len(set(readings)) == len(readings)


def _sides(board: Board) -> list[list[Reading]]:
    """Return the readings from the left, the right, the top and the bottom."""
    n = board.shape.width
    rows = [board.line(f"R{i}") for i in range(1, n + 1)]
    columns = [board.line(f"C{i}") for i in range(1, n + 1)]
    return [rows, [row[::-1] for row in rows], columns, [column[::-1] for column in columns]]


def _check_board(board: Board) -> None:
    shape = board.shape
    if shape.height != shape.width or len(board.values) != shape.width or not shape.lines:
        raise ValueError("a square board whose rows and columns hold every value once is expected")


@lru_cache(maxsize=4096)
def _decided(shape: Shape, a: Reading, b: Reading) -> tuple[int, bool]:
    """Return the number of places that decide the order of two readings, and whether they differ for certain.

    They do at a place whose cells are different ones of a house; what follows does not matter.
    """
    for place, (x, y) in enumerate(zip(a, b, strict=True), 1):
        if x != y and not shape.houses_of[x].isdisjoint(shape.houses_of[y]):
            return place, True
    return len(a), False


def _ordered(board: Board, a: Reading, b: Reading, strict: bool = True) -> Constraint:
    """Return that the first of two readings that begin with the same value is smaller, or equal if not ``strict``."""
    number, differ = _decided(board.shape, a, b)
    places = [(x, y) for x, y in zip(a[1:number], b[1:], strict=False) if x != y]
    if len(places) == 1:
        return Compare(places[0][0], "<" if strict or differ else "<=", places[0][1])
    return LexLess([x for x, _ in places], [y for _, y in places], strict or differ)


def _begins_otherwise(board: Board, reading: Reading, value: int) -> Constraint:
    return InDomain(reading[0], [other for other in board.values if other != value])


def _unequal(a: Reading, b: Reading) -> Constraint:
    return Or([Compare(x, "!=", y) for x, y in zip(a, b, strict=True) if x != y])
