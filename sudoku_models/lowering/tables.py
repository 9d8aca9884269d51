"""Rewrites to tables: one that lists the tuples that satisfy the constraint, or a chain of one for each variable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod

from ..model import Constraint, Domain, InDomain, Linear, NValue, Or, Table
from .arithmetic import merged
from .rewrite import Rewrite, Scratch
from .state_machines import machine_of
from .unrolling import steps, unrolled

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


MOST = 1_000_000
"""The most rows that the tables of one constraint may have."""


MOST_SETS = 20_000
"""The same if states are sets of values: there is a better rewrite for large ones."""


def _cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    machine = machine_of(constraint, domains)
    return None if machine is None else steps(machine, domains, MOST_SETS if isinstance(constraint, NValue) else MOST)


def _long_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    assert isinstance(constraint, Linear)
    return _cost(constraint, domains) if len(merged(constraint)) > 2 else None


def _apply(hint: str) -> Callable[[Constraint, Scratch], list[Constraint]]:
    def apply(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
        machine = machine_of(constraint, scratch.domains)
        assert machine is not None
        return unrolled(machine, scratch, MOST, hint)

    return apply


def chain(name: str, kind: type[Constraint], hint: str) -> Rewrite:
    """Return the rewrite of one kind to the tables of its automaton."""
    cost = _long_cost if kind is Linear else _cost
    return Rewrite(name, kind, frozenset({Table, InDomain}), cost, _apply(hint))
