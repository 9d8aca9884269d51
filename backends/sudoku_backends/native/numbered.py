"""Variables that number the pairs of two others, all different: the pairs are kept apart without such variables.

A wide variable (a region and a value at once, say) does not fit into a word. Where it is only stated so that pairs
differ, the network has a constraint on the pairs, and the variable's value is looked up behind a solution.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from sudoku_models.model import AllDifferent, Domain, Model, Table, Variable


class Numbered(NamedTuple):
    """A variable that numbers the pairs of two others, by their places in the model."""

    x: int
    a: int
    b: int
    numbers: dict[tuple[int, int], int]


class Narrower(NamedTuple):
    """A model without wide variables, but for their names, and groups of those whose pairs are all different."""

    model: Model
    groups: tuple[tuple[Numbered, ...], ...]


def without_wide(model: Model, most: int) -> Narrower:
    """Return a model in which no variable that numbers pairs has values so far apart; each has one value instead."""
    key = ("native", "narrower", most)
    found = model.memo.get(key)
    if not isinstance(found, Narrower):
        found = model.memo[key] = _without_wide(model, most)
    return found


def _without_wide(model: Model, most: int) -> Narrower:
    wide = {v.name for v in model.variables if (d := v.domain) and d[-1] - d[0] >= most}
    if not wide or model.objective:
        return Narrower(model, ())
    used = Counter(x for c in model.constraints for x in c.scope if x in wide)
    tables = {c.xs[2]: c for c in model.constraints if isinstance(c, Table) and len(c.xs) == 3 and c.xs[2] in wide}
    numbered: dict[str, Numbered] = {}
    groups: list[tuple[Numbered, ...]] = []
    shared: dict[Any, Any] = {}
    for c in model.constraints:
        if isinstance(c, AllDifferent) and wide.issuperset(c.xs) and c.xs:
            members = [_numbered(model, tables.get(x), used[x], shared) for x in c.xs]
            if all(members) and len({id(one.numbers) for one in members if one}) == 1:
                groups.append(tuple(one for one in members if one))
                numbered |= dict(zip(c.xs, groups[-1], strict=True))
    return Narrower(_rest(model, numbered), tuple(groups))


def _numbered(model: Model, table: Table | None, used: int, shared: dict[Any, Any]) -> Numbered | None:
    """Return what a table says of its last variable, if it numbers all pairs of the others and nothing else has it."""
    if table is None or used != 2 or not table.allowed or len({*table.xs}) < 3:
        return None
    a, b, x = table.xs
    domains = [model.domains[name] for name in table.xs]
    key = id(table.tuples)
    if key not in shared:
        shared[key] = {(row[0], row[1]): row[2] for row in table.tuples}
    if (key, *domains) not in shared:
        shared[key, *domains] = _is_numbering(shared[key], table, *domains)
    fits = shared[key, *domains]
    return Numbered(model.index[x], model.index[a], model.index[b], shared[key]) if fits else None


def _is_numbering(numbers: dict[tuple[int, int], int], table: Table, a: Domain, b: Domain, x: Domain) -> bool:
    return (
        len(numbers) == len(table.tuples) == len(set(numbers.values()))
        and all((v, w) in numbers for v in a for w in b)
        and set(x).issuperset(numbers.values())
    )


def _rest(model: Model, numbered: dict[str, Numbered]) -> Model:
    if not numbered:
        return model
    least = min((v.domain[0] for v in model.variables if v.domain and v.name not in numbered), default=0)
    variables = [Variable(v.name, (least,)) if v.name in numbered else v for v in model.variables]
    return Model(variables, [c for c in model.constraints if numbered.keys().isdisjoint(c.scope)])
