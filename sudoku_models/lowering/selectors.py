"""Tables as sums: for each tuple whether it is the one, 0 or 1."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from ..model import Constraint, Domain, Linear, Table
from .rewrite import Rewrite, Scratch

MOST = 20_000
"""The most tuples of a table that becomes sums."""


def _rows(table: Table, domains: Mapping[str, Domain]) -> list[tuple[int, ...]]:
    """The tuples that are left, over the scope."""
    xs = table.scope
    if not table.allowed:
        rows = product(*(domains[x] for x in xs))
        return [row for row in rows if table.holds(dict(zip(xs, row, strict=True)))]
    valued = (dict(zip(table.xs, row, strict=True)) for row in table.tuples)
    inside = (v for v in valued if table.holds(v) and all(v[x] in domains[x] for x in xs))
    return [tuple(v[x] for x in xs) for v in inside]


def _cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    assert isinstance(constraint, Table)
    size = len(constraint.tuples) if constraint.allowed else prod(len(domains[x]) for x in constraint.scope)
    return (1 + size) * (1 + len(constraint.scope)) if size <= MOST else None


def _sums(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    assert isinstance(constraint, Table)
    rows = _rows(constraint, scratch.domains)
    flags = [scratch.auxiliary("tuple", (0, 1)) for _ in rows]
    found: list[Constraint] = [Linear([1] * len(flags), flags, "==", 1)]
    for place, x in enumerate(constraint.scope):
        found.append(Linear([-1, *(row[place] for row in rows)], [x, *flags], "==", 0))
    return found


REWRITES = (Rewrite("Table to sums", Table, frozenset({Linear}), _cost, _sums),)
