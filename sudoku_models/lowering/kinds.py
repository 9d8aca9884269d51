"""All rewrites, by the kind of constraint that they rewrite."""

from __future__ import annotations

from ..model import (
    AllDifferent,
    And,
    Circuit,
    Compare,
    Connected,
    Constraint,
    Count,
    Cumulative,
    Element,
    GlobalCardinality,
    Implies,
    InDomain,
    Inverse,
    LexLess,
    Linear,
    MinMax,
    MultisetEqual,
    NoOverlap,
    Not,
    NValue,
    Or,
    Regular,
    Table,
)
from . import arithmetic, logic_rewrites, opening
from .machines import chain, tables
from .rewrite import Apply, Cost, Rewrite


def _way(name: str, source: type[Constraint], into: set[type[Constraint]], cost: Cost, apply: Apply) -> Rewrite:
    return Rewrite(name, source, frozenset(into), cost, apply)


def _unfolding(name: str, source: type[Constraint], into: set[type[Constraint]], cost: Cost, apply: Apply) -> Rewrite:
    return Rewrite(name, source, frozenset(into), cost, apply, unfolds=True)


REWRITES: tuple[Rewrite, ...] = (
    _way("AllDifferent to differences", AllDifferent, {Compare}, arithmetic.pairs_cost, arithmetic.differences),
    tables(AllDifferent),
    _way("domain to bounds", InDomain, {Linear}, arithmetic.bounds_cost, arithmetic.bounds),
    tables(InDomain),
    _way("comparison to Linear", Compare, {Linear}, arithmetic.linear_cost, arithmetic.linear),
    tables(Compare),
    _way("Linear of two to a comparison", Linear, {Compare}, arithmetic.comparison_cost, arithmetic.comparison),
    _way("Linear of one to a domain", Linear, {InDomain}, arithmetic.single_cost, arithmetic.single),
    _way("Linear that cancels", Linear, {InDomain}, arithmetic.constant_cost, arithmetic.constant),
    chain("Linear by running totals", Linear, "total"),
    tables(Linear),
    _way("table of one column to a domain", Table, {InDomain}, arithmetic.column_cost, arithmetic.column),
    _way("Table to sums", Table, {Linear}, arithmetic.tuples_cost, arithmetic.tuple_sums),
    _way("forbidden tuples to sums", Table, {Linear}, arithmetic.forbidden_cost, arithmetic.barred_sums),
    _way("Element to clauses", Element, {Or, InDomain}, opening.places_cost, opening.element),
    tables(Element),
    chain("Count by running numbers", Count, "number"),
    _way("Count to a sum", Count, {Or, Linear}, opening.flags_cost, opening.count),
    tables(Count),
    chain("NValue by the values so far", NValue, "values"),
    _way("NValue to a sum", NValue, {Or, Linear}, opening.several_cost, opening.n_value),
    tables(NValue),
    chain("MinMax by the ends so far", MinMax, "ends"),
    _way(
        "MinMax to comparisons",
        MinMax,
        {Compare, InDomain, Or},
        opening.several_cost,
        opening.min_max,
    ),
    tables(MinMax),
    _way("MultisetEqual to counts", MultisetEqual, {Count}, opening.several_cost, opening.multiset),
    tables(MultisetEqual),
    chain("Regular by states", Regular, "state"),
    tables(Regular),
    chain("LexLess pair by pair", LexLess, "order"),
    tables(LexLess),
    _way(
        "Connected by distances",
        Connected,
        {Or, Table},
        opening.distances_cost,
        opening.by_distances,
    ),
    tables(Connected),
    _way(
        "Circuit by numbered places",
        Circuit,
        {AllDifferent, InDomain, Or},
        opening.parts_cost,
        opening.by_places,
    ),
    tables(Circuit),
    _way("Inverse to clauses", Inverse, {InDomain, Or}, opening.parts_cost, opening.parts),
    tables(Inverse),
    _way(
        "GlobalCardinality to counts",
        GlobalCardinality,
        {Count, InDomain},
        opening.parts_cost,
        opening.parts,
    ),
    tables(GlobalCardinality),
    _way("NoOverlap pair by pair", NoOverlap, {Or}, opening.parts_cost, opening.parts),
    tables(NoOverlap),
    _way("Cumulative by times", Cumulative, {Or, Linear}, opening.parts_cost, opening.by_times),
    tables(Cumulative),
    _unfolding("And to its parts", And, set(), logic_rewrites.unit_cost, logic_rewrites.conjuncts),
    tables(And),
    _unfolding("Implies to Or", Implies, set(), logic_rewrites.unit_cost, logic_rewrites.as_or),
    tables(Implies),
    _unfolding("Not pushed inwards", Not, set(), logic_rewrites.unit_cost, logic_rewrites.pushed_inwards),
    tables(Not),
    _unfolding("Or by literals", Or, {Or}, logic_rewrites.parts_cost, logic_rewrites.by_literals),
    _way("Or of domains to a table", Or, {Table}, logic_rewrites.excluded_cost, logic_rewrites.excluded),
    _way("Or of domains by a chain", Or, {Table, InDomain}, logic_rewrites.or_chain_cost, logic_rewrites.or_chain),
    _way("Or of domains to a sum", Or, {Linear}, arithmetic.clause_cost, arithmetic.clause_sum),
    tables(Or),
)
"""Every rewrite that a plan may use."""
