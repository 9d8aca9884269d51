"""Rules with extra cells of their own: unknown regions and the doppelganger zero."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from sudoku_models import Puzzle, count
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule

from .boards import LATIN, latin_squares


def tetrominoes() -> list[frozenset[int]]:
    """Every connected set of four cells of a 4 x 4 board."""
    near = {c: {d for d in range(16) if abs(c // 4 - d // 4) + abs(c % 4 - d % 4) == 1} for c in range(16)}

    def connected(cells: tuple[int, ...]) -> bool:
        reached = {cells[0]}
        for _ in cells:
            reached |= {d for c in reached for d in near[c] if d in cells}
        return len(reached) == 4

    return [frozenset(cells) for cells in combinations(range(16), 4) if connected(cells)]


def partitions(pieces: list[frozenset[int]], taken: frozenset[int] = frozenset()) -> Iterator[list[frozenset[int]]]:
    """Every way to part the board into such sets, in the order in which they begin."""
    if len(taken) == 16:
        yield []
        return
    first = min(set(range(16)) - taken)
    for piece in pieces:
        if first in piece and not piece & taken:
            yield from ([piece, *rest] for rest in partitions(pieces, taken | piece))


def labelled() -> Iterator[tuple[int, ...]]:
    for parted in partitions(tetrominoes()):
        yield tuple(next(i for i, piece in enumerate(parted, 1) if cell in piece) for cell in range(16))


def kept(rules: list[Rule], first_row: tuple[int, ...] = ()) -> int:
    """How many Latin squares with regions the judges keep; every fiftieth is held against the constraints too."""
    board = Board(LATIN, rules)
    board.check()
    found = 0
    for i, labels in enumerate(labelled()):
        for j, values in enumerate(latin_squares(False)):
            if first_row and values[:4] != first_row:
                continue
            grid = Filled(board, dict(zip(board.names, (*values, *labels), strict=True)))
            judged = all(rule.judge(grid) for rule in rules)
            if (i + j) % 50 == 0:
                assert judged == all(grid.satisfies(rule.constraints) for rule in rules)
            found += judged
    return found


CHAOS = r.ChaosConstruction()


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (None, 578),  # times 24 first rows: 13,872 grids
        (r.ChaosArrow("R1C3"), 247),
        (r.ChaosArrow("R2C2", (), False), 113),
        (r.ChaosArrow("R1C3", (("CC6", "CC7", "CC8"), ("CC6", "CC10", "CC14"))), 226),
        (r.ChaosCount("R1C3"), 283),
        (r.ChaosCount("R1C2", ("CC1", "CC2", "CC5", "CC9")), 235),
    ],
    ids=str,
)
def test_chaos_clues_leave_the_known_number_of_grids(rule: Rule | None, expected: int) -> None:
    assert kept([CHAOS, rule] if rule else [CHAOS], (1, 2, 3, 4)) == expected


def test_doppelganger_has_the_known_number_of_grids() -> None:
    puzzle = Puzzle.empty(Shape(4, 4, (0, 1, 2, 3, 4), Shape.square(4).regions)).with_rules(r.Doppelganger())
    assert count(puzzle, "native").value == 768
