"""Represent the truth of a constraint as a literal: a variable (usually 0 or 1) and the values that mean true.

The definitions of a literal can be satisfied for every choice of the stated variables and determine the auxiliary ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from ..errors import Unsupported
from ..model import And, Constraint, InDomain, Not, Or, Table
from .negation import pushed
from .opening import opened
from .rewrite import Scratch
from .state_machines import machine_of
from .unrolling import steps, unrolled

SMALL = 1_000
"""Up to this many assignments, a nested constraint is listed rather than read variable by variable."""

MOST = 200_000
"""The most steps for reading one nested constraint."""


def literal(constraint: Constraint, scratch: Scratch, out: list[Constraint]) -> InDomain:
    """Return a literal that is true exactly if a constraint holds; add its definitions to ``out``.

    Raises Unsupported if the constraint is too large to be defined.
    """
    constraint = pushed(constraint, scratch.domains)
    if isinstance(constraint, InDomain):
        return constraint
    if isinstance(constraint, Not):
        return opposite(literal(constraint.part, scratch, out), scratch)
    found = scratch.known.get(constraint)
    if found is None:
        found = scratch.known[constraint] = _defined(constraint, scratch, out)
    return found


def opposite(part: InDomain, scratch: Scratch) -> InDomain:
    """Return the literal that is true exactly if another one is not."""
    return InDomain(part.x, [v for v in scratch.domains[part.x] if v not in part.values])


def _defined(constraint: Constraint, scratch: Scratch, out: list[Constraint]) -> InDomain:
    if isinstance(constraint, And | Or):
        return _joined(constraint, [literal(part, scratch, out) for part in constraint.parts], scratch, out)
    flag = scratch.auxiliary("holds", (0, 1))
    yes, no = InDomain(flag, (1,)), InDomain(flag, (0,))
    implications = [Or(no, constraint), Or(yes, pushed(Not(constraint), scratch.domains))]
    if all(map(scratch.takes, implications)):
        out += implications
    elif size(constraint, scratch) <= SMALL:
        out += clauses(constraint, no, scratch)
        out += clauses(Not(constraint), yes, scratch)
    else:
        out += _read(constraint, flag, scratch, out)
    return yes


def _joined(constraint: And | Or, parts: list[InDomain], scratch: Scratch, out: list[Constraint]) -> InDomain:
    """Return the literal of an And or an Or of literals."""
    if len(parts) == 1:
        return parts[0]
    flag = scratch.auxiliary("holds", (0, 1))
    yes, no = InDomain(flag, (1,)), InDomain(flag, (0,))
    others = [opposite(part, scratch) for part in parts]
    if isinstance(constraint, Or):
        out += [Or(*parts, no), *(Or(part, yes) for part in others)]
    else:
        out += [Or(*others, yes), *(Or(part, no) for part in parts)]
    return yes


def _read(constraint: Constraint, flag: str, scratch: Scratch, out: list[Constraint]) -> list[Constraint]:
    """Define a flag by reading the constraint variable by variable, or by the simpler kinds that state it."""
    machine = machine_of(constraint, scratch.domains)
    if machine is not None and steps(machine.judged(flag), scratch.watched, MOST) is not None:
        return unrolled(machine.judged(flag), scratch, MOST)
    both = opened(constraint, scratch)
    if both is None:
        raise Unsupported(f"a {type(constraint).__name__} inside another constraint is too large to be rewritten")
    out += both[0]
    formula = literal(both[1], scratch, out)
    return [Or(opposite(formula, scratch), InDomain(flag, (1,))), Or(formula, InDomain(flag, (0,)))]


def size(constraint: Constraint, scratch: Scratch) -> int:
    """Return the number of assignments to a constraint's variables."""
    return prod(len(scratch.domains[x]) for x in constraint.scope)


def clauses(constraint: Constraint, unless: InDomain, scratch: Scratch) -> list[Constraint]:
    """State, assignment by assignment, that a constraint holds unless a literal is true.

    One clause for each choice of all variables but the last, if the backend accepts clauses; otherwise one table.
    """
    xs = constraint.scope
    if not xs:
        return [] if constraint.holds({}) else [unless]
    if not scratch.takes(Or(unless, unless)):
        return [_forbidding(constraint, unless, scratch)]
    found: list[Constraint] = []
    last = scratch.domains[xs[-1]]
    for row in product(*(scratch.domains[x] for x in xs[:-1])):
        values = dict(zip(xs, row, strict=False))
        good = [v for v in last if constraint.holds({**values, xs[-1]: v})]
        if len(good) < len(last):
            others = (opposite(InDomain(x, (v,)), scratch) for x, v in values.items())
            found.append(Or(unless, *others, *([InDomain(xs[-1], good)] if good else [])))
    return found


def _forbidding(constraint: Constraint, unless: InDomain, scratch: Scratch) -> Constraint:
    xs = constraint.scope
    names = (*xs, *(() if unless.x in xs else (unless.x,)))
    rows: Iterable[tuple[int, ...]] = product(*(scratch.domains[x] for x in names))
    valued = ((row, dict(zip(names, row, strict=True))) for row in rows)
    return Table(
        names, [row for row, v in valued if v[unless.x] not in unless.values and not constraint.holds(v)], False
    )
