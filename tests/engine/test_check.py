"""The check of answers: right ones pass, every kind of wrong one is reported."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from sudoku_models.engine.check import Checker
from sudoku_models.model import AllDifferent, Linear, Model, Variable, brute_force
from sudoku_models.testing import strategies

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
MODEL = Model(XS, [AllDifferent(XS), Linear((1, 1), XS[:2], "<=", 4)])


@pytest.mark.parametrize(
    ("row", "domains", "expected"),
    [
        ((1, 2), {}, "2 values for 3 variables"),
        ((1, 2, 3, 4), {}, "4 values for 3 variables"),
        ((1, 2, 4), {}, "x2 is 4, which is not in its domain"),
        ((1, 2, 2), {}, "AllDifferent"),
        ((2, 3, 1), {}, "Linear"),
        ((1, 2, 3), {"x1": (1, 3)}, "x1 is 2, which was not allowed"),
        ((1, 2, 3), {"x1": ()}, "x1 is 2, which was not allowed"),
    ],
)
def test_what_is_wrong_is_reported(row: tuple[int, ...], domains: dict[str, tuple[int, ...]], expected: str) -> None:
    assert expected in str(Checker(MODEL).fault(row, domains))


@settings(max_examples=60, deadline=None)
@given(strategies.models(most=4))
def test_it_agrees_with_the_meaning_of_every_kind(model: Model) -> None:
    checker, solutions = Checker(model), set(brute_force(model))
    for row in product(*(v.domain for v in model.variables)):
        assert (checker.fault(row, {}) is None) == (row in solutions)


def test_all_different_of_several_sizes_are_checked_by_what_they_say() -> None:
    xs = [Variable(f"x{i}", (-2, 0, 5)) for i in range(5)]
    houses = [AllDifferent(xs[:3]), AllDifferent(xs[2:]), AllDifferent([xs[0], xs[4]]), AllDifferent([xs[1]])]
    model = Model(xs, houses)
    checker = Checker(model)
    for row in product((-2, 0, 5), repeat=5):
        values = dict(zip(model.names, row, strict=True))
        assert (checker.fault(row, {}) is None) == all(house.holds(values) for house in houses)
