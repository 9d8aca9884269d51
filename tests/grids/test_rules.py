"""The rules of grids of two signs: judge and constraints agree; what cannot be stated is refused."""

from __future__ import annotations

from itertools import product

import pytest

from sudoku_models import Puzzle, solve
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from tests.puzzle.rules.boards import filled, verdicts

RAW = Shape(3, 3, tuple(range(5)), lines=False)
PRINTED = [[2, 4, 1, 1], [4, 1, 2, 3], [2, 1, 4, 1], [1, 3, 2, 3]]
SIGNS = Shape(4, 4, (0, 1), lines=False)


@pytest.mark.parametrize("rule", [r.Balance(), r.Singles([v for row in PRINTED for v in row])], ids=str)
def test_judge_and_constraints_agree_on_all_boards_of_two_signs(rule: r.Rule) -> None:
    solved = solve(Puzzle.empty(SIGNS).with_rules(rule)).grid
    assert solved
    boards = [values for values in product((0, 1), repeat=16) if sum(values) in (3, 4, 8)]
    met = {verdicts(rule, filled(SIGNS, [rule], values)) for values in [*boards[::23], solved.values]}
    assert met == {(True, True), (False, False)}


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: r.Calculation("R1C1 R1C2 R1C3", "-", 2), "takes two cells"),
        (lambda: r.Calculation("R1C1 R1C2", "%", 2), "is expected"),
        (lambda: filled(SIGNS, [r.Singles([1, 2])], [0] * 16), "2 numbers for 16 cells"),
        (lambda: filled(RAW, [r.Balance()], [0] * 9), "even length"),
    ],
)
def test_what_cannot_be_stated_is_refused(make: object, part: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=part):
        make()
