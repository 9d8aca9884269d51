"""Find whether a model falls apart into independent groups of open variables that no constraint links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise

from ..model import AllDifferent, Compare, Constraint, Domain, Model


def independent(model: Model, domains: Mapping[str, Domain]) -> list[tuple[str, ...]]:
    """Return the groups of variables, each with several values in ``domains``, that no constraint links to one another.

    Variables that must differ are linked only if they have a value in common. Any combination of solutions of
    the groups, together with the variables that have one value, is a solution of the model.
    """
    open_ones = [x for x in model.names if len(domains[x]) > 1]
    leader = {x: x for x in open_ones}

    def head(x: str) -> str:
        while leader[x] != x:
            leader[x] = leader[leader[x]]
            x = leader[x]
        return x

    for constraint in model.constraints:
        for x, y in _links(constraint, leader, domains):
            leader[head(x)] = head(y)
    groups: dict[str, list[str]] = {}
    for x in open_ones:
        groups.setdefault(head(x), []).append(x)
    return [tuple(group) for group in groups.values()]


def _links(c: Constraint, known: Mapping[str, str], domains: Mapping[str, Domain]) -> Iterator[tuple[str, str]]:
    """Yield pairs of open variables that a constraint links; a chain of pairs is enough to link all its variables."""
    xs = [x for x in c.scope if x in known]
    if isinstance(c, AllDifferent) or (isinstance(c, Compare) and c.op == "!=" and c.c == 0):
        yield from ((x, y) for x, y in combinations(xs, 2) if not set(domains[x]).isdisjoint(domains[y]))
    else:
        yield from pairwise(xs)
