"""Two lists of cells that contain the same values, each equally often."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest

from .layout import WORD, kernel

# For each value, in a row of work: the cells of a side that have no other, and those that may have it.
SURE = 0
MAY = WORD


@kernel
def counted(net: Ints, mem: Ints, at: int, places: int, length: int, to: int) -> int:
    """Count how often each value certainly is on a side, and how often it may be; return the values that may be
    there.
    """
    for b in range(WORD):
        mem[to + SURE + b] = 0
        mem[to + MAY + b] = 0
    every = 0
    for i in range(length):
        mask = mem[at + net[places + i]]
        every |= mask
        if mask & (mask - 1) == 0:
            mem[to + SURE + lowest(mask)] += 1
        rest = mask
        while rest != 0:
            mem[to + MAY + lowest(rest)] += 1
            rest &= rest - 1
    return every


@kernel
def kept_on_side(mem: Ints, mask: int, mine: int, other: int) -> int:
    """Return the values of a cell with which both sides may still be equal, given the counts of both sides."""
    if mask & (mask - 1) == 0:
        return mask
    needed = 0
    rest = mask
    while rest != 0:
        b = lowest(rest)
        if mem[mine + MAY + b] <= mem[other + SURE + b]:
            needed |= 1 << b
        rest &= rest - 1
    kept = 0
    rest = mask
    while rest != 0:
        b = lowest(rest)
        if mem[mine + SURE + b] < mem[other + MAY + b] and needed & ~(1 << b) == 0:
            kept |= 1 << b
        rest &= rest - 1
    return kept


@kernel
def permuted(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Keep the values with which each value may be equally often on both sides, by what certainly is and may be
    there.
    """
    length = net[record]
    left = record + 1
    right = left + length
    one = top
    two = top + 2 * WORD
    every = counted(net, mem, at, left, length, one) | counted(net, mem, at, right, length, two)
    while every != 0:
        b = lowest(every)
        if mem[one + SURE + b] > mem[two + MAY + b] or mem[two + SURE + b] > mem[one + MAY + b]:
            return 0
        every &= every - 1
    for i in range(length):
        mem[at + net[left + i]] = kept_on_side(mem, mem[at + net[left + i]], one, two)
        mem[at + net[right + i]] = kept_on_side(mem, mem[at + net[right + i]], two, one)
        if mem[at + net[left + i]] == 0 or mem[at + net[right + i]] == 0:
            return 0
    return 1
