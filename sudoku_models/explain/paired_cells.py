"""Pairs of cells that differ as pairs, recognised in a group with a hidden variable for each pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .atoms import GroupAtom, HouseAtom, Listed


@dataclass(frozen=True)
class PairedCells:
    """``places`` are the two cells of each pair; ``codes`` the bits that both may have, each combination once."""

    places: tuple[tuple[int, int], ...]
    codes: tuple[tuple[int, int], ...]


def pairs_of(group: GroupAtom) -> PairedCells | None:
    """Return a group as pairs that differ; None if it states anything else.

    Each hidden variable must be the number of the values of two cells, by the same table for all, with a number for
    every combination of values, and all of them must differ; no cell may be in two pairs.
    """
    tables = [(places, how) for places, how in group.inner if isinstance(how, Listed) and len(places) == 3]
    houses = [places for places, how in group.inner if isinstance(how, HouseAtom)]
    hidden = range(group.visible, group.visible + len(group.hidden))
    if len(tables) + len(houses) < len(group.inner) or len(houses) != 1 or sorted(houses[0]) != list(hidden):
        return None
    codes, found = set[tuple[tuple[int, int, int], ...]](), list[tuple[int, int]]()
    for places, how in tables:
        order = sorted(range(3), key=lambda i: (places[i] in hidden, i))
        first, second, number = (places[i] for i in order)
        if number not in hidden or second in hidden:
            return None
        found.append((first, second))
        codes.add(tuple(sorted(map(tuple, np.asarray(how.rows)[:, order].tolist()))))
    rows = next(iter(codes), ())
    distinct = len({row[:2] for row in rows}) == len({row[2] for row in rows}) == len(rows)
    product = len({row[0] for row in rows}) * len({row[1] for row in rows}) == len(rows)
    cells = [cell for pair in found for cell in pair]
    if len(codes) != 1 or not (distinct and product) or len(set(cells)) < len(cells) or len(found) != len(group.hidden):
        return None
    return PairedCells(tuple(found), tuple(row[:2] for row in rows))
