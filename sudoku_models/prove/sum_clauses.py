"""Sums in the formula of a certificate: Linear, and sums of zeros and ones: Count, NValue, MultisetEqual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model import OPERATORS, Count, Linear, MultisetEqual, NValue
from .diagram import Digit
from .formula_place import REFUSED, Place

DECIDED = "D"
"""The state of a sum that is satisfied whatever the remaining values are."""


def linear(place: Place, c: Linear) -> None:
    """A weighted sum of variables; the coefficients of a repeated name are added up."""
    coefficients: dict[str, int] = {}
    for k, x in zip(c.coeffs, c.xs, strict=True):
        coefficients[x] = coefficients.get(x, 0) + k
    _sum(place, [place.digit(x, k.__mul__) for x, k in coefficients.items()], c.op, c.k)


def count(place: Place, c: Count) -> None:
    """How many variables have certain values."""
    digits = [place.digit(x, lambda value: int(value in c.values)) for x in c.xs]
    _sum_and_term(place, digits, c.op, c.y)


def n_value(place: Place, c: NValue) -> None:
    """The number of values that occur: a literal for each value says that it does."""
    holders: dict[int, list[int]] = {}
    for x in c.xs:
        for value, literal in place.digit(x):
            holders.setdefault(value, []).append(literal)
    digits: list[Digit] = []
    for literals in holders.values():
        present = place.formula.fresh()
        for literal in literals:
            place.define(-literal, present)
        place.define(-present, *literals)
        digits.append(((1, present), (0, -present)))
    _sum_and_term(place, digits, c.op, c.y)


def multiset_equal(place: Place, c: MultisetEqual) -> None:
    """Each value equally often on both sides: a sum of 0 for each value; for the negation, one of them is not 0."""
    values = dict.fromkeys(value for x in c.scope for value, _ in place.digit(x))
    sums = [(_difference(place, c, value), "==" if place.holds else "!=") for value in values]
    if place.holds:
        for digits, op in sums:
            _sum(place, digits, op, 0)
        return
    chosen = [place.formula.fresh() for _ in sums]
    place.add(*chosen)
    for literal, (digits, op) in zip(chosen, sums, strict=True):
        _sum(Place(place.formula, place.domains, (*place.guard, -literal), True, place.encode), digits, op, 0)


def _difference(place: Place, c: MultisetEqual, wanted: int) -> list[Digit]:
    left = [place.digit(x, lambda value: int(value == wanted)) for x in c.xs]
    return left + [place.digit(y, lambda value: -int(value == wanted)) for y in c.ys]


def _sum_and_term(place: Place, digits: list[Digit], op: str, y: str | int) -> None:
    """State ``sum op y``: a variable is moved to the other side."""
    if isinstance(y, str):
        _sum(place, [*digits, place.digit(y, int.__neg__)], op, 0)
    else:
        _sum(place, digits, op, y)


def _sum(place: Place, digits: Sequence[Digit], op: str, k: int) -> None:
    """State ``sum of digits op k``: the states are the sums so far."""
    least, most = [0], [0]
    for digit in reversed(digits):
        values = [value for value, _ in digit]
        least.append(least[-1] + min(values, default=0))
        most.append(most[-1] + max(values, default=0))

    def step(at: int, total: Any, value: int) -> Any:
        """Add a value."""
        if total == DECIDED:
            return total
        left = len(digits) - at - 1
        return _state(total + value, least[left], most[left], op, k)

    first = _state(0, least[-1], most[-1], op, k)
    start = REFUSED if first is None else first
    place.word(list(digits), start, step, lambda s: s == DECIDED or OPERATORS[op](s, k))


def _state(total: int, least: int, most: int, op: str, k: int) -> Any:
    """Return the sum so far; DECIDED if every possible end satisfies it, None if none does."""
    low, high = total + least, total + most
    if op == "==":
        return DECIDED if low == high == k else total if low <= k <= high else None
    if op == "!=":
        return DECIDED if not low <= k <= high else None if low == high else total
    ends = OPERATORS[op](low, k), OPERATORS[op](high, k)
    return DECIDED if all(ends) else total if any(ends) else None
