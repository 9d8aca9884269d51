"""Write the network as one array from what the builder gives: records, columns, scopes, and peers as bit sets."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Floats, Ints, lowest

from .layout import (
    LOCKED,
    WORD,
    Net,
    kernel,
)

# Numbers at the beginning of what the builder gives.
POOL = 0  # the length of the pool, which follows these numbers
ROWS = 1  # constraints but for those of the houses: five columns of them follow the pool, then their scopes
BEFORE = 2  # of these the ones before the houses
SCOPED = 3  # the length of their scopes
HOUSE_POOL = 4
HOUSE_ROWS = 5
HOUSE_SCOPED = 6
PEERED = 7  # peers of all variables
WATCHED = 8  # the length of the scopes of constraints that are queued
TABLES = 9  # the lengths of the three tables of sums
GIVEN_HEADER = 12


@kernel
def assemble(
    given: Ints, house_pool: Ints, house_columns: Ints, house_scopes: Ints, bits: Ints, net: Net, weight: Floats
) -> int:
    """Write the network, except the tables of sums, and the initial weight of each variable.

    The places of the sections enter the header. Returns the place of the tables.
    """
    for i in range(given[POOL]):
        net[i] = given[GIVEN_HEADER + i]
    for i in range(given[HOUSE_POOL]):
        net[given[POOL] + i] = house_pool[i]
    end = place_sections(given, net)
    write_columns(given, house_columns, net)
    write_scopes(given, house_columns, house_scopes, net)
    list_watches(net)
    for i in range(net.variables * net.words):
        net.peer_bits[i] = bits[i]
    list_peers(net)
    weigh(net, weight)
    return end


@kernel
def place_sections(given: Ints, net: Net) -> int:
    """Enter the places of all sections into the header; return the place of the tables."""
    n = net.variables
    total = given[ROWS] + given[HOUSE_ROWS]
    scoped = given[SCOPED] + given[HOUSE_SCOPED]
    net.kinds.place = given[POOL] + given[HOUSE_POOL]
    net.records.place = net.kinds.place + total
    net.priorities.place = net.records.place + total
    net.idempotent.place = net.priorities.place + total
    net.scope_at.place = net.idempotent.place + total
    net.scopes.place = net.scope_at.place + total + 1
    net.watch_at.place = net.scopes.place + scoped
    net.watches.place = net.watch_at.place + n + 2
    net.peer_at.place = net.watches.place + given[WATCHED]
    net.peers.place = net.peer_at.place + n + 1
    net.peer_bits.place = net.peers.place + given[PEERED]
    net.sums.place = net.peer_bits.place + n * net.words
    net.sets_at.place = net.sums.place + given[TABLES]
    net.sets.place = net.sets_at.place + given[TABLES + 1]
    return net.sums.place


@kernel
def write_columns(given: Ints, house_columns: Ints, net: Net) -> int:
    """Write kinds, records, priorities and idempotence; the houses stand between the constraints before and after."""
    rows = given[ROWS]
    houses = given[HOUSE_ROWS]
    total = rows + houses
    for column in range(4):
        own = GIVEN_HEADER + given[POOL] + column * rows
        to = net.kinds.place + column * total
        for i in range(given[BEFORE]):
            net[to + i] = given[own + i]
        for i in range(houses):
            net[to + given[BEFORE] + i] = house_columns[column * houses + i]
        for i in range(given[BEFORE], rows):
            net[to + houses + i] = given[own + i]
    for i in range(houses):
        net.records[given[BEFORE] + i] += given[POOL]
    return 1


@kernel
def write_scopes(given: Ints, house_columns: Ints, house_scopes: Ints, net: Net) -> int:
    """Write the variables of each constraint, one list after the other, and where each begins."""
    rows = given[ROWS]
    houses = given[HOUSE_ROWS]
    lengths = GIVEN_HEADER + given[POOL] + 4 * rows
    at = net.scopes.place
    own = lengths + rows
    of_house = 0
    net.scope_at[0] = 0
    for p in range(rows + houses):
        inside = p >= given[BEFORE] and p < given[BEFORE] + houses
        if inside:
            length = house_columns[4 * houses + p - given[BEFORE]]
            for i in range(length):
                net[at + i] = house_scopes[of_house + i]
            of_house += length
        else:
            length = given[lengths + p] if p < given[BEFORE] else given[lengths + p - houses]
            for i in range(length):
                net[at + i] = given[own + i]
            own += length
        at += length
        net.scope_at[p + 1] = at - net.scopes.place
    return 1


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
