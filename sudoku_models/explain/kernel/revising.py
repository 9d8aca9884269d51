"""Make the candidates of one node consistent, depending on its kind: cells that differ, diagrams, groups of parts."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import lowest, ones

from .layout import *  # the names of kinds, sections and numbers


@kernel
def house_ones(mem: Mem, n: int, at: int, values: int, exact: int) -> int:
    """Remove what one cell with one value takes from the others, and all other values of one that is in no other cell.

    All of it is removed also if that leaves a cell nothing.
    """
    seen = 0
    doubly = 0
    once = 0
    twice = 0
    for i in range(n):
        mask = mem[at + i]
        twice |= once & mask
        once |= mask
        if mask & (mask - 1) == 0:
            doubly |= seen & mask
            seen |= mask
    hidden = once & ~twice & values if exact else 0
    changed = 0
    for i in range(n):
        mask = mem[at + i]
        kept = mask & ~(doubly if mask & (mask - 1) == 0 else seen)
        own = mask & hidden
        if own != 0:
            kept &= own if own & (own - 1) == 0 else 0
        if kept != mask:
            mem[at + i] = kept
            changed = 1
    return changed


@kernel
def augmented(mem: Mem, at: int, owner: int, visited: int, cell: int) -> int:
    """Give a cell a value, moving others; 1 if that is possible. ``owner`` has the cell of each value, or -1."""
    rest = mem[at + cell] & ~mem[visited]
    while rest != 0:
        bit = lowest(rest)
        mem[visited] |= 1 << bit
        other = mem[owner + bit]
        if other < 0 or augmented(mem, at, owner, visited, other):
            mem[owner + bit] = cell
            return 1
        rest = mem[at + cell] & ~mem[visited]
    return 0


@kernel
def matched(mem: Mem, n: int, at: int, width: int, owner: int, visited: int) -> int:
    """Give each cell a different value; return the values, 0 if that is impossible. ``owner`` has the cell of each."""
    union = 0
    for i in range(n):
        union |= mem[at + i]
    if ones(union) < n:
        return 0
    for bit in range(width):
        mem[owner + bit] = -1
    for i in range(n):
        mem[visited] = 0
        if augmented(mem, at, owner, visited, i) == 0:
            return 0
    taken = 0
    for bit in range(width):
        if mem[owner + bit] >= 0:
            taken |= 1 << bit
    return taken


@kernel
def owners(mem: Mem, values: int, owner: int) -> int:
    """Return the cells, as bits, to which values are given."""
    cells = 0
    while values != 0:
        cells |= 1 << mem[owner + lowest(values)]
        values &= values - 1
    return cells


@kernel
def house_exactly(mem: Mem, n: int, at: int, width: int, top: int) -> int:
    """Keep the values that are part of some choice of different values, of ``width`` bits; 0 if there is none.

    Starting from one such choice, a cell may take a value of another cell if that cell can move on, along values that
    have room, to a free value or back to the first cell's own one.
    """
    owner = top
    visited = top + width
    reach = visited + 1
    taken = matched(mem, n, at, width, owner, visited)
    if taken == 0:
        return 0
    movable = 0
    for i in range(n):
        if mem[at + i] & ~taken != 0:
            movable |= 1 << i
        mem[reach + i] = owners(mem, mem[at + i] & taken, owner)
    for k in range(n):
        through = mem[reach + k]
        for i in range(n):
            if mem[reach + i] >> k & 1:
                mem[reach + i] |= through
    for i in range(n):
        kept = mem[at + i] & ~taken
        rest = mem[at + i] & taken
        while rest != 0:
            bit = lowest(rest)
            rest &= rest - 1
            other = mem[owner + bit]
            if other == i or mem[reach + other] & (movable | 1 << i) != 0:
                kept |= 1 << bit
        mem[at + i] = kept
    return 1


@kernel
def next_choice(mem: Mem, choice: int, k: int, n: int) -> int:
    """Advance to the next choice of k numbers below n, in order; 0 after the last one."""
    p = k - 1
    while p >= 0 and mem[choice + p] == n - k + p:
        p -= 1
    if p < 0:
        return 0
    mem[choice + p] += 1
    for q in range(p + 1, k):
        mem[choice + q] = mem[choice + q - 1] + 1
    return 1


@kernel
def naked_sets(mem: Mem, n: int, at: int, size: int, found: int, choice: int, top: int) -> int:
    """Remove from ``found`` what ``size`` of some masks that have as many bits together take from the others."""
    few = 0
    for i in range(n):
        if ones(mem[at + i]) <= size:
            mem[top + few] = i
            few += 1
    for i in range(size):
        mem[choice + i] = i
    more = 1 if size <= few else 0
    while more:
        union = 0
        chosen = 0
        for i in range(size):
            union |= mem[at + mem[top + mem[choice + i]]]
            chosen |= 1 << mem[top + mem[choice + i]]
        if ones(union) == size:
            for i in range(n):
                if chosen >> i & 1 == 0:
                    mem[found + i] &= ~union
        more = next_choice(mem, choice, size, few)
    return 1


@kernel
def hidden_sets(mem: Mem, n: int, at: int, values: int, size: int, found: int, choice: int, top: int) -> int:
    """Remove all other values from ``size`` cells that are the only places for as many values.

    The house has a place for each of its values: the places of values take the part of the values of cells.
    """
    kept = top + n
    for j in range(n):
        mem[top + j] = 0
    rest = values
    for j in range(n):
        bit = lowest(rest)
        rest &= rest - 1
        for i in range(n):
            mem[top + j] |= (mem[at + i] >> bit & 1) << i
        mem[kept + j] = mem[top + j]
    naked_sets(mem, n, top, size, kept, choice, kept + n)
    rest = values
    for j in range(n):
        bit = lowest(rest)
        rest &= rest - 1
        for i in range(n):
            if mem[kept + j] >> i & 1 == 0:
                mem[found + i] &= ~(1 << bit)
    return 1


# ----------------------------------------------------------------------------
# Cells that are joined, diagrams, and groups of parts.

# In a row of work: whether each cell cannot, may or must be inside. Then, for each cell, when a search from
# the first cell inside reached it (from 1), and the earliest cell that is joined to those found after it; a counter.
ABLE_TO = 1
IS = 2


@kernel
def search_from(net: Net, mem: Mem, n: int, at: int, values: int, lists: int, top: int, cell: int) -> int:
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
    if needed and mem[top + cell] == ABLE_TO:
        mem[at + cell] &= values
    return inside


@kernel
def joined(net: Net, mem: Mem, n: int, at: int, record: int, top: int) -> int:
    """Exclude cells that cannot be reached from the group, and include those without which it would fall apart."""
    values = net[record]
    first = -1
    for i in range(n):
        mask = mem[at + i]
        mem[top + i] = 0
        mem[top + n + i] = 0
        if mask & values != 0:
            mem[top + i] = ABLE_TO
            if mask & ~values == 0:
                mem[top + i] = ABLE_TO | IS
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


@kernel
def leads(net: Net, mem: Mem, at: int, record: int, top: int, layer: int, node: int) -> int:
    """Return whether a node leads to the end of a diagram, and record the supported values from it on.

    At ``top`` is the first layer from which on all values are known to be supported: nothing more is searched there.
    Then come the supported values of each layer, and for each node 1 if it leads nowhere and 2 if it leads to the end.
    """
    length = net[record]
    if layer == length:
        return 1
    mark = top + 1 + length + node
    if mem[mark] > 0:
        return mem[mark] - 1
    mask = mem[at + net[record + 2 + layer]]
    begin = record + 2 + length + node
    e = net[begin]
    end = net[begin + 1]
    found = 0
    while e < end:
        both = net[record + 2 * e + 1] & mask
        news = both & ~mem[top + 1 + layer]
        wanted = news != 0 or (both != 0 and (found == 0 or mem[top] > layer + 1))
        if wanted and leads(net, mem, at, record, top, layer + 1, net[record + 2 * e]):
            found = 1
            mem[top + 1 + layer] |= both
            if mem[top + 1 + layer] == mask and mem[top] == layer + 1:
                mem[top] = layer
            if mem[top] <= layer:
                e = end
        e += 1
    mem[mark] = 1 + found
    return found


@kernel
def diagram(net: Net, mem: Mem, at: int, record: int, top: int) -> int:
    """Keep the values on paths from the first node of a diagram to its last one.

    After the search with early cut-off of Cheng and Yap (2010), which finds one path for each value and no more.
    """
    length = net[record]
    mem[top] = length
    for i in range(length + net[record + 1]):
        mem[top + 1 + i] = 0
    if leads(net, mem, at, record, top, 0, 0) == 0:
        return 0
    for i in range(length):
        mem[at + net[record + 2 + i]] &= mem[top + 1 + i]
        if mem[at + net[record + 2 + i]] == 0:
            return 0
    return 1


@kernel
def either(net: Net, mem: Mem, n: int, at: int, record: int, top: int) -> int:
    """Keep what at least one of the parts leaves."""
    own = top + n
    for i in range(n):
        mem[top + i] = 0
    some = 0
    part = record + 1
    for _p in range(net[record]):
        width = net[part + 1]
        for i in range(width):
            mem[own + i] = mem[at + net[part + 2 + i]]
        if revise(net, mem, net[part], own, own + width):
            some = 1
            for i in range(n):
                mem[own + width + i] = mem[at + i]
            for i in range(width):
                mem[own + width + net[part + 2 + i]] = mem[own + i]
            for i in range(n):
                mem[top + i] |= mem[own + width + i]
        part += 2 + width
    for i in range(n):
        mem[at + i] = mem[top + i]
    return some


@kernel
def part_kept(net: Net, mem: Mem, part: int, own: int, top: int, when: int, now: int) -> int:
    """Copy what is left in a part, and record when; 1 if that is less than before, -1 if nothing is left."""
    changed = 0
    for i in range(net[part + 1]):
        v = net[part + 2 + i]
        if mem[own + i] & mem[top + v] != mem[top + v]:
            mem[top + v] &= mem[own + i]
            if mem[top + v] == 0:
                return -1
            mem[when + v] = now
            changed = 1
    return changed


@kernel
def grouped(net: Net, mem: Mem, n: int, at: int, record: int, top: int) -> int:
    """Apply the parts, which share hidden variables, until nothing changes."""
    hidden = net[record + 1]
    parts = net[record + 2 + hidden]
    when = top + n + hidden
    last = when + n + hidden
    own = last + parts
    for i in range(n + hidden):
        mem[top + i] = mem[at + i] if i < n else net[record + 2 + i - n]
        mem[when + i] = 1
    for p in range(parts):
        mem[last + p] = 0
    now = 1
    again = 1
    while again:
        again = 0
        part = record + 3 + hidden
        for p in range(parts):
            width = net[part + 1]
            due = 0
            for i in range(width):
                v = net[part + 2 + i]
                mem[own + i] = mem[top + v]
                if mem[when + v] > mem[last + p]:
                    due = 1
            if due:
                mem[last + p] = now
                if revise(net, mem, net[part], own, own + width) == 0:
                    return 0
                now += 1
                changed = part_kept(net, mem, part, own, top, when, now)
                if changed < 0:
                    return 0
                again |= changed
            part += 2 + width
    for i in range(n):
        mem[at + i] = mem[top + i]
    return 1


@kernel
def loosely(net: Net, mem: Mem, n: int, at: int, record: int) -> int:
    """Do nothing: where there are constraints of this kind, a function in plain Python takes the place of this one."""
    return 1


@kernel
def revise(net: Net, mem: Mem, node: int, at: int, top: int) -> int:
    """Narrow the masks at a place to what a node leaves; 0 if nothing is left. Above ``top`` is work space."""
    kind = net.kind[node]
    record = net.record[node]
    n = net.width[node]
    for i in range(n):
        if mem[at + i] == 0:
            return 0
    if kind == HOUSE:
        return house_exactly(mem, n, at, net[record + 2], top)
    if kind == DIAGRAM:
        return diagram(net, mem, at, record, top)
    if kind == EITHER:
        return either(net, mem, n, at, record, top)
    if kind == JOINED:
        return joined(net, mem, n, at, record, top)
    if kind == LOOSE:
        return loosely(net, mem, n, at, record)
    return grouped(net, mem, n, at, record, top)
