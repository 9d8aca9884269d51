"""Reasons and repairs among constraints that you name as those that may be given up."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from sudoku_models import Model, Variable, solve
from sudoku_models.explain import NoSolution, explain
from sudoku_models.model import Constraint, booleans

NAMES = ("x", "y", "z")


def holds(constraints: Iterable[Constraint]) -> bool:
    listed = list(constraints)
    rows = (dict(zip(NAMES, values, strict=True)) for values in product(range(1, 4), repeat=3))
    return any(all(one.holds(row) for one in listed) for row in rows)


def least(sets: Iterable[frozenset[str]]) -> set[frozenset[str]]:
    """Return the sets that contain no other one."""
    every = set(sets)
    return {one for one in every if not any(other < one for other in every)}


def some(random: Random) -> Constraint:
    a, b = (Variable(name, range(1, 4)) for name in random.sample(NAMES, 2))
    return random.choice((a < b, a == b, a + b == random.randint(2, 6), a != b, a >= random.randint(2, 3)))


def named(parts: Iterable[object]) -> frozenset[str]:
    return frozenset(str(part).strip('"') for part in parts)


def test_all_reasons_and_repairs_are_those_of_brute_force() -> None:
    contradictory = 0
    for seed in range(20):
        random = Random(seed)
        hard, soft = some(random), {f"part {i}": some(random) for i in range(5)}
        if not holds([hard]):
            continue
        found = explain(Model([Variable(name, range(1, 4)) for name in NAMES], [hard]), soft=soft, time_limit=300)
        subsets = [frozenset(some) for size in range(6) for some in combinations(soft, size)]
        bad = least(one for one in subsets if not holds([hard, *(soft[name] for name in one)]))
        assert isinstance(found, NoSolution) == bool(bad), seed
        if isinstance(found, NoSolution):
            contradictory += 1
            assert {named(one.parts) for one in found.reasons()} == bad, seed
            good = least(one for one in subsets if holds([hard, *(soft[name] for name in soft.keys() - one)]))
            assert {named(one.parts) for one in found.repairs()} == good, seed
    assert contradictory > 6


def test_a_boolean_variable_is_the_constraint_that_it_is_1() -> None:
    p, q, r = booleans("pqr")
    model = Model([p, q, r], [p.implies(~q), r])
    assert str(explain(model, soft={"P": p, "Q": q}, time_limit=300).reason) == '"P" and "Q" cannot hold together.'
    reason = explain(model, soft=[p, q, r], time_limit=300).reason
    assert reason is not None and len(reason) == 2
    assert solve(model, assuming=[p, q, r]).failed == ((p == 1), (q == 1))


@pytest.mark.parametrize("wrong", ["p == 1", ["p == 1"], [3]])
def test_what_is_no_constraint_is_named(wrong: Any) -> None:
    model = Model(booleans("pq"))
    with pytest.raises(TypeError, match="is not a constraint"):
        explain(model, soft={"a": wrong})
    with pytest.raises(TypeError, match="is not a constraint"):
        solve(model, assuming=wrong)
