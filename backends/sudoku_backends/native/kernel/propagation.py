"""Propagation: which kernel narrows each kind of constraint, disjunctions, and the queues of constraints to examine."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Floats, lowest

from .changes import house, locked, narrow
from .counters import counted, distinct, no_subset_sum, same_bag
from .joined import joined
from .layout import *
from .linear import linear
from .relations import chosen, clause, diagram, extremes, less_where, ordered, relation, value_sets


@kernel
def narrowed(net: Net, mem: Mem, p: int, dom: int) -> int:
    """Let a constraint (no EITHER) narrow a row of domains; return 0 when it cannot hold."""
    kind = net.kinds[p]
    at = net.records[p]
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
        return ordered(net, mem, dom, at + 2, at + 2 + net[at], net[at], net[at + 1])
    if kind == LESS_WHERE:
        return less_where(net, mem, at, dom)
    if kind == NO_SUBSET_SUM:
        return no_subset_sum(net, mem, at, dom)
    return 0


@kernel
def either(net: Net, mem: Mem, p: int, dom: int) -> int:
    """At least one part holds: try each on a copy of the domains, and remove what none of them keeps.

    A record: the number of parts, where the constraints of each begin, the constraints. It ends as soon as nothing can
    be removed any more.
    """
    alive = 0
    for part in range(net[net.records[p]]):
        if part_holds(net, mem, p, part, dom):
            if not more_to_remove(net, mem, p, dom, alive == 0):
                return 1
            alive += 1
    if alive == 0:
        return 0
    for s in range(net.scope_at[p], net.scope_at[p + 1]):
        x = net.scopes[s]
        if not narrow(mem, dom, x, mem.union[x]):
            return 0
    return 1


@kernel
def part_holds(net: Net, mem: Mem, p: int, part: int, dom: int) -> int:
    """Let the constraints of a part narrow a copy of the domains, each once; return whether the part may hold."""
    at = net.records[p]
    row = mem.scratch.place
    for s in range(net.scope_at[p], net.scope_at[p + 1]):
        mem[row + net.scopes[s]] = mem[dom + net.scopes[s]]
    first = at + 2 + net[at] + net[at + 1 + part]
    last = at + 2 + net[at] + net[at + 2 + part]
    mem.inside = 1
    outer = mem.changed
    mem.changes = mem.inner_changes.place
    mem.changed = 0
    good = 1
    for e in range(first, last):
        if good:
            good = narrowed(net, mem, net[e], row)
    mem.inside = 0
    mem.changes = mem.change_list.place
    mem.changed = outer
    return good


@kernel
def more_to_remove(net: Net, mem: Mem, p: int, dom: int, begin: int) -> int:
    """Add to UNION what a part has kept; return whether UNION still lacks values of the domains."""
    lacking = 0
    for s in range(net.scope_at[p], net.scope_at[p + 1]):
        x = net.scopes[s]
        kept = mem.scratch[x]
        if not begin:
            kept |= mem.union[x]
        mem.union[x] = kept
        lacking |= kept != mem[dom + x]
    return lacking


@kernel
def enqueue(net: Net, mem: Mem, p: int) -> int:
    """Queue a constraint if it is not queued already."""
    if mem.queued[p]:
        return 1
    mem.queued[p] = 1
    q = net.priorities[p]
    tail = mem.tails[q]
    mem.waiting[q * net.queue + tail] = p
    mem.tails[q] = tail + 1 if tail + 1 < net.queue else 0
    return 1


@kernel
def dequeue(net: Net, mem: Mem) -> int:
    """Return the next constraint; -1 if none is queued."""
    for q in range(3):
        head = mem.heads[q]
        if head != mem.tails[q]:
            p = mem.waiting[q * net.queue + head]
            mem.heads[q] = head + 1 if head + 1 < net.queue else 0
            mem.queued[p] = 0
            return p
    return -1


@kernel
def failed(net: Net, mem: Mem) -> int:
    """Empty the queues and the list of changes; return 0."""
    while dequeue(net, mem) >= 0:
        pass
    mem.changed = 0
    return 0


@kernel
def wake(net: Net, mem: Mem, x: int, but: int) -> int:
    """Queue the constraints of a variable, except one; LOCKED, which follows from others, only at the root."""
    for e in range(net.watch_at[x], net.watch_at[x + 1]):
        p = net.watches[e]
        if p != but and (mem.depth == 0 or net.kinds[p] != LOCKED):
            enqueue(net, mem, p)
    return 1


@kernel
def taken_from_peers(net: Net, mem: Mem, dom: int, x: int, value: int) -> int:
    """Take the value of a settled variable from its peers; return one that has no other value, or -1."""
    peers = net.peer_bits.place + net.peer_at[lowest(value)] + x * net.words
    for w in range(net.words):
        rest = net[peers + w]
        while rest != 0:
            u = w * WORD + lowest(rest)
            if not narrow(mem, dom, u, ~value):
                return u
            rest &= rest - 1
    return -1


@kernel
def spread(net: Net, mem: Mem, weight: Floats, dom: int, but: int) -> int:
    """Take the values of settled variables from their peers, and wake the constraints of all that changed.

    The constraint ``but`` made the changes listed first, and these alone would not make it remove more.
    """
    own = mem.changed
    i = 0
    while i < mem.changed:
        x = mem[mem.changes + i]
        mask = mem[dom + x]
        if mask & (mask - 1) == 0:
            u = taken_from_peers(net, mem, dom, x, mask)
            if u >= 0:
                weight[u] += weight[net.variables]
                weight[x] += weight[net.variables]
                return 0
        wake(net, mem, x, but if i < own else -1)
        i += 1
    mem.changed = 0
    return 1


@kernel
def propagate(net: Net, mem: Mem, weight: Floats, dom: int) -> int:
    """Narrow a row of domains until nothing changes, beginning with the listed changes; return 0 if that fails."""
    p = -1
    while True:
        if not spread(net, mem, weight, dom, p if p >= 0 and net.idempotent[p] else -1):
            return failed(net, mem)
        p = dequeue(net, mem)
        if p < 0:
            return 1
        mem.runs += 1
        good = either(net, mem, p, dom) if net.kinds[p] == EITHER else narrowed(net, mem, p, dom)
        if not good:
            first = net.scope_at[p]
            last = net.scope_at[p + 1]
            for s in range(first, last):
                weight[net.scopes[s]] += weight[net.variables] / (last - first)
            return failed(net, mem)


@kernel
def enqueue_all(net: Net, mem: Mem) -> int:
    """Queue every constraint."""
    for p in range(net.constraints):
        enqueue(net, mem, p)
    return 1


@kernel
def settled_variables(net: Net, mem: Mem, dom: int) -> int:
    """List the settled variables as changed; return 0 if a variable has no value."""
    for x in range(net.variables):
        mask = mem[dom + x]
        if mask == 0:
            mem.changed = 0
            return 0
        if mask & (mask - 1) == 0:
            mem[mem.changes + mem.changed] = x
            mem.changed += 1
    return 1
