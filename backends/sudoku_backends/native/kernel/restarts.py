"""Restarts: a search that has found nothing yet goes back to the root, with the weights that it has learnt.

Values removed at the root stay removed, so only the current branch is forgotten; the time to the next new beginning
doubles each time, so every search ends. The second time every value is tried at the root ("probing",
or "singleton arc consistency" of Debruyne and Bessiere 1997): what fails is removed for good, and weighs more.
"""

from __future__ import annotations

from ..language import Floats, Ints, kernel
from .layout import (
    DEPTH,
    DIRECT,
    IMPOSSIBLE,
    LAST_PROBE,
    LAST_RUN,
    NEXT_START,
    NODES,
    OBJECTIVE,
    PROBING,
    RUNS,
    SKIP,
    SKIP_PROBING,
    SKIP_RESTARTS,
    STACK,
    STARTS,
    UNTRIED,
    VALUE,
    VARIABLES,
)
from .moves import advance, retreat

FIRST = 100
PROBED = 2


@kernel
def plan_starts(net: Ints, mem: Ints) -> int:
    """Set the node at which the search first begins anew; with an objective it never does."""
    mem[STARTS] = 0
    mem[PROBING] = -1
    skipped = net[SKIP] & SKIP_RESTARTS and net[SKIP] & SKIP_PROBING
    mem[NEXT_START] = IMPOSSIBLE if skipped or net[OBJECTIVE] >= 0 else mem[NODES] + FIRST
    return 1


@kernel
def begin_again(net: Ints, mem: Ints) -> int:
    """Go back to the root, sometimes to try every value there."""
    mem[STARTS] += 1
    mem[NEXT_START] = mem[NODES] + (FIRST << min(mem[STARTS], 40))
    if net[SKIP] & SKIP_RESTARTS and mem[STARTS] != PROBED:
        return 1
    mem[DEPTH] = 0
    mem[DIRECT] = 0
    if mem[STARTS] == PROBED and not net[SKIP] & SKIP_PROBING:
        plan_probing(net, mem)
    return 1


@kernel
def plan_probing(net: Ints, mem: Ints) -> int:
    """Let ``probe`` try every value at the root, while it examines no more constraints than the search did before."""
    mem[PROBING] = 0
    mem[UNTRIED] = mem[mem[STACK]]
    mem[LAST_PROBE] = min(2 * mem[RUNS], mem[LAST_RUN])
    return 1


@kernel
def probe(net: Ints, mem: Ints, weight: Floats) -> int:
    """Try the next value at the root; return 0 if that leaves a variable without values.

    A try is a node, after which the search may be stopped: its place is kept in the memory.
    """
    x = variable_to_probe(net, mem)
    if x < 0:
        mem[PROBING] = -1
        return 1
    if advance(net, mem, weight, x):
        mem[DEPTH] = 0
        return 1
    return retreat(net, mem, weight)


@kernel
def variable_to_probe(net: Ints, mem: Ints) -> int:
    """Return the open variable whose next value is to be tried, and set VALUE to it; -1 when probing ends."""
    dom = mem[STACK]
    while mem[RUNS] < mem[LAST_PROBE]:
        x = mem[PROBING]
        value = mem[UNTRIED] & -mem[UNTRIED]
        if value:
            mem[UNTRIED] &= ~value
            if mem[dom + x] & value and mem[dom + x] != value:
                mem[VALUE] = value
                return x
        elif x + 1 < net[VARIABLES]:
            mem[PROBING] = x + 1
            mem[UNTRIED] = mem[dom + x + 1]
        else:
            return -1
    return -1
