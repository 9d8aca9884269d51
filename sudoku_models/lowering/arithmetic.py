"""Differences, comparisons, bounds and sums: rewrites between AllDifferent, Compare, InDomain and Linear."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from ..model import Compare, Constraint, Domain, InDomain, Linear
from .rewrite import Scratch


def merged(constraint: Linear) -> dict[str, int]:
    """Return the coefficient of each name, with repeated names added up and zeros dropped."""
    terms: dict[str, int] = {}
    for c, x in zip(constraint.coeffs, constraint.xs, strict=True):
        terms[x] = terms.get(x, 0) + c
    return {x: c for x, c in terms.items() if c}


def pairs_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of pairs."""
    return len(constraint.scope) * (len(constraint.scope) - 1) / 2


def differences(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Every two variables differ."""
    return [Compare(x, "!=", y) for x, y in combinations(constraint.scope, 2)]


def bounds(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Bound the variable, and exclude each value of its domain that lies between the bounds and is not allowed."""
    assert isinstance(constraint, InDomain)
    x, have = constraint.x, scratch.domains[constraint.x]
    left = [v for v in have if v in constraint.values]
    if not left:
        return [Linear((1,), (x,), "<=", (min(have) if have else 0) - 1)]
    holes = [v for v in have if left[0] < v < left[-1] and v not in constraint.values]
    bounds = [Linear((1,), (x,), ">=", left[0]), Linear((1,), (x,), "<=", left[-1])]
    return [*bounds, *(Linear((1,), (x,), "!=", v) for v in holes)]


def bounds_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of values, each of which may have to be excluded."""
    return len(domains[constraint.scope[0]])


def column_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return 1 for a table over one variable; None otherwise."""
    return 1 if len(constraint.variables()) == 1 else None  # type: ignore[arg-type]


def column(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """The allowed values of the table's only variable."""
    x = constraint.scope[0]
    return [InDomain(x, [v for v in scratch.domains[x] if constraint.holds({x: v})])]


def comparison_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return 1 for the difference of two variables; None for any other sum."""
    assert isinstance(constraint, Linear)
    return 1 if sorted(merged(constraint).values()) == [-1, 1] else None


def comparison(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Compare the two variables."""
    assert isinstance(constraint, Linear)
    x, y = sorted(terms := merged(constraint), key=lambda name: -terms[name])
    return [Compare(x, constraint.op, y, constraint.k)]


def linear_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the terms of the sum."""
    return 2


def linear(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """The difference of the two variables."""
    assert isinstance(constraint, Compare)
    return [Linear((1, -1), (constraint.x, constraint.y), constraint.op, constraint.c)]


def single_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return 1 if one variable is left after equal ones are added up."""
    assert isinstance(constraint, Linear)
    return 1 if len(merged(constraint)) == 1 else None


def single(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """The values of the one variable that satisfy the sum."""
    assert isinstance(constraint, Linear)
    x, others = next(iter(merged(constraint))), dict.fromkeys(constraint.scope, 0)
    return [InDomain(x, [v for v in scratch.domains[x] if constraint.holds({**others, x: v})])]


def constant_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return 1 if all terms cancel."""
    assert isinstance(constraint, Linear)
    return None if merged(constraint) or not constraint.xs else 1


def constant(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """All terms cancel: always true, or never."""
    x = constraint.scope[0]
    return [] if constraint.holds(dict.fromkeys(constraint.scope, 0)) else [InDomain(x, ())]
