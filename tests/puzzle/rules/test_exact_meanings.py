"""What rules mean at the edges: closed lines, values with gaps or below 0, regions listed in any order."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule

from .boards import verdicts

LINE = "R1C1 R1C2 R2C2 R2C1"
LOOP = f"{LINE} R1C1"


def kept(rule: Rule, values: tuple[int, ...], cells: str = LINE) -> set[tuple[int, ...]]:
    """Every way to fill a 2 x 2 board that keeps a rule, along a line; its judge and its constraints agree."""
    shape = Shape(2, 2, values, lines=False)
    board, names, found = Board(shape, [rule]), cells.split(), set()
    board.check()
    for row in product(values, repeat=4):
        grid = Filled(board, dict(zip(LINE.split(), row, strict=True)))
        judged, satisfied = verdicts(rule, grid)
        assert judged == satisfied, row
        if judged:
            found.add(tuple(grid.along(names)))
    return found


@pytest.mark.parametrize(("kind", "values"), [(r.Renban, (1, 2, 3, 4, 5)), (r.Nabner, (1, 3, 4, 5, 7))])
def test_a_closed_line_counts_its_first_cell_once(kind: Any, values: tuple[int, ...]) -> None:
    assert kept(kind(LOOP), values) == kept(kind(LINE), values) != set()


@pytest.mark.parametrize(
    ("closed", "values", "expected"),
    [
        (r.Thermo(LOOP), (1, 2, 3, 4), lambda a, b, c, d: False),
        (r.SlowThermo(LOOP), (1, 2, 3), lambda a, b, c, d: a == b == c == d),
        (r.Whisper(LOOP, 2), (1, 2, 3, 4), lambda a, b, c, d: min(abs(a - b), abs(b - c), abs(c - d), abs(d - a)) >= 2),
        (r.Palindrome(LOOP), (1, 2, 3), lambda a, b, c, d: b == d),
        (r.AlternatingParity(LOOP), (1, 2, 3), lambda a, b, c, d: (a - b) % 2 == (b - c) % 2 == (c - d) % 2 == 1),
        (r.Between(LOOP), (1, 2, 3), lambda a, b, c, d: False),
    ],
)
def test_other_closed_lines_are_read_as_they_run(closed: Rule, values: tuple[int, ...], expected: Any) -> None:
    assert kept(closed, values) == {row for row in product(values, repeat=4) if expected(*row)}


@pytest.mark.parametrize(
    ("values", "low", "middle"),
    [
        ((1, 2, 3, 10), {1, 2}, set()),
        ((1, 2, 3, 10, 11), {1, 2}, {3}),
        ((0, 1, 2, 3), {0, 1}, set()),
        ((7,), set(), {7}),
    ],
)
def test_equality_cages_part_the_values_in_halves(values: tuple[int, ...], low: set[int], middle: set[int]) -> None:
    def fits(row: tuple[int, ...]) -> bool:
        halves = len(low.intersection(row)) == 2 and middle.isdisjoint(row)
        return len(set(row)) == 4 and sum(v % 2 for v in row) == 2 and halves

    assert kept(r.EqualityCage(LINE), values) == set(filter(fits, product(values, repeat=4)))


def test_a_difference_has_either_sign() -> None:
    rule, values = r.Vudoku("R1C1 R1C2 R2C2"), (-2, -1, 0, 1, 3)
    expected = {(a, b, c) for a, b, c in product(values, repeat=3) if b in (a + c, a - c, c - a)}
    assert {row[:3] for row in kept(rule, values)} == expected
