"""The kernels of single kinds of nodes: cells that differ, and choices of cells."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import lowest, ones

from .layout import Mem, kernel


@kernel
def house_ones(mem: Mem, n: int, at: int, values: int, exact: int) -> int:
    """Remove what one cell with one value takes from the others, and all other values of one that is in no other cell.

    All of it is removed also if that leaves a cell nothing.
    """
    seen = 0
    doubly = 0
    once = 0
    twice = 0
    for i in range(n):
        mask = mem[at + i]
        twice |= once & mask
        once |= mask
        if mask & (mask - 1) == 0:
            doubly |= seen & mask
            seen |= mask
    hidden = once & ~twice & values if exact else 0
    changed = 0
    for i in range(n):
        mask = mem[at + i]
        kept = mask & ~(doubly if mask & (mask - 1) == 0 else seen)
        own = mask & hidden
        if own != 0:
            kept &= own if own & (own - 1) == 0 else 0
        if kept != mask:
            mem[at + i] = kept
            changed = 1
    return changed


@kernel
def augmented(mem: Mem, at: int, owner: int, visited: int, cell: int) -> int:
    """Give a cell a value, moving others; 1 if that is possible. ``owner`` has the cell of each value, or -1."""
    rest = mem[at + cell] & ~mem[visited]
    while rest != 0:
        bit = lowest(rest)
        mem[visited] |= 1 << bit
        other = mem[owner + bit]
        if other < 0 or augmented(mem, at, owner, visited, other):
            mem[owner + bit] = cell
            return 1
        rest = mem[at + cell] & ~mem[visited]
    return 0


@kernel
def matched(mem: Mem, n: int, at: int, width: int, owner: int, visited: int) -> int:
    """Give each cell a different value; return the values, 0 if that is impossible. ``owner`` has the cell of each."""
    union = 0
    for i in range(n):
        union |= mem[at + i]
    if ones(union) < n:
        return 0
    for bit in range(width):
        mem[owner + bit] = -1
    for i in range(n):
        mem[visited] = 0
        if augmented(mem, at, owner, visited, i) == 0:
            return 0
    taken = 0
    for bit in range(width):
        if mem[owner + bit] >= 0:
            taken |= 1 << bit
    return taken


@kernel
def owners(mem: Mem, values: int, owner: int) -> int:
    """Return the cells, as bits, to which values are given."""
    cells = 0
    while values != 0:
        cells |= 1 << mem[owner + lowest(values)]
        values &= values - 1
    return cells


@kernel
def house_exactly(mem: Mem, n: int, at: int, width: int, top: int) -> int:
    """Keep the values that are part of some choice of different values, of ``width`` bits; 0 if there is none.

    Starting from one such choice, a cell may take a value of another cell if that cell can move on, along values that
    have room, to a free value or back to the first cell's own one.
    """
    owner = top
    visited = top + width
    reach = visited + 1
    taken = matched(mem, n, at, width, owner, visited)
    if taken == 0:
        return 0
    movable = 0
    for i in range(n):
        if mem[at + i] & ~taken != 0:
            movable |= 1 << i
        mem[reach + i] = owners(mem, mem[at + i] & taken, owner)
    for k in range(n):
        through = mem[reach + k]
        for i in range(n):
            if mem[reach + i] >> k & 1:
                mem[reach + i] |= through
    for i in range(n):
        kept = mem[at + i] & ~taken
        rest = mem[at + i] & taken
        while rest != 0:
            bit = lowest(rest)
            rest &= rest - 1
            other = mem[owner + bit]
            if other == i or mem[reach + other] & (movable | 1 << i) != 0:
                kept |= 1 << bit
        mem[at + i] = kept
    return 1


@kernel
def next_choice(mem: Mem, choice: int, k: int, n: int) -> int:
    """Advance to the next choice of k numbers below n, in order; 0 after the last one."""
    p = k - 1
    while p >= 0 and mem[choice + p] == n - k + p:
        p -= 1
    if p < 0:
        return 0
    mem[choice + p] += 1
    for q in range(p + 1, k):
        mem[choice + q] = mem[choice + q - 1] + 1
    return 1


@kernel
def naked_sets(mem: Mem, n: int, at: int, size: int, found: int, choice: int, top: int) -> int:
    """Remove from ``found`` what ``size`` of some masks that have as many bits together take from the others."""
    few = 0
    for i in range(n):
        if ones(mem[at + i]) <= size:
            mem[top + few] = i
            few += 1
    for i in range(size):
        mem[choice + i] = i
    more = 1 if size <= few else 0
    while more:
        union = 0
        chosen = 0
        for i in range(size):
            union |= mem[at + mem[top + mem[choice + i]]]
            chosen |= 1 << mem[top + mem[choice + i]]
        if ones(union) == size:
            for i in range(n):
                if chosen >> i & 1 == 0:
                    mem[found + i] &= ~union
        more = next_choice(mem, choice, size, few)
    return 1


@kernel
def hidden_sets(mem: Mem, n: int, at: int, values: int, size: int, found: int, choice: int, top: int) -> int:
    """Remove all other values from ``size`` cells that are the only places for as many values.

    The house has a place for each of its values: the places of values take the part of the values of cells.
    """
    kept = top + n
    for j in range(n):
        mem[top + j] = 0
    rest = values
    for j in range(n):
        bit = lowest(rest)
        rest &= rest - 1
        for i in range(n):
            mem[top + j] |= (mem[at + i] >> bit & 1) << i
        mem[kept + j] = mem[top + j]
    naked_sets(mem, n, top, size, kept, choice, kept + n)
    rest = values
    for j in range(n):
        bit = lowest(rest)
        rest &= rest - 1
        for i in range(n):
            if mem[kept + j] >> i & 1 == 0:
                mem[found + i] &= ~(1 << bit)
    return 1
