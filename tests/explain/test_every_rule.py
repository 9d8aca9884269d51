"""Every kind of rule on the ladder: no stage removes what a solution has, on 4x4 boards that the judge accepts."""

from __future__ import annotations

import random
from functools import lru_cache

import pytest

from sudoku_models import Puzzle
from sudoku_models.explain import Ladder
from sudoku_models.puzzle.rules import Board, Filled, Rule
from tests.puzzle.rules.boards import SUDOKU, latin_squares
from tests.puzzle.rules.test_judges import RULES

PLAIN = [rule for rule in RULES if not list(Board(SUDOKU, (rule,)).groups)[1:]]


@lru_cache(256)
def accepted(rule: Rule) -> list[tuple[int, ...]]:
    """Return all filled boards that a rule's judge accepts."""
    board = Board(SUDOKU, (rule,))
    names = board.names
    return [grid for grid in latin_squares(True) if rule.judge(Filled(board, dict(zip(names, grid, strict=True))))]


def one_of_a_kind() -> list[Rule]:
    """Return the first rule of each kind that some board satisfies; the first of all where none does."""
    found: dict[type[Rule], Rule] = {}
    for rule in PLAIN:
        if type(rule) not in found or (not accepted(found[type(rule)]) and accepted(rule)):
            found[type(rule)] = rule
    return list(found.values())


ONE_OF_A_KIND = one_of_a_kind()


@pytest.mark.parametrize("rule", ONE_OF_A_KIND, ids=lambda rule: type(rule).__name__)
def test_no_stage_removes_what_a_solution_has(rule: Rule) -> None:
    grids, rng = accepted(rule), random.Random(5)
    if not grids:
        puzzle = Puzzle.empty(SUDOKU).with_rules(rule)
        assert all(stage.facts for stage in Ladder(puzzle).stages(Ladder(puzzle).start(), (2, 4)))
        return
    for given in (0, 4, 7):
        chosen, grid = rng.sample(range(16), given), rng.choice(grids)
        puzzle = Puzzle(SUDOKU, tuple(grid[c] if c in chosen else None for c in range(16)), rules=(rule,))
        ladder = Ladder(puzzle)
        gone = {fact for stage in ladder.stages(ladder.start(), (2, 4)) for fact in stage.facts}
        for found in (found for found in grids if all(found[c] == grid[c] for c in chosen)):
            assert not gone & {(c, value - ladder.low) for c, value in enumerate(found)}


def test_most_kinds_of_rules_are_met() -> None:
    assert len(ONE_OF_A_KIND) >= 60
