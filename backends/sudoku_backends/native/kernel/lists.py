"""Lists that the builder needs of what it has as bit sets and in another order."""

from __future__ import annotations

from ..language import Ints, kernel, lowest
from .layout import WORD


@kernel
def list_peers(bits: Ints, variables: int, words: int, at: Ints, peers: Ints) -> int:
    """List the members of each bit set: ``at`` gets where those of each variable begin, and behind it how many."""
    end = 0
    for x in range(variables):
        at[x] = end
        for w in range(words):
            rest = bits[x * words + w]
            while rest != 0:
                peers[end] = w * WORD + lowest(rest)
                end += 1
                rest &= rest - 1
    at[variables] = end
    return end


@kernel
def list_watches(scope_at: Ints, scopes: Ints, constraints: int, variables: int, at: Ints, watches: Ints) -> int:
    """List the constraints of each variable, from the variables of each constraint; see ``list_peers`` for ``at``."""
    for x in range(variables + 2):
        at[x] = 0
    for i in range(scope_at[constraints]):
        at[scopes[i] + 2] += 1
    for x in range(variables):
        at[x + 2] += at[x + 1]
    for p in range(constraints):
        for i in range(scope_at[p], scope_at[p + 1]):
            watches[at[scopes[i] + 1]] = p
            at[scopes[i] + 1] += 1
    return 1
