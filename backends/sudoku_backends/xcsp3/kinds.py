"""Which constraints are stated directly, and the largest numbers and models."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
from sudoku_models.exports.xcsp3 import CAPABILITIES
from sudoku_models.model import Compare, Constraint, Count, Element, Linear, Model, NValue, Objective, Regular, kinds

KINDS = CAPABILITIES.kinds - {NValue, Regular}
"""Choco loses solutions of NValue (see ``quirks``) and takes no negative value in Regular; ACE fails on some."""

LARGEST = (2**31 - 1) // 100
"""The largest absolute value and sum: Choco takes no larger ones, and both count in 32 bits."""

NUMBERS = Numbers(value=LARGEST, sums=dict.fromkeys((Compare, Count, Linear, Objective), LARGEST))

WIDEST = 100_000
"""The largest number of values of a variable, which the engines store one by one."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is refused; None if it is accepted."""
    match constraint:
        case kinds.MinMax(xs=xs) if len(set(xs)) < max(2, len(xs)):
            return "a MinMax of one variable, or with a repeated one, makes ACE fail"
        case kinds.LexLess(xs=xs, ys=ys) if len(xs) < 2 or len({*xs, *ys}) < len(xs) + len(ys):
            return "a LexLess of single variables, or with a repeated one, makes ACE fail"
        case Element(xs=xs, i=i, y=y) if len(set(xs)) < len(xs) or i == y:
            return "an Element with a repeated variable, or whose value is its index, makes ACE fail"
        case Count(xs=xs, op=op) if op == "!=" or len(set(xs)) < len(xs):
            return "a Count with a repeated variable, or with the operator !=, is miscounted by ACE or makes it fail"
    return CAPABILITIES.refuses(constraint)


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large; None if it is not."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} are taken"
    return None
