"""Write the network as one array from what the builder gives: records, columns, scopes, and peers as bit sets."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Floats, Ints, lowest

from .layout import LOCKED, WORD, Net, kernel

# Numbers at the beginning of what the builder gives.
POOL = 0  # the length of the pool, which follows these numbers
ROWS = 1  # constraints: four columns of them, the lengths of their scopes, and the scopes follow the pool
SCOPED = 2  # the length of the scopes; the peers as bit sets follow them
PEERED = 3  # peers of all variables
WATCHED = 4  # the length of the scopes of constraints that are queued
TABLES = 5  # the lengths of the three tables of sums
GIVEN_HEADER = 8


@kernel
def assemble(given: Ints, net: Net, weight: Floats) -> int:
    """Write the network, except the tables of sums, and the initial weight of each variable.

    The places of the sections enter the header. Returns the place of the tables.
    """
    rows = given[ROWS]
    lengths = given[POOL] + 4 * rows
    for i in range(lengths):
        net[i] = given[GIVEN_HEADER + i]
    end = place_sections(given, net)
    at = GIVEN_HEADER + lengths
    net.scope_at[0] = 0
    for p in range(rows):
        net.scope_at[p + 1] = net.scope_at[p] + given[at + p]
    for i in range(given[SCOPED]):
        net.scopes[i] = given[at + rows + i]
    at += rows + given[SCOPED]
    for i in range(net.variables * net.words):
        net.peer_bits[i] = given[at + i]
    list_watches(net)
    list_peers(net)
    weigh(net, weight)
    return end


@kernel
def place_sections(given: Ints, net: Net) -> int:
    """Enter the places of all sections into the header; return the place of the tables."""
    n = net.variables
    rows = given[ROWS]
    net.kinds.place = given[POOL]
    net.records.place = net.kinds.place + rows
    net.priorities.place = net.records.place + rows
    net.idempotent.place = net.priorities.place + rows
    net.scope_at.place = net.idempotent.place + rows
    net.scopes.place = net.scope_at.place + rows + 1
    net.watch_at.place = net.scopes.place + given[SCOPED]
    net.watches.place = net.watch_at.place + n + 2
    net.peer_at.place = net.watches.place + given[WATCHED]
    net.peers.place = net.peer_at.place + n + 1
    net.peer_bits.place = net.peers.place + given[PEERED]
    net.sums.place = net.peer_bits.place + n * net.words
    net.sets_at.place = net.sums.place + given[TABLES]
    net.sets.place = net.sets_at.place + given[TABLES + 1]
    return net.sums.place


@kernel
def weigh(net: Net, weight: Floats) -> int:
    """Weigh each variable by the number of its constraints, except houses; then write what a failure adds."""
    n = net.variables
    most = 1.0
    for x in range(n + 1):
        weight[x] = 0.0
    for p in range(net.constraints):
        if net.kinds[p] > LOCKED:
            for i in range(net.scope_at[p], net.scope_at[p + 1]):
                weight[net.scopes[i]] += 1.0
    for x in range(n):
        if weight[x] > most:
            most = weight[x]
    for x in range(n + 1):
        weight[x] = 1.0 + weight[x] / most
    return 1


@kernel
def list_peers(net: Net) -> int:
    """List the members of each bit set, and where those of each variable begin, followed by their number."""
    end = 0
    bits = net.peer_bits.place
    for x in range(net.variables):
        net.peer_at[x] = end
        for w in range(net.words):
            rest = net[bits]
            while rest != 0:
                net.peers[end] = w * WORD + lowest(rest)
                end += 1
                rest &= rest - 1
            bits += 1
    net.peer_at[net.variables] = end
    return end


@kernel
def list_watches(net: Net) -> int:
    """List the constraints of each variable, from the variables of each constraint; see ``list_peers``."""
    at = net.watch_at.place
    scopes = net.scopes.place
    for x in range(net.variables + 2):
        net[at + x] = 0
    for i in range(net.scope_at[net.constraints]):
        net[at + net[scopes + i] + 2] += 1
    for x in range(net.variables):
        net[at + x + 2] += net[at + x + 1]
    for p in range(net.constraints):
        for i in range(net.scope_at[p], net.scope_at[p + 1]):
            x = net[scopes + i]
            net.watches[net[at + x + 1]] = p
            net[at + x + 1] += 1
    return 1
