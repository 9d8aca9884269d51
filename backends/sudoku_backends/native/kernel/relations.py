"""Relations that are given as lists: pairs, diagrams of words, sets of values, clauses."""

from __future__ import annotations

from ..language import kernel, lowest
from .changes import narrow
from .layout import Mem, Net
from .linear import fits, open_cells, require_all


@kernel
def relation(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Two variables, and for each value of either the values that the other can have with it.

    A record: x, y, and the places of the masks of y by value of x, and of x by value of y.
    """
    x = net[at]
    y = net[at + 1]
    return narrow(mem, dom, y, supported(net, mem[dom + x], mem[dom + y], net[at + 2])) and narrow(
        mem, dom, x, supported(net, mem[dom + y], mem[dom + x], net[at + 3])
    )


@kernel
def supported(net: Net, values: int, wanted: int, masks: int) -> int:
    """Return the values that some values support; stop as soon as all wanted ones are among them."""
    found = 0
    while values and wanted & ~found:
        found |= net[masks + lowest(values)]
        values &= values - 1
    return found


@kernel
def clause(net: Net, mem: Mem, at: int, dom: int) -> int:
    """At least one of some variables has a value of its mask. A record: their number, pairs of variable and mask."""
    open_ones = 0
    last = 0
    for i in range(net[at]):
        mask = mem[dom + net[at + 1 + 2 * i]]
        wanted = net[at + 2 + 2 * i]
        if mask & wanted:
            if mask & ~wanted == 0:
                return 1
            open_ones += 1
            if open_ones > 1:
                return 1
            last = i
    if open_ones == 0:
        return 0
    return narrow(mem, dom, net[at + 1 + 2 * last], net[at + 2 + 2 * last])


@kernel
def value_sets(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Cells, all different, have the values of a listed set. A record: the numbers of cells and sets, cells, sets."""
    size = net[at]
    first = at + 2
    settled = 0
    union = 0
    for i in range(first, first + size):
        mask = mem[dom + net[i]]
        union |= mask
        if mask & (mask - 1) == 0:
            if settled & mask:
                return 0
            settled |= mask
    cells = open_cells(net, mem, dom, first, size, -1)
    possible = 0
    required = -1
    some = 0
    for i in range(first + size, first + size + net[at + 1]):
        if net[i] & settled == settled and net[i] & ~union == 0:
            rest = net[i] & ~settled
            if fits(net, mem, rest, cells):
                some = 1
                possible |= rest
                required &= rest
    if not some:
        return 0
    for i in range(first, first + size):
        if not narrow(mem, dom, net[i], possible | settled):
            return 0
    return require_all(net, mem, dom, first, size, required & possible)


@kernel
def diagram(net: Net, mem: Mem, at: int, dom: int) -> int:
    """The values along some variables spell a path of a diagram with layers.

    A record: the length, the place of the diagram, the variables. A diagram: the number of its nodes; where the nodes
    of each layer begin; where the arrows of each node begin; arrows, each a mask and the node it leads to. Nodes that
    the letters left reach are listed layer by layer (ORDER, ENDS); LIVE has 1 for these, 2 for those that lead on to
    the last one.
    """
    length = net[at]
    end = reached_nodes(net, mem, at, dom)
    good = 1 if mem.ends[length + 1] > mem.ends[length] else 0
    if good:
        mem.live[mem.order[end - 1]] = 2
        for i in range(length - 1, -1, -1):
            if good:
                good = narrow(
                    mem, dom, net[at + 2 + i], letters(net, mem, net[at + 1], i, length, mem[dom + net[at + 2 + i]])
                )
    for i in range(end):
        mem.live[mem.order[i]] = 0
    return good


@kernel
def reached_nodes(net: Net, mem: Mem, at: int, dom: int) -> int:
    """List the nodes that the letters left reach from the first one, layer by layer; return their number."""
    arrows_at = net[at + 1] + 1 + net[at] + 2
    arrows = arrows_at + net[net[at + 1]] + 1
    live = mem.live.place
    order = mem.order.place
    ends = mem.ends.place
    mem[order] = 0
    mem[live] = 1
    mem[ends] = 0
    mem[ends + 1] = 1
    end = 1
    for i in range(net[at]):
        mask = mem[dom + net[at + 2 + i]]
        for z in range(mem[ends + i], mem[ends + i + 1]):
            node = arrows_at + mem[order + z]
            for e in range(net[node], net[node + 1]):
                to = net[arrows + 2 * e + 1]
                if net[arrows + 2 * e] & mask and mem[live + to] == 0:
                    mem[live + to] = 1
                    mem[order + end] = to
                    end += 1
        mem[ends + i + 2] = end
    return end


@kernel
def letters(net: Net, mem: Mem, place: int, layer: int, length: int, mask: int) -> int:
    """Return the letters of a layer on paths that lead to the end, and mark the nodes from which they do."""
    arrows_at = place + 1 + length + 2
    arrows = arrows_at + net[place] + 1
    live = mem.live.place
    found = 0
    for z in range(mem.ends[layer], mem.ends[layer + 1]):
        node = mem.order[z]
        for e in range(net[arrows_at + node], net[arrows_at + node + 1]):
            shared = net[arrows + 2 * e] & mask
            if shared and mem[live + net[arrows + 2 * e + 1]] == 2:
                found |= shared
                mem[live + node] = 2
    return found
