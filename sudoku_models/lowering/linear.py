"""Linear constraints: merged terms, comparisons of two variables, and sums cut into parts with running totals."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from ..model import OPERATORS, Compare, Constraint, Domain, InDomain, Linear, Table
from .rewrite import Rewrite, Scratch

MOST = 1_000_000
"""The most tuples that the tables of one sum may have."""


def merged(constraint: Linear) -> dict[str, int]:
    """Return the coefficient of each name, repeats added up and zeros dropped."""
    terms: dict[str, int] = {}
    for c, x in zip(constraint.coeffs, constraint.xs, strict=True):
        terms[x] = terms.get(x, 0) + c
    return {x: c for x, c in terms.items() if c}


def _comparison_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    assert isinstance(constraint, Linear)
    return 1 if sorted(merged(constraint).values()) == [-1, 1] else None


def _comparison(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, Linear)
    x, y = sorted(terms := merged(constraint), key=lambda name: -terms[name])
    return [Compare(x, constraint.op, y, constraint.k)]


def _linear(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, Compare)
    return [Linear((1, -1), (constraint.x, constraint.y), constraint.op, constraint.c)]


def _totals_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    assert isinstance(constraint, Linear)
    terms = list(merged(constraint).items())
    if len(terms) < 3:
        return None
    cost, sums = 0, _sums((0,), *terms[0], domains)
    for x, c in terms[1:]:
        cost += len(sums) * len(domains[x])
        if cost > MOST:
            return None
        sums = _sums(sums, x, c, domains)
    return cost


def _totals(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Sum term by term: each running total is a variable, tied to the one before it by a table; the last is bounded."""
    assert isinstance(constraint, Linear)
    (held, factor), *rest = merged(constraint).items()
    found: list[Constraint] = []
    for x, c in rest[:-1]:
        parts = product(scratch.domains[held], scratch.domains[x])
        rows = [(a, b, factor * a + c * b) for a, b in parts]
        total = scratch.auxiliary("total", tuple(sorted({row[2] for row in rows})))
        found.append(Table((held, x, total), rows))
        held, factor = total, 1
    x, c = rest[-1]
    compare, k = OPERATORS[constraint.op], constraint.k
    parts = product(scratch.domains[held], scratch.domains[x])
    return [*found, Table((held, x), [(a, b) for a, b in parts if compare(factor * a + c * b, k)])]


def _sums(sums: Domain, x: str, c: int, domains: Mapping[str, Domain]) -> Domain:
    return tuple({total + c * value for total in sums for value in domains[x]})


def _single_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    assert isinstance(constraint, Linear)
    return 1 if len(merged(constraint)) == 1 else None


def _single(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, Linear)
    x, others = next(iter(merged(constraint))), dict.fromkeys(constraint.scope, 0)
    return [InDomain(x, [v for v in scratch.domains[x] if constraint.holds({**others, x: v})])]


def _constant_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    assert isinstance(constraint, Linear)
    return None if merged(constraint) or not constraint.xs else 1


def _constant(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """All terms cancel: always true, or never."""
    x = constraint.scope[0]
    return [] if constraint.holds(dict.fromkeys(constraint.scope, 0)) else [InDomain(x, ())]


REWRITES = (
    Rewrite("Linear of two to a comparison", Linear, frozenset({Compare}), _comparison_cost, _comparison),
    Rewrite("Linear of one to a domain", Linear, frozenset({InDomain}), _single_cost, _single),
    Rewrite("Linear that cancels", Linear, frozenset({InDomain}), _constant_cost, _constant),
    Rewrite("Linear by running totals", Linear, frozenset({Table}), _totals_cost, _totals),
    Rewrite("comparison to Linear", Compare, frozenset({Linear}), lambda constraint, domains: 2, _linear),
)
