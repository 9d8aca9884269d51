"""Cells of some values that form one connected group."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .layout import kernel

# What a cell is, in a row of work: it cannot be inside, it may be, it is; MET is added where a flood has come.
MAY = 1
IS = 2
MET = 4


@kernel
def flooded(net: Ints, mem: Ints, n: int, kinds: int, lists: int, first: int, without: int, left: int) -> int:
    """Mark the cells that are joined to the first one by cells that may be inside; tell whether all that are is met."""
    for i in range(n):
        mem[kinds + i] &= ~MET
    mem[kinds + first] |= MET
    mem[left] = first
    waiting = 1
    while waiting > 0:
        waiting -= 1
        cell = mem[left + waiting]
        for e in range(net[lists + cell], net[lists + cell + 1]):
            other = net[lists + n + 1 + e]
            if other != without and mem[kinds + other] != 0 and mem[kinds + other] & MET == 0:
                mem[kinds + other] |= MET
                mem[left + waiting] = other
                waiting += 1
    for i in range(n):
        if mem[kinds + i] & IS and mem[kinds + i] & MET == 0:
            return 0
    return 1


@kernel
def joined(net: Ints, mem: Ints, n: int, at: int, record: int, top: int) -> int:
    """Keep cells out of the group that cannot be reached, and those in it without which it would fall apart."""
    values = net[record]
    lists = record + 1
    first = -1
    for i in range(n):
        mask = mem[at + i]
        mem[top + i] = 0
        if mask & values != 0:
            mem[top + i] = MAY
            if mask & ~values == 0:
                mem[top + i] = MAY | IS
                if first < 0:
                    first = i
    if first < 0:
        return 1
    if flooded(net, mem, n, top, lists, first, -1, top + n) == 0:
        return 0
    for i in range(n):
        if mem[top + i] == MAY:
            mem[at + i] &= ~values
            mem[top + i] = 0
    for i in range(n):
        if mem[top + i] & ~MET == MAY and flooded(net, mem, n, top, lists, first, i, top + n) == 0:
            mem[at + i] &= values
    return 1
