"""Pairs of variables that are all different as pairs."""

from __future__ import annotations

from ..language import kernel, lowest
from .changes import narrow
from .layout import MOST_BITS, Mem, Net

# Rows in FLAGS, each with a mask of second values for each first value.
TAKEN = 0  # by a settled pair
ONCE = 1  # in at least one pair
TWICE = 2
ROWS_OF_PAIRS = 3


@kernel
def paired(net: Net, mem: Mem, at: int, dom: int) -> int:
    """No two pairs are the same; if every possible pair must occur, each has a place.

    A record: the number of pairs, whether every possible pair occurs, the first values, the second values, and for each
    pair its two variables.
    """
    if not sort_pairs(net, mem, at, dom):
        return 0
    exact = net[at + 1]
    once = mem.flags.place + ONCE * MOST_BITS
    rest = net[at + 2] * exact
    while rest:
        if net[at + 3] & ~mem[once + lowest(rest)]:
            return 0
        rest &= rest - 1
    for i in range(net[at]):
        x = net[at + 4 + 2 * i]
        y = net[at + 5 + 2 * i]
        one = mem[dom + x]
        if one & (one - 1) or mem[dom + y] & (mem[dom + y] - 1):
            if not what_is_left(mem, dom, x, y):
                return 0
            if exact and not only_place(mem, dom, x, y):
                return 0
    return 1


@kernel
def sort_pairs(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Note which pairs are taken, and which can be in one place or in several; return 0 if a pair is taken twice."""
    taken = mem.flags.place
    once = taken + ONCE * MOST_BITS
    twice = taken + TWICE * MOST_BITS
    for k in range(ROWS_OF_PAIRS * MOST_BITS):
        mem[taken + k] = 0
    for i in range(net[at]):
        first = mem[dom + net[at + 4 + 2 * i]]
        second = mem[dom + net[at + 5 + 2 * i]]
        rest = first
        while rest:
            k = lowest(rest)
            mem[twice + k] |= mem[once + k] & second
            mem[once + k] |= second
            rest &= rest - 1
        if first & (first - 1) == 0 and second & (second - 1) == 0:
            if mem[taken + lowest(first)] & second:
                return 0
            mem[taken + lowest(first)] |= second
    return 1


@kernel
def what_is_left(mem: Mem, dom: int, x: int, y: int) -> int:
    """Keep only the values of an open pair that occur in a pair not yet taken."""
    taken = mem.flags.place
    firsts = 0
    seconds = 0
    rest = mem[dom + x]
    while rest:
        left = mem[dom + y] & ~mem[taken + lowest(rest)]
        if left:
            firsts |= rest & -rest
            seconds |= left
        rest &= rest - 1
    return narrow(mem, dom, x, firsts) and narrow(mem, dom, y, seconds)


@kernel
def only_place(mem: Mem, dom: int, x: int, y: int) -> int:
    """Settle this place if it is the only one left for some pair."""
    once = mem.flags.place + ONCE * MOST_BITS
    twice = mem.flags.place + TWICE * MOST_BITS
    rest = mem[dom + x]
    while rest:
        k = lowest(rest)
        alone = mem[once + k] & ~mem[twice + k] & mem[dom + y]
        if alone:
            return narrow(mem, dom, x, 1 << k) and narrow(mem, dom, y, alone & -alone)
        rest &= rest - 1
    return 1
