"""Singles and locked candidates in rounds, with numpy alone: each round counts every list once."""

from __future__ import annotations

from dataclasses import replace
from itertools import count as counting

import numpy as np

from ..encoding.crossings import Crossing, crossings_of
from ..encoding.reduce import Reduced, clashing
from ..encoding.space import Ints
from ..encoding.structure import Structure

MOST_ROUNDS, MOST_SEEN = 60, 8_000_000
"""On large boards, which might take thousands of rounds, the rest is left to the search after this number of rounds
and this number of candidates looked at: some tenths of a second."""

LARGE = 1_000
"""Cells from which on a board is large."""


def propagate(structure: Structure, reduced: Reduced, locked: bool) -> Reduced:
    """Decide singles and remove locked candidates until nothing changes; on large boards for some rounds at most."""
    if reduced.clash:
        return reduced
    fixed = reduced.fixed.copy()
    candidates = reduced.open, reduced.cell, reduced.column
    large = len(structure.space.names) >= LARGE
    seen = 0
    for done in counting():
        if large and done >= MOST_ROUNDS and seen >= MOST_SEEN:
            break
        seen += len(candidates[0])
        lists = _Lists(structure, fixed, *candidates[1:])
        if lists.clash:
            return clashing(structure)
        single = lists.single()
        if single.any():
            keep = _decide(structure, fixed, candidates[1][single], candidates[2][single], candidates)
            if keep is None:
                return clashing(structure)
        elif locked:
            keep = lists.free_of_locked()
            if keep.all():
                break
        else:
            break
        candidates = candidates[0][keep], candidates[1][keep], candidates[2][keep]
    return replace(reduced, open=candidates[0], cell=candidates[1], column=candidates[2], fixed=fixed)


def _decide(
    structure: Structure, fixed: Ints, cells: Ints, columns: Ints, candidates: tuple[Ints, Ints, Ints]
) -> Ints | None:
    """Fix cells and flag the candidates that stay open; None when two singles contradict each other."""
    fixed[cells] = columns
    if (fixed[cells] != columns).any():
        return None
    _, cell, column = candidates
    keep = fixed[cell] < 0
    cells = np.unique(cells)
    columns = fixed[cells]
    for layer in structure.layers:
        used = np.zeros((layer.groups + 1, len(structure.space.values)), dtype=bool)
        groups = layer.group_of[cells]
        used[groups, columns] = True
        used[layer.groups] = False
        if np.count_nonzero(used) < np.count_nonzero(groups < layer.groups):
            return None
        keep &= ~used[layer.group_of[cell], column]
    return keep


class _Lists:
    """The lists of one round: for each candidate and layer the number of its list, and the lists' lengths."""

    def __init__(self, structure: Structure, fixed: Ints, cell: Ints, column: Ints) -> None:
        self.structure, self.cell, self.column = structure, cell, column
        self.width = len(structure.space.values)
        self.values = np.bincount(cell, minlength=len(fixed))
        self.keys = [layer.group_of[cell] * np.int64(self.width) + column for layer in structure.layers]
        sizes = [(layer.groups + 1) * self.width for layer in structure.layers]
        self.counts = [np.bincount(key, minlength=size) for key, size in zip(self.keys, sizes, strict=True)]
        self.clash = bool((self.values[fixed < 0] == 0).any()) or self._short(fixed)

    def _short(self, fixed: Ints) -> bool:
        """Tell whether some group has more open cells than open values."""
        for layer, count in zip(self.structure.layers, self.counts, strict=True):
            open_values = np.count_nonzero(count.reshape(-1, self.width), axis=1)[: layer.groups]
            cells = np.bincount(layer.group_of[fixed < 0], minlength=layer.groups + 1)[: layer.groups]
            if (open_values < cells).any():
                return True
        return False

    def single(self) -> Ints:
        """Flag the candidates that are the last of their cell or the last place in a house."""
        found: Ints = self.values[self.cell] == 1
        for layer, key, count in zip(self.structure.layers, self.keys, self.counts, strict=True):
            found |= (count[key] == 1) & self._in_house(layer.houses, layer.group_of)
        return found

    def _in_house(self, houses: Ints, group_of: Ints) -> Ints:
        flags: Ints = np.append(houses, False)[group_of[self.cell]]
        return flags

    def free_of_locked(self) -> Ints:
        """Flag the candidates that no locked candidates exclude."""
        keep = np.ones(len(self.cell), dtype=bool)
        for crossing in crossings_of(self.structure):
            part = crossing.part_of[self.cell]
            inside = part < crossing.parts
            key = part * np.int64(self.width) + self.column
            shared = np.bincount(key, minlength=(crossing.parts + 1) * self.width)[key]
            for here, there in (crossing.layers, crossing.layers[::-1]):
                keep &= ~self._excluded(crossing, inside, shared, here, there)
        return keep

    def _excluded(self, crossing: Crossing, inside: Ints, shared: Ints, here: int, there: int) -> Ints:
        """Where a house ``here`` has all places of a value in the shared part, the group ``there`` has none outside."""
        layer = self.structure.layers[here]
        confined = (
            inside & (shared == self.counts[here][self.keys[here]]) & self._in_house(layer.houses, layer.group_of)
        )
        claimed = np.full(len(self.counts[there]), crossing.parts, dtype=np.int64)
        part = crossing.part_of[self.cell]
        claimed[self.keys[there][confined]] = part[confined]
        by = claimed[self.keys[there]]
        outside: Ints = (by < crossing.parts) & (by != part)
        return outside
