"""Which constraints are stated as they are."""

from __future__ import annotations

from sudoku_models.model import (
    AllDifferent,
    And,
    Compare,
    Constraint,
    Count,
    Element,
    Implies,
    InDomain,
    LexLess,
    Linear,
    MinMax,
    Model,
    MultisetEqual,
    Not,
    NValue,
    Or,
    Table,
)

ALONE: frozenset[type[Constraint]] = frozenset(
    {AllDifferent, Compare, Count, Element, InDomain, LexLess, Linear, MinMax, MultisetEqual, NValue, Table}
)
KINDS = ALONE | {And, Implies, Not, Or}

LARGEST = 2**31 - 1
"""The largest sum of weights that is stated."""

WIDEST = 10_000
"""The most values of a variable: each is a Boolean."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint with parts is not taken: each part must be of a kind that is."""
    return next((f"a part is no {type(p).__name__}" for p in _parts(constraint) if type(p) not in KINDS), None)


def _parts(constraint: Constraint) -> list[Constraint]:
    """The constraint and all parts within parts."""
    found, waiting = [], [constraint]
    while waiting:
        found.append(last := waiting.pop())
        match last:
            case Or(parts=parts) | And(parts=parts):
                waiting += parts
            case Not(part=part):
                waiting.append(part)
            case Implies(condition=condition, result=result):
                waiting += [condition, result]
    return found


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large, or None."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} are stated one by one"
    for constraint in model.constraints:
        for part in _parts(constraint):
            if isinstance(part, Linear | Compare) and _spread(model, part) > LARGEST:
                return f"a sum that varies by {_spread(model, part)} is too large: at most {LARGEST} is stated"
    return None


def _spread(model: Model, part: Linear | Compare) -> int:
    coeffs, xs = (part.coeffs, part.xs) if isinstance(part, Linear) else ((1, 1), (part.x, part.y))
    domains = ((c, model.domains[x]) for c, x in zip(coeffs, xs, strict=True))
    return sum(abs(c) * (values[-1] - values[0]) for c, values in domains if values)
