"""Every kind of constraint: its three evaluations agree, its text is read back, and mistakes are reported."""

from __future__ import annotations

import operator
import pickle
from copy import copy, deepcopy
from functools import reduce
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sudoku_models
from sudoku_models.model import (
    And,
    Compare,
    Constraint,
    InDomain,
    Linear,
    Model,
    Or,
    Variable,
)
from sudoku_models.testing.generators import GENERATORS, random_model

KINDS = sorted(GENERATORS, key=lambda kind: kind.__name__)


def alone(rng: Random, kind: type[Constraint]) -> Model:
    return random_model(rng, [kind], rng.randint(1, 4), 1)


def seeded(test: Any) -> Any:
    """Run a test on each kind of constraint, driven by hypothesis."""
    driven = settings(max_examples=10, deadline=None)(given(rng=st.randoms(use_true_random=False))(test))
    return pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)(driven)


def test_every_kind_of_the_library_has_a_generator() -> None:
    kinds = {k for k in Constraint.kinds.values() if k.__module__.startswith(sudoku_models.__name__ + ".model")}
    assert kinds == set(GENERATORS)


@seeded
def test_possible_is_never_false_where_a_solution_exists(kind: type[Constraint], rng: Random) -> None:
    model = alone(rng, kind)
    (constraint,) = model.constraints
    domains = {v.name: tuple(sorted(rng.sample(v.domain, rng.randint(1, len(v.domain))))) for v in model.variables}
    rows = product(*(domains[x] for x in constraint.scope))
    if any(constraint.holds(dict(zip(constraint.scope, row, strict=True))) for row in rows):
        assert constraint.possible(domains)


@seeded
def test_rows_in_bulk_are_judged_like_single_ones(kind: type[Constraint], rng: Random) -> None:
    dtype = rng.choice([np.int64, np.int8, np.uint8])
    low = 0 if dtype is np.uint8 else -9
    model = alone(rng, kind)
    (constraint,) = model.constraints
    rows = [[rng.randint(max(low, -6), 9) for _ in model.names] for _ in range(12)]
    columns = {x: np.array([row[i] for row in rows], dtype=dtype) for i, x in enumerate(model.names)}
    singly = [constraint.holds(dict(zip(model.names, row, strict=True))) for row in rows]
    together = constraint.holds_many(columns)
    assert together.dtype == bool
    assert together.tolist() == singly


@seeded
def test_text_equality_hash_and_pickle_agree(kind: type[Constraint], rng: Random) -> None:
    model = alone(rng, kind)
    again = Model.parse(str(model))
    assert again == model
    assert hash(again) == hash(model)
    assert str(again) == str(model)
    assert again.digest == model.digest
    for one in (model, model.constraints):
        assert pickle.loads(pickle.dumps(one)) == copy(one) == deepcopy(one) == one


@settings(max_examples=60, deadline=None)
@given(st.text('variable x in{}()[],.0123 "\\<>=!-AllDifferentTableOrNot\n', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        model = Model.parse(text)
    except ValueError:
        return
    assert Model.parse(str(model)) == model


@pytest.mark.parametrize("bits", [31, 53, 62, 63, 70])
def test_rows_in_bulk_are_evaluated_without_a_bound_on_numbers(bits: int) -> None:
    big = 2**bits
    columns = {"x": np.array([0, 1, 2, 5]), "y": np.array([3, 2**62 + 5, -(2**62), -(2**63)])}
    rows = [dict(zip(columns, map(int, row), strict=True)) for row in zip(*columns.values(), strict=True)]
    stated: list[Constraint] = [
        *(Linear((big, 3), ("x", "y"), op, big) for op in ("==", "<=", ">")),
        *(Linear((1, -1), ("x", "y"), op, -big) for op in ("!=", ">=")),
        *(Compare("x", op, "y", c) for op in ("<", "!=") for c in (big, -big)),
        InDomain("y", [3, big, -(2**63)]),
    ]
    for constraint in stated:
        assert constraint.holds_many(columns).tolist() == [constraint.holds(row) for row in rows], str(constraint)


@pytest.mark.parametrize(("joined", "kind"), [(operator.or_, Or), (operator.and_, And)], ids=["or", "and"])
def test_a_long_chain_of_an_operator_is_one_constraint_of_all_its_parts(joined: Any, kind: type[Constraint]) -> None:
    x, y = Variable("x", range(1, 9)), Variable("y", range(1, 9))
    parts = [x + 2 * y <= 30 if kind is And else x + 2 * y == 30 + i for i in range(1_000)]
    chain = reduce(joined, parts)
    assert chain == kind(parts)
    assert sudoku_models.count(Model([x, y], [chain])).value == (64 if kind is And else 0)


def test_constraints_of_a_model_are_refused_beside_fewer_variables_and_go_on_beside_more() -> None:
    x, y, z = (Variable(name, (1, 2)) for name in "xyz")
    model = Model([x, y], [Compare("x", "<", "y")])
    assert Model([x, y, z], [model.constraints, InDomain("z", (1,))]) == model.with_(z == 1, variables=[z])
    for constraints in (model.constraints, [model.constraints], [InDomain("x", (1,)), model.constraints]):
        with pytest.raises(ValueError, match="names y, which is not a variable of the model"):
            Model([x], constraints)
