"""Relations that are given as lists (pairs, diagrams of words, sets of values, clauses), extremes, a value chosen by an
index, and two lists in order.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import highest, lowest

from .changes import below, narrow, up_to
from .layout import Mem, Net, kernel
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
    of each layer begin; where the arrows of each node begin; arrows, each a mask and the node it leads to. LIVE has 1
    for nodes that the letters left reach, 3 for those of them that lead on to the last one.
    """
    length = net[at]
    live = mem.live.place
    last = live + net[net[at + 1]] - 1
    reached = read_forward(net, mem, at, dom)
    good = mem[last]
    mem[last] |= 2
    for i in range(length - 1, -1, -1):
        if good:
            x = net[at + 2 + i]
            good = narrow(mem, dom, x, letters(net, mem, net[at + 1] + 1 + length + 3 + net[net[at + 1]], i))
    mem[last] = 0
    for i in range(reached):
        mem[live + mem.order[i]] = 0
    return good


@kernel
def read_forward(net: Net, mem: Mem, at: int, dom: int) -> int:
    """List the nodes that the letters left reach and the arrows between them; return the number of nodes.

    An arrow is listed as its source, 32 bits up, and its number; ENDS has where those of each layer end. Most tests of
    an arrow cannot be foretold, so none is a branch: what fails is overwritten.
    """
    arrows_at = net[at + 1] + 1 + net[at] + 2
    arrows = arrows_at + net[net[at + 1]] + 1
    live = mem.live.place
    order = mem.order.place
    passed = mem.passed.place
    mem[order] = 0
    mem[live] = 1
    begin = 0
    end = 1
    count = 0
    for i in range(net[at]):
        mask = mem[dom + net[at + 2 + i]]
        layer = end
        for z in range(begin, layer):
            source = mem[order + z]
            for e in range(net[arrows_at + source], net[arrows_at + source + 1]):
                to = net[arrows + 2 * e + 1]
                passes = net[arrows + 2 * e] & mask != 0
                mem[passed + count] = source << 32 | e
                mem[order + end] = to
                count += passes
                end += passes & (mem[live + to] == 0)
                mem[live + to] |= passes
        begin = layer
        mem.ends[i + 1] = count
    return end


@kernel
def letters(net: Net, mem: Mem, arrows: int, layer: int) -> int:
    """Return the letters of a layer's arrows that lead to the end, and mark the nodes from which they do."""
    live = mem.live.place
    found = 0
    for i in range(mem.ends[layer], mem.ends[layer + 1]):
        e = arrows + 2 * (mem.passed[i] & 0xFFFFFFFF)
        leads = mem[live + net[e + 1]] & 2
        mem[live + (mem.passed[i] >> 32)] |= leads
        found |= net[e] & -(leads >> 1)
    return found


# ---------------------------------------------------------------- order


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


@kernel
def ordered(net: Net, mem: Mem, dom: int, first: int, second: int, places: int, strict: int) -> int:
    """The variables listed from one place of ``net`` on come before those listed from another, or equal them unless
    they must be strictly smaller. A record of IN_ORDER: the number of places, whether strictly, both lists.

    All places before the current one are equal; what is left at that place, and whether both may be equal there, is all
    that can be said, as in the "GAC-lex" of Frisch, Hnich, Kiziltan, Miguel and Walsh (2002).
    """
    for i in range(places):
        x = net[first + i]
        y = net[second + i]
        if x != y:
            less = 0 if may_precede(net, mem, dom, first + i + 1, second + i + 1, places - i - 1, strict) else 1
            if not narrow(mem, dom, x, up_to(highest(mem[dom + y]) - less)):
                return 0
            if not narrow(mem, dom, y, ~below(lowest(mem[dom + x]) + less)):
                return 0
            if less or lowest(mem[dom + x]) != highest(mem[dom + y]):
                return 1
    return not strict


@kernel
def may_precede(net: Net, mem: Mem, dom: int, first: int, second: int, places: int, strict: int) -> int:
    """Return whether two lists may be in order."""
    for i in range(places):
        x = net[first + i]
        y = net[second + i]
        if x != y:
            low = lowest(mem[dom + x])
            high = highest(mem[dom + y])
            if low != high:
                return low < high
    return not strict


@kernel
def less_where(net: Net, mem: Mem, at: int, dom: int) -> int:
    """A list that begins with a value goes on with less than another list, or none does; what begins with it agrees.

    A record: the number of places of the other list, the mask of the value, the variable that says which (or -1), its
    masks for "one does" and "none does" (or 1 and 0), whether what begins with it may then be equal, the number of
    lists and the length of each, the other list, the lists.
    """
    y = net[at + 2]
    says = mem[dom + y] if y >= 0 else 1
    may = (says & net[at + 3] != 0) + 2 * (says & net[at + 4] != 0)
    hopes = 0
    one = at + 7 + net[at + 6] + net[at]
    for size in range(at + 7, at + 7 + net[at + 6]):
        can = may & outcomes(net, mem, at, size, one, dom) if mem[dom + net[one]] & net[at + 1] else 0
        hopes |= can
        if mem[dom + net[one]] & ~net[at + 1] == 0:
            may = can
            if not going_on(net, mem, at, size, one, dom, can):
                return 0
        elif can == 0 and not narrow(mem, dom, net[one], ~net[at + 1]):
            return 0
        one += net[size]
    may &= 2 | hopes
    if y < 0:
        return may
    return narrow(mem, dom, y, (net[at + 3] if may & 1 else 0) | (net[at + 4] if may & 2 else 0))


@kernel
def outcomes(net: Net, mem: Mem, at: int, size: int, one: int, dom: int) -> int:
    """Return whether a list may go on with less than the other list (1), and whether it may not (2)."""
    other = at + 7 + net[at + 6]
    less = may_precede(net, mem, dom, one + 1, other, net[size] - 1, 1)
    return less + 2 * may_precede(net, mem, dom, other, one + 1, net[size] - 1, 1 - net[at + 5])


@kernel
def going_on(net: Net, mem: Mem, at: int, size: int, one: int, dom: int, can: int) -> int:
    """Narrow a list that begins with the value, if only one of its ``outcomes`` is left."""
    other = at + 7 + net[at + 6]
    if can == 1:
        return ordered(net, mem, dom, one + 1, other, net[size] - 1, 1)
    if can == 2:
        return ordered(net, mem, dom, other, one + 1, net[size] - 1, 1 - net[at + 5])
    return can
