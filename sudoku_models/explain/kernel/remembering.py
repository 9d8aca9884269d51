"""A cache of what costly atoms leave of some candidates: the same candidates recur in trials."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .layout import BUDGET, CACHE, COST, COSTLY, HOUSE, KIND, MEMBERS, SLOT, SLOTS, START, kernel
from .revising import revise

HALF = (1 << 31) - 1
FACTOR = 1540483477


@kernel
def gathered(net: Ints, mem: Ints, atom: int, dom: int, to: int) -> int:
    """Copy the masks of an atom's cells; return how many there are."""
    start = net[net[START] + atom]
    n = net[net[START] + atom + 1] - start
    for i in range(n):
        mem[to + i] = mem[dom + net[net[MEMBERS] + start + i]]
    return n


@kernel
def slot_of(net: Ints, mem: Ints, atom: int, n: int, at: int) -> int:
    """Return the place of the cached answer for some candidates of an atom, if there is one."""
    number = atom + 1
    for i in range(n):
        mask = mem[at + i]
        number = ((number ^ mask ^ mask >> 31) & HALF) * FACTOR
        number ^= number >> 29
    return net[CACHE] + ((number >> 7) & (net[SLOTS] - 1)) * net[SLOT]


@kernel
def remembered(net: Ints, mem: Ints, atom: int, n: int, at: int) -> int:
    """Do what ``revise`` does with an atom, but mostly only once for the same candidates of a costly one."""
    cost = net[net[COST] + atom]
    if cost < COSTLY or net[net[KIND] + atom] == HOUSE:
        mem[BUDGET] -= cost
        return revise(net, mem, atom, at, at + n)
    mem[BUDGET] -= n
    slot = slot_of(net, mem, atom, n, at)
    before = slot + 2
    same = 1 if mem[slot] == atom + 1 else 0
    i = 0
    while same and i < n:
        if mem[before + i] != mem[at + i]:
            same = 0
        i += 1
    if same == 0:
        for j in range(n):
            mem[before + j] = mem[at + j]
        mem[BUDGET] -= cost
        mem[slot] = atom + 1
        mem[slot + 1] = revise(net, mem, atom, at, at + n)
        for j in range(n):
            mem[before + n + j] = mem[at + j]
    for j in range(n):
        mem[at + j] = mem[before + n + j]
    return mem[slot + 1]
