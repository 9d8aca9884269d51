"""Level 1.k: what a single atom removes when the candidates of k of its cells are read."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .distinct_cells import hidden_sets, naked_sets, next_choice
from .layout import (
    ABLE,
    AT,
    ATOMS,
    BUDGET,
    CHOICE,
    CHOOSING,
    COST,
    DOM,
    FLAGS,
    FOUND,
    FULL,
    HOUSE,
    KIND,
    LAST,
    LEFT,
    MEMBERS,
    OPEN,
    RECORD,
    SCRATCH,
    START,
    kernel,
)
from .remembering import remembered
from .revising import bases


@kernel
def gathered(net: Ints, mem: Ints, atom: int, dom: int, to: int) -> int:
    """Copy the masks of an atom's cells; return how many there are."""
    start = net[net[START] + atom]
    n = net[net[START] + atom + 1] - start
    for i in range(n):
        mem[to + i] = mem[dom + net[net[MEMBERS] + start + i]]
    return n


@kernel
def find_able(net: Ints, mem: Ints) -> int:
    """Find the flagged atoms that remove something when all their cells are read, from AT on; 0 if the budget ends."""
    scratch = net[SCRATCH]
    bases(net, mem)
    for a in range(mem[AT], net[ATOMS]):
        if mem[BUDGET] < 0:
            mem[AT] = a
            return 0
        mem[net[ABLE] + a] = 0
        if mem[net[FLAGS] + a]:
            n = gathered(net, mem, a, net[DOM], scratch)
            left = net[LEFT] + net[net[START] + a]
            fine = remembered(net, mem, a, n, scratch, 1)
            for i in range(n):
                mem[left + i] = 0
                if fine:
                    mem[left + i] = mem[scratch + i]
                if mem[left + i] != mem[net[DOM] + net[net[MEMBERS] + net[net[START] + a] + i]]:
                    mem[net[ABLE] + a] = 1
    mem[AT] = 0
    return 1


@kernel
def read_house(net: Ints, mem: Ints, atom: int, k: int) -> int:
    """Find what sets of k cells or k values of a house remove."""
    scratch = net[SCRATCH]
    n = gathered(net, mem, atom, net[DOM], scratch)
    left = net[LEFT] + net[net[START] + atom]
    record = net[net[RECORD] + atom]
    for i in range(n):
        mem[left + i] = mem[scratch + i]
    mem[BUDGET] -= net[net[COST] + atom] * k
    if k == 0:
        return 0
    naked_sets(mem, n, scratch, k, left, net[CHOICE])
    if net[record + 1]:
        hidden_sets(mem, n, scratch, net[record], k, left, net[CHOICE], scratch + n)
    for i in range(n):
        if mem[left + i] != mem[scratch + i]:
            return 1
    return 0


@kernel
def narrower(net: Ints, mem: Ints, members: int, n: int, last: int) -> int:
    """Return whether no cell has a candidate that it did not have the last time; 0 if there was no last time."""
    if mem[last] == 0:
        return 0
    for i in range(n):
        if mem[net[DOM] + net[members + i]] & ~mem[last + 1 + i] != 0:
            return 0
    return 1


@kernel
def begin_reading(net: Ints, mem: Ints, atom: int, last: int, left: int) -> int:
    """Start with what choices of unchanged cells left, and list the narrowed cells; return how many there are."""
    members = net[MEMBERS] + net[net[START] + atom]
    n = net[net[START] + atom + 1] - net[net[START] + atom]
    begun = mem[CHOOSING]
    if begun == 0:
        mem[last] = narrower(net, mem, members, n, last)
    narrowed = 0
    for i in range(n):
        mask = mem[net[DOM] + net[members + i]]
        if begun == 0:
            mem[left + i] = mask & mem[last + 1 + n + i] if mem[last] else mask
        if mask != net[net[FULL] + net[members + i]]:
            mem[net[OPEN] + narrowed] = i
            narrowed += 1
    return narrowed


@kernel
def is_news(net: Ints, mem: Ints, members: int, k: int, last: int) -> int:
    """Return whether one of the chosen cells has changed since the last time, or nothing is known of it."""
    if mem[last] == 0:
        return 1
    for i in range(k):
        chosen = mem[net[OPEN] + mem[net[CHOICE] + i]]
        if mem[net[DOM] + net[members + chosen]] != mem[last + 1 + chosen]:
            return 1
    return 0


@kernel
def read_choice(net: Ints, mem: Ints, atom: int, k: int, left: int) -> int:
    """Remove what an atom removes when the chosen cells are read; 0 if nothing is left."""
    scratch = net[SCRATCH]
    members = net[MEMBERS] + net[net[START] + atom]
    n = net[net[START] + atom + 1] - net[net[START] + atom]
    for i in range(n):
        mem[scratch + i] = net[net[FULL] + net[members + i]]
    for i in range(k):
        chosen = mem[net[OPEN] + mem[net[CHOICE] + i]]
        mem[scratch + chosen] = mem[net[DOM] + net[members + chosen]]
    if remembered(net, mem, atom, n, scratch, 1) == 0:
        for i in range(n):
            mem[left + i] = 0
        return 0
    for i in range(n):
        mem[left + i] &= mem[scratch + i]
    return 1


@kernel
def read_cells(net: Ints, mem: Ints, atom: int, k: int) -> int:
    """Find what the choices of k narrowed cells remove together; 2 if the budget ends, to be continued.

    What was left the last time is kept: only choices with a cell that has changed since are tried.
    """
    start = net[net[START] + atom]
    n = net[net[START] + atom + 1] - start
    left = net[LEFT] + start
    last = net[LAST] + 4 * (atom + 2 * start) + k * (2 * n + 1)
    narrowed = begin_reading(net, mem, atom, last, left)
    more = mem[CHOOSING]
    if more == 0 and k <= narrowed:
        for i in range(k):
            mem[net[CHOICE] + i] = i
        more = 1
    while more:
        if is_news(net, mem, net[MEMBERS] + start, k, last):
            if mem[BUDGET] < 0:
                mem[CHOOSING] = 1
                return 2
            if read_choice(net, mem, atom, k, left) == 0:
                mem[CHOOSING] = 0
                mem[last] = 0
                return 1
        mem[BUDGET] -= 1
        more = next_choice(mem, net[CHOICE], k, narrowed)
    mem[CHOOSING] = 0
    mem[last] = 1
    found = 0
    for i in range(n):
        mem[last + 1 + i] = mem[net[DOM] + net[net[MEMBERS] + start + i]]
        mem[last + 1 + n + i] = mem[left + i]
        if mem[left + i] != mem[last + 1 + i]:
            found = 1
    return found


@kernel
def read_all(net: Ints, mem: Ints, k: int) -> int:
    """Find what every able atom removes when k cells are read, from AT on; 0 if the budget ends.

    ABLE becomes 2 for an atom that removes something, 1 for one that does not; atoms with -1 are skipped. FOUND counts
    the first.
    """
    for a in range(mem[AT], net[ATOMS]):
        able = mem[net[ABLE] + a]
        if able > 0:
            if mem[BUDGET] < 0:
                mem[AT] = a
                return 0
            found = read_house(net, mem, a, k) if net[net[KIND] + a] == HOUSE else read_cells(net, mem, a, k)
            if found == 2:
                mem[AT] = a
                return 0
            mem[net[ABLE] + a] = 1 + found
            mem[FOUND] += found
    mem[AT] = 0
    return 1
