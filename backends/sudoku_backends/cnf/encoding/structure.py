"""What the encoding knows about a model before any puzzle: its AllDifferents in layers, and its other constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from sudoku_models.model import AllDifferent, InDomain, Model

from .clauses import ClauseList, Clauses
from .constraints import clauses_of
from .space import Ints, Space


@dataclass(frozen=True)
class Layer:
    """Disjoint AllDifferents, so that each variable lies in one at most (all rows; all columns; all boxes; ...).

    ``group_of[cell]`` is the number of the cell's AllDifferent within the layer, or ``groups`` if the cell lies in
    none. ``sizes`` are their numbers of variables; ``start`` is the layer's first row in a table over all layers, in
    which each layer has ``groups + 1`` rows (the last one for the cells in none). ``covers`` is true if every cell lies
    in one of them. ``houses`` flags those with as many variables as values; ``all_houses`` is true if all are.
    """

    group_of: Ints
    groups: int
    sizes: Ints
    start: int
    covers: bool
    houses: Ints
    all_houses: bool


class Structure:
    """A model ready to be narrowed and encoded. Immutable; shared by all threads."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.space = Space(model)
        scopes = [tuple(model.index[x] for x in c.xs) for c in model.constraints if isinstance(c, AllDifferent)]
        self.layers = tuple(_layers([s for s in scopes if s], self.space))
        self.rows = sum(layer.groups + 1 for layer in self.layers)
        self.in_house = _in_house(self.layers, len(self.space.names))
        self.impossible = self._impossible(scopes)
        self.others = self._others(model)

    def _impossible(self, scopes: Sequence[Sequence[int]]) -> bool:
        """Return whether a domain is empty or an AllDifferent has more variables than values."""
        domains = self.space.domains
        return not all(domains) or any(self.space.union(s) < len(s) for s in scopes)

    def _others(self, model: Model) -> Clauses:
        """Return the constraints other than AllDifferent and InDomain, as clauses over all candidates and auxiliaries.

        Candidate f is literal f + 1; auxiliary literals follow the last candidate.
        """
        found = ClauseList(self.space.size)
        for constraint in model.constraints:
            if not isinstance(constraint, AllDifferent | InDomain):
                clauses_of(constraint, self.space, found)
        return found.pack()


def structure_of(model: Model) -> Structure:
    """Return the structure of a model, computed once for each model object."""
    found = model.memo.get("cnf")
    if found is None:
        found = model.memo["cnf"] = Structure(model)
    assert isinstance(found, Structure)
    return found


def _layers(scopes: Sequence[tuple[int, ...]], space: Space) -> list[Layer]:
    buckets: list[tuple[set[int], list[tuple[int, ...]]]] = []
    for scope in scopes:
        bucket = next((b for b in buckets if b[0].isdisjoint(scope)), None)
        if bucket is None:
            bucket = (set(), [])
            buckets.append(bucket)
        bucket[0].update(scope)
        bucket[1].append(scope)
    starts = accumulate((len(groups) + 1 for _, groups in buckets), initial=0)
    return [_layer(groups, start, space) for (_, groups), start in zip(buckets, starts, strict=False)]


def _layer(groups: Sequence[tuple[int, ...]], start: int, space: Space) -> Layer:
    group_of = np.full(len(space.names), len(groups), dtype=np.int32)
    for number, scope in enumerate(groups):
        group_of[list(scope)] = number
    houses = np.array([len(s) == space.union(s) for s in groups], dtype=bool)
    return Layer(
        group_of,
        len(groups),
        np.array([len(s) for s in groups], dtype=np.int32),
        start,
        covers=bool((group_of < len(groups)).all()),
        houses=houses,
        all_houses=bool(houses.all()),
    )


def _in_house(layers: Sequence[Layer], cells: int) -> Ints:
    """Flag the cells that lie in some house."""
    found = np.zeros(cells, dtype=bool)
    for layer in layers:
        found |= np.append(layer.houses, False)[layer.group_of]
    return found
