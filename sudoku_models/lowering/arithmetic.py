"""Sums: equal terms merged, sums of one or two variables as simpler kinds, and domains as bounds."""

from __future__ import annotations

from ..model import Compare, Constraint, InDomain, Linear
from .rewrite import Scratch

Terms = dict[str, int]


def merged(constraint: Linear) -> Terms:
    """Return the coefficient of each name, with repeated names added up and zeros dropped."""
    terms: Terms = {}
    for c, x in zip(constraint.coeffs, constraint.xs, strict=True):
        terms[x] = terms.get(x, 0) + c
    return {x: c for x, c in terms.items() if c}


def comparison(c: Linear, scratch: Scratch) -> list[Constraint]:
    """Compare the two variables of a difference."""
    x, y = sorted(terms := merged(c), key=lambda name: -terms[name])
    return [Compare(x, c.op, y, c.k)]


def single(c: Linear, scratch: Scratch) -> list[Constraint]:
    """The values of the one variable that is left which satisfy the sum."""
    x, others = next(iter(merged(c))), dict.fromkeys(c.scope, 0)
    return [InDomain(x, [v for v in scratch.domains[x] if c.holds({**others, x: v})])]


def bounds(c: InDomain, scratch: Scratch) -> list[Constraint]:
    """Bound the variable, and exclude each value of its domain that lies between the bounds and is not allowed."""
    have = scratch.domains[c.x]
    left = [v for v in have if v in c.values]
    if not left:
        return [Linear((1,), (c.x,), "<=", (min(have) if have else 0) - 1)]
    holes = [v for v in have if left[0] < v < left[-1] and v not in c.values]
    stated = ((">=", left[0]), ("<=", left[-1]), *(("!=", v) for v in holes))
    return [Linear((1,), (c.x,), op, v) for op, v in stated]
