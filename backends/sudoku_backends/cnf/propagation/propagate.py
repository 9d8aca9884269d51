"""Singles and locked candidates in rounds, with numpy alone; each round examines all lists and removes candidates."""

from __future__ import annotations

from dataclasses import replace
from itertools import count as counting

import numpy as np

from ..encoding.crossings import Crossing, crossings_of
from ..encoding.reduce import Reduced, clashing
from ..encoding.space import Ints
from ..encoding.structure import Structure

MOST_ROUNDS, MOST_SEEN = 60, 8_000_000
"""On large boards, which might take thousands of rounds, the rest is left to the search after this number of rounds and
this number of examined candidates: a few tenths of a second.
"""

LARGE = 1_000
"""Boards with at least this number of cells are large."""


def propagate(structure: Structure, reduced: Reduced, locked: bool) -> Reduced:
    """Decide singles and remove locked candidates until nothing changes; on large boards for a limited number of
    rounds.
    """
    if reduced.clash:
        return reduced
    board = _Board(structure, reduced)
    large = len(structure.space.names) >= LARGE
    seen = 0
    for done in counting():
        if large and done >= MOST_ROUNDS and seen >= MOST_SEEN:
            break
        seen += board.left
        if board.clash():
            return clashing(structure)
        singles = board.singles()
        if len(singles):
            if not board.decide(singles):
                return clashing(structure)
        elif locked and len(out := board.locked_out()):
            board.remove(out)
        else:
            break
    rest = np.flatnonzero(board.alive)
    return replace(
        reduced, open=reduced.open[rest], cell=reduced.cell[rest], column=reduced.column[rest], fixed=board.fixed
    )


class _Lists:
    """Lists of candidates, each candidate in one list: ``key[i]`` is the list of the candidate at place i.

    Mutable: ``counts`` are the numbers of candidates left in each list, and ``sums`` the sums of their places, so that
    the place of the last one is known without a search. ``needed`` flags the lists of which one candidate is true.
    """

    def __init__(self, key: Ints, needed: Ints) -> None:
        self.key, self.needed = key, needed
        self.counts = np.bincount(key, minlength=len(needed))
        self.sums = np.bincount(key, weights=np.arange(len(key)), minlength=len(needed)).astype(np.int64)
        self._order = np.argsort(key, kind="stable")
        self._starts = np.concatenate(([0], np.cumsum(self.counts)))

    def last(self) -> Ints:
        """Return the places of the candidates that are the last of their lists."""
        found: Ints = self.sums[(self.counts == 1) & self.needed]
        return found

    def members(self, lists: Ints) -> Ints:
        """Return the places of all candidates that some lists had at the start."""
        first = self._starts[lists]
        lengths = self._starts[lists + 1] - first
        ends = np.cumsum(lengths)
        places = np.repeat(first - ends + lengths, lengths)
        found: Ints = self._order[places + np.arange(len(places))]
        return found

    def remove(self, places: Ints) -> None:
        """Remove candidates from their lists."""
        key = self.key[places]
        np.subtract.at(self.counts, key, 1)
        np.subtract.at(self.sums, key, places)


class _Board:
    """The candidates that are ``alive``, in the lists of cells and of each layer; ``fixed`` as in Reduced. Mutable."""

    def __init__(self, structure: Structure, reduced: Reduced) -> None:
        self.structure, self.column = structure, reduced.column
        self.fixed = reduced.fixed.copy()
        self.width = len(structure.space.values)
        self.alive = np.ones(len(reduced.open), dtype=bool)
        self.left = len(reduced.open)
        self.cells = _Lists(reduced.cell.astype(np.int64), np.ones(len(self.fixed), dtype=bool))
        self.groups = [
            _Lists(
                layer.group_of[reduced.cell] * np.int64(self.width) + reduced.column,
                np.repeat(np.append(layer.houses, False), self.width),
            )
            for layer in structure.layers
        ]
        self._mark = np.zeros(max((len(lists.needed) for lists in self.groups), default=0), dtype=np.int64)

    def clash(self) -> bool:
        """Return whether an open cell has no candidate, or a group has more open cells than open values."""
        left = np.flatnonzero(self.fixed < 0)
        return bool((self.cells.counts[left] == 0).any()) or self._short(left)

    def _short(self, left: Ints) -> bool:
        for layer, lists in zip(self.structure.layers, self.groups, strict=True):
            open_values = np.count_nonzero(lists.counts.reshape(-1, self.width), axis=1)[: layer.groups]
            cells = np.bincount(layer.group_of[left], minlength=layer.groups + 1)[: layer.groups]
            if (open_values < cells).any():
                return True
        return False

    def singles(self) -> Ints:
        """Return the places of the candidates that are the last of their cell or the last place in a house."""
        return np.concatenate([lists.last() for lists in (self.cells, *self.groups)])

    def decide(self, singles: Ints) -> bool:
        """Fix the cells of these candidates and remove what they exclude; return False if two contradict each other."""
        decided, columns = self.cells.key[singles], self.column[singles]
        self.fixed[decided] = columns
        if (self.fixed[decided] != columns).any():
            return False
        flags = np.zeros(len(self.fixed), dtype=bool)
        flags[decided] = True
        cells = np.flatnonzero(flags)
        out = [self._taken(self.cells.members(cells))]
        for layer, lists in zip(self.structure.layers, self.groups, strict=True):
            groups = layer.group_of[cells]
            inside = groups < layer.groups
            used = (groups * np.int64(self.width) + self.fixed[cells])[inside]
            numbers = np.arange(len(used))
            self._mark[used] = numbers
            if (self._mark[used] != numbers).any():
                return False
            out.append(self._taken(lists.members(used)))
        self._forget(np.concatenate(out))
        return True

    def remove(self, places: Ints) -> None:
        """Remove candidates that are alive."""
        self._forget(self._taken(places))

    def _taken(self, places: Ints) -> Ints:
        """Mark candidates as removed; return those that were alive."""
        places = places[self.alive[places]]
        self.alive[places] = False
        return places

    def _forget(self, places: Ints) -> None:
        self.left -= len(places)
        for lists in (self.cells, *self.groups):
            lists.remove(places)

    def locked_out(self) -> Ints:
        """Return the places of the candidates that locked candidates exclude."""
        rest = np.flatnonzero(self.alive)
        cell, column = self.cells.key[rest], self.column[rest]
        keep = np.ones(len(rest), dtype=bool)
        for crossing in crossings_of(self.structure):
            part = crossing.part_of[cell]
            key = part * np.int64(self.width) + column
            shared = np.bincount(key, minlength=(crossing.parts + 1) * self.width)[key]
            for here, there in (crossing.layers, crossing.layers[::-1]):
                keep &= ~self._excluded(crossing, rest, part, shared, here, there)
        return rest[~keep]

    def _excluded(self, crossing: Crossing, rest: Ints, part: Ints, shared: Ints, here: int, there: int) -> Ints:
        """Flag the places of a value outside the shared part in a group ``there``, if a house ``here`` has all its
        places inside.
        """
        lists, others = self.groups[here], self.groups[there]
        key, other = lists.key[rest], others.key[rest]
        confined = (part < crossing.parts) & (shared == lists.counts[key]) & lists.needed[key]
        claimed = np.full(len(others.counts), crossing.parts, dtype=np.int64)
        claimed[other[confined]] = part[confined]
        by = claimed[other]
        outside: Ints = (by < crossing.parts) & (by != part)
        return outside
