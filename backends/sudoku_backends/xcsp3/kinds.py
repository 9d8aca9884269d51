"""How large numbers and models may be."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
from sudoku_models.model import Compare, Count, Linear, Model, NValue, Objective

LARGEST = (2**31 - 1) // 100
"""The largest value and the largest sum, on both sides of 0: Choco has no larger ones, and both count in 32 bits."""

NUMBERS = Numbers(value=LARGEST, sums=dict.fromkeys((Compare, Count, Linear, NValue, Objective), LARGEST))

WIDEST = 100_000
"""The most values of a variable, which the engines hold one by one."""


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large, or None."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} are taken"
    return None
