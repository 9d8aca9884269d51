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

from .numbered import without_wide

KINDS: frozenset[type[Constraint]] = frozenset(
    {
        AllDifferent, And, Compare, Connected, Count, Element, Implies, InDomain, LexLess, Linear, MinMax,
        MultisetEqual, Not, NValue, Or, Regular, Table,
    }
)  # fmt: skip

MOST_VALUES = 62
"""The values of a model, from the least to the greatest, are the bits of a word."""

LARGEST = 1 << 50
"""The coefficients of a sum, added up, stay below this."""

MOST_STATES = 100_000
"""An automaton with as many states has no complement."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is not taken: large coefficients, or a Not around what has no opposite here."""
    match constraint:
        case Linear():
            if sum(map(abs, constraint.coeffs)) >= LARGEST:
                return f"coefficients add up to {LARGEST} or more"
        case Not() | Implies() | And() | Or():
            return _refuses_logic(constraint, False)
    return None


def _refuses_logic(constraint: Constraint, negated: bool) -> str | None:
    match constraint:
        case Not():
            return _refuses_logic(constraint.part, not negated)
        case Implies():
            return _refuses_logic(constraint.condition, not negated) or _refuses_logic(constraint.result, negated)
        case And() | Or():
            return next((reason for part in constraint.parts if (reason := _refuses_logic(part, negated))), None)
        case Connected() | MultisetEqual() if negated:
            return f"the opposite of a {type(constraint).__name__} is not known here"
        case Regular() if negated and constraint.automaton.states >= MOST_STATES:
            return "the complement of so large an automaton is not built"
    return refuses(constraint)


def _span(model: Model) -> tuple[int, int]:
    """Return the least and the greatest value of a model."""
    domains = [d for d in {id(v.domain): v.domain for v in model.variables}.values() if d]
    return min([d[0] for d in domains], default=0), max([d[-1] for d in domains], default=0)


def refuses_model(model: Model) -> str | None:
    """Return why a model is not taken: its values lie too far apart, or its objective is too large."""
    least, most = _span(model)
    if most - least >= MOST_VALUES:
        least, most = _span(without_wide(model, MOST_VALUES).model)
    if most - least >= MOST_VALUES:
        return f"its values reach from {least} to {most}, and {MOST_VALUES} numbers in a row are the most"
    if model.objective and sum(map(abs, model.objective.coeffs)) >= LARGEST:
        return f"the coefficients of its objective add up to {LARGEST} or more"
    return None
