"""All rewrites, by the kind of constraint that they rewrite."""

from __future__ import annotations

from itertools import groupby

from ..model.constraint import Constraint
from ..model.kinds import *
from . import arithmetic, logic_rewrites, opening
from .arithmetic import merged
from .machines import chain, tables
from .negation import pushed
from .opening import simpler, values_cost
from .rewrite import Apply, Cost, Rewrite


def _way(
    name: str, source: type[Constraint], into: set[type[Constraint]], cost: Cost, apply: Apply, unfolds: bool = False
) -> Rewrite:
    return Rewrite(name, source, frozenset(into), cost, apply, unfolds=unfolds)


def _one(c: Constraint, scratch: object) -> float:
    return 1


def _pairs(c: Constraint, scratch: object) -> float:
    return len(c.scope) * (len(c.scope) - 1) / 2


_WAYS: tuple[Rewrite, ...] = (
    _way("AllDifferent to differences", AllDifferent, {Compare}, _pairs, simpler),
    _way("domain to bounds", InDomain, {Linear}, lambda c, scratch: len(scratch.domains[c.x]), arithmetic.bounds),
    _way(
        "comparison to Linear", Compare, {Linear}, lambda c, scratch: 2,
        lambda c, scratch: [Linear((1, -1), (c.x, c.y), c.op, c.c)],
    ),
    _way(
        "Linear of two to a comparison", Linear, {Compare},
        lambda c, scratch: 1 if sorted(merged(c).values()) == [-1, 1] else None, arithmetic.comparison,
    ),
    _way(
        "Linear of one to a domain", Linear, {InDomain},
        lambda c, scratch: 1 if len(merged(c)) == 1 else None, arithmetic.single,
    ),
    _way(
        "Linear that cancels", Linear, {InDomain}, lambda c, scratch: None if merged(c) or not c.xs else 1,
        lambda c, scratch: [] if c.holds(dict.fromkeys(c.scope, 0)) else [InDomain(c.scope[0], ())],
    ),
    chain("Linear by running totals", Linear, "total"),
    _way(
        "table of one column to a domain", Table, {InDomain}, lambda c, scratch: 1 if len(c.xs) == 1 else None,
        lambda c, scratch: [InDomain(c.xs[0], [v for v in scratch.domains[c.xs[0]] if c.holds({c.xs[0]: v})])],
    ),
    _way(
        "Element to clauses", Element, {Or, InDomain},
        lambda c, scratch: 1 + sum(2 * len(scratch.domains[x]) for x in c.xs), simpler,
    ),
    chain("Count by running numbers", Count, "number"),
    _way(
        "Count to a sum", Count, {Or, Linear},
        lambda c, scratch: values_cost(c, scratch) + 2 * len(c.xs) ** 2, simpler,
    ),
    chain("NValue by the values so far", NValue, "values"),
    _way("NValue to a sum", NValue, {Or, Linear}, opening.several_cost, simpler),
    chain("MinMax by the ends so far", MinMax, "ends"),
    _way("MinMax to comparisons", MinMax, {Compare, InDomain, Or}, opening.several_cost, simpler),
    _way("MultisetEqual to counts", MultisetEqual, {Count}, opening.several_cost, opening.shared_numbers),
    chain("Regular by states", Regular, "state"),
    chain("LexLess pair by pair", LexLess, "order"),
    _way("LexLessWhere list by list", LexLessWhere, {Count, InDomain, Regular}, opening.parts_cost, simpler),
    _way("NoSubsetSum to counts", NoSubsetSum, {AllDifferent, Count, InDomain}, opening.sets_cost, simpler),
    _way("Connected by distances", Connected, {Or, Table}, opening.distances_cost, opening.by_distances),
    _way("Circuit by numbered places", Circuit, {AllDifferent, InDomain, Or}, opening.parts_cost, opening.by_places),
    _way("Inverse to clauses", Inverse, {InDomain, Or}, opening.parts_cost, simpler),
    _way("GlobalCardinality to counts", GlobalCardinality, {Count, InDomain}, opening.parts_cost, simpler),
    _way("NoOverlap pair by pair", NoOverlap, {Or}, opening.parts_cost, simpler),
    _way("Cumulative by times", Cumulative, {Or, Linear}, opening.parts_cost, simpler),
    _way("And to its parts", And, set(), _one, lambda c, scratch: list(c.parts), unfolds=True),
    _way("Implies to Or", Implies, set(), _one, lambda c, scratch: [pushed(c, scratch.domains)], unfolds=True),
    _way("Not pushed inwards", Not, set(), _one, logic_rewrites.pushed_inwards, unfolds=True),
    _way("Or by literals", Or, {Or}, logic_rewrites.parts_cost, logic_rewrites.by_literals, unfolds=True),
    _way("Or of domains to a table", Or, {Table}, logic_rewrites.excluded_cost, logic_rewrites.excluded),
    chain("Or of domains by a chain", Or, "met"),
)  # fmt: skip

REWRITES: tuple[Rewrite, ...] = tuple(
    way
    for kind, ways in groupby(_WAYS, lambda way: way.source)
    for way in (*ways, *([] if kind is Table else [tables(kind)]))
)
"""Every rewrite that a plan may use: each kind but tables can become one."""
