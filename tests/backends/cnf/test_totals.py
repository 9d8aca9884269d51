"""A bound on a cost as clauses: exactly the assignments pass that cost no more, however often it is tightened."""

from __future__ import annotations

from itertools import product
from random import Random

import pycosat
import pytest
from sudoku_backends.cnf.asking import Stated
from sudoku_backends.cnf.objective import LARGEST, Adders, Group, RunningTotals, Totals, totals_of
from sudoku_backends.cnf.pycosat import BACKEND

from sudoku_models.engine import Request
from sudoku_models.model import Model, Objective, Variable

from .helpers import attempt


def random_groups(rng: Random) -> tuple[list[Group], int]:
    """Return up to four groups of one to four literals each, and how many literals these are."""
    groups, taken = [], 0
    for _ in range(rng.randint(1, 4)):
        costs = [0] + [rng.choice((0, 1, 2, 3, 5, 8, 13)) for _ in range(rng.randint(0, 3))]
        rng.shuffle(costs)
        groups.append(tuple(enumerate(costs, taken + 1)))
        taken += len(costs)
    return groups, taken


def passing(groups: list[Group], totals: Totals, bounds: list[list[int]]) -> set[tuple[int, ...]]:
    """Return the choices of one literal in each group that the clauses let pass."""
    clauses, found = totals.clauses + bounds, set()
    for choice in product(*groups):
        chosen = {literal for literal, _ in choice}
        units = [[literal if literal in chosen else -literal] for group in groups for literal, _ in group]
        if isinstance(pycosat.solve(clauses + units, vars=totals.variables), list):
            found.add(tuple(sorted(chosen)))
    return found


@pytest.mark.parametrize("kind", [RunningTotals, Adders])
@pytest.mark.parametrize("seed", range(8))
def test_a_bound_lets_exactly_the_cheap_choices_pass_and_so_does_a_tighter_one(kind: type, seed: int) -> None:
    groups, taken = random_groups(Random(seed))
    dearest = sum(max(cost for _, cost in group) for group in groups)
    totals = kind(groups, dearest, taken) if kind is RunningTotals else kind(groups, taken)
    bounds: list[list[int]] = []
    for most in sorted({dearest, dearest // 2, max(0, dearest // 2 - 1), 0}, reverse=True):
        bounds += totals.at_most(most)
        cheap = {
            tuple(literal for literal, _ in choice)
            for choice in product(*groups)
            if sum(cost for _, cost in choice) <= most
        }
        assert passing(groups, totals, bounds) == cheap


def test_binary_numbers_take_over_where_running_totals_would_be_many() -> None:
    few = [tuple(enumerate((0, 1, 2), 3 * i + 1)) for i in range(5)]
    many = [tuple(enumerate((0, 3**i, 10**9 + 7**i), 3 * i + 1)) for i in range(20)]
    assert isinstance(totals_of(few, 9, 15), RunningTotals)
    numbers = totals_of(many, 10**11, 60)
    assert isinstance(numbers, Adders)
    assert len(numbers.clauses) < LARGEST / 10


def test_a_cost_counts_from_what_is_decided_and_cheapest() -> None:
    x, y, z = Variable("x", (-2, 5)), Variable("y", (0, 3, 4)), Variable("z", (1,))
    model = Model([x, y, z], [], Objective("maximize", (2, -1, 7), ("x", "y", "z"), 100))
    problem = BACKEND.compile(model).problem({"y": (3, 4)})
    assert model.objective
    cost = Stated(problem).cost(model.objective, model.names)
    assert cost.bound == 100 + 2 * 5 - 3 + 7
    assert sorted(sorted(c for _, c in group) for group in cost.groups) == [[0, 1], [0, 14]]


def test_improvements_are_attempted_in_process() -> None:
    xs = [Variable(f"x{i}", range(6)) for i in range(6)]
    model = Model(xs, [xs[0] != xs[1], xs[1] != xs[2]]).maximise(sum(xs[1:], start=xs[0] * 1))
    settled = attempt(BACKEND.compile(model), Request(limit=None))
    assert settled is not None
    values = list(map(sum, settled))
    assert values == sorted(set(values)) and values[-1] == 29
    assert settled.outcome.complete and settled.record.bound == 30
