"""Singles of a small model in plain Python: whole families of lists are counted together in long integers.

A family is all cells, or all (house, value) of a layer. In a family's integer the lists lie next to each other, their
first candidates in the lowest plane of bits, their second ones in the next plane, and so on. Adding the planes up, with
one bit for "one or more" and one for "two or more", finds every list of length 1 in a few operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..encoding.reduce import Narrow
from ..encoding.space import Ints
from ..encoding.structure import Structure


@dataclass(frozen=True)
class Family:
    """``lists`` lists of up to ``planes`` candidates; ``candidate`` is the candidate of each bit.

    For each candidate, ``keep`` is what stays open when it is decided, ``solves`` are the lists that it satisfies (bits
    of one plane), and ``bit`` is its own bit.
    """

    lists: int
    planes: int
    candidate: list[int]
    keep: list[int]
    solves: list[int]
    bit: list[int]


class Planes:
    """The families of a structure."""

    def __init__(self, structure: Structure, excludes: Ints) -> None:
        """``excludes[f]`` flags the candidates that f excludes, shape (candidates, candidates)."""
        width = structure.space.width
        tables = [np.arange(structure.space.size).reshape(-1, width)]
        for layer in structure.layers:
            houses = [np.flatnonzero(layer.group_of == g) * width for g in np.flatnonzero(layer.houses)]
            if houses:
                tables.append(np.array([cells + column for cells in houses for column in range(width)]))
        self.space, self.width = structure.space, width
        self.families = [_family(table, excludes) for table in tables]

    def decide(self, narrow: Narrow) -> list[int] | None:
        """Return the candidates decided by the givens and by all singles that follow; None on a contradiction."""
        state = [(1 << family.lists * family.planes) - 1 for family in self.families]
        solved = [0] * len(state)
        for f in self._removed(narrow):
            state = [bits & ~family.bit[f] for bits, family in zip(state, self.families, strict=True)]
        given = (narrow.cells * self.width + narrow.columns).tolist()
        found = self._apply(given, state, solved)
        changed = len(found) == len(given)
        if not changed:
            return None
        while changed:
            changed = False
            for number, family in enumerate(self.families):
                singles = _singles(family, state[number], solved[number])
                if singles is None:
                    return None
                if singles:
                    changed = True
                    found += self._apply(singles, state, solved)
        return found

    def _removed(self, narrow: Narrow) -> Iterator[int]:
        """Return the candidates that limited cells have lost."""
        for cell, values in narrow.limited.items():
            lost = np.flatnonzero(~self.space.row(values))
            yield from (cell * self.width + lost).tolist()

    def _apply(self, candidates: Iterable[int], state: list[int], solved: list[int]) -> list[int]:
        """Decide candidates; one that an earlier one excludes leaves its lists empty, which is found later."""
        applied = []
        first = self.families[0]
        for f in candidates:
            if not state[0] & first.bit[f]:
                continue
            applied.append(f)
            for number, family in enumerate(self.families):
                state[number] &= family.keep[f]
                solved[number] |= family.solves[f]
        return applied


def _singles(family: Family, bits: int, solved: int) -> list[int] | None:
    """Return the candidates of the lists of length 1; None if an unsolved list is empty."""
    lists = family.lists
    mask = (1 << lists) - 1
    planes = [bits >> at & mask for at in range(0, lists * family.planes, lists)]
    one = two = 0
    for plane in planes:
        two |= one & plane
        one |= plane
    if one | solved != mask:
        return None
    single = one & ~two
    if not single:
        return []
    return [family.candidate[at * lists + g] for at, plane in enumerate(planes) for g in _bits(plane & single)]


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _family(table: Ints, excludes: Ints) -> Family:
    """Make a family from the candidates of its lists, shape (lists, planes); each candidate is in at most one list."""
    lists, planes = table.shape
    order = table.T.ravel().tolist()
    solves, bit = [0] * len(excludes), [0] * len(excludes)
    for at, f in enumerate(order):
        solves[f], bit[f] = 1 << at % lists, 1 << at
    gone = _integers(excludes[:, order])
    whole = (1 << len(order)) - 1
    return Family(lists, planes, order, [whole & ~(out | own) for out, own in zip(gone, bit, strict=True)], solves, bit)


def _integers(flags: Ints) -> list[int]:
    """Return each row of flags as an integer, the first flag in the lowest bit."""
    packed = np.packbits(flags, axis=1, bitorder="little")
    width, text = packed.shape[1], packed.tobytes()
    return [int.from_bytes(text[at : at + width], "little") for at in range(0, len(text), width)]
