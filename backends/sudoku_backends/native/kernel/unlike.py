"""Opposites with kernels of their own: cells that do not form one group, lists that do not have the same values."""

from __future__ import annotations

from ..language import kernel
from .changes import narrow
from .counters import count_sure
from .joined import POSSIBLE_PLACE, QUEUE, SURE_PLACE, sort_places
from .layout import Mem, Net

IN_GROUP = 3
BESIDE_GROUP = 4


@kernel
def parted(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Some cells inside are not connected. A record: as for ``joined``; the numbers of cells are not examined.

    It surely holds if the cells surely inside are not connected through such cells. Otherwise the constraint needs a
    cell inside that is not next to them; if only one cell can be that, it is inside.
    """
    sure = sort_places(net, mem, at, dom)
    if sure == 0:
        return two_apart(net, mem, at)
    if group_of_sure(net, mem, at) < sure:
        return 1
    far = -1
    for i in range(net[at]):
        if mem.flags[i] == POSSIBLE_PLACE:
            if far >= 0:
                return 1
            far = i
    if far < 0:
        return 0
    return narrow(mem, dom, net[at + 4 + far], net[at + 1])


@kernel
def group_of_sure(net: Net, mem: Mem, at: int) -> int:
    """Flag the cells surely inside that are connected to one through such cells, and possible cells next to these.

    Return the number of cells in that group.
    """
    cells = net[at]
    flags = mem.flags.place
    queue = flags + QUEUE * cells
    for i in range(cells):
        if mem[flags + i] == SURE_PLACE:
            mem[queue] = i
    mem[flags + mem[queue]] = IN_GROUP
    first = 0
    last = 1
    while first < last:
        place = mem[queue + first]
        first += 1
        for e in range(net[at + 4 + cells + place], net[at + 4 + cells + place + 1]):
            other = net[at + 5 + 2 * cells + e]
            if mem[flags + other] == SURE_PLACE:
                mem[flags + other] = IN_GROUP
                mem[queue + last] = other
                last += 1
            elif mem[flags + other] == POSSIBLE_PLACE:
                mem[flags + other] = BESIDE_GROUP
    return last


@kernel
def two_apart(net: Net, mem: Mem, at: int) -> int:
    """Return whether two cells that may be inside are not next to each other."""
    cells = net[at]
    row = mem.flags.place + QUEUE * cells
    for i in range(cells):
        mem[row + i] = -1
    for i in range(cells):
        if mem.flags[i] == POSSIBLE_PLACE:
            mem[row + i] = i
            for e in range(net[at + 4 + cells + i], net[at + 4 + cells + i + 1]):
                mem[row + net[at + 5 + 2 * cells + e]] = i
            for k in range(i):
                if mem.flags[k] == POSSIBLE_PLACE and mem[row + k] != i:
                    return 1
    return 0


@kernel
def unlike_bags(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Two lists do not have the same values equally often. A record: as for ``same_bag``.

    Nothing follows while two places are open; the last open one loses the value that would make the lists the same.
    """
    size = net[at]
    last = -1
    for i in range(2 * size):
        mask = mem[dom + net[at + 2 + i]]
        if mask & (mask - 1):
            if last >= 0:
                return 1
            last = i
    values = net[at + 1]
    lacking = 0
    while values:
        value = values & -values
        values &= values - 1
        left = count_sure(net, mem, at + 2, size, value, dom)
        right = count_sure(net, mem, at + 2 + size, size, value, dom)
        more = left - right if last >= size else right - left
        if (last < 0 and more != 0) or more < 0 or more > 1:
            return 1
        if more == 1:
            lacking = value
    if last < 0:
        return 0
    return narrow(mem, dom, net[at + 2 + last], ~lacking)
