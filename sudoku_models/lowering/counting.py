"""Element, Count, NValue, MinMax, MultisetEqual by clauses, sums and counts."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import (
    Compare,
    Constraint,
    Count,
    Domain,
    Element,
    InDomain,
    Linear,
    MinMax,
    MultisetEqual,
    NValue,
    Or,
)
from .opening import clauses_of_element, flagged, parts_of_min_max, presence, shared_numbers
from .rewrite import Rewrite, Scratch


def _values(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    return 1 + sum(len(domains[x]) for x in constraint.variables())


def _pairs(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    assert isinstance(constraint, Element)
    return 1 + sum(2 * len(domains[x]) for x in constraint.xs)


def _flags(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """The values, and a sum of 0 and 1."""
    assert isinstance(constraint, Count)
    return _values(constraint, domains) + 2 * len(constraint.xs) ** 2


def _several(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    return 2 * len(constraint.scope) * _values(constraint, domains)


def _element(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, Element)
    return clauses_of_element(constraint, scratch)


def _min_max(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, MinMax)
    return parts_of_min_max(constraint, scratch)


def _n_value(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, NValue)
    found, total = presence(constraint, scratch)
    return [*found, total]


def _count(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, Count)
    found, total = flagged(constraint, scratch)
    return [*found, total]


def _multiset(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, MultisetEqual)
    return shared_numbers(constraint, scratch)


REWRITES = (
    Rewrite("Element to clauses", Element, frozenset({Or, InDomain}), _pairs, _element),
    Rewrite("Count to a sum", Count, frozenset({Or, Linear}), _flags, _count),
    Rewrite("NValue to a sum", NValue, frozenset({Or, Linear}), _several, _n_value),
    Rewrite("MinMax to comparisons", MinMax, frozenset({Compare, InDomain, Or}), _several, _min_max),
    Rewrite("MultisetEqual to counts", MultisetEqual, frozenset({Count}), _several, _multiset),
)
