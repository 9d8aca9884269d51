"""Grids of 0 and 1: binairo, hitori (1 is shaded), star battle (1 is a star)."""

from __future__ import annotations

from collections.abc import Sequence

from ..puzzle import Puzzle
from ..puzzle.rules import Balance, Pair, Singles, WeightedSum
from .cell_groups import Rows, blank, board, groups, lines, named

_NOT_BOTH = ((0, 0), (0, 1), (1, 0))


def binairo(givens: Rows, *, distinct: bool = True) -> Puzzle:
    """Rows and columns hold 0 and 1 equally often, never three alike in a row; if ``distinct``, no two are equal."""
    return board(givens, (0, 1)).with_rules(Balance(distinct))


def hitori(numbers: Sequence[Sequence[int]]) -> Puzzle:
    """Shade cells (1) so that no row or column repeats a number; the rest is connected, shaded cells do not touch."""
    puzzle = board(blank(len(numbers), len(numbers[0])), (0, 1))
    return puzzle.with_rules(Singles(tuple(number for row in numbers for number in row)))


def star_battle(labels: Sequence[str], stars: int = 1) -> Puzzle:
    """Every row, column and region (cells with one letter) has ``stars`` stars (1); no two touch, even diagonally."""
    height, width = len(labels), len(labels[0])
    puzzle = board(blank(height, width), (0, 1))
    houses = [named(line) for line in lines(height, width)]
    squares = [(r, c) for r in range(height - 1) for c in range(width - 1)]
    near = [named((r + i, c + j) for i in (0, 1) for j in (0, 1)) for r, c in squares]
    sums = [WeightedSum(cells, stars) for cells in [*groups(labels).values(), *houses]]
    return puzzle.with_rules(*sums, *(Pair(cells, _NOT_BOTH, True) for cells in near))
