"""Narrow a domain, list its variable as changed, and remove what several places of a value exclude."""

from __future__ import annotations

from ..language import kernel, lowest
from .layout import (
    COMMON,
    SKIP_COMMON_PEERS,
    WORD,
    Mem,
    Net,
)


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
    """Return the place of a row of ROWS."""
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
def meet(net: Net, mem: Mem, x: int, first: int) -> int:
    """Keep only peers of a variable in COMMON (with ``first``, put all its peers there); return whether any remain."""
    common = row_of(net, mem, COMMON)
    peers = net.peer_bits.place + x * net.words
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
    begin = 1
    for i in range(first, first + size):
        if mem[dom + net[i]] & value:
            if not meet(net, mem, net[i], begin):
                return 1
            begin = 0
    return remove(net, mem, dom, value)
