"""The oracle that counts the solutions of any model: brute force, known numbers, and the backends with rules."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models import LimitReached, Model, Puzzle, Shape, Variable, count
from sudoku_models.model import AllDifferent, And, Linear, Or, brute_force
from sudoku_models.puzzle.rules import KillerCage, Thermo
from sudoku_models.testing.generators import GENERATORS, random_model
from tests.testing.frontier import solutions_by_frontier


@pytest.mark.parametrize("kind", list(GENERATORS)[::3], ids=lambda kind: kind.__name__)
def test_each_kind_has_as_many_solutions_as_brute_force_finds(kind: type) -> None:
    for seed in range(10):
        rng = Random(f"frontier {kind.__name__} {seed}")
        model = random_model(rng, [kind], rng.randint(1, 4), 2)
        assert solutions_by_frontier(model) == len(list(brute_force(model))), str(model)


def test_known_numbers() -> None:
    xs = [Variable(name, range(3)) for name in "abc"]
    known: list[tuple[Puzzle | Model, int]] = [
        (Model(xs[:1], [Or([])]), 0),
        (Model([], [Or([])]), 0),
        (Model(xs[:1], [And([])]), 3),
        *((Model(xs, [Linear((1, 1, 1), xs, op, 7)]), n) for op, n in (("==", 0), ("!=", 27), (">", 0), ("<", 27))),
        (Puzzle.empty(Shape.square(4)), 288),
        (Puzzle.empty(Shape.latin(4)), 576),
        (Puzzle(Shape.latin(5), (1, 2, 3, 4, 5, *(None,) * 20)), 161_280 // 120),
    ]
    assert [solutions_by_frontier(problem) for problem, _ in known] == [number for _, number in known]


def test_boards_of_six_rows_with_rules_have_as_many_solutions_as_a_backend_finds() -> None:
    rules = (
        Thermo(("R1C1", "R2C1", "R2C2", "R3C3")),
        KillerCage(("R1C5", "R1C6", "R2C6"), 11),
        Thermo(("R6C6", "R5C5", "R4C4")),
    )
    puzzle = Puzzle(Shape.square(6, (2, 3)), (None,) * 2 + (6,) + (None,) * 14 + (3,) + (None,) * 18, rules=rules)
    found = count(puzzle, limit=None)
    assert found.exact
    assert solutions_by_frontier(puzzle) == found.value == 441


def test_too_many_states_are_given_up() -> None:
    xs = [Variable(f"x{k}", range(9)) for k in range(6)]
    with pytest.raises(LimitReached, match="more than 100 states"):
        solutions_by_frontier(Model(xs, [AllDifferent(xs)]), most=100)
