"""Which constraints are given as they are, and how large numbers and models may be."""

from __future__ import annotations

from sudoku_models.engine.numbers import Numbers
from sudoku_models.exports.xcsp3 import CAPABILITIES
from sudoku_models.model import Compare, Constraint, Count, Element, Linear, Model, NValue, Objective, Regular, kinds

KINDS = CAPABILITIES.kinds - {NValue, Regular}
"""Choco loses solutions of NValue (see ``quirks``) and takes no negative value in Regular; ACE fails on some."""

LARGEST = (2**31 - 1) // 100
"""The largest value and the largest sum, on both sides of 0: Choco has no larger ones, and both count in 32 bits."""

NUMBERS = Numbers(value=LARGEST, sums=dict.fromkeys((Compare, Count, Linear, Objective), LARGEST))

WIDEST = 100_000
"""The most values of a variable, which the engines hold one by one."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is not taken, or None."""
    match constraint:
        case kinds.MinMax(xs=xs) if len(set(xs)) < max(2, len(xs)):
            return "a MinMax of one variable, or with one twice, makes ACE fail"
        case kinds.LexLess(xs=xs, ys=ys) if len(xs) < 2 or len({*xs, *ys}) < len(xs) + len(ys):
            return "a LexLess of single variables, or with one twice, makes ACE fail"
        case Element(xs=xs, i=i, y=y) if len(set(xs)) < len(xs) or i == y:
            return "an Element with a variable twice, or whose value is its index, makes ACE fail"
        case Count(xs=xs, op=op) if op == "!=" or len(set(xs)) < len(xs):
            return "a Count with a variable twice, or that must not be a number, is miscounted by ACE, or makes it fail"
    return CAPABILITIES.refuses(constraint)


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large, or None."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} are taken"
    return None
