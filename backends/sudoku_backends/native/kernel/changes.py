"""Narrow a domain, list its variable as changed, and remove what several places of a value exclude; houses.

A record of a house, whose cells are all different: the number of cells, their values, whether the house is full (as
many values as cells), and the cells. Every value of a full house has a place, and the last
few places of a value exclude it elsewhere.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Floats, lowest, ones

from .layout import COMMON, LOCKED, SKIP_COMMON_PEERS, SKIP_HIDDEN, SKIP_LOCKED, WORD, Mem, Net, kernel


@kernel
def watch(net: Net, weight: Floats) -> int:
    """List for each variable the queued constraints that have it, and write its weight: from 1 to 2, by the number of
    those beside houses. After the weights comes what a failure adds.

    ``watch_at`` has one place more than is read later, and it and ``weight`` are all zero.
    """
    most = 1.0
    for i in range(net.scope_at[net.constraints]):
        net.watch_at[net.scopes[i] + 2] += 1
    for x in range(net.variables):
        net.watch_at[x + 2] += net.watch_at[x + 1]
    for p in range(net.constraints):
        for i in range(net.scope_at[p], net.scope_at[p + 1]):
            x = net.scopes[i]
            net.watches[net.watch_at[x + 1]] = p
            net.watch_at[x + 1] += 1
            if net.kinds[p] > LOCKED:
                weight[x] += 1.0
                if weight[x] > most:
                    most = weight[x]
    for x in range(net.variables + 1):
        weight[x] = 1.0 + weight[x] / most
    return 0


@kernel
def narrow(mem: Mem, dom: int, x: int, mask: int) -> int:
    """Keep only those values of a variable that are in a mask; return 0 if none is left."""
    old = mem[dom + x]
    new = old & mask
    if new == old:
        return 1
    mem[dom + x] = new
    mem[mem.changes + mem.changed] = x
    mem.changed += 1
    return new != 0


@kernel
def up_to(bit: int) -> int:
    """Return the mask of all bits up to a number."""
    if bit >= 62:
        return 0x7FFFFFFFFFFFFFFF
    if bit < 0:
        return 0
    return (1 << (bit + 1)) - 1


@kernel
def below(bit: int) -> int:
    """Return the mask of all bits below a number."""
    return up_to(bit - 1)


@kernel
def row_of(net: Net, mem: Mem, row: int) -> int:
    return mem.rows.place + row * net.row


@kernel
def remove(net: Net, mem: Mem, dom: int, value: int) -> int:
    """Take a value from all variables of the bit set in the row COMMON."""
    common = row_of(net, mem, COMMON)
    for w in range(net.words):
        rest = mem[common + w]
        while rest != 0:
            if not narrow(mem, dom, w * WORD + lowest(rest), ~value):
                return 0
            rest &= rest - 1
    return 1


@kernel
def meet(net: Net, mem: Mem, peers: int, first: int) -> int:
    """Keep only some peers in COMMON (with ``first``, put all of them there); return whether any remain."""
    common = row_of(net, mem, COMMON)
    some = 0
    for w in range(net.words):
        mem[common + w] = net[peers + w] if first else mem[common + w] & net[peers + w]
        some |= mem[common + w]
    return some != 0


@kernel
def require(net: Net, mem: Mem, dom: int, first: int, size: int, value: int) -> int:
    """Require a value among some cells listed in net: settle its last place, or take it from common peers of a few."""
    places = 0
    last = 0
    for i in range(first, first + size):
        x = net[i]
        if mem[dom + x] & value:
            if mem[dom + x] == value:
                return 1
            places += 1
            last = x
    if places == 0:
        return 0
    if places == 1:
        return narrow(mem, dom, last, value)
    if places <= 4 and not mem.inside and not net.skip & SKIP_COMMON_PEERS:
        return exclude(net, mem, dom, first, size, value)
    return 1


@kernel
def exclude(net: Net, mem: Mem, dom: int, first: int, size: int, value: int) -> int:
    """Take a value from the common peers of all its places among some cells."""
    peers = net.peer_bits.place + net.peer_at[lowest(value)]
    begin = 1
    for i in range(first, first + size):
        if mem[dom + net[i]] & value:
            if not meet(net, mem, peers + net[i] * net.words, begin):
                return 1
            begin = 0
    return remove(net, mem, dom, value)


# ---------------------------------------------------------------- houses


@kernel
def house(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Settle values that have one place left; return 0 if a value has no place, or if there are too few values."""
    if net.skip & SKIP_HIDDEN:
        return 1
    size = net[at]
    once = 0
    twice = 0
    for i in range(at + 3, at + 3 + size):
        mask = mem[dom + net[i]]
        twice |= once & mask
        once |= mask
    if net[at + 2] == 0:
        if ones(once) != size:
            return ones(once) > size
    elif once != net[at + 1]:
        return 0
    hidden = once & ~twice
    if hidden == 0:
        return 1
    return settle(net, mem, at, dom, hidden)


@kernel
def settle(net: Net, mem: Mem, at: int, dom: int, hidden: int) -> int:
    """Give each value that has one place left its place."""
    for i in range(at + 3, at + 3 + net[at]):
        x = net[i]
        mine = mem[dom + x] & hidden
        if mine:
            if mine & (mine - 1):
                return 0
            if not narrow(mem, dom, x, mine):
                return 0
    return 1


@kernel
def locked(net: Net, mem: Mem, at: int, dom: int) -> int:
    """Take values with two or three places left from all cells that these exclude: pointing, box and line, and more."""
    if net.skip & SKIP_LOCKED:
        return 1
    few = with_few_places(net, mem, at, dom, 3)
    while few:
        value = few & -few
        few &= few - 1
        if not exclude(net, mem, dom, at + 3, net[at], value):
            return 0
    return 1


@kernel
def with_few_places(net: Net, mem: Mem, at: int, dom: int, most: int) -> int:
    """Return the values of a house with two places left, or up to three; 0 if it has more values left than cells."""
    size = net[at]
    once = 0
    twice = 0
    thrice = 0
    more = 0
    settled = 0
    for i in range(at + 3, at + 3 + size):
        mask = mem[dom + net[i]]
        if mask & (mask - 1) == 0:
            settled |= mask
        more |= thrice & mask
        thrice |= twice & mask
        twice |= once & mask
        once |= mask
    if net[at + 2] == 0 and ones(once) > size:
        return 0
    return twice & ~settled & ~(more if most == 3 else thrice)
