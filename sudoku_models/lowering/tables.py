"""Rewrites to a Table, by listing the tuples that satisfy the constraint."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from ..model import Constraint, Domain, Or, Table
from .rewrite import Rewrite, Scratch

LARGEST = 20_000
"""The most assignments that are tried to list the tuples of one constraint."""

LARGEST_OR = 2_000
"""The same for an Or, whose parts may be stated separately."""


def size(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return the number of assignments to try; None above LARGEST."""
    assignments = prod(len(domains[x]) for x in constraint.scope)
    return assignments if assignments <= (LARGEST_OR if isinstance(constraint, Or) else LARGEST) else None


def tabulated(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Return one Table over the scope: the allowed tuples, or the forbidden ones if there are fewer."""
    xs = constraint.scope
    rows = list(product(*(scratch.domains[x] for x in xs)))
    good = [row for row in rows if constraint.holds(dict(zip(xs, row, strict=True)))]
    if 2 * len(good) <= len(rows):
        return [Table(xs, good)]
    allowed = set(good)
    return [Table(xs, [row for row in rows if row not in allowed], allowed=False)]


def tables(kind: type[Constraint]) -> Rewrite:
    """Return the rewrite of one kind to tables."""
    return Rewrite(f"{kind.__name__} to a table", kind, frozenset({Table}), size, tabulated)
