"""Trials: suppose a candidate and follow the atoms in rounds, each from one snapshot; trials within a trial."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .layout import (
    AT,
    BANDS,
    BEST,
    BITS,
    BUDGET,
    CELLS,
    CLOSED,
    COMPLETE,
    COST,
    DOM,
    FAR,
    FLAGS,
    FOUND,
    IS_CLOSED,
    IS_TOUCHED,
    MEMBERS,
    NEW,
    NEXT,
    OUT,
    QUEUE,
    QUEUED,
    SCRATCH,
    SINCE,
    START,
    TOUCHED,
    TRIED,
    USE,
    USERS,
    USERS_AT,
    kernel,
)
from .reading import gathered
from .revising import bases, revise


@kernel
def queue_users(net: Ints, mem: Ints, cell: int) -> int:
    """Queue the atoms of a cell that take part."""
    for e in range(net[net[USERS_AT] + cell], net[net[USERS_AT] + cell + 1]):
        a = net[net[USERS] + e]
        if mem[net[FLAGS] + a] == 0 and mem[net[USE] + a]:
            mem[net[FLAGS] + a] = 1
            mem[net[QUEUE] + mem[QUEUED]] = a
            mem[QUEUED] += 1
    return 1


@kernel
def emptied(net: Ints, mem: Ints) -> int:
    """Empty the queue."""
    for i in range(mem[QUEUED]):
        mem[net[FLAGS] + mem[net[QUEUE] + i]] = 0
    mem[QUEUED] = 0
    return 1


@kernel
def noted(net: Ints, mem: Ints, dom: int, atom: int, from_: int, changed: int) -> int:
    """Note what a round leaves of the cells of an atom; return how many cells the round has changed so far."""
    n = net[net[START] + atom + 1] - net[net[START] + atom]
    for i in range(n):
        cell = net[net[MEMBERS] + net[net[START] + atom] + i]
        if mem[from_ + i] != mem[dom + cell]:
            if mem[net[IS_TOUCHED] + cell] == 0:
                mem[net[IS_TOUCHED] + cell] = 1
                mem[net[NEW] + cell] = mem[dom + cell]
                mem[net[TOUCHED] + changed] = cell
                changed += 1
            mem[net[NEW] + cell] &= mem[from_ + i]
    return changed


@kernel
def round_of(net: Ints, mem: Ints, dom: int, strong: int) -> int:
    """Make all queued atoms consistent from one snapshot, in place; 0 where that fails. The next queue is made."""
    waiting = mem[QUEUED]
    scratch = net[SCRATCH]
    for i in range(waiting):
        mem[net[NEXT] + i] = mem[net[QUEUE] + i]
        mem[net[FLAGS] + mem[net[QUEUE] + i]] = 0
    mem[QUEUED] = 0
    fine = 1
    changed = 0
    for i in range(waiting):
        if fine:
            a = mem[net[NEXT] + i]
            n = gathered(net, mem, a, dom, scratch)
            mem[BUDGET] -= net[net[COST] + a]
            fine = revise(net, mem, a, scratch, scratch + n, strong)
            if fine:
                changed = noted(net, mem, dom, a, scratch, changed)
    for i in range(changed):
        cell = mem[net[TOUCHED] + i]
        mem[net[IS_TOUCHED] + cell] = 0
        if mem[net[NEW] + cell] == 0:
            fine = 0
    if fine:
        for i in range(changed):
            cell = mem[net[TOUCHED] + i]
            mem[dom + cell] = mem[net[NEW] + cell]
            queue_users(net, mem, cell)
    return fine


@kernel
def follow(net: Ints, mem: Ints, dom: int, limit: int, strong: int) -> int:
    """Follow the queued atoms in at most some rounds, in place; return the round that fails, FAR where none does."""
    number = 1
    while number <= limit and mem[QUEUED] > 0:
        if round_of(net, mem, dom, strong) == 0:
            return number
        number += 1
    mem[COMPLETE] = 1 if mem[QUEUED] == 0 else 0
    emptied(net, mem)
    return FAR


@kernel
def supposed(net: Ints, mem: Ints, dom: int, cell: int, bit: int, limit: int, strong: int) -> int:
    """Return the round in which a candidate fails, supposed on a copy of some state."""
    for i in range(net[CELLS]):
        mem[net[TRIED] + i] = mem[dom + i]
    mem[net[TRIED] + cell] = 1 << bit
    queue_users(net, mem, cell)
    return follow(net, mem, net[TRIED], limit, strong)


@kernel
def keep_closed(net: Ints, mem: Ints, candidate: int, closed: int) -> int:
    """Keep what is left when a candidate has been followed to the end: it does not fail."""
    mem[net[IS_CLOSED] + candidate] = 1
    for i in range(net[CELLS]):
        mem[closed + i] = mem[net[TRIED] + i]
    return 1


@kernel
def stays_closed(net: Ints, mem: Ints, candidate: int, strong: int) -> int:
    """Tell whether a candidate that did not fail before does not fail either now that others are gone."""
    closed = net[CLOSED] + candidate * net[CELLS]
    stale = 0
    for i in range(net[CELLS]):
        left = mem[closed + i] & mem[net[DOM] + i]
        mem[net[TRIED] + i] = left
        if left != mem[closed + i]:
            stale = 1
            if left == 0:
                return 0
    if stale == 0:
        return 1
    for i in range(net[CELLS]):
        if mem[net[TRIED] + i] != mem[closed + i]:
            queue_users(net, mem, i)
    if follow(net, mem, net[TRIED], FAR, strong) < FAR:
        return 0
    return keep_closed(net, mem, candidate, closed)


@kernel
def tried(net: Ints, mem: Ints, cell: int, bit: int, strong: int) -> int:
    """Return the round in which a candidate fails, FAR where it does not up to BEST."""
    candidate = (strong * net[CELLS] + cell) * net[BITS] + bit
    if mem[net[IS_CLOSED] + candidate]:
        if stays_closed(net, mem, candidate, strong):
            return FAR
        mem[net[IS_CLOSED] + candidate] = 0
    depth = supposed(net, mem, net[DOM], cell, bit, mem[BEST], strong)
    if depth == FAR and mem[COMPLETE]:
        keep_closed(net, mem, candidate, net[CLOSED] + candidate * net[CELLS])
    return depth


@kernel
def trials(net: Ints, mem: Ints, strong: int) -> int:
    """Try every candidate, from the cell AT on; BEST is the highest band that counts, and falls. 0: the budget ended.

    OUT has the depths, FOUND counts those that fail.
    """
    bands = net[BANDS] + 16 * strong
    bases(net, mem)
    for cell in range(mem[AT], net[CELLS]):
        if mem[BUDGET] < 0:
            mem[AT] = cell
            return 0
        mask = mem[net[DOM] + cell]
        for bit in range(net[BITS]):
            depth = FAR
            if mask >> bit & 1 and mask & (mask - 1) != 0:
                depth = tried(net, mem, cell, bit, strong)
            mem[net[OUT] + cell * net[BITS] + bit] = depth
            if depth < FAR:
                mem[FOUND] += 1
                band = bands
                while net[band] < depth:
                    band += 1
                mem[BEST] = min(mem[BEST], net[band])
    mem[AT] = 0
    return 1


@kernel
def sweep(net: Ints, mem: Ints, inner: int) -> int:
    """Remove candidates from DOM that fail within some rounds, and what follows, until all have been tried in vain.

    Goes on from the candidate AT. Returns 1 when no more falls, 2 when a contradiction is met, 0 when the budget ends.
    """
    bits = net[BITS]
    every = net[CELLS] * bits
    cell = 0
    bit = 0
    at = mem[AT]
    bases(net, mem)
    while at >= bits:
        at -= bits
        cell += 1
    bit = at
    while mem[SINCE] < every:
        if mem[BUDGET] < 0:
            mem[AT] = cell * bits + bit
            return 0
        mask = mem[net[DOM] + cell]
        mem[SINCE] += 1
        depth = FAR
        if mask >> bit & 1 and mask & (mask - 1) != 0:
            depth = supposed(net, mem, net[DOM], cell, bit, inner, 0)
        if depth < FAR:
            mem[net[DOM] + cell] &= ~(1 << bit)
            queue_users(net, mem, cell)
            if follow(net, mem, net[DOM], FAR, 0) < FAR:
                return 2
            bases(net, mem)
            mem[SINCE] = 0
        bit += 1
        if bit == bits:
            bit = 0
            cell += 1
            if cell == net[CELLS]:
                cell = 0
    return 1
