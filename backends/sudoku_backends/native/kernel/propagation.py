"""Propagation: which kernel narrows each kind of constraint, disjunctions, and the queues of constraints to examine."""

from __future__ import annotations

from ..language import Floats, Ints, kernel
from .changes import narrow
from .counters import counted, distinct, same_bag
from .houses import house, locked
from .joined import joined
from .layout import (
    ALLOWED,
    CHANGE_LIST,
    CHANGED,
    CHANGES,
    CHOSEN,
    CLAUSE,
    CONSTRAINTS,
    COUNTED,
    CREDIT,
    DIAGRAM,
    DISTINCT,
    EITHER,
    EXTREMES,
    HEADS,
    HOUSE,
    IDEMPOTENT,
    IN_ORDER,
    INNER_CHANGES,
    INSIDE,
    JOINED,
    KINDS,
    LAST_PART,
    LINEAR,
    LOCKED,
    NODES,
    PAIRED,
    PARTED,
    PEER_AT,
    PEERS,
    PRIORITIES,
    QUEUE,
    QUEUED,
    RECORDS,
    RELATION,
    RUNS,
    SAME_BAG,
    SCOPE_AT,
    SCOPES,
    SCRATCH,
    SKIP,
    SKIP_SLEEP,
    TAILS,
    UNION,
    UNLIKE_BAGS,
    VALUE_SETS,
    VARIABLES,
    WAITING,
    WATCH_AT,
    WATCHES,
)
from .linear import linear
from .lists_in_order import in_order
from .order import chosen, extremes
from .paired import paired
from .relations import clause, diagram, relation, value_sets
from .unlike import parted, unlike_bags

MOST_CREDIT = 500
GAIN = 20
AWAKE = 15
"""The number of nodes out of 16 at which sleeping constraints are not examined."""


@kernel
def narrowed(net: Ints, mem: Ints, p: int, dom: int) -> int:
    """Let a constraint (no EITHER) narrow a row of domains; return 0 when it cannot hold."""
    kind = net[net[KINDS] + p]
    at = net[net[RECORDS] + p]
    if kind == HOUSE:
        return house(net, mem, at, dom)
    if kind == LOCKED:
        return locked(net, mem, at, dom)
    if kind == RELATION:
        return relation(net, mem, at, dom)
    if kind == LINEAR:
        return linear(net, mem, at, dom)
    if kind == DIAGRAM:
        return diagram(net, mem, at, dom)
    if kind == COUNTED:
        return counted(net, mem, at, dom)
    if kind == CHOSEN:
        return chosen(net, mem, at, dom)
    if kind == ALLOWED:
        return narrow(mem, dom, net[at], net[at + 1])
    if kind == VALUE_SETS:
        return value_sets(net, mem, at, dom)
    if kind == CLAUSE:
        return clause(net, mem, at, dom)
    if kind == EXTREMES:
        return extremes(net, mem, at, dom)
    if kind == DISTINCT:
        return distinct(net, mem, at, dom)
    if kind == JOINED:
        return joined(net, mem, at, dom)
    if kind == SAME_BAG:
        return same_bag(net, mem, at, dom)
    if kind == IN_ORDER:
        return in_order(net, mem, at, dom)
    if kind == PAIRED:
        return paired(net, mem, at, dom)
    if kind == PARTED:
        return parted(net, mem, at, dom)
    if kind == UNLIKE_BAGS:
        return unlike_bags(net, mem, at, dom)
    return 0


@kernel
def either(net: Ints, mem: Ints, p: int, dom: int) -> int:
    """At least one part holds: try each on a copy of the domains, and remove what none of them keeps.

    A record: the number of parts, where the constraints of each begin, the constraints. It ends as soon as nothing can
    be removed any more, and begins with the part that held last time.
    """
    parts = net[net[net[RECORDS] + p]]
    alive = 0
    first = mem[mem[LAST_PART] + p]
    for i in range(parts):
        part = (i + first) if i + first < parts else i + first - parts
        if part_holds(net, mem, p, part, dom):
            if alive == 0:
                mem[mem[LAST_PART] + p] = part
            if not more_to_remove(net, mem, p, dom, alive == 0):
                return 1
            alive += 1
    if alive == 0:
        return 0
    for s in range(net[net[SCOPE_AT] + p], net[net[SCOPE_AT] + p + 1]):
        x = net[net[SCOPES] + s]
        if not narrow(mem, dom, x, mem[mem[UNION] + x]):
            return 0
    return 1


@kernel
def part_holds(net: Ints, mem: Ints, p: int, part: int, dom: int) -> int:
    """Let the constraints of a part narrow a copy of the domains, at most three times; return whether it may hold."""
    at = net[net[RECORDS] + p]
    row = mem[SCRATCH]
    for s in range(net[net[SCOPE_AT] + p], net[net[SCOPE_AT] + p + 1]):
        mem[row + net[net[SCOPES] + s]] = mem[dom + net[net[SCOPES] + s]]
    first = at + 2 + net[at] + net[at + 1 + part]
    last = at + 2 + net[at] + net[at + 2 + part]
    mem[INSIDE] = 1
    outer = mem[CHANGED]
    mem[CHANGES] = mem[INNER_CHANGES]
    good = 1
    again = 3
    while again > 0 and good:
        mem[CHANGED] = 0
        for e in range(first, last):
            if good:
                good = narrowed(net, mem, net[e], row)
        again = again - 1 if mem[CHANGED] > 0 and last - first > 1 else 0
    mem[INSIDE] = 0
    mem[CHANGES] = mem[CHANGE_LIST]
    mem[CHANGED] = outer
    return good


@kernel
def more_to_remove(net: Ints, mem: Ints, p: int, dom: int, begin: int) -> int:
    """Add to UNION what a part has kept; return whether UNION still lacks values of the domains."""
    lacking = 0
    for s in range(net[net[SCOPE_AT] + p], net[net[SCOPE_AT] + p + 1]):
        x = net[net[SCOPES] + s]
        kept = mem[mem[SCRATCH] + x]
        if not begin:
            kept |= mem[mem[UNION] + x]
        mem[mem[UNION] + x] = kept
        lacking |= kept != mem[dom + x]
    return lacking


@kernel
def enqueue(net: Ints, mem: Ints, p: int) -> int:
    """Queue a constraint if it is not queued already."""
    if mem[mem[QUEUED] + p]:
        return 1
    mem[mem[QUEUED] + p] = 1
    q = net[net[PRIORITIES] + p]
    tail = mem[mem[TAILS] + q]
    mem[mem[WAITING] + q * net[QUEUE] + tail] = p
    mem[mem[TAILS] + q] = tail + 1 if tail + 1 < net[QUEUE] else 0
    return 1


@kernel
def dequeue(net: Ints, mem: Ints) -> int:
    """Return the next constraint; -1 if none is queued."""
    for q in range(3):
        head = mem[mem[HEADS] + q]
        if head != mem[mem[TAILS] + q]:
            p = mem[mem[WAITING] + q * net[QUEUE] + head]
            mem[mem[HEADS] + q] = head + 1 if head + 1 < net[QUEUE] else 0
            mem[mem[QUEUED] + p] = 0
            return p
    return -1


@kernel
def failed(net: Ints, mem: Ints) -> int:
    """Empty the queues and the list of changes; return 0."""
    while dequeue(net, mem) >= 0:
        pass
    mem[CHANGED] = 0
    return 0


@kernel
def wake(net: Ints, mem: Ints, x: int, but: int, asleep: int) -> int:
    """Queue the constraints of a variable, except one constraint and those of a sleeping kind."""
    for e in range(net[net[WATCH_AT] + x], net[net[WATCH_AT] + x + 1]):
        p = net[net[WATCHES] + e]
        if p != but and net[net[KINDS] + p] != asleep:
            enqueue(net, mem, p)
    return 1


@kernel
def sleeping(net: Ints, mem: Ints) -> int:
    """Return the kind of constraint not worth its time at this node, or -1: LOCKED, if it has removed too little.

    LOCKED follows from the other constraints, and is examined again every few nodes, in case that has changed.
    """
    return LOCKED if mem[CREDIT] <= 0 and mem[NODES] & AWAKE and not net[SKIP] & SKIP_SLEEP else -1


@kernel
def pay(mem: Ints, useful: int) -> int:
    """Keep account of LOCKED: each run costs, and a run that removes something pays for some that do not."""
    mem[CREDIT] = min(MOST_CREDIT, mem[CREDIT] + GAIN) if useful else mem[CREDIT] - 1
    return 1


@kernel
def spread(net: Ints, mem: Ints, weight: Floats, dom: int, but: int) -> int:
    """Take the values of settled variables from their peers, and wake the constraints of all that changed.

    The constraint ``but`` made the changes listed first, and these alone would not make it remove more.
    """
    own = mem[CHANGED]
    asleep = sleeping(net, mem)
    i = 0
    while i < mem[CHANGED]:
        x = mem[mem[CHANGES] + i]
        mask = mem[dom + x]
        if mask & (mask - 1) == 0:
            for e in range(net[net[PEER_AT] + x], net[net[PEER_AT] + x + 1]):
                u = net[net[PEERS] + e]
                if not narrow(mem, dom, u, ~mask):
                    weight[u] += weight[net[VARIABLES]]
                    weight[x] += weight[net[VARIABLES]]
                    return 0
        wake(net, mem, x, but if i < own else -1, asleep)
        i += 1
    mem[CHANGED] = 0
    return 1


@kernel
def propagate(net: Ints, mem: Ints, weight: Floats, dom: int) -> int:
    """Narrow a row of domains until nothing changes, beginning with the listed changes; return 0 if that fails."""
    p = -1
    while True:
        if not spread(net, mem, weight, dom, p if p >= 0 and net[net[IDEMPOTENT] + p] else -1):
            return failed(net, mem)
        p = dequeue(net, mem)
        if p < 0:
            return 1
        mem[RUNS] += 1
        good = either(net, mem, p, dom) if net[net[KINDS] + p] == EITHER else narrowed(net, mem, p, dom)
        if net[net[KINDS] + p] == LOCKED:
            pay(mem, not good or mem[CHANGED] > 0)
        if not good:
            first = net[net[SCOPE_AT] + p]
            last = net[net[SCOPE_AT] + p + 1]
            for s in range(first, last):
                weight[net[net[SCOPES] + s]] += weight[net[VARIABLES]] / (last - first)
            return failed(net, mem)


@kernel
def enqueue_all(net: Ints, mem: Ints) -> int:
    """Queue every constraint."""
    for p in range(net[CONSTRAINTS]):
        enqueue(net, mem, p)
    return 1


@kernel
def settled_variables(net: Ints, mem: Ints, dom: int) -> int:
    """List the settled variables as changed; return 0 if a variable has no value."""
    for x in range(net[VARIABLES]):
        mask = mem[dom + x]
        if mask == 0:
            mem[CHANGED] = 0
            return 0
        if mask & (mask - 1) == 0:
            mem[mem[CHANGES] + mem[CHANGED]] = x
            mem[CHANGED] += 1
    return 1
