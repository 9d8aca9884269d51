"""InDomain as a comparison with bounds, and small tables as domains."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import Constraint, Domain, InDomain, Linear, Table
from .rewrite import Rewrite, Scratch


def _bounds(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Bound the variable and bar each value of its domain that lies between and is not allowed."""
    assert isinstance(constraint, InDomain)
    x, have = constraint.x, scratch.domains[constraint.x]
    left = [v for v in have if v in constraint.values]
    if not left:
        return [Linear((1,), (x,), "<=", (min(have) if have else 0) - 1)]
    holes = [v for v in have if left[0] < v < left[-1] and v not in constraint.values]
    bounds = [Linear((1,), (x,), ">=", left[0]), Linear((1,), (x,), "<=", left[-1])]
    return [*bounds, *(Linear((1,), (x,), "!=", v) for v in holes)]


def _bounds_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    return len(domains[constraint.scope[0]])


def _column_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    return 1 if len(constraint.variables()) == 1 else None  # type: ignore[arg-type]


def _column(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    x = constraint.scope[0]
    return [InDomain(x, [v for v in scratch.domains[x] if constraint.holds({x: v})])]


REWRITES = (
    Rewrite("domain to bounds", InDomain, frozenset({Linear}), _bounds_cost, _bounds),
    Rewrite("table of one column to a domain", Table, frozenset({InDomain}), _column_cost, _column),
)
