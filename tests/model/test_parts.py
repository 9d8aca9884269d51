"""Comparisons of many parts: each part gets a variable of its own, and the solutions stay the same."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest

from sudoku_models import Model, Puzzle, Variable, count, solve
from sudoku_models.model import (
    Array,
    Fact,
    Or,
    Table,
)
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle.rules import rule

XS = [Variable(name, range(1, 4)) for name in "abcd"]
NINE = [Variable(f"x{k}", range(1, 10)) for k in range(9)]


def test_parts_that_may_have_no_value_are_parted_too() -> None:
    found: Any = Array(NINE[:8])[NINE[8]] + sum(x // (y - 1) for x, y in pairwise(NINE)) == 12
    assert found.parted
    values = solve(Model(NINE, [found]), "cp-sat").values
    assert values is not None
    digits = [values[x.name] for x in NINE]
    assert digits[digits[8]] + sum(x // (y - 1) for x, y in pairwise(digits)) == 12


def test_rules_and_constraints_over_a_board_take_them_too() -> None:
    empty = Puzzle.empty(Shape.square(4))
    cells = [empty.model[f"R{r}C{c}"] for r in (1, 2, 3) for c in (1, 2, 3, 4)]
    far: Any = sum(abs(p - q) for p, q in pairwise(cells))
    constraint = far == 21
    steps = rule(lambda board, cells: sum(abs(p - q) for p, q in pairwise(cells)) == 21)
    assert constraint.parted
    expected = count(empty.with_(constraint), "cp-sat").value
    assert count(empty.with_rules(steps(tuple(cell.name for cell in cells))), "cp-sat").value == expected > 0
    assert solve(empty.with_(constraint), "cp-sat").grid is not None


def test_iff_and_xor_of_constraints() -> None:
    a, b, c, d = XS
    for row in product((1, 2, 3), repeat=4):
        values, (p, q) = dict(zip("abcd", row, strict=True)), (row[0] < row[1], row[2] < row[3])
        assert (a < b).iff(c < d).holds(values) == bool(Fact(p).iff(Fact(q))) == (p == q)
        assert (a < b).xor(c < d).holds(values) == bool(Fact(p).xor(Fact(q))) == (p != q)
        assert (a < b).iff(1).holds(values) == (a < b).xor(0).holds(values) == p
        assert (a < b).iff(False).holds(values) == (a < b).xor(1).holds(values) == (not p)
    with pytest.raises(ValueError, match="2 is not a truth value"):
        (a < b).iff(2)


def test_a_comparison_of_constraints_as_data_is_named() -> None:
    a, b, c, d = XS
    wrong: Any = (a < b) != (b < a)
    for make in (lambda: Model(XS, [wrong]), lambda: Or(wrong, c < d)):
        with pytest.raises(TypeError, match=r"True is not a constraint: == and != .* compare them as data.*\.iff"):
            make()
    assert isinstance((a * b == c), Table)
