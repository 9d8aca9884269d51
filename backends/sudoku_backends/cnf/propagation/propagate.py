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
    fixed, rest = reduced.fixed.copy(), reduced.open
    lists = _Lists(structure, fixed, reduced.cell, reduced.column)
    large = len(structure.space.names) >= LARGE
    seen = 0
    for done in counting():
        if large and done >= MOST_ROUNDS and seen >= MOST_SEEN:
            break
        seen += len(rest)
        if lists.clash():
            return clashing(structure)
        single = lists.single()
        if single.any():
            keep = lists.decide(single)
            if keep is None:
                return clashing(structure)
        elif locked:
            keep = lists.free_of_locked()
            if keep.all():
                break
        else:
            break
        rest = rest[keep]
        lists.narrow(keep)
    return replace(reduced, open=rest, cell=lists.cell, column=lists.column, fixed=fixed)


class _Lists:
    """The candidates that are open, and for each of them and each layer the number of its list; ``fixed`` is written.

    Mutable: each round counts the lists anew, and what it removes leaves them.
    """

    def __init__(self, structure: Structure, fixed: Ints, cell: Ints, column: Ints) -> None:
        self.structure, self.fixed, self.cell, self.column = structure, fixed, cell, column
        self.width = len(structure.space.values)
        self.keys = [layer.group_of[cell] * np.int64(self.width) + column for layer in structure.layers]
        self.of_houses = [np.repeat(np.append(layer.houses, False), self.width) for layer in structure.layers]

    def narrow(self, keep: Ints) -> None:
        """Let go of the candidates that are not flagged."""
        self.cell, self.column = self.cell[keep], self.column[keep]
        self.keys = [key[keep] for key in self.keys]

    def clash(self) -> bool:
        """Count the lists; tell whether an open cell has no candidate, or a group more open cells than open values."""
        self.values = np.bincount(self.cell, minlength=len(self.fixed))
        self.counts = [np.bincount(key, minlength=len(has)) for key, has in zip(self.keys, self.of_houses, strict=True)]
        left = np.flatnonzero(self.fixed < 0)
        return bool((self.values[left] == 0).any()) or self._short(left)

    def _short(self, left: Ints) -> bool:
        for layer, count in zip(self.structure.layers, self.counts, strict=True):
            open_values = np.count_nonzero(count.reshape(-1, self.width), axis=1)[: layer.groups]
            cells = np.bincount(layer.group_of[left], minlength=layer.groups + 1)[: layer.groups]
            if (open_values < cells).any():
                return True
        return False

    def single(self) -> Ints:
        """Flag the candidates that are the last of their cell or the last place in a house."""
        found: Ints = self.values[self.cell] == 1
        for key, count, in_house in zip(self.keys, self.counts, self.of_houses, strict=True):
            found |= ((count == 1) & in_house)[key]
        return found

    def decide(self, single: Ints) -> Ints | None:
        """Fix the cells of flagged candidates and flag those that stay open; None where two contradict each other."""
        decided, columns = self.cell[single], self.column[single]
        self.fixed[decided] = columns
        if (self.fixed[decided] != columns).any():
            return None
        flags = np.zeros(len(self.fixed), dtype=bool)
        flags[decided] = True
        cells = np.flatnonzero(flags)
        columns, keep = self.fixed[cells], ~flags[self.cell]
        for layer, key in zip(self.structure.layers, self.keys, strict=True):
            used = np.zeros((layer.groups + 1, self.width), dtype=bool)
            groups = layer.group_of[cells]
            used[groups, columns] = True
            used[layer.groups] = False
            if np.count_nonzero(used) < np.count_nonzero(groups < layer.groups):
                return None
            keep &= ~used.ravel()[key]
        return keep

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
        key = self.keys[here]
        confined = inside & (shared == self.counts[here][key]) & self.of_houses[here][key]
        claimed = np.full(len(self.counts[there]), crossing.parts, dtype=np.int64)
        part = crossing.part_of[self.cell]
        claimed[self.keys[there][confined]] = part[confined]
        by = claimed[self.keys[there]]
        outside: Ints = (by < crossing.parts) & (by != part)
        return outside
