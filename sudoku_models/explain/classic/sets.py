"""Subsets and fish: k base variables of one kind whose candidates lie in k others. See ``literals`` for the terms.

Four families use the same loop: the cells of a house and its values (naked), the values and their places (hidden), the
rows and the columns of a value, and the reverse (fish).
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import kernel
from .literals import CELLS, LITERALS

NAKED, HIDDEN, FISH = 1, 2, 4
"""Kinds of sets; they can be added."""


@kernel
def naked_sets(board: Ints, state: Ints, house: int, k: int, marked: Ints, chosen: Ints) -> int:
    """Mark what k cells of a house confined to k values remove."""
    for i in range(9):
        chosen[i] = board[CELLS + 9 * house + i]
    return sets(board, state, k, marked, chosen)


@kernel
def hidden_sets(board: Ints, state: Ints, house: int, k: int, marked: Ints, chosen: Ints) -> int:
    """Mark what k values of a house confined to k cells remove."""
    for i in range(9):
        chosen[i] = 81 + 9 * house + i
    return sets(board, state, k, marked, chosen)


@kernel
def fish(board: Ints, state: Ints, value: int, k: int, marked: Ints, chosen: Ints) -> int:
    """Mark what k rows remove if a value has places in only k columns of them, and likewise for columns."""
    found = 0
    for lines in range(2):
        for i in range(9):
            chosen[i] = 81 + 81 * lines + 9 * i + value
        found += sets(board, state, k, marked, chosen)
    return found


@kernel
def all_sets(board: Ints, state: Ints, k: int, kinds: int, marked: Ints, chosen: Ints) -> int:
    """Mark what sets of size k of the given kinds remove; return how many candidates there are."""
    found = 0
    for house in range(27):
        if kinds & NAKED:
            found += naked_sets(board, state, house, k, marked, chosen)
        if kinds & HIDDEN:
            found += hidden_sets(board, state, house, k, marked, chosen)
    if kinds & FISH:
        for value in range(9):
            found += fish(board, state, value, k, marked, chosen)
    return found


@kernel
def sets(board: Ints, state: Ints, k: int, marked: Ints, chosen: Ints) -> int:
    """Mark what k of nine base variables confined to k places remove from the others; return how many."""
    able = 0
    for i in range(9):
        size = ones(state[chosen[i]])
        if size >= 2 and size <= k:
            able = able | 1 << i
    found = 0
    some = able
    while ones(able) >= k and some:
        if ones(some) == k:
            found += marked_beside(board, state, some, k, marked, chosen)
        some = (some - 1) & able
    return found


@kernel
def marked_beside(board: Ints, state: Ints, some: int, k: int, marked: Ints, chosen: Ints) -> int:
    """Mark what some base variables remove from the others if they have k places; return how many."""
    union = 0
    rest = some
    while rest:
        union = union | state[chosen[lowest(rest)]]
        rest = rest & (rest - 1)
    found = 0
    if ones(union) == k:
        rest = 511 & ~some
        while rest:
            w = chosen[lowest(rest)]
            rest = rest & (rest - 1)
            found += mark(board, w, state[w] & union, marked)
    return found


@kernel
def mark(board: Ints, w: int, places: int, marked: Ints) -> int:
    """Mark candidates of a base variable; return how many were not marked before."""
    found = 0
    while places:
        literal = board[LITERALS + 9 * w + lowest(places)]
        places = places & (places - 1)
        found += 1 - marked[literal]
        marked[literal] = 1
    return found
