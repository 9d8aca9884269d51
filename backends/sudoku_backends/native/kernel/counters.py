"""Counting: variables that have certain values, different values, and two lists with the same values.

If a count is compared with a number, the record has the operator, the variable that is the number (or -1), and what is
added to that variable's bit to get the number (or, without a variable, the number itself).
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import bits, highest, lowest, ones

from .changes import narrow, require, row_of, up_to
from .layout import AT_LEAST, AT_MOST, CELL, EQUAL, UNEQUAL, WORD, Mem, Net, kernel


@kernel
def compared(mem: Mem, dom: int, op: int, y: int, shift: int, least: int, most: int) -> int:
    """Keep only the values of the number that can compare as demanded with a count between two bounds."""
    if y < 0:
        return may_compare(op, shift, least, most)
    rest = mem[dom + y]
    good = 0
    while rest:
        if may_compare(op, lowest(rest) + shift, least, most):
            good |= rest & -rest
        rest &= rest - 1
    return narrow(mem, dom, y, good)


@kernel
def may_compare(op: int, number: int, least: int, most: int) -> int:
    """Return whether some count between two bounds compares with a number as demanded."""
    if op == EQUAL:
        return least <= number <= most
    if op == AT_MOST:
        return least <= number
    if op == AT_LEAST:
        return most >= number
    return not (least == most and least == number)


@kernel
def least_number(mem: Mem, dom: int, y: int, shift: int) -> int:
    """Return the least value that the number can have."""
    return shift if y < 0 else lowest(mem[dom + y]) + shift


@kernel
def greatest_number(mem: Mem, dom: int, y: int, shift: int) -> int:
    """Return the greatest value that the number can have."""
    return shift if y < 0 else highest(mem[dom + y]) + shift


@kernel
def counted(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Compare the number of cells that have a value of a mask with a number.

    A record: the number of cells, the mask, the operator, the variable of the number, its shift, the cells; then, for a
    mask of one value, ways to cut the cells into all-different groups: the number of ways, for each way the number of
    groups, and for each group its size and its cells.
    """
    cells = net[at]
    mask = net[at + 1]
    op = net[at + 2]
    y = net[at + 3]
    shift = net[at + 4]
    sure = count_sure(net, mem, at + 5, cells, mask, dom)
    may = count_may(net, mem, at + 5, cells, mask, dom)
    most = may if mem.inside else most_by_groups(net, mem, at + 5 + cells, mask, dom, may)
    if sure > most or not compared(mem, dom, op, y, shift, sure, most):
        return 0
    if sure == may:
        return 1
    low = least_number(mem, dom, y, shift)
    high = greatest_number(mem, dom, y, shift)
    if op == UNEQUAL:
        if low < high or may - sure > 1 or (low != sure and low != may):
            return 1
        return decide(net, mem, at + 5, cells, mask, dom, low == sure)
    if op != AT_LEAST and sure == high:
        return decide(net, mem, at + 5, cells, mask, dom, 0)
    if op != AT_MOST and may == low:
        return decide(net, mem, at + 5, cells, mask, dom, 1)
    if op != AT_MOST and not mem.inside:
        return needed(net, mem, at, dom, low, most, sure)
    return 1


@kernel
def count_sure(net: Net, mem: Mem, first: int, cells: int, mask: int, dom: int) -> int:
    """Count the cells that surely have a value of a mask."""
    found = 0
    for i in range(first, first + cells):
        found += mem[dom + net[i]] & ~mask == 0
    return found


@kernel
def count_may(net: Net, mem: Mem, first: int, cells: int, mask: int, dom: int) -> int:
    found = 0
    for i in range(first, first + cells):
        found += mem[dom + net[i]] & mask != 0
    return found


@kernel
def decide(net: Net, mem: Mem, first: int, cells: int, mask: int, dom: int, inside: int) -> int:
    """Leave every undecided cell only values of a mask if ``inside``, otherwise only others."""
    for i in range(first, first + cells):
        old = mem[dom + net[i]]
        if old & mask and old & ~mask and not narrow(mem, dom, net[i], mask if inside else ~mask):
            return 0
    return 1


@kernel
def most_by_groups(net: Net, mem: Mem, ways: int, mask: int, dom: int, most: int) -> int:
    """Return the greatest number of cells that can have the value, counting each all-different group once."""
    way = ways + 1
    for _ in range(net[ways]):
        most = min(most, groups_left(net, mem, way, mask, dom))
        way = after_way(net, way)
    return most


@kernel
def after_way(net: Net, way: int) -> int:
    """Return where the next way to cut the cells begins."""
    group = way + 1
    for _ in range(net[way]):
        group += 1 + net[group]
    return group


@kernel
def groups_left(net: Net, mem: Mem, way: int, mask: int, dom: int) -> int:
    """Count the groups of a way that have a place for the value."""
    group = way + 1
    found = 0
    for _ in range(net[way]):
        found += count_may(net, mem, group + 1, net[group], mask, dom) > 0
        group += 1 + net[group]
    return found


@kernel
def needed(net: Net, mem: Mem, at: int, dom: int, low: int, most: int, sure: int) -> int:
    """Require the value among all cells if it is needed once, or in each group with a place if all are needed."""
    cells = net[at]
    mask = net[at + 1]
    if mask & (mask - 1) == 0 and sure == 0 and low == 1:
        return require(net, mem, dom, at + 5, cells, mask)
    if most > low:
        return 1
    way = at + 5 + cells + 1
    for _ in range(net[at + 5 + cells]):
        if groups_left(net, mem, way, mask, dom) == low and not need_groups(net, mem, way, mask, dom):
            return 0
        way = after_way(net, way)
    return 1


@kernel
def need_groups(net: Net, mem: Mem, way: int, mask: int, dom: int) -> int:
    """Require the value in every group of a way that has a place for it."""
    group = way + 1
    for _ in range(net[way]):
        some = count_may(net, mem, group + 1, net[group], mask, dom) > 0
        if some and not require(net, mem, dom, group + 1, net[group], mask):
            return 0
        group += 1 + net[group]
    return 1


@kernel
def distinct(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Compare the number of different values with a number.

    A record: the number of cells, the operator, the variable of the number, its shift, the cells.
    """
    first = at + 4
    cells = net[at]
    op = net[at + 1]
    settled = 0
    union = 0
    for i in range(first, first + cells):
        mask = mem[dom + net[i]]
        union |= mask
        if mask & (mask - 1) == 0:
            settled |= mask
    least = unlike(net, mem, first, cells, dom)
    most = ones(settled) + count_may(net, mem, first, cells, ~settled, dom)
    if not compared(mem, dom, op, net[at + 2], net[at + 3], least, min(most, ones(union))):
        return 0
    if op != UNEQUAL and op != AT_LEAST and least == greatest_number(mem, dom, net[at + 2], net[at + 3]):
        values = 0
        for i in range(least):
            values |= mem[dom + mem[row_of(net, mem, CELL) + i]]
        return decide(net, mem, first, cells, values, dom, 1)
    if op != UNEQUAL and op != AT_MOST and most == least_number(mem, dom, net[at + 2], net[at + 3]):
        return decide(net, mem, first, cells, ~settled, dom, 1)
    return 1


@kernel
def unlike(net: Net, mem: Mem, first: int, cells: int, dom: int) -> int:
    """List cells of which any two differ, as peers or without a common value, in CELL, settled ones first; return their
    number.
    """
    row = row_of(net, mem, CELL)
    found = 0
    for i in range(2 * cells):
        x = net[first + i % cells]
        mask = mem[dom + x]
        differs = 1 if (mask & (mask - 1) != 0) == (i >= cells) else 0
        for k in range(row, row + found):
            y = mem[k]
            peers = net.peer_bits[x * net.words + y // WORD] >> (y % WORD) & 1
            differs &= peers | (mask & mem[dom + y] == 0)
        if differs:
            mem[row + found] = x
            found += 1
    return found


@kernel
def same_bag(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Two lists have the same values, equally often. A record: their length, all values, the first list, the second."""
    size = net[at]
    values = net[at + 1]
    left = at + 2
    right = left + size
    while values:
        value = values & -values
        values &= values - 1
        sure = max(count_sure(net, mem, left, size, value, dom), count_sure(net, mem, right, size, value, dom))
        may = min(count_may(net, mem, left, size, value, dom), count_may(net, mem, right, size, value, dom))
        if sure > may:
            return 0
        if not bag_side(net, mem, left, size, value, dom, sure, may):
            return 0
        if not bag_side(net, mem, right, size, value, dom, sure, may):
            return 0
    return 1


@kernel
def bag_side(net: Net, mem: Mem, first: int, size: int, value: int, dom: int, sure: int, may: int) -> int:
    """Let one list have a value between ``sure`` and ``may`` times."""
    here = count_sure(net, mem, first, size, value, dom)
    there = count_may(net, mem, first, size, value, dom)
    if here == there:
        return sure <= here <= may
    if here == may:
        return decide(net, mem, first, size, value, dom, 0)
    if there == sure:
        return decide(net, mem, first, size, value, dom, 1)
    return 1


@kernel
def no_subset_sum(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Cells differ, and no choice of them adds up to a total. A record: their number, the value of bit 0, the total,
    the cells.
    """
    first = at + 3
    total = net[at + 2]
    sums = 1  # of all choices of settled cells, as bits
    settled = 0
    for i in range(first, first + net[at]):
        mask = mem[dom + net[i]]
        if mask & (mask - 1) == 0:
            value = lowest(mask) + net[at + 1]
            if mask & settled or (value <= total and sums >> (total - value) & 1):
                return 0
            settled |= mask
            if value <= total:
                sums |= (sums & up_to(total - value)) << value
    for number in bits(sums):
        value = total - number - net[at + 1]
        if value >= 0:
            settled |= 1 << value
    for i in range(first, first + net[at]):
        mask = mem[dom + net[i]]
        if mask & (mask - 1) and not narrow(mem, dom, net[i], ~settled):
            return 0
    return 1
