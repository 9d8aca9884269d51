"""Full rank: the readings of all rows and columns from both ends, ranked as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ...model import Compare, Constraint, InDomain, LexLess, Linear, Or
from . import fields as f
from .base import Rule
from .board import Board, Filled
from .yields import never

Reading = tuple[str, ...]
MOST_SIDE = 50
"""The longest side of a board of which all readings are compared with each other."""


@dataclass(frozen=True)
class FullRank(Rule):
    """The reading of the line from the clue on has ``rank``: one more than the number of smaller readings.

    Unless ``ties`` are allowed, no other reading is equal to it.
    """

    cells: tuple[str, ...] = f.cells()
    rank: int = f.number(1)
    ties: bool = f.flag(False)

    def check(self, board: Board) -> None:
        """Raise ValueError unless the cells are a whole row or column of a square board."""
        _check_board(board)
        if self.cells not in [reading for side in _sides(board) for reading in side]:
            raise ValueError(f"{' '.join(self.cells)} is not a whole row or column")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Every side's readings begin with every value once: four readings begin alike, one from each side.

        So the rank tells the first value, and how many of the other three that begin with it are smaller. On a board
        of one cell all four are the same.
        """
        if len(self.cells) == 1:
            if not self.ties or self.rank > 1:
                yield never(self.cells[0])
            return
        first, smaller = divmod(self.rank - 1, 4)
        if first >= len(board.values):
            yield never(self.cells[0])
            return
        yield InDomain(self.cells[0], (board.values[first],))
        others = [side for side in _sides(board) if self.cells not in side]
        flags = [self._flag(board, side) for side in others]
        yield Linear([1, 1, 1], flags, "==", smaller)
        if not self.ties:
            yield from (_unequal(self.cells, reading) for side in others for reading in side)

    def _flag(self, board: Board, side: list[Reading]) -> str:
        """Return a variable: 1 when the reading from that side with the same first value is smaller."""
        name = f"reading from {side[0][0]}..{side[-1][0]} before {self.cells[0]}..{self.cells[-1]}"
        return board.auxiliary(name, (0, 1), *_definition(name, self.cells, side))

    def judge(self, grid: Filled) -> bool:
        """Read all lines from both ends, and count those that are smaller or equal."""
        mine = grid.along(self.cells)
        readings = [grid.along(reading) for side in _sides(grid.board) for reading in side]
        rank = 1 + sum(reading < mine for reading in readings)
        return rank == self.rank and (self.ties or readings.count(mine) == 1)


@dataclass(frozen=True)
class NoRankTies(Rule):
    """No two readings of rows and columns, from either end, are equal."""

    def check(self, board: Board) -> None:
        """Raise ValueError unless the board is square, each value once in a line."""
        _check_board(board)
        if board.shape.width > MOST_SIDE:
            raise ValueError(f"all readings of a board of side {board.shape.width}: at most {MOST_SIDE} is possible")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield for every two readings from different sides that they differ somewhere."""
        for side, other in combinations(_sides(board), 2):
            yield from (_unequal(a, b) for a in side for b in other)

    def judge(self, grid: Filled) -> bool:
        """Read all lines from both ends, and count the distinct ones."""
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


def _definition(name: str, cells: Reading, side: list[Reading]) -> Iterator[Constraint]:
    for reading in side:
        if reading[0] == cells[0]:
            yield Or(InDomain(name, (0,)), LexLess(reading, cells))
            yield Or(InDomain(name, (1,)), LexLess(cells, reading, strict=False))
        else:
            starts_otherwise = Compare(reading[0], "!=", cells[0])
            yield Or(starts_otherwise, InDomain(name, (0,)), LexLess(reading, cells))
            yield Or(starts_otherwise, InDomain(name, (1,)), LexLess(cells, reading, strict=False))


def _unequal(a: Reading, b: Reading) -> Constraint:
    return Or([Compare(x, "!=", y) for x, y in zip(a, b, strict=True) if x != y])
