"""Sums: ``c1 x1 + c2 x2 + ... op k``.

A record: the operator, the bound, the number of groups, and for each group its coefficient, its number of cells, and
these, which are all different. The open cells of a group are one term, whose possible sums come from a table by their
number and the union of their values. A term keeps the sums with which some sums of the others give the bound, or, far
from both ends, those that the least and the greatest of the others leave room for; these are turned back into values.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import highest, lowest, ones

from .changes import below, narrow, require, row_of, up_to
from .layout import *


@kernel
def linear(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Narrow the cells of a sum; return 0 if it cannot hold."""
    op = net[at]
    left = gathered(net, mem, at, dom, mem.bound if op == BELOW else net[at + 1])
    if left == IMPOSSIBLE:
        return 0
    if op == BELOW:
        op = AT_MOST
    if mem.terms == 0:
        return left == 0 if op == EQUAL else left >= 0 if op == AT_MOST else left != 0
    if op == UNEQUAL:
        return unequal(net, mem, dom, left)
    span(net, mem)
    low = left - mem.lowest_sum
    high = mem.highest_sum - left
    if low < 0 or (op == EQUAL and high < 0):
        return 0
    if op == AT_MOST:
        if high <= 0:
            return 1
        high = IMPOSSIBLE
    room = min(low, high)
    if op == EQUAL and mem.terms > 1 and mem.gaps and room < MOST_BITS:
        return combined(net, mem, room, NEAR if low == room else FAR) and returned(net, mem, dom)
    if mem.widest <= room:
        return 1
    return bounded(net, mem, low, high) and returned(net, mem, dom)


@kernel
def gathered(net: Net, mem: Mem, at: int, dom: int, left: int) -> int:
    """Make the terms; return what settled cells leave of the bound."""
    mem.terms = 0
    group = at + 3
    for _ in range(net[at + 2]):
        fixed = clique(net, mem, dom, group)
        if fixed == IMPOSSIBLE:
            return IMPOSSIBLE
        left -= fixed
        group += 2 + net[group + 1]
    return left


@kernel
def clique(net: Net, mem: Mem, dom: int, group: int) -> int:
    """Make the term of a group, if it has open cells; return what its settled cells add to the sum."""
    first = group + 2
    union = 0
    settled = 0
    total = 0
    cells = 0
    low = 0
    high = 0
    for i in range(first, first + net[group + 1]):
        mask = mem[dom + net[i]]
        if mask & (mask - 1) == 0:
            if settled & mask:
                return IMPOSSIBLE
            settled |= mask
            total += net[group] * lowest(mask)
        else:
            union |= mask
            cells += 1
            low += lowest(mask)
            high += highest(mask)
    if cells == 0:
        return total
    if cells > net.table_bits:
        return IMPOSSIBLE
    union &= ~settled
    sums = union if cells == 1 else net.sums[(cells << net.table_bits) + union] & ~below(low) & up_to(high)
    if sums == 0:
        return IMPOSSIBLE
    term(net, mem, net[group], sums, first, cells, union, net[group + 1])
    return total


@kernel
def term(net: Net, mem: Mem, coefficient: int, sums: int, first: int, cells: int, values: int, size: int) -> int:
    """Add a term."""
    row = mem.terms
    mem[row_of(net, mem, COEFFICIENT) + row] = coefficient
    mem[row_of(net, mem, POSSIBLE) + row] = sums
    mem[row_of(net, mem, FIRST) + row] = first
    mem[row_of(net, mem, OPEN) + row] = cells
    mem[row_of(net, mem, VALUES) + row] = values
    mem[row_of(net, mem, SIZE) + row] = size
    mem.terms = row + 1
    return 1


@kernel
def unequal(net: Net, mem: Mem, dom: int, left: int) -> int:
    """Take the value from the last open cell that would give the sum its forbidden total."""
    if mem.terms > 1 or mem[row_of(net, mem, OPEN)] > 1:
        return 1
    coefficient = mem[row_of(net, mem, COEFFICIENT)]
    number = left // coefficient
    if coefficient * number != left or number < 0 or number >= MOST_BITS:
        return 1
    open_cells(net, mem, dom, mem[row_of(net, mem, FIRST)], mem[row_of(net, mem, SIZE)], -1)
    return narrow(mem, dom, mem[row_of(net, mem, CELL)], ~(1 << number))


@kernel
def span(net: Net, mem: Mem) -> int:
    """Find the least and the greatest sum, and for each term the sums of its cells at which it adds least and most."""
    low = 0
    high = 0
    widest = 0
    gaps = 0
    for t in range(mem.terms):
        c = mem[row_of(net, mem, COEFFICIENT) + t]
        possible = mem[row_of(net, mem, POSSIBLE) + t]
        near = lowest(possible) if c > 0 else highest(possible)
        far = highest(possible) if c > 0 else lowest(possible)
        low += c * near
        high += c * far
        mem[row_of(net, mem, NEAR) + t] = near
        mem[row_of(net, mem, FAR) + t] = far
        widest = max(widest, c * (far - near) if mem[row_of(net, mem, OPEN) + t] == 1 else IMPOSSIBLE)
        gaps |= abs(c) - 1 | possible & possible + (possible & -possible)
    mem.widest = widest
    mem.gaps = gaps
    mem.lowest_sum = low
    mem.highest_sum = high
    return 1


@kernel
def bounded(net: Net, mem: Mem, low: int, high: int) -> int:
    """Keep the sums of each term that fit the room above the least sum and the room below the greatest."""
    for t in range(mem.terms):
        rest = mem[row_of(net, mem, POSSIBLE) + t]
        left = 0
        while rest:
            total = lowest(rest)
            if used_by(net, mem, t, NEAR, total) <= low and used_by(net, mem, t, FAR, total) <= high:
                left |= rest & -rest
            rest &= rest - 1
        if left == 0:
            return 0
        mem[row_of(net, mem, LEFT) + t] = left
    return 1


@kernel
def combined(net: Net, mem: Mem, room: int, edge: int) -> int:
    """Keep the sums of each term that use up the room together with sums of the others; a term uses none at its edge.

    BEFORE has the room that the terms before each one can use, as a mask; see Trick, "A dynamic programming approach
    for consistency and propagation for knapsack constraints" (2003).
    """
    before = row_of(net, mem, BEFORE)
    mem[before] = 1
    for t in range(mem.terms):
        rest = mem[row_of(net, mem, POSSIBLE) + t]
        used = 0
        while rest:
            step = used_by(net, mem, t, edge, lowest(rest))
            used |= mem[before + t] << step if step <= room else 0
            rest &= rest - 1
        mem[before + t + 1] = used & up_to(room)
    wanted = mem[before + mem.terms] & 1 << room
    for back in range(mem.terms):
        t = mem.terms - 1 - back
        rest = mem[row_of(net, mem, POSSIBLE) + t]
        left = 0
        earlier = 0
        while rest:
            step = used_by(net, mem, t, edge, lowest(rest))
            fitting = wanted >> step & mem[before + t] if step <= room else 0
            left |= rest & -rest if fitting else 0
            earlier |= fitting
            rest &= rest - 1
        mem[row_of(net, mem, LEFT) + t] = left
        wanted = earlier
    return wanted


@kernel
def used_by(net: Net, mem: Mem, t: int, edge: int, total: int) -> int:
    """Return the room that a sum of a term uses."""
    return abs(mem[row_of(net, mem, COEFFICIENT) + t] * (total - mem[row_of(net, mem, edge) + t]))


@kernel
def returned(net: Net, mem: Mem, dom: int) -> int:
    """Remove values of cells that no sum left for their term allows."""
    for t in range(mem.terms):
        cells = mem[row_of(net, mem, OPEN) + t]
        left = mem[row_of(net, mem, LEFT) + t]
        first = mem[row_of(net, mem, FIRST) + t]
        size = mem[row_of(net, mem, SIZE) + t]
        values = mem[row_of(net, mem, VALUES) + t]
        if cells > 1 and left == net.sums[(cells << net.table_bits) + values] and cells != ones(values):
            continue
        if open_cells(net, mem, dom, first, size, values) < cells:
            continue  # one has been settled by what an earlier term required: the next run sees it
        if cells == 1:
            good = narrow(mem, dom, mem[row_of(net, mem, CELL)], left)
        else:
            good = returned_to_more(net, mem, dom, first, size, values, cells, left)
        if not good:
            return 0
    return 1


@kernel
def returned_to_more(net: Net, mem: Mem, dom: int, first: int, size: int, values: int, cells: int, left: int) -> int:
    """Narrow the cells listed to the values of the sets that fit; require the values that are in all sets."""
    possible = 0
    required = -1
    while left:
        sets = net.sets_at.place + cells * 65 + lowest(left)
        left &= left - 1
        for i in range(net.sets.place + net[sets], net.sets.place + net[sets + 1]):
            if net[i] & ~values == 0 and fits(net, mem, net[i], cells):
                possible |= net[i]
                required &= net[i]
    if possible == 0:
        return 0
    for i in range(row_of(net, mem, CELL), row_of(net, mem, CELL) + cells):
        if not narrow(mem, dom, mem[i], possible):
            return 0
    return require_all(net, mem, dom, first, size, required & possible)


@kernel
def open_cells(net: Net, mem: Mem, dom: int, first: int, size: int, values: int) -> int:
    """List the open cells among some, with their values that are in a mask; return the number of these cells."""
    found = 0
    for i in range(first, first + size):
        mask = mem[dom + net[i]]
        if mask & (mask - 1):
            mem[row_of(net, mem, CELL_VALUES) + found] = mask & values
            mem[row_of(net, mem, CELL) + found] = net[i]
            found += 1
    return found


@kernel
def fits(net: Net, mem: Mem, values: int, cells: int) -> int:
    """Return whether each of the open cells listed can have one of some values."""
    row = row_of(net, mem, CELL_VALUES)
    for i in range(row, row + cells):
        if mem[i] & values == 0:
            return 0
    return 1


@kernel
def require_all(net: Net, mem: Mem, dom: int, first: int, size: int, values: int) -> int:
    """Require each of some values among the cells."""
    while values:
        if not require(net, mem, dom, first, size, values & -values):
            return 0
        values &= values - 1
    return 1
