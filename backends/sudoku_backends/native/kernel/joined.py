"""Cells that hold certain values form one connected group, perhaps of a known size."""

from __future__ import annotations

from .changes import narrow
from .layout import Mem, Net, kernel

OUTSIDE = 0
POSSIBLE_PLACE = 1
SURE_PLACE = 2

# Rows in FLAGS, each as long as there are cells; a walk uses the first two in its own way.
QUEUE = 1
PARENT = 1
EDGE = 2
REACHED = 3  # when a cell was reached, from 1; 0 before
LOW = 4  # the earliest cell that a cell's branch has an edge to
SURE = 5  # the number of cells of a branch that are surely inside
SIZE = 6
SURE_BEHIND = 7  # what is reached only through a cell
SIZE_BEHIND = 8
ROWS_OF_PLACES = 9


@kernel
def joined(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Cells too far from the group are outside; cells needed to connect its parts or reach its size are inside.

    A record: the number of cells, the mask, the least and the greatest number of cells inside, the cells; where the
    neighbours of each cell begin; the neighbours. FLAGS has some rows with a number for each cell.
    """
    sure = sort_places(net, mem, at, dom)
    if sure == 0:
        return large_enough(net, mem, at, dom)
    if not near_enough(net, mem, at, dom, sure):
        return 0
    root = walk(net, mem, at)
    flags = mem.flags.place
    cells = net[at]
    reached = mem[flags + SIZE * cells + root]
    if mem[flags + SURE * cells + root] < sure or reached < net[at + 2]:
        return 0
    for i in range(cells):
        if mem[flags + i] == POSSIBLE_PLACE:
            without = reached - 1 - mem[flags + SIZE_BEHIND * cells + i]
            needed = mem[flags + SURE_BEHIND * cells + i] > 0 or without < net[at + 2]
            if needed and not narrow(mem, dom, net[at + 4 + i], net[at + 1]):
                return 0
    return 1


@kernel
def sort_places(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Flag the cells that may be inside and those that surely are; return the number that surely are."""
    sure = 0
    for i in range(net[at]):
        mask = mem[dom + net[at + 4 + i]]
        flag = POSSIBLE_PLACE if mask & net[at + 1] else OUTSIDE
        if mask & ~net[at + 1] == 0:
            flag = SURE_PLACE
            sure += 1
        mem.flags[i] = flag
    return sure


@kernel
def large_enough(net: Net, mem: Mem, at: int, dom: int) -> int:
    """If no cell is surely inside, put parts with too few cells outside; return 0 if no part is left."""
    cells = net[at]
    flags = mem.flags.place
    queue = flags + QUEUE * cells
    if net[at + 2] <= 0:
        return 1
    some = 0
    for i in range(cells):
        if mem[flags + i] == POSSIBLE_PLACE:
            mem[flags + i] = SURE_PLACE
            mem[queue] = i
            size = spread_out(net, mem, at, 0, 1, cells)
            some |= size >= net[at + 2]
            for k in range(size):
                if size < net[at + 2] and not narrow(mem, dom, net[at + 4 + mem[queue + k]], ~net[at + 1]):
                    return 0
    return some


@kernel
def near_enough(net: Net, mem: Mem, at: int, dom: int, sure: int) -> int:
    """Put cells outside that are more steps away from the cells inside than the group can still have cells."""
    cells = net[at]
    flags = mem.flags.place
    queue = flags + QUEUE * cells
    if sure > net[at + 3]:
        return 0
    last = 0
    for i in range(cells):
        if mem[flags + i] == SURE_PLACE:
            mem[queue + last] = i
            last += 1
    last = spread_out(net, mem, at, 0, last, net[at + 3] - sure)
    for k in range(sure, last):
        mem[flags + mem[queue + k]] = POSSIBLE_PLACE + SURE_PLACE
    for i in range(cells):
        if mem[flags + i] == POSSIBLE_PLACE:
            mem[flags + i] = OUTSIDE
            if not narrow(mem, dom, net[at + 4 + i], ~net[at + 1]):
                return 0
        elif mem[flags + i] > SURE_PLACE:
            mem[flags + i] = POSSIBLE_PLACE
    return 1


@kernel
def spread_out(net: Net, mem: Mem, at: int, first: int, last: int, most: int) -> int:
    """Queue the possible cells within ``most`` steps of those queued; return the number of cells then queued.

    Each gets the flag of a cell inside.
    """
    cells = net[at]
    flags = mem.flags.place
    queue = flags + QUEUE * cells
    neighbours_at = at + 4 + cells
    neighbours = neighbours_at + cells + 1
    while most > 0 and first < last:
        end = last
        for k in range(first, end):
            place = mem[queue + k]
            for e in range(net[neighbours_at + place], net[neighbours_at + place + 1]):
                other = net[neighbours + e]
                if mem[flags + other] == POSSIBLE_PLACE:
                    mem[flags + other] = SURE_PLACE
                    mem[queue + last] = other
                    last += 1
        first = end
        most -= 1
    return last


@kernel
def walk(net: Net, mem: Mem, at: int) -> int:
    """Walk depth-first from a cell inside, and find what is reached only through each cell; return where it began.

    The search for cut points of a graph of Hopcroft and Tarjan (1973).
    """
    cells = net[at]
    flags = mem.flags.place
    root = 0
    for i in range(cells):
        mem[flags + REACHED * cells + i] = 0
        if mem[flags + i] == SURE_PLACE:
            root = i
    enter(net, mem, at, root, -1, 1)
    count = 1
    place = root
    while place >= 0:
        edge = mem[flags + EDGE * cells + place]
        if edge < net[at + 4 + cells + place + 1]:
            mem[flags + EDGE * cells + place] = edge + 1
            other = net[at + 5 + 2 * cells + edge]
            met = mem[flags + REACHED * cells + other]
            if mem[flags + other] != OUTSIDE:
                if met == 0:
                    count += 1
                    enter(net, mem, at, other, place, count)
                    place = other
                elif met < mem[flags + LOW * cells + place]:
                    mem[flags + LOW * cells + place] = met
        else:
            place = leave(mem, flags, cells, place)
    return root


@kernel
def enter(net: Net, mem: Mem, at: int, place: int, parent: int, count: int) -> int:
    """Begin the branch of a cell."""
    cells = net[at]
    flags = mem.flags.place
    mem[flags + PARENT * cells + place] = parent
    mem[flags + EDGE * cells + place] = net[at + 4 + cells + place]
    mem[flags + REACHED * cells + place] = count
    mem[flags + LOW * cells + place] = count
    mem[flags + SURE * cells + place] = mem[flags + place] == SURE_PLACE
    mem[flags + SIZE * cells + place] = 1
    mem[flags + SURE_BEHIND * cells + place] = 0
    mem[flags + SIZE_BEHIND * cells + place] = 0
    return 1


@kernel
def leave(mem: Mem, flags: int, cells: int, place: int) -> int:
    """End the branch of a cell; return the cell before it, -1 at the root."""
    up = mem[flags + PARENT * cells + place]
    if up < 0:
        return up
    low = mem[flags + LOW * cells + place]
    sure = mem[flags + SURE * cells + place]
    size = mem[flags + SIZE * cells + place]
    mem[flags + SURE * cells + up] += sure
    mem[flags + SIZE * cells + up] += size
    if low < mem[flags + LOW * cells + up]:
        mem[flags + LOW * cells + up] = low
    if low >= mem[flags + REACHED * cells + up]:
        mem[flags + SURE_BEHIND * cells + up] += sure
        mem[flags + SIZE_BEHIND * cells + up] += size
    return up
