"""Which constraints and models the engine takes."""

from __future__ import annotations

from sudoku_models.model import (
    AllDifferent,
    And,
    Compare,
    Connected,
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
    Regular,
    Table,
)

KINDS: frozenset[type[Constraint]] = frozenset(
    {
        AllDifferent, And, Compare, Connected, Count, Element, Implies, InDomain, LexLess, Linear, MinMax,
        MultisetEqual, Not, NValue, Or, Regular, Table,
    }
)  # fmt: skip

DOUBTED: frozenset[type[Constraint]] = frozenset({And, Implies, Linear, Not, Or})
"""The kinds of which some constraints are refused; see ``refuses``."""

MOST_VALUES = 62
"""The number of consecutive values that are the bits of a word: a model whose values span more is refused."""

MOST_VARIABLES = 20_000
"""A search keeps a row of domains for every depth: for this number of variables, three gigabytes."""

BEYOND = 1 << 62
"""Values must stay below this in size, so that the difference of two fits into 64 bits."""

LARGEST = 1 << 50
"""The coefficients of a sum, added up, must stay below this."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is not taken: its coefficients, or those of one inside it, are large."""
    match constraint:
        case Linear():
            if sum(map(abs, constraint.coeffs)) >= LARGEST:
                return f"coefficients add up to {LARGEST} or more"
        case Not():
            return refuses(constraint.part)
        case Implies():
            return refuses(constraint.condition) or refuses(constraint.result)
        case And() | Or():
            return next((reason for part in constraint.parts if (reason := refuses(part))), None)
    return None


def refuses_model(model: Model) -> str | None:
    """Return why a model is not taken: values too far apart, too many variables, too large an objective."""
    filled = [values for values in model.variables.unlike if values]
    least, most = min([values[0] for values in filled], default=0), max([values[-1] for values in filled], default=0)
    if most - least >= MOST_VALUES:
        return f"it has values from {least} to {most}, which is more than {MOST_VALUES} numbers"
    if not -BEYOND < least <= most < BEYOND:
        return f"it has values of {BEYOND} (2^62) or more"
    if len(model.variables) > MOST_VARIABLES:
        return f"it has more than {MOST_VARIABLES:,} variables"
    objective = model.objective
    if objective and sum(map(abs, objective.coeffs)) >= LARGEST:
        return f"the coefficients of its objective add up to {LARGEST} or more"
    return None
