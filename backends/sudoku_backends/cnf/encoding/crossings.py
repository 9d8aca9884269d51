"""Where two AllDifferents share two or more cells, which locked candidates need (a box and a row, for instance)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .space import Ints
from .structure import Layer, Structure


@dataclass(frozen=True)
class Crossing:
    """The shared cells of the groups of two layers.

    ``part_of[cell]`` is the number of the shared part that the cell lies in, or ``parts`` if it lies in no shared part.
    ``first[part]`` and ``second[part]`` are its groups in the two layers (``layers``, as indexes of the structure's
    layers).
    """

    layers: tuple[int, int]
    part_of: Ints
    parts: int
    first: Ints
    second: Ints


def crossings_of(structure: Structure) -> tuple[Crossing, ...]:
    """Return the crossings of a structure in which at least one of the two groups is a house; computed once."""
    memo = structure.model.memo
    if "cnf crossings" not in memo:
        pairs = combinations(range(len(structure.layers)), 2)
        found = (_crossing(structure.layers[a], structure.layers[b], (a, b)) for a, b in pairs)
        memo["cnf crossings"] = tuple(crossing for crossing in found if crossing.parts)
    result: tuple[Crossing, ...] = memo["cnf crossings"]
    return result


def _crossing(one: Layer, other: Layer, layers: tuple[int, int]) -> Crossing:
    inside = (one.group_of < one.groups) & (other.group_of < other.groups)
    houses = np.append(one.houses, False)[one.group_of] | np.append(other.houses, False)[other.group_of]
    key = one.group_of.astype(np.int64) * (other.groups + 1) + other.group_of
    count = np.bincount(key)
    kept = (inside & houses & (count[key] > 1)).nonzero()[0]
    used = np.flatnonzero(np.bincount(key[kept], minlength=len(count)))
    number = np.full(len(count), len(used), dtype=np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    part_of = np.full(len(key), len(used), dtype=np.int32)
    part_of[kept] = number[key[kept]]
    first, second = np.divmod(used, other.groups + 1)
    return Crossing(layers, part_of, len(used), first.astype(np.int32), second.astype(np.int32))
