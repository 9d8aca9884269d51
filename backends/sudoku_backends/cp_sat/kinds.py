"""Which constraints the engine takes as they are."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
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


LARGEST = 2**62 - 1
"""The engine computes in 64 bits: values, coefficients, bounds, and the sums of their products, must lie within this.
"""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is refused: its numbers are too large, or it is an Or of several parts; None if it is
    accepted.

    Besides domains, which become literals, an Or has at most one other part.
    """
    others = [constraint]
    if isinstance(constraint, Or):
        others = [part for part in constraint.parts if not isinstance(part, InDomain)]
    if any(abs(number) > LARGEST for part in others for number in _numbers(part)):
        return f"the engine takes numbers up to {LARGEST} (2^62 - 1)"
    if not isinstance(constraint, Or):
        return None
    if len(others) > 1:
        return "an Or has at most one part that is not a domain"
    if others and type(others[0]) not in ALONE:
        return f"a {type(others[0]).__name__} cannot be a part of an Or"
    return None


def _numbers(constraint: Constraint) -> tuple[int, ...]:
    match constraint:
        case Linear():
            return (*constraint.coeffs, constraint.k)
        case Compare():
            return (constraint.c,)
        case Count(y=y) | NValue(y=y) | Element(y=y):
            return (y,) if isinstance(y, int) else ()
        case MinMax(lo=lo, hi=hi):
            return tuple(end for end in (lo, hi) if isinstance(end, int))
        case Or():
            return tuple(number for part in constraint.parts for number in _numbers(part))
        case _:
            return ()


NUMBERS = Numbers(value=LARGEST, spread=LARGEST)
"""The largest values of variables; numbers in constraints are checked one by one, and too large ones are rewritten."""
