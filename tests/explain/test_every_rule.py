"""Every kind of rule on the ladder: no stage removes what a solution has, on 4x4 boards that the judge accepts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

import pytest

from sudoku_models import Model, Puzzle, Variable
from sudoku_models.explain import Ladder, path, rate
from sudoku_models.model import Or
from sudoku_models.puzzle.rules import Board, Filled, Rule
from tests.puzzle.rules.boards import SUDOKU, latin_squares
from tests.puzzle.rules.test_all_kinds import IN_CELLS, some_rules


def boards_of(rule: Rule) -> Iterator[tuple[int, ...]]:
    """Yield the filled boards that a rule's judge accepts."""
    board = Board(SUDOKU, (rule,))
    names = board.names
    yield from (g for g in latin_squares(True) if rule.judge(Filled(board, dict(zip(names, g, strict=True)))))


@lru_cache(256)
def accepted(rule: Rule) -> list[tuple[int, ...]]:
    """Return all filled boards that a rule's judge accepts."""
    return list(boards_of(rule))


@lru_cache(1024)
def holds_on(rule: Rule, least: int = 1) -> bool:
    """Return whether a rule's judge accepts at least so many boards, without judging them all."""
    return len(list(islice(boards_of(rule), least))) == least


@cache
def one_of_a_kind(kind: type[Rule]) -> Rule:
    """Return a rule of a kind for this board: one that some board satisfies, if it is among the first."""
    for number in (3, 24):  # most kinds need few
        made = [rules[0] for rules in some_rules(kind, SUDOKU, number, "ladder")]
        if found := next(filter(holds_on, made), None):
            return found
    return made[0]


IMPOSSIBLE = {
    *("AntiKing", "AntiTaxicab", "Balance", "GlobalEntropy", "GlobalMod", "NonConsecutive", "OnlyValues", "Singles"),
    *("StrictKropki", "StrictRatio"),
}
"""The kinds that no 4 x 4 board with boxes keeps."""
SOLVABLE = [kind for kind in IN_CELLS if kind.__name__ not in IMPOSSIBLE]


def test_the_kinds_that_no_board_keeps_are_named() -> None:
    assert {kind.__name__ for kind in IN_CELLS if not holds_on(one_of_a_kind(kind))} == IMPOSSIBLE


@pytest.mark.parametrize("kind", IN_CELLS, ids=lambda kind: kind.__name__)
def test_no_stage_removes_what_a_solution_has(kind: type[Rule]) -> None:
    rule = one_of_a_kind(kind)
    grids, rng = accepted(rule), random.Random(5)
    if not grids:
        puzzle = Puzzle.empty(SUDOKU).with_rules(rule)
        assert all(stage.facts for stage in Ladder(puzzle).stages(Ladder(puzzle).start(), (2, 4)))
        return
    for given in (0, 5):
        chosen, grid = rng.sample(range(16), given), rng.choice(grids)
        puzzle = Puzzle(SUDOKU, tuple(grid[c] if c in chosen else None for c in range(16)), rules=(rule,))
        ladder = Ladder(puzzle)
        gone = {fact for stage in ladder.stages(ladder.start(), (2, 4)) for fact in stage.facts}
        for found in (found for found in grids if all(found[c] == grid[c] for c in chosen)):
            assert not gone & {(c, value - ladder.low) for c, value in enumerate(found)}


@pytest.mark.parametrize("kind", IN_CELLS[::4], ids=lambda kind: kind.__name__)
def test_a_filled_board_that_a_rule_refuses_is_a_contradiction(kind: type[Rule]) -> None:
    rule = one_of_a_kind(kind)
    for grid in latin_squares(True)[::96]:
        puzzle = Puzzle(SUDOKU, grid, rules=(rule,))
        end = "solved" if grid in accepted(rule) else "contradiction"
        assert (path(puzzle).end, rate(puzzle).end) == (end, end)


@pytest.mark.parametrize("model", [Model([], [Or()]), Model([Variable("x", [1])], [Or()])])
def test_a_constraint_over_no_variable_is_a_contradiction_too(model: Model) -> None:
    assert (path(model).end, rate(model).end) == ("contradiction", "contradiction")
