"""Steps of the search: give a variable a value in a copy of the domains, or decide that it does not have it."""

from __future__ import annotations

from ..language import Floats, kernel, ones
from .layout import (
    Mem,
    Net,
)
from .propagation import enqueue, propagate

GROWTH = 1.02
LARGEST = 1e100


@kernel
def row_at(net: Net, mem: Mem, depth: int) -> int:
    """Return the place of the row of domains at a depth."""
    return mem.stack.place + depth * net.variables


@kernel
def advance(net: Net, mem: Mem, weight: Floats, x: int) -> int:
    """Give a variable the chosen value in a copy of the domains."""
    n = net.variables
    depth = mem.depth
    old = row_at(net, mem, depth)
    new = row_at(net, mem, depth + 1)
    for i in range(n):
        mem[new + i] = mem[old + i]
    mem.decided[depth] = x
    mem.decision[depth] = mem.value
    mem.nodes += 1
    mem.depth = depth + 1
    weight[n] *= GROWTH
    if weight[n] > LARGEST:
        scale_down(net, mem, weight)
    mem[new + x] = mem.value
    mem[mem.changes] = x
    mem.changed = 1
    good = propagate(net, mem, weight, new)
    mem.direct = not good
    return good


@kernel
def scale_down(net: Net, mem: Mem, weight: Floats) -> int:
    """Make all weights smaller by the same factor, but never 0: its variable would count as settled."""
    for i in range(net.variables):
        weight[i] = weight[i] * 1e-100 + 1e-3 / (1 + ones(mem.stack[i]))
    weight[net.variables] = 1.0
    return 1


@kernel
def retreat(net: Net, mem: Mem, weight: Floats) -> int:
    """Take the last decision back: its variable does not have that value."""
    mem.failures += 1
    depth = mem.depth - 1
    mem.depth = depth
    dom = row_at(net, mem, depth)
    x = mem.decided[depth]
    if mem.direct:
        weight[x] += weight[net.variables]
    mem.direct = 0
    mem[dom + x] &= ~mem.decision[depth]
    mem[mem.changes] = x
    mem.changed = 1
    if net.objective >= 0:
        enqueue(net, mem, net.objective)
    return propagate(net, mem, weight, dom)
