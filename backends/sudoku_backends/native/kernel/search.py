"""The search: give a variable a value, or take it away again, on a stack of rows of domains; then many rows of domains.

The next variable to decide is the one with the greatest weight, divided by the square of the number of its values;
weights grow with failures, as in "dom/wdeg" (Boussemart, Hemery, Lecoutre, Sais 2004), the later the more, and begin
with the number of constraints of a variable.

A search that has found nothing yet goes back to the root, with the weights that it has learnt. Values removed at the
root stay removed, so only the current branch is forgotten; the time to the next new beginning doubles each time, so
every search ends.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Floats, Ints, lowest, ones

from .changes import with_few_places
from .layout import BEGIN, FINISHED, FOUND, HOUSE, IMPOSSIBLE, SKIP_RESTARTS, STOPPED, Mem, Net, kernel
from .propagation import enqueue, enqueue_all, propagate, settled_variables

# ---------------------------------------------------------------- steps

GROWTH = 1.02  # without it, boards of long sums may take five times as many nodes
LARGEST = 1e100  # all weights are scaled down then: growing on, they would become infinite, and equal


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


# ---------------------------------------------------------------- restarts

FIRST = 1000  # nodes; each start has twice as many as the last, or a search for all solutions would not end


@kernel
def plan_starts(net: Net, mem: Mem) -> int:
    """Set the node at which the search first begins anew; with an objective it never does."""
    mem.starts = 0
    mem.next_start = IMPOSSIBLE if net.skip & SKIP_RESTARTS or net.objective >= 0 else mem.nodes + FIRST
    return 1


@kernel
def begin_again(mem: Mem) -> int:
    """Go back to the root."""
    mem.starts += 1
    mem.next_start = mem.nodes + (FIRST << min(mem.starts, 40))
    mem.depth = 0
    mem.direct = 0
    return 1


# ---------------------------------------------------------------- the search


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
        else:
            x = choose(net, mem, weight)
            if x >= 0 and mem.nodes >= mem.next_start:
                begin_again(mem)
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
        for i in range(group + 2, group + 2 + net[group + 1]):
            total += net[group] * lowest(mem[dom + net[i]])
        group += 2 + net[group + 1]
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
        return better_place(net, mem, weight, x, weight[x] / (ones(mask) * ones(mask)))
    return x


@kernel
def heaviest(net: Net, mem: Mem, weight: Floats, kept: int) -> int:
    """Return the open variable with the greatest weight per square of its values, perhaps only of those kept; or -1."""
    dom = row_at(net, mem, mem.depth)
    best = -1
    most = -1.0
    for x in range(net.variables):
        mask = mem[dom + x]
        if mask & (mask - 1) and (not kept or mem.kept[x]):
            score = weight[x] / (ones(mask) * ones(mask))
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
            pairs = with_few_places(net, mem, at, dom, 2)
            while pairs:
                value = pairs & -pairs
                pairs &= pairs - 1
                x = -1
                total = 0.0
                for i in range(at + 3, at + 3 + net[at]):
                    if mem[dom + net[i]] & value:
                        total += weight[net[i]]
                        if x < 0 or weight[net[i]] > weight[x]:
                            x = net[i]
                if 0.125 * total > most:
                    most = 0.125 * total
                    best = x
                    mem.value = value
    return best


# ---------------------------------------------------------------- many rows


@kernel
def count_many(
    net: Net, mem: Mem, weight: Floats, fresh: Floats, starts: Ints, first: int, last: int, limit: int,
    most_nodes: int, solutions: Ints, counts: Ints,
) -> int:  # fmt: skip
    """Answer rows of domains from ``first`` up to ``last``; return the next row when the nodes are used up.

    ``starts`` has a row of domains for each; ``solutions`` gets a first solution of each, and has one row more at the
    end; ``counts`` the number of solutions, up to a limit, and behind all of these whether each row's search was
    finished. A row that was begun is continued. Weights begin anew with each row, as in ``fresh``, so that its
    answer depends on nothing else.
    """
    n = net.variables
    last_node = mem.nodes + most_nodes
    for r in range(first, last):
        if mem.state != STOPPED:
            begin_row(net, mem, weight, fresh, starts, r)
            counts[r] = 0
        if counts[r] == 0:
            counts[r] = search(net, mem, weight, 1, last_node - mem.nodes, solutions, r * n, 0)
        if counts[r] > 0 and counts[r] < limit and (mem.state == FOUND or mem.state == STOPPED):
            left = limit - counts[r]
            counts[r] += search(net, mem, weight, left, last_node - mem.nodes, solutions, last * n, 0)
        if mem.state == STOPPED:
            return r
        counts[last + r] = mem.state == FINISHED
    return last


@kernel
def begin_row(net: Net, mem: Mem, weight: Floats, fresh: Floats, starts: Ints, r: int) -> int:
    """Put a row of domains at the bottom of the stack."""
    n = net.variables
    for x in range(n):
        mem.stack[x] = starts[r * n + x]
    for i in range(n + 1):
        weight[i] = fresh[i]
    mem.state = BEGIN
    return 1
