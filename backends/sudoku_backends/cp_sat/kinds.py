"""Which constraints the engine takes as they are."""

from __future__ import annotations

from sudoku_models.model import (
    AllDifferent,
    Compare,
    Constraint,
    Count,
    Element,
    InDomain,
    Linear,
    MinMax,
    MultisetEqual,
    NValue,
    Or,
    Table,
)

ALONE: frozenset[type[Constraint]] = frozenset(
    {InDomain, AllDifferent, Linear, Compare, Table, Element, Count, NValue, MinMax, MultisetEqual}
)
"""The kinds that can be stated alone, and be enforced by literals.

Not Regular: the engine's automaton leaves states open, and an enumeration meets the same solution many times (seen with
9.15: 500 for 80). Rewritten to tables over states it costs about the same.
"""

KINDS = ALONE | {Or}


def refuses(constraint: Constraint) -> str | None:
    """Return why an Or is not taken: beside domains, which become literals, it has at most one other part."""
    if not isinstance(constraint, Or):
        return None
    others = [part for part in constraint.parts if not isinstance(part, InDomain)]
    if len(others) > 1:
        return "an Or has at most one part that is no domain"
    if others and type(others[0]) not in ALONE:
        return f"a part of an Or is no {type(others[0]).__name__}"
    return None
