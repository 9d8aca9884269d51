"""The check of answers: right ones pass, every kind of wrong one is reported, and each comes once."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

from sudoku_models.engine import Request, run
from sudoku_models.engine.check import Checker
from sudoku_models.errors import WrongAnswer
from sudoku_models.model import AllDifferent, Linear, Model, Variable, brute_force
from tests import strategies

from . import planted

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


YS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
THREE = Model(YS, [AllDifferent(YS)])


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ((1, 2.0, 3), "x1 is 2.0 of type float, where an int is expected"),
        ((True, 2, 3), "x0 is True of type bool"),
        ([1, 2, 3], "it is a int, where a tuple of values is expected"),
        (None, "it is a NoneType"),
    ],
)
def test_what_is_no_tuple_of_whole_numbers_is_a_wrong_answer_of_its_engine(found: Any, expected: str) -> None:
    with pytest.raises(WrongAnswer, match=expected):
        next(run(THREE, planted.Gives(found)))


def test_values_of_any_size_are_told_apart() -> None:
    far = [-(1 << 64), -(1 << 63), 0, 1 << 63, 1 << 64]
    xs = [Variable(f"z{i}", far) for i in range(2)]
    model = Model(xs)
    assert len(list(run(model, "backtracking", Request(limit=None)))) == 25
    found = list(brute_force(model))
    with pytest.raises(WrongAnswer, match="returned before"):
        list(run(model, planted.Gives(*found, found[3]), Request(limit=None)))
