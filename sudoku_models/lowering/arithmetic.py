"""Differences, comparisons, bounds and sums: rewrites between AllDifferent, Compare, InDomain and Linear."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from ..model import Compare, Constraint, Domain, InDomain, Linear, Or, Table
from .rewrite import Scratch


def merged(constraint: Linear) -> dict[str, int]:
    """Return the coefficient of each name, with repeated names added up and zeros dropped."""
    terms: dict[str, int] = {}
    for c, x in zip(constraint.coeffs, constraint.xs, strict=True):
        terms[x] = terms.get(x, 0) + c
    return {x: c for x, c in terms.items() if c}


def pairs_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of pairs."""
    return len(constraint.scope) * (len(constraint.scope) - 1) / 2


def differences(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Every two variables differ."""
    return [Compare(x, "!=", y) for x, y in combinations(constraint.scope, 2)]


def bounds(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Bound the variable, and exclude each value of its domain that lies between the bounds and is not allowed."""
    assert isinstance(constraint, InDomain)
    x, have = constraint.x, scratch.domains[constraint.x]
    left = [v for v in have if v in constraint.values]
    if not left:
        return [Linear((1,), (x,), "<=", (min(have) if have else 0) - 1)]
    holes = [v for v in have if left[0] < v < left[-1] and v not in constraint.values]
    bounds = [Linear((1,), (x,), ">=", left[0]), Linear((1,), (x,), "<=", left[-1])]
    return [*bounds, *(Linear((1,), (x,), "!=", v) for v in holes)]


def bounds_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of values, each of which may have to be excluded."""
    return len(domains[constraint.scope[0]])


def column_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return 1 for a table over one variable; None otherwise."""
    return 1 if len(constraint.variables()) == 1 else None  # type: ignore[arg-type]


def column(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """The allowed values of the table's only variable."""
    x = constraint.scope[0]
    return [InDomain(x, [v for v in scratch.domains[x] if constraint.holds({x: v})])]


def comparison_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return 1 for the difference of two variables; None for any other sum."""
    assert isinstance(constraint, Linear)
    return 1 if sorted(merged(constraint).values()) == [-1, 1] else None


def comparison(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Compare the two variables."""
    assert isinstance(constraint, Linear)
    x, y = sorted(terms := merged(constraint), key=lambda name: -terms[name])
    return [Compare(x, constraint.op, y, constraint.k)]


def linear_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the terms of the sum."""
    return 2


def linear(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """The difference of the two variables."""
    assert isinstance(constraint, Compare)
    return [Linear((1, -1), (constraint.x, constraint.y), constraint.op, constraint.c)]


def single_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return 1 if one variable is left after equal ones are added up."""
    assert isinstance(constraint, Linear)
    return 1 if len(merged(constraint)) == 1 else None


def single(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """The values of the one variable that satisfy the sum."""
    assert isinstance(constraint, Linear)
    x, others = next(iter(merged(constraint))), dict.fromkeys(constraint.scope, 0)
    return [InDomain(x, [v for v in scratch.domains[x] if constraint.holds({**others, x: v})])]


def constant_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    """Return 1 if all terms cancel."""
    assert isinstance(constraint, Linear)
    return None if merged(constraint) or not constraint.xs else 1


def constant(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """All terms cancel: always true, or never."""
    x = constraint.scope[0]
    return [] if constraint.holds(dict.fromkeys(constraint.scope, 0)) else [InDomain(x, ())]


# ---------------------------------------------------------------- sums over selectors


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
