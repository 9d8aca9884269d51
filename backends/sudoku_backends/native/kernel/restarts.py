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
    LAST_RUN,
    NEXT_START,
    NODES,
    OBJECTIVE,
    RUNS,
    SKIP,
    SKIP_PROBING,
    SKIP_RESTARTS,
    STACK,
    STARTS,
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
    skipped = net[SKIP] & SKIP_RESTARTS and net[SKIP] & SKIP_PROBING
    mem[NEXT_START] = IMPOSSIBLE if skipped or net[OBJECTIVE] >= 0 else mem[NODES] + FIRST
    return 1


@kernel
def begin_again(net: Ints, mem: Ints, weight: Floats) -> int:
    """Go back to the root, sometimes trying every value there; return 0 if that leaves a variable without values."""
    mem[STARTS] += 1
    mem[NEXT_START] = mem[NODES] + (FIRST << min(mem[STARTS], 40))
    if net[SKIP] & SKIP_RESTARTS and mem[STARTS] != PROBED:
        return 1
    mem[DEPTH] = 0
    mem[DIRECT] = 0
    if mem[STARTS] == PROBED and not net[SKIP] & SKIP_PROBING:
        return probe(net, mem, weight)
    return 1


@kernel
def probe(net: Ints, mem: Ints, weight: Floats) -> int:
    """Try every value at the root, while that examines no more constraints than the search did before."""
    dom = mem[STACK]
    last_run = min(2 * mem[RUNS], mem[LAST_RUN])
    for x in range(net[VARIABLES]):
        rest = mem[dom + x]
        while rest and mem[RUNS] < last_run:
            value = rest & -rest
            rest &= rest - 1
            if mem[dom + x] & value and mem[dom + x] != value:
                mem[VALUE] = value
                if advance(net, mem, weight, x):
                    mem[DEPTH] = 0
                elif not retreat(net, mem, weight):
                    return 0
    return 1
