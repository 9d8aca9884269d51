"""Small models of AllDifferents: every pair of candidates that exclude each other is listed once.

A puzzle's formula is what is left of that table. Pairs that two lists share (a box and a row) occur once.
"""

from __future__ import annotations

import numpy as np

from ..encoding.clauses import Clauses
from ..encoding.encode import Problem
from ..encoding.formula import NEVER, NOTHING, Formula
from ..encoding.reduce import Narrow, Reduced, clashing
from ..encoding.space import Ints
from ..encoding.structure import Structure
from .planes import Planes

MOST_CANDIDATES = 1000
"""A larger table takes longer to make than the time that it saves in some hundred puzzles."""


class PairTable:
    """The table of a structure for one choice of house clauses.

    ``first`` and ``second`` are the pairs of candidates that exclude each other. ``rows[f]`` are the candidates that f
    excludes, as packed bits. ``lists`` are the candidates of each list that needs a true one, padded with ``size``.
    """

    def __init__(self, structure: Structure, house: str) -> None:
        space = structure.space
        self.structure, self.size = structure, space.size
        cells = np.arange(space.size).reshape(-1, space.width)
        groups = [table for layer in structure.layers for table in _places(structure, layer.start, layer.groups)]
        excludes = _exclusions(space.size, [*cells, *groups])
        self.planes = Planes(structure, excludes)
        self.rows = np.packbits(excludes, axis=1, bitorder="little")
        written = excludes if house != "minimal" else excludes & ~_inside(structure)
        self.first, self.second = np.nonzero(np.triu(written))
        needed = [*cells, *_house_lists(structure)] if house == "extended" else list(cells)
        self.lists = _padded(needed, space.size)
        self.weight = _weights(structure, house == "extended")

    def problem(self, narrow: Narrow) -> Problem:
        """Encode what a puzzle leaves of the table."""
        structure, width = self.structure, self.structure.space.width
        given = narrow.cells * np.int64(width) + narrow.columns
        gone = self._gone(given, narrow)
        if gone is None:
            return Problem(structure, clashing(structure), NEVER)
        keep = gone == 0
        found = np.flatnonzero(keep[:-1])
        number = np.cumsum(keep, dtype=np.int32)
        cell = found // width
        reduced = Reduced(found, cell, found - cell * width, narrow.fixed(structure.space))
        left = keep.take(self.lists)
        lens = np.add.reduce(left, axis=1, dtype=np.int32)
        lens = lens[lens > 0]
        if len(lens) < len(self.lists) - int(self.weight.take(narrow.cells).sum()):
            return Problem(structure, reduced, NEVER)
        pairs = np.flatnonzero(keep.take(self.first) & keep.take(self.second))
        negated = -number
        first, second = negated.take(self.first.take(pairs)), negated.take(self.second.take(pairs))
        others = Clauses(number.take(self.lists[left]), lens)
        return Problem(structure, reduced, Formula(len(found), first, second, others))

    def problem_of_singles(self, narrow: Narrow) -> Problem:
        """Decide all singles first, then encode."""
        found = self.planes.decide(narrow)
        if found is None:
            return Problem(self.structure, clashing(self.structure), NEVER)
        cells, columns = np.divmod(np.array(found, dtype=np.int32), np.int32(self.structure.space.width))
        more = Narrow(cells, columns, narrow.limited)
        if len(found) < len(self.structure.space.names):
            return self.problem(more)
        none = cells[:0]
        return Problem(self.structure, Reduced(none, none, none, more.fixed(self.structure.space)), NOTHING)

    def _gone(self, given: Ints, narrow: Narrow) -> Ints | None:
        """Flag the candidates that are not open, and the padding, which never is; return None if two givens clash."""
        gone = np.ones(self.size + 1, dtype=np.uint8)
        packed = np.bitwise_or.reduce(self.rows.take(given, axis=0), axis=0)
        gone[:-1] = np.unpackbits(packed, count=self.size, bitorder="little")
        if gone.take(given).any():
            return None
        gone[given] = 1
        width = self.structure.space.width
        for cell, values in narrow.limited.items():
            gone[cell * width : (cell + 1) * width] |= ~self.structure.space.row(values)
        return gone


def pair_table(structure: Structure, house: str) -> PairTable | None:
    """Return the table of a structure, computed once; None if ``has_table`` is false for it."""
    if not has_table(structure):
        return None
    key = "cnf pairs", house
    memo = structure.model.memo
    if key not in memo:
        memo[key] = PairTable(structure, house)
    found: PairTable = memo[key]
    return found


def has_table(structure: Structure) -> bool:
    """Return whether a structure is small and has no constraints other than AllDifferents."""
    space = structure.space
    alike = space.width > 0 and not space.limited
    return alike and space.size <= MOST_CANDIDATES and not structure.others.clauses and not structure.impossible


def _places(structure: Structure, start: int, groups: int) -> list[Ints]:
    """Return the candidates of each list (group, value) of the layer that starts at ``start``."""
    layer = next(layer for layer in structure.layers if layer.start == start)
    width = structure.space.width
    members = (np.flatnonzero(layer.group_of == group) for group in range(groups))
    return [cells * width + column for cells in members for column in range(width)]


def _house_lists(structure: Structure) -> list[Ints]:
    found = []
    for layer in structure.layers:
        places = _places(structure, layer.start, layer.groups)
        width = structure.space.width
        found += [table for at, table in enumerate(places) if layer.houses[at // width]]
    return found


def _exclusions(size: int, lists: list[Ints]) -> Ints:
    excludes = np.zeros((size, size), dtype=bool)
    for members in lists:
        excludes[np.ix_(members, members)] = True
    np.fill_diagonal(excludes, False)
    return excludes


def _inside(structure: Structure) -> Ints:
    """Flag the pairs of values of one cell, if the cell lies in a house."""
    width = structure.space.width
    cell = np.arange(structure.space.size) // width
    same: Ints = cell[:, None] == cell
    return same & structure.in_house[cell][:, None]


def _padded(lists: list[Ints], nothing: int) -> Ints:
    table = np.full((len(lists), max(map(len, lists), default=0)), nothing, dtype=np.intp)
    for row, members in zip(table, lists, strict=True):
        row[: len(members)] = members
    return table


def _weights(structure: Structure, houses: bool) -> Ints:
    """Return the number of needed lists that a decided cell satisfies."""
    weight = np.ones(len(structure.space.names), dtype=np.int64)
    for layer in structure.layers if houses else ():
        weight += np.append(layer.houses, False)[layer.group_of]
    return weight
