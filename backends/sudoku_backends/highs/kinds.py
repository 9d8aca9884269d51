"""Which constraints become rows, and which sums are small enough to be exact in floating point."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
from sudoku_models.model import (
    AllDifferent,
    Compare,
    Constraint,
    Count,
    InDomain,
    Linear,
    Model,
    Objective,
    Or,
    Table,
)

KINDS: frozenset[type[Constraint]] = frozenset({AllDifferent, Compare, Count, InDomain, Linear, Or, Table})

WIDEST = 4_000
"""The most values of a variable."""

LARGEST = 200_000
"""The most pairs of values of a constraint on two variables."""

SPREAD = 200_000
"""The most that a sum may vary by: rows hold up to a tolerance of 1e-6, relative to such numbers."""

NUMBERS = Numbers(spreads=dict.fromkeys((Linear, Count, Objective), SPREAD))
"""Offsets do not matter: the least value of each variable is taken out of the rows."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is no rows, or None."""
    if isinstance(constraint, Or) and not all(isinstance(part, InDomain) for part in constraint.parts):
        return "an Or is a row only when its parts are domains"
    if isinstance(constraint, Linear | Count) and constraint.op == "!=":
        return "a sum that must not be a number is no row"
    return None


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large, or None."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} become columns"
    for constraint in model.constraints:
        if isinstance(constraint, Compare):
            pairs = len(model.domains[constraint.x]) * len(model.domains[constraint.y])
            if pairs > LARGEST:
                return f"{pairs} pairs of values of one constraint are too many: {LARGEST} are taken"
    return None
