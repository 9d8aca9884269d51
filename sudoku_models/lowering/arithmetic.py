"""Sums: equal terms merged, and domains, clauses and tables as sums over selectors, which are 0 or 1 for each value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..model import Compare, Constraint, Domain, InDomain, Linear, Or, Table
from .rewrite import Scratch

MOST = 20_000
"""The most tuples of a table that is turned into sums."""

Terms = dict[str, int]


def merged(constraint: Linear) -> Terms:
    """Return the coefficient of each name, with repeated names added up and zeros dropped."""
    terms: Terms = {}
    for c, x in zip(constraint.coeffs, constraint.xs, strict=True):
        terms[x] = terms.get(x, 0) + c
    return {x: c for x, c in terms.items() if c}


def comparison(c: Linear, scratch: Scratch) -> list[Constraint]:
    """Compare the two variables of a difference."""
    x, y = sorted(terms := merged(c), key=lambda name: -terms[name])
    return [Compare(x, c.op, y, c.k)]


def single(c: Linear, scratch: Scratch) -> list[Constraint]:
    """The values of the one variable that is left which satisfy the sum."""
    x, others = next(iter(merged(c))), dict.fromkeys(c.scope, 0)
    return [InDomain(x, [v for v in scratch.domains[x] if c.holds({**others, x: v})])]


def bounds(c: InDomain, scratch: Scratch) -> list[Constraint]:
    """Bound the variable, and exclude each value of its domain that lies between the bounds and is not allowed."""
    have = scratch.domains[c.x]
    left = [v for v in have if v in c.values]
    if not left:
        return [Linear((1,), (c.x,), "<=", (min(have) if have else 0) - 1)]
    holes = [v for v in have if left[0] < v < left[-1] and v not in c.values]
    stated = ((">=", left[0]), ("<=", left[-1]), *(("!=", v) for v in holes))
    return [Linear((1,), (c.x,), op, v) for op, v in stated]


def _chosen(x: str, values: Iterable[int], scratch: Scratch, out: list[Constraint]) -> tuple[Terms, int]:
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
        more, fixed = _chosen(x, values, scratch, out)
        constant += fixed
        for name, factor in more.items():
            terms[name] = terms.get(name, 0) + factor
    out.append(Linear(terms.values(), terms, ">=", 1 - constant))


def clause_cost(c: Or, domains: Mapping[str, Domain]) -> float | None:
    """Return the number of selectors in a clause; None for an Or with parts that are not domains."""
    if not all(isinstance(part, InDomain) for part in c.parts):
        return None
    return 1 + sum(1 if set(domains[x]) <= {0, 1} else len(domains[x]) for x in c.scope)


def clause_sum(c: Or, scratch: Scratch) -> list[Constraint]:
    """The sum of the selectors in a clause is at least 1."""
    found: list[Constraint] = []
    values: dict[str, set[int]] = {}
    for part in c.parts:
        assert isinstance(part, InDomain)
        values.setdefault(part.x, set()).update(part.values)
    _clause(values.items(), scratch, found)
    return found


def tuples_cost(c: Table, allowed: bool) -> float | None:
    """Return the size of a table with its selectors; None if it is too large, or if its tuples are not ``allowed``."""
    size = len(c.tuples)
    return (1 + size) * (1 + len(c.scope)) if c.allowed == allowed and size <= MOST else None


def tuple_sums(c: Table, scratch: Scratch) -> list[Constraint]:
    """Exactly one tuple is selected, and each variable has its value."""
    rows = _left(c, scratch.domains)
    flags = [scratch.auxiliary("tuple", (0, 1)) for _ in rows]
    values = (Linear([-1, *(row[x] for row in rows)], [x, *flags], "==", 0) for x in c.scope)
    return [Linear([1] * len(flags), flags, "==", 1), *values]


def barred_sums(c: Table, scratch: Scratch) -> list[Constraint]:
    """In each forbidden tuple, some variable has another value."""
    found: list[Constraint] = []
    for row in _left(c, scratch.domains):
        _clause([(x, set(scratch.domains[x]) - {v}) for x, v in row.items()], scratch, found)
    return found


def _left(table: Table, domains: Mapping[str, Domain]) -> list[dict[str, int]]:
    """The tuples, allowed or forbidden, that remain within the domains, by name."""
    members, scope = Table(table.xs, table.tuples), table.scope
    valued = (dict(zip(table.xs, row, strict=True)) for row in table.tuples)
    inside = (v for v in valued if members.holds(v) and all(v[x] in domains[x] for x in scope))
    return [dict(zip(scope, row, strict=True)) for row in dict.fromkeys(tuple(v[x] for x in scope) for v in inside)]
