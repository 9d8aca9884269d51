"""Or, And, Not and Implies: the truth of a constraint as a literal, negation pushed inwards, clauses, tables.

A literal is a variable (usually 0 or 1) and the values that mean true. Its definitions can be satisfied for every
choice of the stated variables and determine the auxiliary ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import inf, prod

from ..errors import Unsupported
from ..model import And, Constraint, Domain, InDomain, Not, Or, Table
from .machines import machine_of, steps, unrolled
from .negation import flat, negated, pushed
from .opening import opened
from .rewrite import Scratch

SMALL = 1_000
"""Up to this many assignments, a nested constraint is listed rather than read variable by variable."""

MOST_STEPS = 200_000
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
    if machine is not None and steps(machine.judged(flag), scratch, MOST_STEPS) is not None:
        return unrolled(machine.judged(flag), scratch, MOST_STEPS)
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
    names = dict.fromkeys((*constraint.scope, unless.x))
    rows = ((row, dict(zip(names, row, strict=True))) for row in product(*(scratch.domains[x] for x in names)))
    barred = [row for row, v in rows if v[unless.x] not in unless.values and not constraint.holds(v)]
    return Table(names, barred, False)


# ---------------------------------------------------------------- the rewrites


MOST = 20_000
"""The most rows of a table that replaces an Or of domains."""

CLAUSES = 200
"""Up to this many assignments, a single part among literals becomes clauses without a literal of its own."""


def pushed_inwards(c: Not, scratch: Scratch) -> list[Constraint]:
    """Push the Not inwards; for a kind without an opposite, into the simpler kinds that state it."""
    found = negated(c.part, scratch.domains)
    if not isinstance(found, Not):
        return [found]
    out: list[Constraint] = []
    both = opened(found.part, scratch)
    if both is None:
        return [opposite(literal(found.part, scratch, out), scratch), *out]
    return [*both[0], negated(both[1], scratch.domains)]


def parts_cost(c: Or, scratch: Scratch) -> float | None:
    """Estimate the cost of an Or with parts that are not domains."""
    costs = [_part_cost(part, scratch.domains) for part in c.parts]
    return None if all(isinstance(part, InDomain) for part in c.parts) else 1 + sum(costs)


def _part_cost(part: Constraint, domains: Mapping[str, Domain]) -> float:
    if isinstance(part, And | Or):
        return 1 + sum(_part_cost(p, domains) for p in part.parts)
    values = [len(domains[x]) for x in part.scope]
    return min(float(prod(values)), 20.0 * sum(values)) + 1


def by_literals(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Turn parts into literals, which leaves a clause; a single part among literals may need none."""
    literals: dict[str, InDomain] = {}
    rest: list[Constraint] = []
    for part in flat(pushed(constraint, scratch.domains)):
        if isinstance(part, InDomain):
            before = literals[part.x].values if part.x in literals else ()
            literals[part.x] = InDomain(part.x, {*before, *part.values}.intersection(scratch.domains[part.x]))
        else:
            rest.append(part)
    if any(len(part.values) == len(scratch.domains[x]) for x, part in literals.items()):
        return []
    beside = [part for part in literals.values() if part.values]
    if len(rest) == 1:
        return _alone(beside, rest[0], scratch)
    out: list[Constraint] = []
    beside += [literal(part, scratch, out) for part in rest]
    return [*out, _clause(beside)]


def _clause(parts: list[InDomain]) -> Constraint:
    if not parts:
        return Table((), ())
    return parts[0] if len(parts) == 1 else Or(parts)


def _alone(beside: list[InDomain], part: Constraint, scratch: Scratch) -> list[Constraint]:
    """State an Or of literals and one other part."""
    if not beside:
        return [part]
    if scratch.takes(Or(*beside, part)):
        return [Or(*beside, part)]
    if isinstance(part, And):
        return [Or(*beside, one) for one in part.parts]
    if size(part, scratch) <= CLAUSES and scratch.takes(_clause([*beside, beside[0]])):
        listed = (c.parts if isinstance(c, Or) else (c,) for c in clauses(part, beside[0], scratch))
        return [Or(*beside[1:], *parts) for parts in listed]
    out: list[Constraint] = []
    return [_clause([*beside, literal(part, scratch, out)]), *out]


def excluded_cost(c: Or, scratch: Scratch) -> float | None:
    """Return the number of choices that satisfy no part; the parts must be domains."""
    missed = _missed(c, scratch.domains)
    rows = inf if missed is None else prod(map(len, missed.values()))
    return rows if rows <= MOST else None


def excluded(c: Or, scratch: Scratch) -> list[Constraint]:
    """Forbid the choices that satisfy no part."""
    missed = _missed(c, scratch.domains)
    assert missed is not None
    return [Table(missed, product(*missed.values()), False)]


def _missed(c: Or, domains: Mapping[str, Domain]) -> dict[str, list[int]] | None:
    """Return the values of each variable that satisfy no part; None if a part is not a domain."""
    found: dict[str, list[int]] = {}
    for part in c.parts:
        if not isinstance(part, InDomain):
            return None
        found[part.x] = [v for v in found.get(part.x, domains[part.x]) if v not in part.values]
    return found
