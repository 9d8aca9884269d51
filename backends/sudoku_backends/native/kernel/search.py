"""The search: give a variable a value, or take it away again, on a stack of rows of domains.

The next variable to decide is the one with the greatest weight per value left; weights grow with failures, as
in "dom/wdeg" (Boussemart, Hemery, Lecoutre, Sais 2004), and begin with the number of constraints of a variable.
"""

from __future__ import annotations

from ..language import Floats, Ints, kernel, lowest, ones
from .layout import (
    BEGIN,
    FINISHED,
    FOUND,
    HOUSE,
    IMPOSSIBLE,
    STOPPED,
    Mem,
    Net,
)
from .moves import advance, retreat, row_at
from .propagation import MOST_CREDIT, enqueue_all, propagate, settled_variables
from .restarts import begin_again, plan_starts, probe


@kernel
def search(net: Net, mem: Mem, weight: Floats, limit: int, most_nodes: int, out: Ints, first: int, step: int) -> int:
    """Search until ``limit`` solutions are found, a given number of further nodes is used, or ``LAST_RUN`` is reached.

    Solutions are written to ``out``, each ``step`` places after the one before, from the place ``first`` on. Return
    the number found; the state says what is next: after FOUND and STOPPED another call goes on.
    """
    found = 0
    last_node = mem.nodes + most_nodes
    good = 1
    if mem.state == FINISHED:
        return 0
    if mem.state == BEGIN:
        good = begun(net, mem, weight)
    elif mem.state == FOUND:
        good = 0
    mem.state = STOPPED
    while True:
        if not good:
            if mem.depth == 0:
                mem.state = FINISHED
                return found
            good = retreat(net, mem, weight)
        elif mem.nodes >= last_node or mem.runs >= mem.last_run:
            return found
        elif mem.probing >= 0:
            good = probe(net, mem, weight)
        else:
            x = choose(net, mem, weight)
            if x >= 0 and mem.nodes >= mem.next_start:
                begin_again(net, mem)
            elif x >= 0:
                good = advance(net, mem, weight, x)
            else:
                mem.next_start = IMPOSSIBLE
                solution(net, mem, out, first + found * step)
                found += 1
                good = 0
                if found == limit:
                    mem.state = FOUND
                    return found


@kernel
def begun(net: Net, mem: Mem, weight: Floats) -> int:
    """Narrow the first row of domains by all constraints."""
    mem.depth = 0
    mem.changed = 0
    mem.credit = MOST_CREDIT
    plan_starts(net, mem)
    if not settled_variables(net, mem, mem.stack.place):
        return 0
    enqueue_all(net, mem)
    return propagate(net, mem, weight, mem.stack.place)


@kernel
def solution(net: Net, mem: Mem, out: Ints, first: int) -> int:
    """Write a solution; where only some variables are kept, go back to the last decision about one of them."""
    n = net.variables
    dom = row_at(net, mem, mem.depth)
    for i in range(n):
        out[first + i] = lowest(mem[dom + i])
    if net.objective >= 0:
        mem.bound = worth(net, mem, dom) - 1
    while mem.partly and mem.depth > 0 and not mem.kept[mem.decided[mem.depth - 1]]:
        mem.depth -= 1
    return 1


@kernel
def worth(net: Net, mem: Mem, dom: int) -> int:
    """Return the sum to be minimized for a row of settled variables; see ``linear`` for the record."""
    at = net.records[net.objective]
    group = at + 3
    total = 0
    for _ in range(net[at + 2]):
        for i in range(group + 3, group + 3 + net[group + 1]):
            total += net[group] * lowest(mem[dom + net[i]])
        group += 3 + net[group + 1]
    return total


@kernel
def choose(net: Net, mem: Mem, weight: Floats) -> int:
    """Return the variable to decide, -1 if all are settled; VALUE gets the value to try first.

    Variables that are kept come before all others.
    """
    x = -1
    if mem.partly:
        x = heaviest(net, mem, weight, 1)
    if x < 0:
        x = heaviest(net, mem, weight, 0)
    if x < 0:
        return x
    mask = mem[row_at(net, mem, mem.depth) + x]
    mem.value = one_of(mem, mask)
    if ones(mask) > 2 and not mem.partly:
        return better_place(net, mem, weight, x, weight[x] / ones(mask))
    return x


@kernel
def heaviest(net: Net, mem: Mem, weight: Floats, kept: int) -> int:
    """Return the open variable with the greatest weight per value left, perhaps only among those kept; or -1."""
    dom = row_at(net, mem, mem.depth)
    best = -1
    most = -1.0
    for x in range(net.variables):
        mask = mem[dom + x]
        if mask & (mask - 1) and (not kept or mem.kept[x]):
            score = weight[x] / ones(mask)
            if score > most:
                most = score
                best = x
    return best


@kernel
def one_of(mem: Mem, mask: int) -> int:
    """Return the lowest value of a mask; with a seed, one that depends on it and changes from call to call."""
    if mem.seed == 0:
        return mask & -mask
    mem.seed = (mem.seed * 1103515245 + 12345) & 0x7FFFFFFF
    skip = ((mem.seed >> 8) * ones(mask)) >> 23
    for _ in range(skip):
        mask &= mask - 1
    return mask & -mask


@kernel
def better_place(net: Net, mem: Mem, weight: Floats, best: int, most: float) -> int:
    """Return the variable to decide if none has just two values, perhaps one of two places of a value in a house."""
    dom = row_at(net, mem, mem.depth)
    for p in range(net.constraints):
        at = net.records[p]
        if net.kinds[p] == HOUSE and net[at + 2]:
            pairs = with_two_places(net, mem, at, dom)
            while pairs:
                value = pairs & -pairs
                x = heavier_place(net, mem, weight, at, dom, value)
                score = 0.25 * weight_of_places(net, mem, weight, at, dom, value)
                if score > most:
                    most = score
                    best = x
                    mem.value = value
                pairs &= pairs - 1
    return best


@kernel
def with_two_places(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Return the values that have two places in a house, both of them open."""
    once = 0
    twice = 0
    thrice = 0
    for i in range(at + 3, at + 3 + net[at]):
        mask = mem[dom + net[i]]
        if mask & (mask - 1) == 0:
            thrice |= mask
        thrice |= twice & mask
        twice |= once & mask
        once |= mask
    return twice & ~thrice


@kernel
def heavier_place(net: Net, mem: Mem, weight: Floats, at: int, dom: int, value: int) -> int:
    """Return the heaviest of a value's places in a house."""
    best = -1
    for i in range(at + 3, at + 3 + net[at]):
        if mem[dom + net[i]] & value and (best < 0 or weight[net[i]] > weight[best]):
            best = net[i]
    return best


@kernel
def weight_of_places(net: Net, mem: Mem, weight: Floats, at: int, dom: int, value: int) -> float:
    """Return the sum of the weights of a value's places in a house."""
    total = 0.0
    for i in range(at + 3, at + 3 + net[at]):
        if mem[dom + net[i]] & value:
            total += weight[net[i]]
    return total
