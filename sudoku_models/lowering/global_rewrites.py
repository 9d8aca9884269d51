"""Circuit, Inverse, GlobalCardinality, NoOverlap and Cumulative by other kinds."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import (
    AllDifferent,
    And,
    Circuit,
    Compare,
    Constraint,
    Cumulative,
    Domain,
    GlobalCardinality,
    InDomain,
    Inverse,
    Linear,
    NoOverlap,
    Or,
)
from .rewrite import Scratch

Opened = tuple[list[Constraint], Constraint]
"""Definitions, and the formula."""


def parts_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Estimate by the values of the variables, each of which meets all others."""
    return float(len(constraint.scope) * sum(len(domains[x]) for x in constraint.scope))


def parts(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """State a kind by the parts that its class names."""
    assert isinstance(constraint, Inverse | GlobalCardinality | NoOverlap)
    return list(constraint.parts(scratch.domains))


def by_places(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Number the places of a round trip in the order of the visits: the place after one has the next number."""
    assert isinstance(constraint, Circuit)
    xs, last = constraint.xs, len(constraint.xs) - 1
    if len(constraint.scope) < len(xs):
        return [Or()]
    found: list[Constraint] = [InDomain(x, [v for v in range(len(xs)) if v != i or not last]) for i, x in enumerate(xs)]
    if not last:
        return found
    found.append(AllDifferent(xs))
    order = ["", *(scratch.auxiliary("visit", tuple(range(1, last + 1))) for _ in range(last))]
    for i, x in enumerate(xs):
        for j in range(len(xs)):
            if i == j or j not in scratch.domains[x]:
                continue
            number: Constraint = InDomain(order[i], (last,)) if not j else InDomain(order[j], (1,))
            if i and j:
                number = Compare(order[j], "==", order[i], 1)
            found.append(Or(InDomain(x, [v for v in scratch.domains[x] if v != j]), number))
    return found


def opened_cumulative(c: Cumulative, scratch: Scratch) -> Opened:
    """For each task and time, 0 or 1 for whether it runs then; at each time what runs fits the capacity."""
    found: list[Constraint] = []
    flags: dict[tuple[str, Domain], str] = {}
    sums: list[Constraint] = []
    for tasks in c.running(scratch.domains):
        fixed, running = 0, list[tuple[int, str]]()
        for need, x, window in tasks:
            outside = tuple(v for v in scratch.domains[x] if v not in window)
            if not outside:
                fixed += need
                continue
            if (x, window) not in flags:
                flag = flags[x, window] = scratch.auxiliary("runs", (0, 1))
                found += [Or(InDomain(x, outside), InDomain(flag, (1,))), Or(InDomain(x, window), InDomain(flag, (0,)))]
            running.append((need, flags[x, window]))
        needs, names = [need for need, _ in running], [name for _, name in running]
        sums.append(Linear(needs, names, "<=", c.capacity - fixed) if running else Or())
    return found, And(sums)


def by_times(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """State at each time that what runs fits."""
    assert isinstance(constraint, Cumulative)
    found, sums = opened_cumulative(constraint, scratch)
    assert isinstance(sums, And)
    return [*found, *sums.parts]
