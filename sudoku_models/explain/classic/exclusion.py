"""Exclusion: combinations of two or three cells, each ruled out by some cell (aligned pairs and triplets).

A cell rules out a combination if it is seen by all these cells and has only their values as candidates. A combination
is also ruled out if two of its cells that see each other have the same value.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import kernel
from .wings import sees

FIRST, SECOND, ALL_THREE = 0, 81, 162
"""Offsets in the memory: the cells that rule out something, seen by the first cell, also by the second, by all."""


@kernel
def mark_excluded_triples(board: Ints, state: Ints, marked: Ints, near: Ints) -> int:
    """Mark each value of three cells for which every combination is ruled out (aligned triplet exclusion)."""
    found = 0
    for a in range(81):
        count = excluders_of(board, state, a, near) if ones(state[a]) > 1 else 0
        for b in range(a + 1, 81 if count > 1 else 0):
            both = narrowed(board, b, FIRST, count, near) if ones(state[b]) > 1 else 0
            for c in range(b + 1, 81 if both > 1 else 0):
                three = narrowed(board, c, SECOND, both, near) if ones(state[c]) > 1 else 0
                if three > 1:
                    found += mark_impossible(board, state, a, b, c, three, marked, near)
                    found += mark_impossible(board, state, b, a, c, three, marked, near)
                    found += mark_impossible(board, state, c, a, b, three, marked, near)
    return found


@kernel
def excluders_of(board: Ints, state: Ints, cell: int, near: Ints) -> int:
    """List the cells of two or three candidates that a cell sees; return how many there are."""
    count = 0
    for other in range(81):
        if ones(state[other]) >= 2 and ones(state[other]) <= 3 and sees(board, cell, other):
            near[FIRST + count] = other
            count += 1
    return count


@kernel
def narrowed(board: Ints, cell: int, listed: int, count: int, near: Ints) -> int:
    """Copy to the next list those of the listed cells that a cell sees too; return how many there are."""
    kept = 0
    for i in range(count):
        if sees(board, cell, near[listed + i]):
            near[listed + 81 + kept] = near[listed + i]
            kept += 1
    return kept


@kernel
def mark_impossible(board: Ints, state: Ints, a: int, b: int, c: int, count: int, marked: Ints, near: Ints) -> int:
    """Mark the values of the first of three cells that occur in no combination."""
    found = 0
    rest = state[a]
    while rest:
        bit = rest & -rest
        rest = rest & (rest - 1)
        literal = 9 * a + lowest(bit)
        if marked[literal] == 0 and is_possible(board, state, a, bit, b, c, count, near) == 0:
            marked[literal] = 1
            found += 1
    return found


@kernel
def is_possible(board: Ints, state: Ints, a: int, bit: int, b: int, c: int, count: int, near: Ints) -> int:
    """Return whether some combination of three cells, the first with a given value, is not ruled out."""
    seconds = state[b] & ~bit if sees(board, a, b) else state[b]
    while seconds:
        second = seconds & -seconds
        seconds = seconds & (seconds - 1)
        thirds = state[c] & ~bit if sees(board, a, c) else state[c]
        thirds = thirds & ~second if sees(board, b, c) else thirds
        while thirds:
            values = bit | second | (thirds & -thirds)
            thirds = thirds & (thirds - 1)
            free = 1
            for i in range(count):
                if state[near[ALL_THREE + i]] & ~values == 0:
                    free = 0
            if free:
                return 1
    return 0
