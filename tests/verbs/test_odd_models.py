"""Models without variables, constraints over none, and numbers beyond 64 bits: all engines answer alike or refuse."""

from __future__ import annotations

import pytest

from sudoku_models import Model, Unsupported, Variable, candidates, count, solve
from sudoku_models.engine import listings
from sudoku_models.model import (
    AllDifferent,
    And,
    Compare,
    Constraint,
    Count,
    Element,
    Implies,
    InDomain,
    Linear,
    MinMax,
    Not,
    NValue,
    Or,
    Table,
    brute_force,
)

ENGINES = [listing.name for listing in listings() if not listing.problem]
X, Y = Variable("x", (0, 1, 2)), Variable("y", (0, 1, 2))
OVER_NONE = [[], [And()], [Or()], [Not(Or())], [AllDifferent([])], [Linear([], [], "<", 0)], [Linear([], [], "<", 1)]]
LARGE: list[Constraint] = [
    *(Count([X, Y], [1], op, k) for op in ("<", ">=", "!=") for k in (2**63 - 1, 2**63, -(2**63), -(2**70))),
    Count([X, Y], [1, 2**63], "==", 1),
    NValue([X, Y], "<", 2**64),
    NValue([X, Y], ">=", -(2**63)),
    *(MinMax([X, Y], lo, hi) for lo, hi in ((-(2**70), None), (None, 2**63), (2**63 - 1, -(2**63)))),
    *(Element([X, Y], X, k) for k in (2**62, 2**63, -(2**64))),
    Linear([2**62, 2**62], [X, Y], "<=", 2**63),
    Linear([2**64, -(2**64)], [X, Y], "==", 0),
    *(Compare(X, "<", Y, k) for k in (2**63, -(2**70))),
    InDomain(X, [1, 2**65]),
    Table([X, Y], [(1, 2), (1, 2**63)]),
    Table([X, Y], [(1, 2), (1, -(2**63) - 1)], False),
    Not(Count([X, Y], [1], "<", 2**63)),
    Or([Count([X, Y], [1], "==", 2**63), Compare(X, "==", Y)]),
    Implies(MinMax([X, Y], -(2**70)), Compare(X, "==", Y)),
]


def same_or_refused(model: Model, backend: str) -> None:
    right = sum(1 for _ in brute_force(model))
    try:
        found = count(model, backend)
    except Unsupported:
        return
    assert (found.value, found.exact) == (right, True), str(model)


@pytest.mark.parametrize("backend", [*ENGINES, "cp-sat:form=booleans"])
def test_constraints_over_none_and_numbers_beyond_64_bits_are_counted_exactly_or_refused(backend: str) -> None:
    for constraints in OVER_NONE:
        same_or_refused(Model([], constraints), backend)
        same_or_refused(Model([X], constraints), backend)
    for constraint in LARGE:
        same_or_refused(Model([X, Y], [constraint]), backend)


@pytest.mark.parametrize("constraints", OVER_NONE, ids=str)
def test_a_model_without_variables_has_candidates_if_it_has_a_solution(constraints: list[Constraint]) -> None:
    model = Model([], constraints)
    found = candidates(model)
    assert found == {} and found.solvable == bool(count(model).value)
    assert (str(found) == "no solution") == (str(solve(model)) == "unsatisfiable")
