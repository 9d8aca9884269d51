"""Cells with certain values that form one connected group."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .layout import kernel

# In a row of work: whether each cell cannot, may or must be inside. Then, for each cell, when a search from
# the first cell inside reached it (from 1), and the earliest cell that is joined to those found after it; a counter.
MAY = 1
IS = 2


@kernel
def search_from(net: Ints, mem: Ints, n: int, at: int, values: int, lists: int, top: int, cell: int) -> int:
    """Continue from a cell to all that are joined to it; return whether one that is inside was found, this one
    included.

    A cell that may be inside must be inside if one inside was found through it that is joined to no earlier cell: a cut
    vertex of the graph, found as Tarjan does (1972).
    """
    mem[top + 3 * n] += 1
    mem[top + n + cell] = mem[top + 3 * n]
    mem[top + 2 * n + cell] = mem[top + 3 * n]
    inside = mem[top + cell] & IS
    needed = 0
    for e in range(net[lists + cell], net[lists + cell + 1]):
        other = net[lists + n + 1 + e]
        if mem[top + other] != 0:
            earliest = mem[top + n + other]
            if earliest == 0:
                found = search_from(net, mem, n, at, values, lists, top, other)
                inside |= found
                earliest = mem[top + 2 * n + other]
                if found != 0 and earliest >= mem[top + n + cell]:
                    needed = 1
            mem[top + 2 * n + cell] = min(mem[top + 2 * n + cell], earliest)
    if needed and mem[top + cell] == MAY:
        mem[at + cell] &= values
    return inside


@kernel
def joined(net: Ints, mem: Ints, n: int, at: int, record: int, top: int) -> int:
    """Exclude cells that cannot be reached from the group, and include those without which it would fall apart."""
    values = net[record]
    first = -1
    for i in range(n):
        mask = mem[at + i]
        mem[top + i] = 0
        mem[top + n + i] = 0
        if mask & values != 0:
            mem[top + i] = MAY
            if mask & ~values == 0:
                mem[top + i] = MAY | IS
                if first < 0:
                    first = i
    if first < 0:
        return 1
    mem[top + 3 * n] = 0
    search_from(net, mem, n, at, values, record + 1, top, first)
    for i in range(n):
        if mem[top + n + i] == 0:
            if mem[top + i] & IS:
                return 0
            mem[at + i] &= ~values
    return 1
