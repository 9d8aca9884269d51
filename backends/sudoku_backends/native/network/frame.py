"""What models with the same houses have in common: which variables differ, and the houses as rows of the network.

The houses of a board stand first in the model of a puzzle, and many puzzles have the same board. What follows from them
alone is found once, kept, and used unchanged by each network, unless something narrows what a house can hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from struct import pack
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_models.model import AllDifferent
from sudoku_models.model.same_objects import SameObjects
from sudoku_models.model.stated_variables import StatedVariables

from ..kernel import layout

Ints = NDArray[np.int64]
KEPT = 64
"""The number of frames that are kept."""

KEPT_MASKS = 1_024


class FrameHouse(NamedTuple):
    """Variables that are all different, and the same as a bit set."""

    xs: tuple[int, ...]
    whole: int


@dataclass(frozen=True)
class Frame:
    """The houses that stand first in a model, the peers of each variable, and the values that each house can hold.

    ``masks`` are the values that each variable of the model can have at first; ``full`` is whether each house has
    as many variables as values.
    """

    houses: tuple[FrameHouse, ...]
    masks: tuple[int, ...]
    peers: tuple[int, ...]
    unions: tuple[int, ...]
    full: bool
    blocks: dict[int, NetworkBlock] = field(default_factory=dict, compare=False)
    sets: dict[int, tuple[Ints, int]] = field(default_factory=dict, compare=False)

    @cached_property
    def wholes(self) -> frozenset[int]:
        """The houses as bit sets."""
        return frozenset(house.whole for house in self.houses)

    @cached_property
    def houses_with(self) -> tuple[int, ...]:
        """For each variable, its houses as the bits of their numbers."""
        found = [0] * len(self.masks)
        for number, house in enumerate(self.houses):
            for x in house.xs:
                found[x] |= 1 << number
        return tuple(found)

    def peers_in(self, words: int) -> tuple[Ints, int]:
        """Return the peers as bit sets of a given number of words each, and the number of peers."""
        found = self.sets.get(words)
        if found is None:
            found = self.sets[words] = words_of(self.peers, words), sum(map(int.bit_count, self.peers))
        return found

    def block(self, words: int) -> NetworkBlock:
        """Return the rows of all houses, with bit sets of variables of a given number of words."""
        found = self.blocks.get(words)
        if found is None:
            found = self.blocks[words] = block_of(self.houses, self.unions, words)
        return found


class NetworkBlock(NamedTuple):
    """Rows of the network as columns: kind, record (a place in ``pool``), priority, idempotent, length of the scope."""

    pool: Ints
    columns: Ints
    scopes: Ints
    longest: int


class Beginning(NamedTuple):
    """The values that variables can have at first: the value of bit 0, the number of bits used, and the masks."""

    base: int
    bits: int
    masks: tuple[int, ...]


def beginning(variables: StatedVariables) -> Beginning:
    """Return the values that variables can have at first; the result is kept with them."""
    found = variables.memo.get("native")
    if not isinstance(found, Beginning):
        base = min([values[0] for values in variables.unlike if values], default=0)
        masks = {id(v.domain): v.domain for v in variables}
        of = {number: mask_of(values, base) for number, values in masks.items()}
        bits = max(of.values(), default=0).bit_length()
        found = variables.memo["native"] = Beginning(base, bits, tuple([of[id(v.domain)] for v in variables]))
    return found


def mask_of(values: Iterable[int], base: int) -> int:
    """Return the mask of values, by their distance from ``base``; those outside of a word are left out."""
    found = 0
    for value in values:
        if 0 <= value - base < layout.MOST_BITS:
            found |= 1 << (value - base)
    return found


@lru_cache(KEPT_MASKS)
def known_mask(values: tuple[int, ...], base: int) -> int:
    """Return the same as ``mask_of``."""
    return mask_of(values, base)


@lru_cache(KEPT)
def frame_of(key: SameObjects) -> Frame:
    """Return the frame of houses; the key has the variables of the model, their masks, and the houses."""
    variables, masks, *listed = key.kept
    assert isinstance(variables, StatedVariables)
    assert isinstance(masks, tuple)
    index, names = variables.places, variables.names
    houses = tuple([house_of(tuple([index[x] for x in c.xs])) for c in listed if isinstance(c, AllDifferent)])
    unions = tuple(union_of(house, masks) for house in houses)
    full = all(union.bit_count() == len(house.xs) > 1 for house, union in zip(houses, unions, strict=True))
    return Frame(houses, masks, tuple(with_peers([0] * len(names), houses)), unions, full)


def house_of(xs: tuple[int, ...]) -> FrameHouse:
    """Return variables as a house."""
    return FrameHouse(xs, sum([1 << x for x in xs]))


def with_peers(peers: list[int], houses: tuple[FrameHouse, ...]) -> list[int]:
    """Add to the peers of each variable those that it has in some houses."""
    for xs, whole in houses:
        for x in xs:
            peers[x] |= whole & ~(1 << x)
    return peers


def union_of(house: FrameHouse, masks: list[int] | tuple[int, ...]) -> int:
    """Return the values that the variables of a house can have, together."""
    union = 0
    for x in house.xs:
        union |= masks[x]
    return union


def split(bits: int, words: int) -> list[int]:
    """Return a bit set of variables as words."""
    return [(bits >> (layout.WORD * w)) & ((1 << layout.WORD) - 1) for w in range(words)]


def words_of(sets: Sequence[int], words: int) -> Ints:
    """Return bit sets of variables as words, one set after the other."""
    if words == 2:
        low = (1 << layout.WORD) - 1
        return numbers([word for bits in sets for word in (bits & low, bits >> layout.WORD)])
    return numbers([word for bits in sets for word in split(bits, words)])


def block_of(houses: tuple[FrameHouse, ...], unions: tuple[int, ...], words: int) -> NetworkBlock:
    """Return two rows for each house, HOUSE and LOCKED, that share their record."""
    pool: list[int] = []
    records: list[int] = []
    priorities: list[int] = []
    scopes: list[int] = []
    for house, union in zip(houses, unions, strict=True):
        full = union.bit_count() == len(house.xs)
        records += [len(pool)] * 2
        pool += [len(house.xs), union, int(full), *house.xs, *split(house.whole, words)]
        priorities += [0 if full else 1, 1]
        scopes += house.xs * 2
    kinds = [layout.HOUSE, layout.LOCKED] * len(houses)
    lengths = [len(house.xs) for house in houses for _ in range(2)]
    longest = max((3 + len(house.xs) + words for house in houses), default=0)
    columns = numbers([*kinds, *records, *priorities, *([0] * len(kinds)), *lengths]).reshape(5, len(kinds))
    return NetworkBlock(numbers(pool), columns, numbers(scopes), longest)


def together(one: NetworkBlock, other: NetworkBlock) -> NetworkBlock:
    """Return the rows of two blocks."""
    columns = np.concatenate((one.columns, other.columns), axis=1)
    columns[1, one.columns.shape[1] :] += len(one.pool)
    pool, scopes = np.concatenate((one.pool, other.pool)), np.concatenate((one.scopes, other.scopes))
    return NetworkBlock(pool, columns, scopes, max(one.longest, other.longest))


def numbers(values: Iterable[int]) -> Ints:
    """Return whole numbers as an array that may be written to."""
    found = packed(values)
    return np.frombuffer(bytearray(found), np.int64) if found else np.empty(0, np.int64)


def packed(values: Iterable[int]) -> bytes:
    """Return whole numbers as words of 64 bits: three times as fast as ``array`` and numpy read a list."""
    listed = values if isinstance(values, list | tuple) else list(values)
    return pack(f"{len(listed)}q", *listed)
