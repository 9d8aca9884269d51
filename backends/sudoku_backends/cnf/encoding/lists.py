"""The lists of a reduced model: the open values of each cell, the open places of each value in each AllDifferent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .reduce import Reduced
from .space import Ints
from .structure import Layer, Structure


@dataclass(frozen=True)
class Lists:
    """The literals of all lists, one list after the other, and the lengths of the lists (none is 0).

    The first ``cells`` lists are those of the cells. ``exactly`` flags the lists of which one literal is true in every
    solution (cells and houses); it is None if all are. ``lonely`` flags the lists of cells that lie in no house; it is
    None if there are none. ``clash`` is true if a list that needs a true candidate has none left.
    """

    lits: Ints
    lens: Ints
    cells: int
    exactly: Ints | None
    lonely: Ints | None
    clash: bool


def lists_of(structure: Structure, reduced: Reduced) -> Lists:
    """Gather the lists over the literals 1, 2, ... of the open candidates."""
    literals = np.arange(1, len(reduced.open) + 1, dtype=np.int32)
    starts = np.flatnonzero(np.diff(reduced.cell, prepend=-1))
    lens = np.diff(starts, append=len(literals))
    cells = len(starts)
    parts, lengths, flags = [literals], [lens], [np.ones(cells, dtype=bool)]
    clash = cells < len(structure.space.names) - len(reduced.fixed_cells)
    for layer in structure.layers:
        lits, counts, groups, empty = _layer_lists(layer, reduced, literals, len(structure.space.values))
        parts.append(lits)
        lengths.append(counts)
        if not layer.all_houses:
            flags.append(layer.houses[groups])
        else:
            flags.append(np.ones(len(counts), dtype=bool))
        clash |= empty
    exactly = None if all(layer.all_houses for layer in structure.layers) else np.concatenate(flags)
    lonely = None if structure.in_house.all() else ~structure.in_house[reduced.cell[starts]]
    return Lists(np.concatenate(parts), np.concatenate(lengths).astype(np.int32), cells, exactly, lonely, clash)


def _layer_lists(layer: Layer, reduced: Reduced, literals: Ints, width: int) -> tuple[Ints, Ints, Ints, bool]:
    """Return the literals by list, the lists' lengths, their groups, and whether some group lacks places.

    A group lacks places when fewer values than cells are open in it (in a house: when a value has no place left).
    """
    groups, columns = layer.group_of[reduced.cell], reduced.column
    if not layer.covers:
        inside = groups < layer.groups
        groups, columns, literals = groups[inside], columns[inside], literals[inside]
    order, counts = _grouped(groups, columns, layer.groups, width)
    open_values = np.count_nonzero(counts.reshape(layer.groups, width), axis=1)
    fixed = np.bincount(layer.group_of[reduced.fixed_cells], minlength=layer.groups + 1)[: layer.groups]
    lists = np.flatnonzero(counts)
    return literals[order], counts[lists], lists // width, bool((open_values < layer.sizes - fixed).any())


def _grouped(groups: Ints, columns: Ints, rows: int, width: int) -> tuple[Ints, Ints]:
    """Sort stably by (group, column), by radix: numpy's stable sort of 16-bit keys."""
    keys = groups * np.int32(width) + columns
    counts = np.bincount(keys, minlength=rows * width)
    if rows * width <= 1 << 16:
        return np.argsort(keys.astype(np.uint16), kind="stable"), counts
    if max(rows, width) > 1 << 16:
        return np.argsort(keys, kind="stable"), counts
    by_column = np.argsort(columns.astype(np.uint16), kind="stable")
    return by_column[np.argsort(groups[by_column].astype(np.uint16), kind="stable")], counts
