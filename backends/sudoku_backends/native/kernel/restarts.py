"""Restarts: a search that has found nothing yet goes back to the root, with the weights that it has learnt.

Values removed at the root stay removed, so only the current branch is forgotten; the time to the next new beginning
doubles each time, so every search ends. The second time every value is tried at the root ("probing",
or "singleton arc consistency" of Debruyne and Bessiere 1997): what fails is removed for good, and weighs more.
"""

from __future__ import annotations

from ..language import Floats, kernel
from .layout import (
    IMPOSSIBLE,
    SKIP_PROBING,
    SKIP_RESTARTS,
    Mem,
    Net,
)
from .moves import advance, retreat

FIRST = 100
PROBED = 2


@kernel
def plan_starts(net: Net, mem: Mem) -> int:
    """Set the node at which the search first begins anew; with an objective it never does."""
    mem.starts = 0
    mem.probing = -1
    skipped = net.skip & SKIP_RESTARTS and net.skip & SKIP_PROBING
    mem.next_start = IMPOSSIBLE if skipped or net.objective >= 0 else mem.nodes + FIRST
    return 1


@kernel
def begin_again(net: Net, mem: Mem) -> int:
    """Go back to the root, sometimes to try every value there."""
    mem.starts += 1
    mem.next_start = mem.nodes + (FIRST << min(mem.starts, 40))
    if net.skip & SKIP_RESTARTS and mem.starts != PROBED:
        return 1
    mem.depth = 0
    mem.direct = 0
    if mem.starts == PROBED and not net.skip & SKIP_PROBING:
        plan_probing(net, mem)
    return 1


@kernel
def plan_probing(net: Net, mem: Mem) -> int:
    """Let ``probe`` try every value at the root, while it examines no more constraints than the search did before."""
    mem.probing = 0
    mem.untried = mem.stack[0]
    mem.last_probe = min(2 * mem.runs, mem.last_run)
    return 1


@kernel
def probe(net: Net, mem: Mem, weight: Floats) -> int:
    """Try the next value at the root; return 0 if that leaves a variable without values.

    A try is a node, after which the search may be stopped: its place is kept in the memory.
    """
    x = variable_to_probe(net, mem)
    if x < 0:
        mem.probing = -1
        return 1
    if advance(net, mem, weight, x):
        mem.depth = 0
        return 1
    return retreat(net, mem, weight)


@kernel
def variable_to_probe(net: Net, mem: Mem) -> int:
    """Return the open variable whose next value is to be tried, and set VALUE to it; -1 when probing ends."""
    dom = mem.stack.place
    while mem.runs < mem.last_probe:
        x = mem.probing
        value = mem.untried & -mem.untried
        if value:
            mem.untried &= ~value
            if mem[dom + x] & value and mem[dom + x] != value:
                mem.value = value
                return x
        elif x + 1 < net.variables:
            mem.probing = x + 1
            mem.untried = mem[dom + x + 1]
        else:
            return -1
    return -1
