"""How large numbers may be is declared, and what is larger is refused with the reason."""

from __future__ import annotations

import pytest

from sudoku_models.engine import Capabilities
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.registry import select
from sudoku_models.model import Compare, Model, Not, Objective, Variable

X, Y = Variable("x", (-5, 0, 9)), Variable("y", (100, 103))


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        (Numbers(value=102), "y has values beyond 102, the largest that the engine accepts"),
        (Numbers(spread=13), "the values of x differ by more than 13"),
        (
            Numbers(sums={Compare: 100}),
            "a sum in Compare that may come to 112 is too large for exact results: at most 100",
        ),
        (
            Numbers(spreads={Compare: 16}),
            "a sum in Compare that varies by 17 is too large for exact results: at most 16",
        ),
        (Numbers(spreads={Objective: 5}), "an objective that varies by 14 is too large"),
    ],
)
def test_what_is_larger_than_declared_is_refused_inside_other_constraints_too(numbers: Numbers, reason: str) -> None:
    model = Model([X, Y], [Not(Compare(X, "<", Y))]).minimise(X)
    declared = Capabilities(frozenset({Not}), select("cp-sat").capabilities.features, numbers=numbers)
    assert reason in (declared.accepts_model(model) or "")
    assert Capabilities(frozenset({Not}), declared.features).accepts_model(model) is None
