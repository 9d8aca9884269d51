"""Two lists of variables in order: the first place where they differ decides."""

from __future__ import annotations

from ..language import highest, kernel, lowest
from .changes import below, narrow, up_to
from .layout import Mem, Net


@kernel
def in_order(net: Net, mem: Mem, at: int, dom: int) -> int:
    """The first list is smaller than the second, or equal to it unless it must be strictly smaller.

    A record: the number of places, whether strictly, and two variables for each place. All places before the current
    one are equal; what is left at that place, and whether both may be equal there, is all that can be said, as in the
    "GAC-lex" of Frisch, Hnich, Kiziltan, Miguel and Walsh (2002).
    """
    for i in range(net[at]):
        x = net[at + 2 + 2 * i]
        y = net[at + 3 + 2 * i]
        if x != y:
            strict = 0 if rest_in_order(net, mem, at, dom, i + 1) else 1
            if not narrow(mem, dom, x, up_to(highest(mem[dom + y]) - strict)):
                return 0
            if not narrow(mem, dom, y, ~below(lowest(mem[dom + x]) + strict)):
                return 0
            if strict or lowest(mem[dom + x]) != highest(mem[dom + y]):
                return 1
    return not net[at + 1]


@kernel
def rest_in_order(net: Net, mem: Mem, at: int, dom: int, first: int) -> int:
    """Return whether the lists from a place on may be in order."""
    for i in range(first, net[at]):
        x = net[at + 2 + 2 * i]
        y = net[at + 3 + 2 * i]
        if x != y:
            low = lowest(mem[dom + x])
            high = highest(mem[dom + y])
            if low != high:
                return low < high
    return not net[at + 1]
