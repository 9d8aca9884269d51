"""Rewrites of Element, Count, NValue, MinMax and MultisetEqual into clauses, sums and counts."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import (
    Constraint,
    Count,
    Domain,
    Element,
    MinMax,
    MultisetEqual,
    NValue,
)
from .opening import clauses_of_element, flagged, parts_of_min_max, presence, shared_numbers
from .rewrite import Scratch


def values_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of values, counting repeated variables each time."""
    return 1 + sum(len(domains[x]) for x in constraint.variables())


def places_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of literals: two for each value at each place."""
    assert isinstance(constraint, Element)
    return 1 + sum(2 * len(domains[x]) for x in constraint.xs)


def flags_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of values, and a sum of zeros and ones."""
    assert isinstance(constraint, Count)
    return values_cost(constraint, domains) + 2 * len(constraint.xs) ** 2


def several_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of values, for each variable and in both directions."""
    return 2 * len(constraint.scope) * values_cost(constraint, domains)


def element(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """A clause for each place that the index may point to."""
    assert isinstance(constraint, Element)
    return clauses_of_element(constraint, scratch)


def min_max(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Comparisons with each end, and clauses stating that the end is reached."""
    assert isinstance(constraint, MinMax)
    return parts_of_min_max(constraint, scratch)


def n_value(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Flags for the values that occur, and their sum."""
    assert isinstance(constraint, NValue)
    found, total = presence(constraint, scratch)
    return [*found, total]


def count(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Flags for the variables that have the values, and their sum."""
    assert isinstance(constraint, Count)
    found, total = flagged(constraint, scratch)
    return [*found, total]


def multiset(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Counts of each value on both sides, equal to one number."""
    assert isinstance(constraint, MultisetEqual)
    return shared_numbers(constraint, scratch)
