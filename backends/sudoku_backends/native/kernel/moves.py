"""Steps of the search: give a variable a value in a copy of the domains, or decide that it does not have it."""

from __future__ import annotations

from ..language import Floats, Ints, kernel, ones
from .layout import (
    CHANGED,
    CHANGES,
    DECIDED,
    DECISION,
    DEPTH,
    DIRECT,
    FAILURES,
    NODES,
    OBJECTIVE,
    STACK,
    VALUE,
    VARIABLES,
)
from .propagation import enqueue, propagate

GROWTH = 1.02
LARGEST = 1e100


@kernel
def row_at(net: Ints, mem: Ints, depth: int) -> int:
    """Return the place of the row of domains at a depth."""
    return mem[STACK] + depth * net[VARIABLES]


@kernel
def advance(net: Ints, mem: Ints, weight: Floats, x: int) -> int:
    """Give a variable the chosen value in a copy of the domains."""
    n = net[VARIABLES]
    depth = mem[DEPTH]
    old = row_at(net, mem, depth)
    new = row_at(net, mem, depth + 1)
    for i in range(n):
        mem[new + i] = mem[old + i]
    mem[mem[DECIDED] + depth] = x
    mem[mem[DECISION] + depth] = mem[VALUE]
    mem[NODES] += 1
    mem[DEPTH] = depth + 1
    weight[n] *= GROWTH
    if weight[n] > LARGEST:
        scale_down(net, mem, weight)
    mem[new + x] = mem[VALUE]
    mem[mem[CHANGES]] = x
    mem[CHANGED] = 1
    good = propagate(net, mem, weight, new)
    mem[DIRECT] = not good
    return good


@kernel
def scale_down(net: Ints, mem: Ints, weight: Floats) -> int:
    """Make all weights smaller by the same factor, but never 0: its variable would count as settled."""
    for i in range(net[VARIABLES]):
        weight[i] = weight[i] * 1e-100 + 1e-3 / (1 + ones(mem[mem[STACK] + i]))
    weight[net[VARIABLES]] = 1.0
    return 1


@kernel
def retreat(net: Ints, mem: Ints, weight: Floats) -> int:
    """Take the last decision back: its variable does not have that value."""
    mem[FAILURES] += 1
    depth = mem[DEPTH] - 1
    mem[DEPTH] = depth
    dom = row_at(net, mem, depth)
    x = mem[mem[DECIDED] + depth]
    if mem[DIRECT]:
        weight[x] += weight[net[VARIABLES]]
    mem[DIRECT] = 0
    mem[dom + x] &= ~mem[mem[DECISION] + depth]
    mem[mem[CHANGES]] = x
    mem[CHANGED] = 1
    if net[OBJECTIVE] >= 0:
        enqueue(net, mem, net[OBJECTIVE])
    return propagate(net, mem, weight, dom)
