"""Negation, pushed inwards as far as kinds have natural opposites; the parts of an Or; constraints without names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, replace
from itertools import combinations
from operator import is_
from typing import Any

from ..model import Domain
from ..model.constraint import Constraint
from ..model.kinds import *

NEGATED = {"==": "!=", "!=": "==", "<=": ">", ">": "<=", ">=": "<", "<": ">="}
"""The operator that holds exactly if another one does not."""

Domains = Mapping[str, Domain]


def pushed(constraint: Constraint, domains: Domains) -> Constraint:
    """Return an equivalent constraint without Implies, and with Not only around kinds without a natural opposite."""
    if isinstance(constraint, And | Or):
        parts = [pushed(part, domains) for part in constraint.parts]
        return constraint if all(map(is_, parts, constraint.parts)) else type(constraint)(parts)
    if isinstance(constraint, Implies):
        return Or(negated(constraint.condition, domains), pushed(constraint.result, domains))
    if isinstance(constraint, Not):
        return negated(constraint.part, domains)
    return constraint


def flat(constraint: Constraint) -> list[Constraint]:
    """Return the parts of an Or, and in place of an Or among them its parts; any other constraint by itself."""
    if not isinstance(constraint, Or):
        return [constraint]
    return [leaf for part in constraint.parts for leaf in flat(part)]


def negated(constraint: Constraint, domains: Domains) -> Constraint:
    """Return a constraint that holds exactly if another one does not, pushed inwards."""
    opposite = _OPPOSITES.get(type(constraint))
    return opposite(constraint, domains) if opposite else Not(constraint)


_OPPOSITES: dict[type[Constraint], Callable[[Any, Domains], Constraint]] = {
    InDomain: lambda c, domains: InDomain(c.x, [value for value in domains[c.x] if value not in c.values]),
    **dict.fromkeys((Compare, Linear, Count, NValue), lambda c, domains: replace(c, op=NEGATED[c.op])),
    Table: lambda c, domains: replace(c, allowed=not c.allowed),
    AllDifferent: lambda c, domains: Or(Compare(x, "==", y) for x, y in combinations(c.xs, 2)),
    LexLess: lambda c, domains: LexLess(c.ys, c.xs, not c.strict),
    Regular: lambda c, domains: Regular(c.xs, c.automaton.complement(set().union(*(domains[x] for x in c.xs)))),
    Not: lambda c, domains: pushed(c.part, domains),
    And: lambda c, domains: Or(negated(part, domains) for part in c.parts),
    Or: lambda c, domains: And(negated(part, domains) for part in c.parts),
    Implies: lambda c, domains: And(pushed(c.condition, domains), negated(c.result, domains)),
}


def form_of(constraint: Constraint) -> Hashable:
    """Return a constraint with places for variables: equal for the same constraint on other variables."""
    return _form(constraint, {x: place for place, x in enumerate(constraint.scope)})


def _form(part: Any, places: Mapping[str, int]) -> Hashable:
    if isinstance(part, str):
        return (places[part],) if part in places else part
    if isinstance(part, Constraint):
        named = [(field.name, getattr(part, field.name)) for field in fields(part)]  # type: ignore[arg-type]
        # a variable may be called "==", too
        return type(part), tuple([value if name == "op" else _form(value, places) for name, value in named])
    if isinstance(part, tuple) and part and isinstance(part[0], str | Constraint):
        return tuple([_form(one, places) for one in part])
    return part  # type: ignore[no-any-return]
