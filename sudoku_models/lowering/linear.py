"""Linear constraints: comparisons of two variables, domains of one, constants."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import Compare, Constraint, Domain, InDomain, Linear
from .rewrite import Rewrite, Scratch
from .words import merged


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
    Rewrite("comparison to Linear", Compare, frozenset({Linear}), lambda constraint, domains: 2, _linear),
)
