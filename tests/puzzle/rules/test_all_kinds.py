"""Every kind of rule: its constraints accept what its judge accepts, however its fields are filled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random

import pytest

from sudoku_models import Puzzle, count
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule

from .boards import LATIN, SUDOKU, latin_squares, verdicts
from .making import BESIDE, OURS, rules_of, suited, turned

SHAPES = {
    "4x4": SUDOKU,
    "without boxes": LATIN,
    "three by three, 0 to 3": Shape(3, 3, (0, 1, 2, 3)),
    "free": Shape(2, 2, (1, 2, 3, 4), lines=False),
    "oblong with 0": Shape(4, 5, tuple(range(7)), lines=False),
    "gaps and below 0": Shape(2, 3, (-2, 0, 1, 5), lines=False),
    "one cell": Shape(1, 1, (1, 2, 3)),
}
IN_CELLS = [kind for kind in OURS.values() if kind.groups is Rule.groups and kind not in BESIDE]
"""The kinds without extra cells."""
MANY, SOME, FEW = 300, 50, 30
"""Boards that are made where there are more of them; tried of each shape but the first, which is tried in full; and
tried where extra cells hold anything.
"""


@lru_cache
def fillings(shape: Shape) -> Sequence[tuple[int, ...]]:
    """Return all ways to fill the cells so that the houses hold, or some of them."""
    if shape in (SUDOKU, LATIN):
        return latin_squares(shape is SUDOKU)
    if shape.lines:
        return _narrow(shape)
    if len(shape.values) ** shape.cells <= MANY:
        return list(product(shape.values, repeat=shape.cells))
    chance = Random(7)
    return [tuple(chance.choice(shape.values) for _ in shape.names) for _ in range(MANY)]


@lru_cache
def _narrow(shape: Shape) -> list[tuple[int, ...]]:
    houses = [[shape.names.index(name) for name in house] for house in shape.houses_by_name]
    every = product(shape.values, repeat=shape.cells)
    return [row for row in every if all(len({row[i] for i in house}) == len(house) for house in houses)][::4]


def boards(shape: Shape, rules: Sequence[Rule], some: int | None = None) -> Iterator[Filled]:
    """Yield boards with these rules in which extra cells hold anything; at random if only ``some`` are wanted."""
    board, chance = Board(shape, rules), Random(3)
    board.check()
    found = fillings(shape)
    for row in found if some is None else chance.sample(found, min(some, len(found))):
        extra = [chance.choice(board.domain(x)) for x in board.names[shape.cells :]]
        yield Filled(board, dict(zip(board.names, (*row, *extra), strict=True)))


def some_rules(kind: type[Rule], shape: Shape, number: int, seed: object) -> Iterator[tuple[Rule, ...]]:
    """Yield rules of a kind, each followed by what it needs beside it."""
    rng, beside = Random(f"{kind.__name__} {shape} {seed}"), BESIDE.get(kind, ())
    for rule in dict.fromkeys(rules_of(kind, shape, rng, number)):
        yield suited(rule, list(boards(shape, (rule, *beside), 3)), rng), *beside


@pytest.mark.parametrize("kind", OURS.values(), ids=OURS)
def test_constraints_accept_what_the_judge_accepts(kind: type[Rule]) -> None:
    tried = 0
    for name, shape in SHAPES.items():
        for rules in some_rules(kind, shape, 3 if shape is SUDOKU else 2, name):
            tried += 1
            most = FEW if kind not in IN_CELLS else None if shape is SUDOKU else SOME
            for at, grid in enumerate(boards(shape, rules, most)):
                judged, satisfied = verdicts(rules[0], grid)
                assert judged == satisfied, (name, rules[0], grid.values)
                if not at % 40:
                    assert grid.satisfies(rules[0].pieces) == judged, ("pieces", name, rules[0], grid.values)
    assert tried, f"no board takes a rule of the kind {kind.__name__}: see making.py"


@pytest.mark.parametrize("kind", IN_CELLS[::3], ids=lambda kind: kind.__name__)
def test_an_engine_counts_the_boards_that_the_judges_accept(kind: type[Rule]) -> None:
    """Of several rules on one board: from both ends of a line, and any two of a kind."""
    made = [rules[0] for rules in some_rules(kind, SUDOKU, 3, "counted")]
    puzzles = [[x for x in (made[-1], turned(made[-1])) if x is not None], made[:2]]
    for rules in puzzles:
        expected = sum(all(rule.judge(grid) for rule in rules) for grid in boards(SUDOKU, rules))
        assert count(Puzzle.empty(SUDOKU).with_rules(*rules), "backtracking").value == expected, rules


def test_the_boards_tell_right_from_wrong() -> None:
    """A rule that no board breaks, or none keeps, proves little."""
    two_sided = 0
    for kind in IN_CELLS:
        made = some_rules(kind, SHAPES["free"], 5, "sides")
        two_sided += {rule.judge(grid) for rule, *_ in made for grid in boards(SHAPES["free"], (rule,))} == {
            True,
            False,
        }
    assert two_sided > 0.8 * len(IN_CELLS), two_sided


@pytest.mark.parametrize("shape", [SUDOKU, LATIN], ids=["with boxes", "without"])
@pytest.mark.parametrize("rank", range(1, 17, 6))
def test_a_rank_in_a_branch_takes_no_board_from_the_other_branch(shape: Shape, rank: int) -> None:
    """Its additional variables have a value whatever the line begins with."""
    rule = r.AnyOf((r.FullRank("R1C3 R2C3 R3C3 R4C3", rank), r.Sandwich("R1C4 R2C4 R3C4 R4C4", 3)))
    expected = sum(rule.judge(grid) for grid in boards(shape, [rule]))
    assert count(Puzzle.empty(shape).with_rules(rule), "native").value == expected
