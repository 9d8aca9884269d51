"""Stages: what single atoms remove when k of their cells are read, and the cheapest stages, one after the other."""

from __future__ import annotations

from .layout import *  # the names of kinds, sections and numbers
from .revising import hidden_sets, house_ones, naked_sets, next_choice
from .rounds import gathered, revised, trials

EVERY = 1000
"""All cells of an atom are read."""
UNFINISHED = 2
FULL_LOG = 2


@kernel
def left_by(net: Net, mem: Mem, atom: int) -> int:
    """Write to ``left`` what an atom leaves when all its cells are read; return whether it removes something."""
    scratch = mem.scratch.place
    start = net.start[atom]
    n = gathered(net, mem, atom, mem.dom.place, scratch)
    fine = revised(net, mem, atom, n, scratch)
    removes = 0
    for i in range(n):
        left = mem[scratch + i] if fine else 0
        mem.left[start + i] = left
        if left != mem.dom[net.members[start + i]]:
            removes = 1
    return removes


@kernel
def read_house(net: Net, mem: Mem, atom: int, k: int) -> int:
    """Find what sets of k cells or k values of a house remove."""
    scratch = mem.scratch.place
    left = mem.left.place + net.start[atom]
    record = net.record[atom]
    n = gathered(net, mem, atom, mem.dom.place, left)
    mem.budget -= net.cost[atom] * k
    for i in range(n):
        mem[scratch + i] = mem[left + i]
    if k == 1:
        house_ones(mem, n, left, net[record], net[record + 1])
    else:
        naked_sets(mem, n, scratch, k, left, mem.choice.place, scratch + n)
        if net[record + 1]:
            hidden_sets(mem, n, scratch, net[record], k, left, mem.choice.place, scratch + n)
    for i in range(n):
        if mem[left + i] != mem[scratch + i]:
            return 1
    return 0


@kernel
def begin_reading(net: Net, mem: Mem, atom: int, left: int) -> int:
    """Start with the candidates, and list the narrowed cells; return how many there are."""
    start = net.start[atom]
    narrowed = 0
    for i in range(net.start[atom + 1] - start):
        mask = mem.dom[net.members[start + i]]
        if mem.choosing == 0:
            mem[left + i] = mask
        if mask != net.full[net.members[start + i]]:
            mem.open[narrowed] = i
            narrowed += 1
    return narrowed


@kernel
def read_choice(net: Net, mem: Mem, atom: int, k: int, left: int) -> int:
    """Remove what an atom removes when the chosen cells are read; 0 if nothing is left."""
    scratch = mem.scratch.place
    start = net.start[atom]
    n = net.start[atom + 1] - start
    for i in range(n):
        mem[scratch + i] = net.full[net.members[start + i]]
    for i in range(k):
        chosen = mem.open[mem.choice[i]]
        mem[scratch + chosen] = mem.dom[net.members[start + chosen]]
    if revised(net, mem, atom, n, scratch) == 0:
        for i in range(n):
            mem[left + i] = 0
        return 0
    for i in range(n):
        mem[left + i] &= mem[scratch + i]
    return 1


@kernel
def read_cells(net: Net, mem: Mem, atom: int, k: int) -> int:
    """Find what the choices of k narrowed cells remove together; UNFINISHED if the budget ends, to be continued."""
    start = net.start[atom]
    left = mem.left.place + start
    narrowed = begin_reading(net, mem, atom, left)
    more = mem.choosing
    if more == 0 and k <= narrowed:
        for i in range(k):
            mem.choice[i] = i
        more = 1
    while more:
        if mem.budget < 0:
            mem.choosing = 1
            return UNFINISHED
        mem.choosing = 0
        if read_choice(net, mem, atom, k, left) == 0:
            return 1
        mem.budget -= 1
        more = next_choice(mem, mem.choice.place, k, narrowed)
    mem.choosing = 0
    for m in range(start, net.start[atom + 1]):
        if mem.left[m] != mem.dom[net.members[m]]:
            return 1
    return 0


@kernel
def read(net: Net, mem: Mem, atom: int, k: int) -> int:
    """Find what an atom removes when k cells are read (EVERY: all); 0 if nothing, UNFINISHED if the budget ends."""
    if k == EVERY:
        return left_by(net, mem, atom)
    if net.kind[atom] == HOUSE:
        return read_house(net, mem, atom, k)
    return read_cells(net, mem, atom, k)


@kernel
def examined(net: Net, mem: Mem, atom: int, k: int) -> int:
    """Return what ``read`` does, 0 for choices that are not tried.

    First it is asked whether the atom removes something when all its cells are read; but not of a house of which one
    cell is read: most stages only need these.
    """
    is_house = net.kind[atom] == HOUSE
    if k != EVERY and (k == 0 if is_house else k > net.reads[atom]):
        return 0
    if mem.able[atom] == UNKNOWN and not (is_house and k == 1):
        mem.able[atom] = ABLE if left_by(net, mem, atom) else IDLE
    return 0 if mem.able[atom] == IDLE else read(net, mem, atom, k)


@kernel
def read_atoms(net: Net, mem: Mem, k: int) -> int:
    """Find what every atom removes when k cells are read (EVERY: all), from ``at`` on; 0 if the budget ends."""
    while mem.at < net.atoms:
        found = examined(net, mem, mem.at, k) if mem.budget >= 0 else UNFINISHED
        if found == UNFINISHED:
            return 0
        if found:
            mem.able[mem.at] = PRODUCTIVE
            mem.found += 1
        mem.at += 1
    mem.at = 0
    return 1


# The phases of the search for a stage: each of the levels of single atoms, trials, strong ones.
TRIALS = 5
PHASES = 7


@kernel
def rung_of(phase: int) -> int:
    """Return the lowest level that a phase may find."""
    return STRONG_RUNG if phase > TRIALS else phase


@kernel
def searched(net: Net, mem: Mem, phase: int, last: int) -> int:
    """Do the work of a phase, for levels up to ``last``; 0 if the budget ends. ``found`` counts what removes
    something.
    """
    if phase < TRIALS:
        return read_atoms(net, mem, phase if phase < ALL_RUNG else EVERY)
    strong = phase - TRIALS
    if mem.at == 0:
        longest = min(last, (NESTED_RUNG if strong else STRONG_RUNG) - 1) - rung_of(phase)
        mem.best = net.bands[16 * strong + longest]
    return trials(net, mem, strong)


@kernel
def removed_by_atoms(net: Net, mem: Mem, entry: int) -> int:
    """Remove what the single atoms of a stage have found, and log what each of them left."""
    members = entry + 1 + net.cells
    for a in range(net.atoms):
        productive = mem.able[a] == PRODUCTIVE
        for m in range(net.start[a], net.start[a + 1]):
            mem[members + m] = -1
            if productive:
                mem[members + m] = mem.left[m]
                mem[entry + 1 + net.members[m]] &= mem.left[m]
    return 1


@kernel
def removed_by_trials(net: Net, mem: Mem, entry: int) -> int:
    """Remove the candidates that fail within the fewest rounds."""
    for cell in range(net.cells):
        for bit in range(net.bits):
            if mem.out[cell * net.bits + bit] <= mem.best:
                mem[entry + 1 + cell] &= ~(1 << bit)
    return 1


@kernel
def applied(net: Net, mem: Mem, phase: int) -> int:
    """Log the stage that a phase has found and apply it; of the atoms of cells that change nothing is known then."""
    entry = mem.log.place + mem.logged * (1 + net.cells + net.start[net.atoms])
    rung = rung_of(phase)
    for cell in range(net.cells):
        mem[entry + 1 + cell] = mem.dom[cell]
    if phase < TRIALS:
        removed_by_atoms(net, mem, entry)
    else:
        removed_by_trials(net, mem, entry)
        band = 16 * (phase - TRIALS)
        while net.bands[band] < mem.best:
            band += 1
            rung += 1
    mem[entry] = rung
    mem.logged += 1
    for cell in range(net.cells):
        if mem[entry + 1 + cell] != mem.dom[cell]:
            mem.dom[cell] = mem[entry + 1 + cell]
            for e in range(net.users_at[cell], net.users_at[cell + 1]):
                mem.able[net.users[e]] = UNKNOWN
    return 1


@kernel
def highest_of(net: Net, mem: Mem, last: int) -> int:
    """Return the highest level that makes sense: none if a cell is empty, no trials if every cell is settled."""
    open_cells = 0
    for cell in range(net.cells):
        mask = mem.dom[cell]
        if mask == 0:
            return -1
        open_cells |= mask & (mask - 1)
    return last if open_cells else min(last, ALL_RUNG)


@kernel
def walk(net: Net, mem: Mem, last: int, most: int) -> int:
    """Log and apply stage after stage, always the cheapest one, of levels up to ``last``, until ``most`` are logged.

    Returns 0 if the budget ends (call it again to continue), 1 if there are no more stages, FULL_LOG if ``most`` are.
    """
    while mem.logged < most:
        highest = highest_of(net, mem, last)
        looking = 1
        while looking:
            if mem.phase == PHASES or rung_of(mem.phase) > highest:
                return 1
            if searched(net, mem, mem.phase, highest) == 0:
                return 0
            mem.phase += 1
            looking = mem.found == 0
        applied(net, mem, mem.phase - 1)
        mem.phase = 0
        mem.found = 0
    return FULL_LOG
