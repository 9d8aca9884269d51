"""Many rows of domains of one network, answered one after another."""

from __future__ import annotations

from ..language import Floats, Ints, kernel
from .layout import BEGIN, FINISHED, FOUND, STOPPED, Mem, Net
from .search import search


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
