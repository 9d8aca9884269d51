"""Cells that hold certain values form one connected group."""

from __future__ import annotations

from ..language import Ints, kernel
from .changes import narrow
from .layout import FLAGS

OUTSIDE = 0
POSSIBLE_PLACE = 1
REACHED_PLACE = 2


@kernel
def joined(net: Ints, mem: Ints, at: int, dom: int) -> int:
    """What cannot be reached from a cell that is surely inside is outside.

    A record: how many cells, the mask, the cells; where each cell's neighbours begin; the neighbours. FLAGS has a flag
    for each cell, and behind these a stack.
    """
    cells = net[at]
    mask = net[at + 1]
    first = possible_places(net, mem, at, dom)
    if first < 0:
        return 1
    flood(net, mem, at, first)
    for i in range(cells):
        if mem[mem[FLAGS] + i] == POSSIBLE_PLACE and not narrow(mem, dom, net[at + 2 + i], ~mask):
            return 0
    return 1


@kernel
def possible_places(net: Ints, mem: Ints, at: int, dom: int) -> int:
    """Flag the cells that may be inside; return one that surely is, or -1."""
    found = -1
    for i in range(net[at]):
        mask = mem[dom + net[at + 2 + i]]
        mem[mem[FLAGS] + i] = mask & net[at + 1] != 0
        if mask & ~net[at + 1] == 0:
            found = i
    return found


@kernel
def flood(net: Ints, mem: Ints, at: int, first: int) -> int:
    """Flag what is reached from a cell through possible ones."""
    flags = mem[FLAGS]
    neighbours_at = at + 2 + net[at]
    neighbours = neighbours_at + net[at] + 1
    bottom = flags + net[at]
    top = bottom + 1
    mem[bottom] = first
    mem[flags + first] = REACHED_PLACE
    while top > bottom:
        top -= 1
        place = mem[top]
        for e in range(net[neighbours_at + place], net[neighbours_at + place + 1]):
            other = net[neighbours + e]
            if mem[flags + other] == POSSIBLE_PLACE:
                mem[flags + other] = REACHED_PLACE
                mem[top] = other
                top += 1
    return 1
