"""Stages: what single atoms remove when k of their cells are read, and the cheapest stages, one after the other."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .layout import *  # the names of kinds, sections and numbers
from .node_kinds import hidden_sets, house_ones, naked_sets, next_choice
from .revising import bases
from .rounds import gathered, remembered, trials


@kernel
def left_by(net: Ints, mem: Ints, atom: int) -> int:
    """Write to LEFT what an atom leaves when all its cells are read; return whether it removes something."""
    scratch = net[SCRATCH]
    start = net[net[START] + atom]
    n = gathered(net, mem, atom, net[DOM], scratch)
    fine = remembered(net, mem, atom, n, scratch)
    removes = 0
    for i in range(n):
        left = mem[scratch + i] if fine else 0
        mem[net[LEFT] + start + i] = left
        if left != mem[net[DOM] + net[net[MEMBERS] + start + i]]:
            removes = 1
    return removes


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
    if k == 1:
        return house_ones(mem, n, left, net[record], net[record + 1])
    naked_sets(mem, n, scratch, k, left, net[CHOICE])
    if net[record + 1]:
        hidden_sets(mem, n, scratch, net[record], k, left, net[CHOICE], scratch + n)
    for i in range(n):
        if mem[left + i] != mem[scratch + i]:
            return 1
    return 0


@kernel
def begin_reading(net: Ints, mem: Ints, atom: int, left: int) -> int:
    """Start with the candidates, and list the narrowed cells; return how many there are."""
    members = net[MEMBERS] + net[net[START] + atom]
    narrowed = 0
    for i in range(net[net[START] + atom + 1] - net[net[START] + atom]):
        mask = mem[net[DOM] + net[members + i]]
        if mem[CHOOSING] == 0:
            mem[left + i] = mask
        if mask != net[net[FULL] + net[members + i]]:
            mem[net[OPEN] + narrowed] = i
            narrowed += 1
    return narrowed


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
    if remembered(net, mem, atom, n, scratch) == 0:
        for i in range(n):
            mem[left + i] = 0
        return 0
    for i in range(n):
        mem[left + i] &= mem[scratch + i]
    return 1


@kernel
def read_cells(net: Ints, mem: Ints, atom: int, k: int) -> int:
    """Find what the choices of k narrowed cells remove together; 2 if the budget ends, to be continued."""
    start = net[net[START] + atom]
    left = net[LEFT] + start
    narrowed = begin_reading(net, mem, atom, left)
    more = mem[CHOOSING]
    if more == 0 and k <= narrowed:
        for i in range(k):
            mem[net[CHOICE] + i] = i
        more = 1
    while more:
        if mem[BUDGET] < 0:
            mem[CHOOSING] = 1
            return 2
        mem[CHOOSING] = 0
        if read_choice(net, mem, atom, k, left) == 0:
            return 1
        mem[BUDGET] -= 1
        more = next_choice(mem, net[CHOICE], k, narrowed)
    mem[CHOOSING] = 0
    for m in range(start, net[net[START] + atom + 1]):
        if mem[net[LEFT] + m] != mem[net[DOM] + net[net[MEMBERS] + m]]:
            return 1
    return 0


@kernel
def find_able(net: Ints, mem: Ints, houses: int) -> int:
    """Find out which dirty houses, or other atoms, remove something when all is read; 0 if the budget ends.

    Houses count as able until that is asked of them: most stages only need their singles.
    """
    for a in range(mem[AT], net[ATOMS]):
        if mem[BUDGET] < 0:
            mem[AT] = a
            return 0
        is_house = net[net[KIND] + a] == HOUSE
        if is_house == houses:
            mem[net[ABLE] + a] = left_by(net, mem, a) if mem[net[DIRTY] + a] else 0
            mem[net[DIRTY] + a] = mem[net[ABLE] + a]
        elif houses == 0:
            mem[net[ABLE] + a] = mem[net[DIRTY] + a]
    mem[AT] = 0
    return 1


@kernel
def read_able(net: Ints, mem: Ints, k: int) -> int:
    """Find what every able atom removes when k cells are read, from AT on; 0 if the budget ends.

    ABLE becomes 2 for an atom that removes something, 1 for one that does not. FOUND counts the first.
    """
    for a in range(mem[AT], net[ATOMS]):
        is_house = net[net[KIND] + a] == HOUSE
        if mem[net[ABLE] + a] and (k > 0 if is_house else k <= net[net[READS] + a]):
            if mem[BUDGET] < 0:
                mem[AT] = a
                return 0
            found = read_house(net, mem, a, k) if is_house else read_cells(net, mem, a, k)
            if found == 2:
                mem[AT] = a
                return 0
            mem[net[ABLE] + a] = 1 + found
            mem[FOUND] += found
    mem[AT] = 0
    return 1


@kernel
def read_everything(net: Ints, mem: Ints) -> int:
    """Find what every able atom removes when all its cells are read, from AT on; 0 if the budget ends."""
    for a in range(mem[AT], net[ATOMS]):
        if mem[net[ABLE] + a]:
            if mem[BUDGET] < 0:
                mem[AT] = a
                return 0
            mem[net[ABLE] + a] = 1 + left_by(net, mem, a)
            mem[FOUND] += 1
    mem[AT] = 0
    return 1


# The phases of the search for a stage: which atoms other than houses are able, 1.0, 1.1, which houses are able, 1.2,
# 1.3, 1.all; then trials, and strong ones.
READ = 1
HOUSES = 3
READ_MORE = 4
EVERYTHING = 6
TRIALS = 7
PHASES = 9


@kernel
def rung_of(phase: int) -> int:
    """Return the lowest level that a phase may find."""
    if phase < TRIALS:
        return max(phase - 1, 0) if phase < HOUSES else phase - 2
    return STRONG_RUNG if phase > TRIALS else WEAK_RUNG


@kernel
def searched(net: Ints, mem: Ints, phase: int, last: int) -> int:
    """Do the work of a phase, for levels up to ``last``; 0 if the budget ends. FOUND counts what removes something."""
    if phase == 0 or phase == HOUSES:
        bases(net, mem)
        return find_able(net, mem, phase == HOUSES)
    if phase < HOUSES:
        return read_able(net, mem, phase - READ)
    if phase < EVERYTHING:
        return read_able(net, mem, phase - 2)
    if phase == EVERYTHING:
        return read_everything(net, mem)
    strong = phase - TRIALS
    if mem[AT] == 0:
        first = STRONG_RUNG if strong else WEAK_RUNG
        longest = min(last, (NESTED_RUNG if strong else STRONG_RUNG) - 1) - first
        mem[BEST] = net[net[BANDS] + 16 * strong + longest]
    return trials(net, mem, strong)


@kernel
def removed_by_atoms(net: Ints, mem: Ints, entry: int) -> int:
    """Remove what the single atoms of a stage have found, and log what each of them left."""
    members = entry + 1 + net[CELLS]
    for a in range(net[ATOMS]):
        productive = mem[net[ABLE] + a] == 2
        for m in range(net[net[START] + a], net[net[START] + a + 1]):
            mem[members + m] = -1
            if productive:
                mem[members + m] = mem[net[LEFT] + m]
                mem[entry + 1 + net[net[MEMBERS] + m]] &= mem[net[LEFT] + m]
    return 1


@kernel
def removed_by_trials(net: Ints, mem: Ints, entry: int) -> int:
    """Remove the candidates that fail within the fewest rounds."""
    for cell in range(net[CELLS]):
        for bit in range(net[BITS]):
            if mem[net[OUT] + cell * net[BITS] + bit] <= mem[BEST]:
                mem[entry + 1 + cell] &= ~(1 << bit)
    return 1


@kernel
def applied(net: Ints, mem: Ints, phase: int) -> int:
    """Log the stage that a phase has found and apply it; atoms become dirty where something changes."""
    entry = net[LOG] + mem[LOGGED] * (1 + net[CELLS] + net[net[START] + net[ATOMS]])
    rung = rung_of(phase)
    for cell in range(net[CELLS]):
        mem[entry + 1 + cell] = mem[net[DOM] + cell]
    if phase < TRIALS:
        removed_by_atoms(net, mem, entry)
    else:
        removed_by_trials(net, mem, entry)
        band = net[BANDS] + (16 if rung == STRONG_RUNG else 0)
        while net[band] < mem[BEST]:
            band += 1
            rung += 1
    mem[entry] = rung
    mem[LOGGED] += 1
    for a in range(net[ATOMS]):
        if phase >= EVERYTHING:
            mem[net[DIRTY] + a] = 0
    for cell in range(net[CELLS]):
        if mem[entry + 1 + cell] != mem[net[DOM] + cell]:
            mem[net[DOM] + cell] = mem[entry + 1 + cell]
            for e in range(net[net[USERS_AT] + cell], net[net[USERS_AT] + cell + 1]):
                mem[net[DIRTY] + net[net[USERS] + e]] = 1
    return 1


@kernel
def highest_of(net: Ints, mem: Ints, last: int) -> int:
    """Return the highest level that makes sense: none if a cell is empty, no trials if every cell is settled."""
    open_cells = 0
    for cell in range(net[CELLS]):
        mask = mem[net[DOM] + cell]
        if mask == 0:
            return -1
        open_cells |= mask & (mask - 1)
    return last if open_cells else min(last, ALL_RUNG)


@kernel
def walk(net: Ints, mem: Ints, last: int, most: int) -> int:
    """Log and apply stage after stage, always the cheapest one, of levels up to ``last``, until ``most`` are logged.

    Returns 0 if the budget ends (call it again to continue), 1 if there are no more stages, 2 if the log is full.
    """
    while mem[LOGGED] < most:
        highest = highest_of(net, mem, last)
        looking = 1
        while looking:
            if mem[PHASE] == PHASES or rung_of(mem[PHASE]) > highest:
                return 1
            if searched(net, mem, mem[PHASE], highest) == 0:
                return 0
            mem[PHASE] += 1
            looking = mem[FOUND] == 0
        applied(net, mem, mem[PHASE] - 1)
        mem[PHASE] = 0
        mem[FOUND] = 0
    return 2
