"""What a comparison runs, and in which order."""

from __future__ import annotations

import pytest

from sudoku_models import BadOption, Puzzle
from sudoku_models.agreement import installed
from sudoku_models.compare import Instance, Plan, instances

PUZZLES = [Instance(i, Puzzle.parse("." * 16)) for i in range(1, 41)]
SPECS = ("backtracking", "backtracking:strategy=rows", "cp-sat")


def orders(plan: Plan) -> list[tuple[str, ...]]:
    return [tuple(map(str, plan.order(puzzle))) for puzzle in PUZZLES]


def test_every_instance_meets_every_backend_once() -> None:
    assert {tuple(sorted(order)) for order in orders(Plan.of(SPECS))} == {tuple(sorted(SPECS))}


def test_the_order_is_shuffled_anew_for_each_instance_and_repeats_with_the_seed() -> None:
    first, again, other = (orders(Plan.of(SPECS, seed=seed)) for seed in (1, 1, 2))
    assert len(set(first)) > 3
    assert first == again
    assert first != other


def test_without_backends_all_installed_ones_are_compared() -> None:
    assert Plan.of().names == tuple(map(str, installed()))


def test_the_seed_reaches_only_engines_that_take_one() -> None:
    plan = Plan.of(["cp-sat", "pycosat"], seed=7)
    assert [plan.engine_seed(backend) for backend in plan.backends] == [7, 0]


def test_a_backend_must_not_stand_twice_and_must_exist() -> None:
    with pytest.raises(ValueError, match="stands twice"):
        Plan.of(["cp-sat", "cp-sat:form=integers"])
    with pytest.raises(ValueError, match="no backend"):
        Plan.of([])
    with pytest.raises(BadOption, match="nobody"):
        Plan.of(["nobody"])


def test_an_instance_is_known_by_what_it_is_and_not_by_where_it_stands() -> None:
    here, there = (Instance(n, Puzzle.parse("1.....2....3...."), f"{n}.txt", n) for n in (1, 2))
    other = Instance(1, Puzzle.parse("2.....2....3...."))
    assert here.sha == there.sha != other.sha
    assert here.name == "puzzle 1, 1.txt line 1"


def test_problems_of_any_form_become_numbered_instances() -> None:
    rows = [[1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3], [0, 0, 0, 0]]
    one, two = instances(["1.....2....3....", rows])
    assert (one.number, two.number) == (1, 2)
    assert one.sha == two.sha
