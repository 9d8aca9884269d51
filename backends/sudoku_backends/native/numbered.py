"""Variables that number the pairs of two others, all different: the pairs are kept apart without such variables.

A wide variable (say, one for both a region and a value) does not fit into a word. If it is stated only to make pairs
differ, the network has a constraint on the pairs, and the variable's value is looked up after a solution is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sudoku_models.model import AllDifferent, Domain, Model, Table, Variable


class Numbered(NamedTuple):
    """A variable that numbers the pairs of two others, by their places in the model."""

    x: int
    a: int
    b: int
    numbers: dict[tuple[int, int], int]

    def masks(self, values: Collection[int], domain: Domain, base: int) -> list[tuple[int, int]] | None:
        """Return masks of the two, with places, that leave exactly these values of the domain; None if impossible."""
        known = frozenset(domain)
        pairs = {value: pair for pair, value in self.numbers.items() if value in known}
        return masks_of(pairs, values, (self.a, self.b), base)


def masks_of(
    rows: Mapping[int, tuple[int, ...]], values: Collection[int], places: Sequence[int], base: int
) -> list[tuple[int, int]] | None:
    """Return masks, with their places, that leave exactly some of the values that ``rows`` spell; None if impossible.

    Masks of several places allow every combination of their values, so not every set of values has such masks.
    """
    wanted = [rows[value] for value in {*values} if value in rows]
    allowed = [set(column) for column in zip(*wanted, strict=True)] or [set[int]()] * len(places)
    left = sum(all(map(set.__contains__, allowed, row)) for row in rows.values()) if wanted else 0
    if left != len(wanted):
        return None
    return [(place, sum(1 << (n - base) for n in some)) for place, some in zip(places, allowed, strict=True)]


class Pairs(NamedTuple):
    """A model in which variables that number pairs remain only by name, and the groups of them that all differ."""

    model: Model
    groups: tuple[tuple[Numbered, ...], ...]


def without_numbers(model: Model, most: int) -> Pairs:
    """Return a model in which each variable that numbers pairs and has values too far apart has one value instead."""
    wide = {v.name for v in model.variables if (d := v.domain) and d[-1] - d[0] >= most}
    if not wide or model.objective:
        return Pairs(model, ())
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
    return Pairs(_rest(model, numbered), tuple(groups))


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
