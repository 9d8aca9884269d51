"""Trials: suppose a candidate and apply the atoms in rounds, each from one snapshot; nested trials."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .layout import *  # the names of kinds, sections and numbers
from .revising import revise


@kernel
def gathered(net: Net, mem: Mem, atom: int, dom: int, to: int) -> int:
    """Copy the masks of an atom's cells; return how many there are."""
    start = net.start[atom]
    n = net.start[atom + 1] - start
    for i in range(n):
        mem[to + i] = mem[dom + net.members[start + i]]
    return n


@kernel
def revised(net: Net, mem: Mem, atom: int, n: int, at: int) -> int:
    """Narrow the masks of an atom's cells to what it leaves; 0 if nothing is left. Above them is work space."""
    mem.budget -= net.cost[atom]
    return revise(net, mem, atom, at, at + n)


# ----------------------------------------------------------------------------
# Trials: suppose a candidate and apply the atoms in rounds, each from one snapshot; nested trials.


@kernel
def queue_users(net: Net, mem: Mem, cell: int) -> int:
    """Queue the active atoms of a cell."""
    for e in range(net.users_at[cell], net.users_at[cell + 1]):
        a = net.users[e]
        if mem.flags[a] == 0 and mem.use[a]:
            mem.flags[a] = 1
            mem.queue[mem.queued] = a
            mem.queued += 1
    return 1


@kernel
def noted(net: Net, mem: Mem, dom: int, cell: int, left: int, changed: int) -> int:
    """Record what a round leaves of a cell; return how many cells the round has changed so far."""
    if mem.is_touched[cell]:
        mem.new[cell] &= left
        return changed
    mem.is_touched[cell] = 1
    mem.new[cell] = mem[dom + cell] & left
    mem.touched[changed] = cell
    return changed + 1


@kernel
def house_round(net: Net, mem: Mem, dom: int, atom: int, changed: int) -> int:
    """Apply the singles of a house in a round; return how many cells the round has changed so far, -1 minus it if the
    house fails.
    """
    members = net.members.place + net.start[atom]
    n = net.start[atom + 1] - net.start[atom]
    record = net.record[atom]
    mem.budget -= n
    seen = 0
    once = 0
    twice = 0
    several = 0
    clash = 0
    for i in range(n):
        mask = mem[dom + net[members + i]]
        twice |= once & mask
        once |= mask
        if mask & (mask - 1) == 0:
            clash |= seen & mask
            seen |= mask
        else:
            several |= mask
    hidden = 0
    if net[record + 1]:
        hidden = once & ~twice
        if once != net[record]:
            clash = 1
    if clash != 0:
        return -1 - changed
    if (seen | hidden) & several == 0:
        return changed
    for i in range(n):
        cell = net[members + i]
        mask = mem[dom + cell]
        if mask & (mask - 1) != 0:
            own = mask & hidden
            left = own if own != 0 else mask & ~seen
            if left == 0 or own & (own - 1) != 0:
                return -1 - changed
            if left != mask:
                changed = noted(net, mem, dom, cell, left, changed)
    return changed


@kernel
def atom_round(net: Net, mem: Mem, dom: int, atom: int, strong: int, changed: int) -> int:
    """Apply an atom in a round; return how many cells the round has changed so far, -1 minus it if the atom fails."""
    if strong == 0 and net.kind[atom] == HOUSE:
        return house_round(net, mem, dom, atom, changed)
    scratch = mem.scratch.place
    n = gathered(net, mem, atom, dom, scratch)
    if revised(net, mem, atom, n, scratch) == 0:
        return -1 - changed
    for i in range(n):
        cell = net.members[net.start[atom] + i]
        if mem[scratch + i] != mem[dom + cell]:
            changed = noted(net, mem, dom, cell, mem[scratch + i], changed)
    return changed


@kernel
def ended_round(net: Net, mem: Mem, dom: int, changed: int, write: int) -> int:
    """Forget what a round has recorded of some cells, or write it and queue the atoms of these cells."""
    for i in range(changed):
        cell = mem.touched[i]
        mem.is_touched[cell] = 0
        if write:
            mem[dom + cell] = mem.new[cell]
            queue_users(net, mem, cell)
    return 1


@kernel
def round_of(net: Net, mem: Mem, dom: int, strong: int, last: int) -> int:
    """Make all queued atoms consistent from one snapshot, in place; 0 if that fails. Builds the next queue.

    For the last round it only matters whether it fails: nothing is written. ``complete`` is 0 if something would be.
    """
    waiting = mem.queued
    for i in range(waiting):
        mem.next[i] = mem.queue[i]
        mem.flags[mem.queue[i]] = 0
    mem.queued = 0
    fine = 1
    changed = 0
    i = 0
    while fine and i < waiting:
        changed = atom_round(net, mem, dom, mem.next[i], strong, changed)
        if changed < 0:
            changed = -1 - changed
            fine = 0
        i += 1
    for i in range(changed):
        if mem.new[mem.touched[i]] == 0:
            fine = 0
    mem.complete = 1 if changed == 0 or last == 0 else 0
    ended_round(net, mem, dom, changed, fine and last == 0)
    return fine


@kernel
def follow(net: Net, mem: Mem, dom: int, limit: int, strong: int) -> int:
    """Apply the queued atoms in at most some rounds, in place; return the round that fails, FAR if none does.

    ``complete`` is 1 if nothing is left to be applied; only then is the state complete.
    """
    number = 1
    mem.complete = 1
    while number <= limit and mem.queued > 0:
        if round_of(net, mem, dom, strong, number == limit) == 0:
            return number
        number += 1
    return FAR


@kernel
def closed(net: Net, mem: Mem, dom: int, strong: int) -> int:
    """Apply the queued atoms until nothing changes, in place; 0 if that fails."""
    return follow(net, mem, dom, FAR, strong) == FAR


@kernel
def supposed(net: Net, mem: Mem, cell: int, bit: int, limit: int, strong: int) -> int:
    """Return the round in which a candidate fails, when it is supposed on a copy of the state."""
    for i in range(net.cells):
        mem.tried[i] = mem.dom[i]
    mem.tried[cell] = 1 << bit
    queue_users(net, mem, cell)
    return follow(net, mem, mem.tried.place, limit, strong)


@kernel
def keep(net: Net, mem: Mem, kept: Ints, at: int) -> int:
    """Keep what is left when what was supposed has been followed to the end without failing."""
    kept[at] = KEPT
    for i in range(net.cells):
        kept[at + 1 + i] = mem.tried[i]
    return 1


@kernel
def stays(net: Net, mem: Mem, strong: int, kept: Ints, at: int) -> int:
    """Return whether what was kept still does not fail, now that other candidates are removed; keep what is left."""
    gone = 0
    for i in range(net.cells):
        gone |= kept[at + 1 + i] & ~mem.dom[i]
    if gone == 0:
        return 1
    for i in range(net.cells):
        if kept[at + 1 + i] & mem.dom[i] == 0:
            return 0
    for i in range(net.cells):
        mem.tried[i] = kept[at + 1 + i] & mem.dom[i]
        if mem.tried[i] != kept[at + 1 + i]:
            queue_users(net, mem, i)
    if closed(net, mem, mem.tried.place, strong) == 0:
        return 0
    return keep(net, mem, kept, at)


@kernel
def tried(net: Net, mem: Mem, cell: int, bit: int, limit: int, strong: int, memory: int, number: int) -> int:
    """Return the round in which a candidate fails, FAR if it does not within ``limit``.

    ``memory`` is the address at which what is left of it is kept, under a number: as long as that is left, it does not
    fail. 0: nothing is kept.
    """
    if memory == 0:
        return supposed(net, mem, cell, bit, limit, strong)
    kept = Ints(memory)
    at = number * (net.cells + 1)
    if kept[at] == KEPT and stays(net, mem, strong, kept, at):
        return FAR
    depth = supposed(net, mem, cell, bit, limit, strong)
    if depth == FAR and mem.complete:
        keep(net, mem, kept, at)
    elif depth < FAR or kept[at] == KEPT:
        kept[at] = FAILED
    return depth


@kernel
def trials(net: Net, mem: Mem, strong: int) -> int:
    """Try every candidate, from the cell ``at`` on; ``best`` is the highest band that counts, and decreases. 0: the
    budget ended.

    ``out`` has the depths, ``found`` counts those that fail.
    """
    for cell in range(mem.at, net.cells):
        if mem.budget < 0:
            mem.at = cell
            return 0
        mask = mem.dom[cell]
        for bit in range(net.bits):
            depth = FAR
            if mask >> bit & 1 and mask & (mask - 1) != 0:
                number = (strong * net.cells + cell) * net.bits + bit
                depth = tried(net, mem, cell, bit, mem.best, strong, mem.kept, number)
            mem.out[cell * net.bits + bit] = depth
            if depth < FAR:
                mem.found += 1
                band = 16 * strong
                while net.bands[band] < depth:
                    band += 1
                mem.best = min(mem.best, net.bands[band])
    mem.at = 0
    return 1


@kernel
def beside(net: Net, mem: Mem, cell: int, bit: int, inner: int) -> int:
    """Return the round in which a candidate fails in a sweep, FAR if it does not within ``inner``.

    It is followed to the end once. If it does not fail, what is left is kept for it and the candidate that the sweep
    supposes, in whichever order.
    """
    one = mem.number[mem.fact]
    other = mem.number[cell * net.bits + bit]
    pair = max(one, other) * (max(one, other) - 1) // 2 + min(one, other)
    limit = inner
    if mem.pairs != 0 and Ints(mem.pairs)[pair * (net.cells + 1)] == 0:
        limit = FAR
    depth = tried(net, mem, cell, bit, limit, 0, mem.pairs, pair)
    return depth if depth <= inner else FAR


@kernel
def sweep(net: Net, mem: Mem, inner: int) -> int:
    """Remove candidates from ``dom`` that fail within some rounds, and what follows, until no trial changes anything.

    Continues from the candidate ``at``. Returns 1 when no more fail, 2 at a contradiction, 0 when the budget ends.
    """
    while mem.since < net.cells * net.bits:
        if mem.budget < 0:
            return 0
        cell = mem.at // net.bits
        bit = mem.at - cell * net.bits
        mask = mem.dom[cell]
        mem.since += 1
        depth = FAR
        if mask >> bit & 1 and mask & (mask - 1) != 0:
            depth = beside(net, mem, cell, bit, inner)
        if depth < FAR:
            mem.dom[cell] &= ~(1 << bit)
            queue_users(net, mem, cell)
            if closed(net, mem, mem.dom.place, 0) == 0:
                return 2
            mem.since = 0
        mem.at = mem.at + 1 if mem.at + 1 < net.cells * net.bits else 0
    return 1
