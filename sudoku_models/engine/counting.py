"""Count solutions in blocks, which are checked in bulk on the stated model.

If the domains as narrowed by the engine make the model fall apart into groups of variables that no constraint links,
the solutions of each group are counted with the others fixed as in one solution, and the numbers are multiplied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import prod

from ..model import AllDifferent, Compare, Constraint, Domain, Model
from .budget import Budget
from .check import Guard
from .contract import Outcome, Reason, Request, Run
from .record import Record
from .registry import BackendLike
from .road import prepared, run

ENOUGH = 1_000
"""After this number of solutions it is worth testing whether the model falls apart."""


def counted(
    model: Model,
    spec: BackendLike,
    request: Request,
    record: Record | None = None,
    budget: Budget | None = None,
    isolate: bool = False,
) -> Outcome:
    """Count solutions up to the request's limit; raises the same errors as ``road.run``."""
    with run(model, spec, request, record, isolate=isolate, budget=budget) as found:
        whole = request.keep is None and model.objective is None
        for _ in found.blocks():
            if whole and found._guard.count >= ENOUGH:
                whole = False
                if product := _in_groups(found, found._guard):
                    return product
        return found.outcome


def _in_groups(found: Run, guard: Guard) -> Outcome | None:
    """Count each group separately, with the other variables as in a solution, and return the product.

    None if there are no groups, or if a judge reads variables of several groups: then it has to see all solutions.
    """
    model, request = guard.checker.model, guard.request
    kept = prepared(model, guard.selection)
    if kept is None or not kept.lowered.functional or not hasattr(kept.compiled, "propagated"):
        return None
    domains = kept.compiled.propagated(request.domains)
    groups = independent(model, {**model.domains, **domains})
    if len(groups) < 2 or not guard.parted(groups):
        return None
    found.close()
    with run(model, guard.selection, replace(request, limit=1), budget=found.budget) as first:
        solution = dict(zip(model.names, next(first), strict=True))
    counts, reason, limit = list[int](), Reason.EXHAUSTED, request.limit
    for group in groups:
        asked = replace(request, domains={**request.domains, **_fixed(solution, group)})
        with run(model, guard.selection, asked, found.record, budget=found.budget) as one:
            counts.append(sum(map(len, one.blocks())))
            reason = one.ending.reason
        if not one._guard.parted(groups):
            with run(model, guard.selection, request, found.record, budget=found.budget) as again:
                for _ in again.blocks():
                    pass
                return again.outcome
        if reason is not Reason.EXHAUSTED or (limit is not None and prod(counts) >= limit):
            break
    found.record.notes.append(f"counted in {len(groups)} independent groups of cells")
    total = prod(counts)
    if limit is not None and total >= limit:
        return Outcome(limit, False, Reason.LIMIT, None, found.record)
    complete = reason is Reason.EXHAUSTED
    return Outcome(total if complete else max(guard.count, total), complete, reason, None, found.record)


def _fixed(solution: Mapping[str, int], group: Sequence[str]) -> dict[str, Domain]:
    inside = set(group)
    return {x: (value,) for x, value in solution.items() if x not in inside}


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
