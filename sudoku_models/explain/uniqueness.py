"""Arguments from uniqueness: what holds only where the author promises that there is one solution.

Four cells in two rows and two columns, two values crosswise: where every house holds as many of the one diagonal as of
the other, and nothing else is stated about these cells, the two values can be exchanged, and there are two solutions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ..model import Compare, Constraint, Or
from ..puzzle import Puzzle
from ..puzzle.rules.board import Board

ASSUMED = "uniqueness"
"""The part of atoms that are assumed."""

Corners = tuple[str, str, str, str]


def rectangles(puzzle: Puzzle) -> Iterator[Corners]:
    """Yield the corners (two rows, row by row) of the rectangles whose values could be exchanged."""
    shape, board = puzzle.shape, Board(puzzle.shape, puzzle.rules)
    stated = {x for rule in puzzle.rules for c in rule.constraints(board) for x in c.scope}
    free = {x for x in shape.names if x not in stated and x not in puzzle.domains}
    houses = [frozenset(shape.names[c] for c in house.cells) for house in shape.houses]
    wide = shape.width
    for upper, lower in combinations(range(0, shape.cells, wide), 2):
        columns = [i for i in range(wide) if shape.names[upper + i] in free and shape.names[lower + i] in free]
        for i, j in combinations(columns, 2):
            a, b, c, d = (shape.names[cell] for cell in (upper + i, upper + j, lower + i, lower + j))
            crossing = [(len(house & {a, d}), len(house & {b, c})) for house in houses]
            if all(one == other < 2 for one, other in crossing):
                yield a, b, c, d


def exchanged(corners: Corners) -> Constraint:
    """Return that the values at the corners cannot be exchanged."""
    a, b, c, d = corners
    return Or(Compare(a, "!=", d), Compare(b, "!=", c))


def label(corners: Corners) -> str:
    """Say what is assumed, and where it is used."""
    return f"the assumption of one solution ({' '.join(corners)})"
