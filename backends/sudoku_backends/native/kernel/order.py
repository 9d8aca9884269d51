"""The least and the greatest of some values, and a value chosen by an index."""

from __future__ import annotations

from ..language import highest, kernel, lowest
from .changes import below, narrow, up_to
from .layout import Mem, Net


@kernel
def extremes(net: Net, mem: Mem, at: int, dom: int) -> int:
    """The least and the greatest value of some cells.

    A record: the number of cells; for the least value a variable, or -1 and a mask, which is 0 if the least is not
    asked for; the same for the greatest; the cells.
    """
    if net[at + 2] and not extreme(net, mem, at, dom, 1):
        return 0
    return net[at + 4] == 0 or extreme(net, mem, at, dom, 0)


@kernel
def extreme(net: Net, mem: Mem, at: int, dom: int, least: int) -> int:
    """Narrow the least value (or the greatest) and the cells."""
    place = at + 1 if least else at + 3
    y = net[place]
    mask = net[place + 1] if y < 0 else mem[dom + y]
    mask &= within_reach(net, mem, at, dom, least)
    if mask == 0 or (y >= 0 and not narrow(mem, dom, y, mask)):
        return 0
    bound = ~below(lowest(mask)) if least else up_to(highest(mask))
    places = 0
    last = 0
    for i in range(at + 5, at + 5 + net[at]):
        if not narrow(mem, dom, net[i], bound):
            return 0
        if mem[dom + net[i]] & mask:
            places += 1
            last = net[i]
    if places == 1:
        return narrow(mem, dom, last, mask)
    return places > 0


@kernel
def within_reach(net: Net, mem: Mem, at: int, dom: int, least: int) -> int:
    """Return the values that the least (or the greatest) of some cells may have."""
    union = 0
    edge = 64 if least else -1
    for i in range(at + 5, at + 5 + net[at]):
        mask = mem[dom + net[i]]
        union |= mask
        edge = min(edge, highest(mask)) if least else max(edge, lowest(mask))
    return union & up_to(edge) if least else union & ~below(edge)


@kernel
def chosen(net: Net, mem: Mem, at: int, dom: int) -> int:
    """The value of the cell at an index.

    A record: the number of cells, the variable of the index, the variable of the value (or -1), the mask of the value
    if it has no variable, what is added to the index's bit to get the index, the cells.
    """
    index = net[at + 1]
    y = net[at + 2]
    wanted = net[at + 3] if y < 0 else mem[dom + y]
    rest = mem[dom + index]
    good = 0
    values = 0
    while rest:
        i = lowest(rest) + net[at + 4]
        shared = mem[dom + net[at + 5 + i]] & wanted if 0 <= i < net[at] else 0
        if shared:
            good |= rest & -rest
            values |= shared
        rest &= rest - 1
    if not narrow(mem, dom, index, good) or (y >= 0 and not narrow(mem, dom, y, values)):
        return 0
    if good & (good - 1):
        return 1
    x = net[at + 5 + lowest(good) + net[at + 4]]
    return narrow(mem, dom, x, wanted if y < 0 else mem[dom + y])
