"""All solutions of some constraints over few variables, as an array."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..model import AllDifferent, And, Compare, Constraint, Domain, Element, Implies, InDomain, Linear, Not, Or, Table
from .automata import MACHINES, automaton_atom

MOST_ROWS = 20_000
"""The most solutions of an atom that are listed."""

SMALL = 10_000
"""Values below this are stored as short integers, which takes a quarter of the time."""

Columns = Mapping[str, Any]
Domains = Mapping[str, Domain]


class TooLargeError(Exception):
    """An atom has too many solutions to be listed."""


def flat(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Return constraints with every And replaced by its parts."""
    found: list[Constraint] = []
    for c in constraints:
        found += flat(c.parts) if isinstance(c, And) else [c]
    return found


def looked_up(c: Element, domains: Domains) -> Or:
    """Return a lookup as a choice: the index has a value, and the value found there is correct."""
    there = [
        And(InDomain(c.i, (i,)), Compare(c.xs[i], "==", c.y) if isinstance(c.y, str) else InDomain(c.xs[i], (c.y,)))
        for i in domains[c.i]
        if 0 <= i < len(c.xs)
    ]
    return Or(there)


def rows_of(
    names: Sequence[str],
    domains: Domains,
    constraints: Iterable[Constraint],
    kept: int,
    check: Callable[[], object] = lambda: None,
) -> Any:
    """Return all solutions of some constraints as an array with a row for each, over the first ``kept`` variables.

    Rows grow variable by variable and are filtered by the constraints settled so far, sums also by their bounds.
    TooLargeError above ``MOST_ROWS`` rows. ``check`` is called repeatedly; an exception from it ends the work.
    """
    left, columns = flat(constraints), dict[str, Any]()
    number = int(all(c.holds({}) for c in left if not c.scope))
    kind = np.int16 if all(v[0] > -SMALL and v[-1] < SMALL for v in map(domains.__getitem__, names) if v) else np.int64
    for x in _order(names, left):
        check()
        values = np.array(domains[x], kind)
        if number * len(values) > MOST_ROWS * 20:
            raise TooLargeError
        columns = {y: np.repeat(column, len(values)) for y, column in columns.items()}
        columns[x] = np.tile(values, number)
        number = len(columns[x])
        for c in sorted((c for c in left if x in c.scope), key=_work):
            keep = _fits(c, x, columns, domains)
            if keep is not None and not keep.all():
                columns = {y: column[keep] for y, column in columns.items()}
        number = len(columns[x])
        if number > MOST_ROWS * 3:
            raise TooLargeError
    found = np.array([columns[x] for x in names[:kept]], np.int64).reshape(kept, number).T
    found = np.unique(found, axis=0) if kept < len(names) else found
    if len(found) > MOST_ROWS:
        raise TooLargeError
    return found


def _work(c: Constraint) -> bool:
    """Order constraints so that those that are quickly evaluated come first."""
    return not isinstance(c, AllDifferent | Linear | Compare | InDomain)


def _fits(c: Constraint, x: str, columns: Columns, domains: Domains) -> Any:
    """Return which rows may still satisfy a constraint, now that ``x`` has a value; None if all may."""
    if isinstance(c, AllDifferent):
        keep = np.ones(len(columns[x]), bool)
        for y in c.scope:
            if y in columns and y != x:
                keep &= columns[y] != columns[x]
        return keep
    if isinstance(c, Linear):
        return _sums(c, len(columns[x]), columns, domains)
    return holds_many(c, columns, len(columns[x]), domains) if columns.keys() >= set(c.scope) else None


def _sums(c: Linear, number: int, columns: Columns, domains: Domains) -> Any:
    total, low, high = np.zeros(number, np.int64), 0, 0
    for coefficient, y in zip(c.coeffs, c.xs, strict=True):
        if y in columns:
            total += coefficient * columns[y].astype(np.int64)
        else:
            ends = coefficient * domains[y][0], coefficient * domains[y][-1]
            low, high = low + min(ends), high + max(ends)
    strict, keep = int(c.op in ("<", ">")), np.ones(number, bool)
    if c.op in ("==", "<=", "<"):
        keep &= total + low <= c.k - strict
    if c.op in ("==", ">=", ">"):
        keep &= total + high >= c.k + strict
    return keep & (total != c.k) if c.op == "!=" and columns.keys() >= set(c.scope) else keep


def holds_many(c: Constraint, columns: Columns, number: int, domains: Domains) -> Any:
    """Evaluate a constraint on many rows together; TooLargeError for many rows of a kind that must be evaluated
    singly.
    """
    if isinstance(c, Element):
        c = looked_up(c, domains)
    if isinstance(c, And | Or):
        both = isinstance(c, And)
        found = np.full(number, both)
        for part in c.parts:
            held = holds_many(part, columns, number, domains)
            found = found & held if both else found | held
        return found
    if isinstance(c, Not):
        return ~holds_many(c.part, columns, number, domains)
    if isinstance(c, Implies):
        return ~holds_many(c.condition, columns, number, domains) | holds_many(c.result, columns, number, domains)
    if isinstance(c, Table) and c.tuples:
        return _listed(c, columns, domains)
    if type(c) in MACHINES:
        return _accepted(c, columns, number, domains)
    if type(c).holds_many is Constraint.holds_many and number > MOST_ROWS:
        raise TooLargeError
    return np.asarray(c.holds_many({y: columns[y] for y in c.scope}), bool)


def _listed(c: Table, columns: Columns, domains: Domains) -> Any:
    """Look up rows in a table, with each row and each tuple as one number."""
    codes: Any = 0
    wanted: Any = np.zeros(len(c.tuples), np.int64)
    inside = np.ones(len(c.tuples), bool)
    for i, x in enumerate(c.xs):
        low, size = domains[x][0], domains[x][-1] - domains[x][0] + 1
        tuples = np.array([row[i] for row in c.tuples], np.int64) - low
        inside &= (tuples >= 0) & (tuples < size)
        codes, wanted = codes * size + (columns[x].astype(np.int64) - low), wanted * size + tuples
    found = np.isin(codes, wanted[inside])
    return found if c.allowed else ~found


def _accepted(c: Constraint, columns: Columns, number: int, domains: Domains) -> Any:
    """Read rows as words of the constraint's automaton, all together."""
    low = min(domains[x][0] for x in c.scope)
    made = automaton_atom(c, domains, low)
    if made is None:
        raise TooLargeError
    names, state = tuple(dict.fromkeys(c.scope)), np.full(number, made.start)
    for arrows, place in zip(made.layers, made.places, strict=True):
        size = domains[names[place]][-1] - low + 1
        table = np.full((max(arrows, default=0) + 2, size), -1)
        for before, ways in arrows.items():
            for bit, after in ways:
                table[before, bit] = after
        state = table[np.minimum(state, len(table) - 1), columns[names[place]] - low]
    return np.isin(state, list(made.accepting))


def _order(names: Sequence[str], constraints: Sequence[Constraint]) -> Iterator[str]:
    """Yield variables in an order in which each one settles as much as it can."""
    mine = {x: [frozenset(c.scope) for c in constraints if x in c.scope] for x in names}
    left, order = list(names), dict[str, None]()
    while left:
        best = max(left, key=lambda x: _worth(x, mine[x], order.keys()))
        yield best
        left.remove(best)
        order[best] = None


def _worth(x: str, mine: Sequence[frozenset[str]], order: Any) -> tuple[int, int, int]:
    return sum(scope - {x} <= order for scope in mine), sum(not scope.isdisjoint(order) for scope in mine), len(mine)
