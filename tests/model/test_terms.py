"""Expressions that are not linear: what a comparison with them holds is what Python says of the values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from sudoku_models import Model, Variable, count, solve
from sudoku_models.model import (
    Array,
    Constraint,
    all_different,
    brute_force,
    count_of,
    element,
    maximum,
    minimum,
)
from sudoku_models.model.expression import expression
from sudoku_models.model.terms import value_of

X, Y, Z = (Variable(name, range(-2, 4)) for name in "xyz")

CASES: dict[str, tuple[Callable[[Any, Any, Any], Any], Callable[[int, int, int], bool]]] = {
    "abs": (lambda x, y, z: abs(x - y) == z, lambda x, y, z: abs(x - y) == z),
    "product": (lambda x, y, z: x * y == z, lambda x, y, z: x * y == z),
    "product of three": (lambda x, y, z: x * y * z >= 2, lambda x, y, z: x * y * z >= 2),
    "square": (lambda x, y, z: x * x + y * y == z * z, lambda x, y, z: x * x + y * y == z * z),
    "quotient": (lambda x, y, z: x // y == z, lambda x, y, z: y != 0 and x // y == z),
    "remainder": (lambda x, y, z: x % y != z, lambda x, y, z: y != 0 and x % y != z),
    "of a number": (lambda x, y, z: 6 % x == 7 // y, lambda x, y, z: x != 0 and y != 0 and 6 % x == 7 // y),
    "minimum": (lambda x, y, z: minimum(x, y) == z, lambda x, y, z: min(x, y) == z),
    "maximum": (lambda x, y, z: maximum([x, y, 1]) <= z - 1, lambda x, y, z: max(x, y, 1) <= z - 1),
    "count": (lambda x, y, z: count_of([x, y], 1, 2) == z, lambda x, y, z: (x in (1, 2)) + (y in (1, 2)) == z),
    "element": (lambda x, y, z: Array([x, y])[z] == 1, lambda x, y, z: 0 <= z < 2 and (x, y)[z] == 1),
    "element above": (lambda x, y, z: element([x, 2], y) > z, lambda x, y, z: 0 <= y < 2 and (x, 2)[y] > z),
    "truths": (lambda x, y, z: (x < y) + (y < z) == 1, lambda x, y, z: (x < y) + (y < z) == 1),
    "sum of truths": (lambda x, y, z: sum([x == 1, y == 1, z == 1]) >= 2, lambda x, y, z: (x, y, z).count(1) >= 2),
    "weighted truth": (lambda x, y, z: 3 * (x == y) - (y > 0) != z, lambda x, y, z: 3 * (x == y) - (y > 0) != z),
    "truth of logic": (lambda x, y, z: ((x < y) | (y < z)) + 0 == z, lambda x, y, z: int(x < y or y < z) == z),
    "implies": (lambda x, y, z: (x < y).implies(y < z), lambda x, y, z: not x < y or y < z),
    "different sums": (lambda x, y, z: all_different(x, y + 1, z - 1), lambda x, y, z: len({x, y + 1, z - 1}) == 3),
    "cancelled": (lambda x, y, z: x * y + z - x * y == 1, lambda x, y, z: z == 1),
}


@pytest.mark.parametrize("name", CASES)
def test_a_comparison_holds_where_python_says_so(name: str) -> None:
    stated, meaning = CASES[name]
    constraint = stated(X, Y, Z)
    assert isinstance(constraint, Constraint)
    model = Model([X, Y, Z], [constraint])
    expected = {row for row in product(range(-2, 4), repeat=3) if meaning(*row)}
    assert set(brute_force(model)) == expected
    assert Model.parse(str(model)) == model
    assert count(model, "backtracking").value == len(expected)
    assert count(model, "cp-sat").value == len(expected)


def test_an_objective_need_not_be_linear() -> None:
    model = Model([X, Y, Z], [X + Y <= 4, X < Z])
    for objective in (X * Y - Z, abs(X - 2 * Y), maximum(X, Y, 2 * Z) - minimum(X, Y), 3 * (X < Y) + (Y < Z)):
        best = model.maximize(objective)
        rows = {row[:3] for row in brute_force(best)}
        assert rows == set(brute_force(model))
        values = [value_of(expression(objective), dict(zip("xyz", row, strict=True))) for row in rows]
        assert solve(best, "cp-sat").objective == max(value for value in values if value is not None)
        assert Model.parse(str(best)) == best == best.maximise(objective)
