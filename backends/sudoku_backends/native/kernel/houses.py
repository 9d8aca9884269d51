"""All different: every value of a full house has a place, and the last few places of a value exclude it elsewhere.

A record: the number of cells, their values, whether the house is full (as many values as cells), the cells, and the
same cells as a bit set.
"""

from __future__ import annotations

from ..language import kernel, ones
from .changes import meet, narrow, remove, row_of
from .layout import COMMON, SKIP_HIDDEN, SKIP_LOCKED, Mem, Net


@kernel
def house(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Settle values that have one place left; return 0 if a value has no place, or if there are too few values."""
    if net.skip & SKIP_HIDDEN:
        return 1
    size = net[at]
    once = 0
    twice = 0
    for i in range(at + 3, at + 3 + size):
        mask = mem[dom + net[i]]
        twice |= once & mask
        once |= mask
    if net[at + 2] == 0:
        if ones(once) != size:
            return ones(once) > size
    elif once != net[at + 1]:
        return 0
    hidden = once & ~twice
    if hidden == 0:
        return 1
    return settle(net, mem, at, dom, hidden)


@kernel
def settle(net: Net, mem: Mem, at: int, dom: int, hidden: int) -> int:
    """Give each value that has one place left its place."""
    for i in range(at + 3, at + 3 + net[at]):
        x = net[i]
        mine = mem[dom + x] & hidden
        if mine:
            if mine & (mine - 1):
                return 0
            if not narrow(mem, dom, x, mine):
                return 0
    return 1


@kernel
def locked(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Take values with two or three places left from all cells that these exclude: pointing, box and line, and more."""
    if net.skip & SKIP_LOCKED:
        return 1
    few = with_few_places(net, mem, at, dom)
    while few:
        value = few & -few
        few &= few - 1
        if not locked_value(net, mem, at, dom, value):
            return 0
    return 1


@kernel
def with_few_places(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Return the values of a house with two or three places left; 0 if it has more values left than cells."""
    size = net[at]
    once = 0
    twice = 0
    thrice = 0
    more = 0
    settled = 0
    for i in range(at + 3, at + 3 + size):
        mask = mem[dom + net[i]]
        if mask & (mask - 1) == 0:
            settled |= mask
        more |= thrice & mask
        thrice |= twice & mask
        twice |= once & mask
        once |= mask
    if net[at + 2] == 0 and ones(once) > size:
        return 0
    return twice & ~more & ~settled


@kernel
def locked_value(net: Net, mem: Mem, at: int, dom: int, value: int) -> int:
    """Take a value from those peers of all its places in a house that lie outside of the house."""
    size = net[at]
    begin = 1
    for i in range(at + 3, at + 3 + size):
        x = net[i]
        if mem[dom + x] & value:
            some = meet(net, mem, x, begin)
            if begin:
                some = leave_out(net, mem, at + 3 + size)
            begin = 0
            if not some:
                return 1
    if begin:
        return 1
    return remove(net, mem, dom, value)


@kernel
def leave_out(net: Net, mem: Mem, cells: int) -> int:
    """Take a bit set of variables, which lies in net, out of COMMON; return whether any are left."""
    common = row_of(net, mem, COMMON)
    some = 0
    for w in range(net.words):
        mem[common + w] &= ~net[cells + w]
        some |= mem[common + w]
    return some != 0
