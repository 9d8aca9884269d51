"""Operators on variables make constraints that mean what they say."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_models.model import Constraint, Variable

X, Y, Z = (Variable(name, range(-2, 3)) for name in "xyz")

OPS = {"==": operator.eq, "!=": operator.ne, "<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}


def equal(constraint: Constraint, meaning: Any) -> bool:
    """Does a constraint hold exactly where the meaning is true?"""
    rows = product(range(-2, 3), repeat=3)
    return all(constraint.holds(dict(zip("xyz", row, strict=True))) == bool(meaning(*row)) for row in rows)


@pytest.mark.parametrize("op", OPS)
def test_variables_compare_with_variables_and_numbers(op: str) -> None:
    compare = OPS[op]
    assert equal(compare(X, Y), lambda x, y, z: compare(x, y))
    assert equal(compare(X, 1), lambda x, y, z: compare(x, 1))
    assert equal(compare(1, X), lambda x, y, z: compare(1, x))
    assert equal(compare(X + 1, Y - 1), lambda x, y, z: compare(x + 1, y - 1))
    assert equal(compare(2 * X - Y + 3, Z), lambda x, y, z: compare(2 * x - y + 3, z))
    assert equal(compare(3 - X, -Y), lambda x, y, z: compare(3 - x, -y))
    assert equal(compare(X, X), lambda x, y, z: compare(x, x))
    assert equal(compare(X + Y, Y + X), lambda x, y, z: compare(x + y, y + x))


@given(st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.integers(-4, 4), st.sampled_from(sorted(OPS)))
def test_sums_mean_what_they_say(coeffs: list[int], k: int, op: str) -> None:
    a, b, c = coeffs
    constraint = OPS[op](a * X + Y * b + c * Z, k)
    assert equal(constraint, lambda x, y, z: OPS[op](a * x + b * y + c * z, k))
