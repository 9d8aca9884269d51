"""The rules of grids of two signs: judge and constraints agree; what cannot be stated is refused."""

from __future__ import annotations

from itertools import product

import pytest

from sudoku_models import Puzzle, solve
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from tests.puzzle.rules.boards import filled, verdicts

PRINTED = [[2, 4, 1, 1], [4, 1, 2, 3], [2, 1, 4, 1], [1, 3, 2, 3]]
SIGNS = Shape(4, 4, (0, 1), lines=False)


@pytest.mark.parametrize("rule", [r.Balance(), r.Singles([v for row in PRINTED for v in row])], ids=str)
def test_judge_and_constraints_agree_on_all_boards_of_two_signs(rule: r.Rule) -> None:
    solved = solve(Puzzle.empty(SIGNS).with_rules(rule)).grid
    assert solved
    boards = [values for values in product((0, 1), repeat=16) if sum(values) in (3, 4, 8)]
    met = {verdicts(rule, filled(SIGNS, [rule], values)) for values in [*boards[::23], solved.values]}
    assert met == {(True, True), (False, False)}
