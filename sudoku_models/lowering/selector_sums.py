"""Tables and clauses as sums of selectors: 0 or 1 for each value of a variable, or for each tuple of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..model import Constraint, Domain, InDomain, Linear, Or, Table
from .rewrite import Scratch

MOST = 20_000
"""The most tuples of a table that is turned into sums."""

Terms = dict[str, int]


def chosen(x: str, values: Iterable[int], scratch: Scratch, out: list[Constraint]) -> tuple[Terms, int]:
    """Return terms and a constant with the sum 1 if ``x`` has one of the values, otherwise 0; add their definitions."""
    domain, wanted = scratch.domains[x], set(values).intersection(scratch.domains[x])
    if set(domain) <= {0, 1}:
        return ({x: (1 in wanted) - (0 in wanted)}, int(0 in wanted)) if domain else ({}, 0)
    if x not in scratch.selectors:
        flags = {v: scratch.auxiliary("is", (0, 1)) for v in domain}
        scratch.selectors[x] = flags
        out.append(Linear([1] * len(flags), flags.values(), "==", 1))
        out.append(Linear([-1, *flags], [x, *flags.values()], "==", 0))
    return {scratch.selectors[x][v]: 1 for v in wanted}, 0


def _clause(parts: Iterable[tuple[str, Iterable[int]]], scratch: Scratch, out: list[Constraint]) -> None:
    """Add the sum stating that some variable has one of its values."""
    terms: Terms = {}
    constant = 0
    for x, values in parts:
        more, fixed = chosen(x, values, scratch, out)
        constant += fixed
        for name, factor in more.items():
            terms[name] = terms.get(name, 0) + factor
    out.append(Linear(terms.values(), terms, ">=", 1 - constant))


def clause_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return the number of selectors in a clause; None for an Or with parts that are not domains."""
    assert isinstance(constraint, Or)
    if not all(isinstance(part, InDomain) for part in constraint.parts):
        return None
    return 1 + sum(1 if set(domains[x]) <= {0, 1} else len(domains[x]) for x in constraint.scope)


def clause_sum(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """The sum of the selectors in a clause is at least 1."""
    assert isinstance(constraint, Or)
    found: list[Constraint] = []
    merged: dict[str, set[int]] = {}
    for part in constraint.parts:
        assert isinstance(part, InDomain)
        merged.setdefault(part.x, set()).update(part.values)
    _clause(merged.items(), scratch, found)
    return found


def _left(table: Table, domains: Mapping[str, Domain]) -> list[dict[str, int]]:
    """The tuples, allowed or forbidden, that remain within the domains, by name."""
    members, scope = Table(table.xs, table.tuples), table.scope
    valued = (dict(zip(table.xs, row, strict=True)) for row in table.tuples)
    inside = (v for v in valued if members.holds(v) and all(v[x] in domains[x] for x in scope))
    return [dict(zip(scope, row, strict=True)) for row in dict.fromkeys(tuple(v[x] for x in scope) for v in inside)]


def tuples_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return the size of an allowed table, including the selectors of its tuples."""
    assert isinstance(constraint, Table)
    size = len(constraint.tuples)
    return (1 + size) * (1 + len(constraint.scope)) if constraint.allowed and size <= MOST else None


def tuple_sums(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Exactly one tuple is selected, and each variable has its value."""
    assert isinstance(constraint, Table)
    rows = _left(constraint, scratch.domains)
    flags = [scratch.auxiliary("tuple", (0, 1)) for _ in rows]
    found: list[Constraint] = [Linear([1] * len(flags), flags, "==", 1)]
    for x in constraint.scope:
        found.append(Linear([-1, *(row[x] for row in rows)], [x, *flags], "==", 0))
    return found


def forbidden_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return the size of a forbidden table."""
    assert isinstance(constraint, Table)
    size = len(constraint.tuples)
    return (1 + size) * (1 + len(constraint.scope)) if not constraint.allowed and size <= MOST else None


def barred_sums(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """In each forbidden tuple, some variable has another value."""
    assert isinstance(constraint, Table)
    found: list[Constraint] = []
    for row in _left(constraint, scratch.domains):
        _clause([(x, set(scratch.domains[x]) - {v}) for x, v in row.items()], scratch, found)
    return found
