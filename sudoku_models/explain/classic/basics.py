"""Basic operations of all kernels of classic boards: remove candidates and record when. See ``literals`` for the
terms.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, Kernels, lowest, ones
from .literals import BITS, VARIABLES

KERNELS = Kernels()
"""All kernels of classic boards by name."""

kernel = KERNELS.mark

BIG = 1 << 20
"""The cost of something that has no refutation."""

STUCK, BROKEN = 1 << 20, 1 << 21
"""Added to the number of stages: nothing is left to remove; a base variable has no candidate left."""


@kernel
def drop(board: Ints, state: Ints, literal: int) -> int:
    """Remove a candidate."""
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        state[w] = state[w] & ~board[BITS + i]
    return 0


@kernel
def is_left(state: Ints, cell: int, literal: int) -> int:
    """Return whether a candidate is left."""
    return state[cell] >> (literal - 9 * cell) & 1


@kernel
def drop_marked(board: Ints, state: Ints, marked: Ints, when: Ints, stage: int) -> int:
    """Remove the marked candidates, unmark them and record their stage; return how many there are."""
    found = 0
    for literal in range(729):
        if marked[literal]:
            marked[literal] = 0
            if is_left(state, board[VARIABLES + 4 * literal], literal):
                drop(board, state, literal)
                when[literal] = stage
                found += 1
    return found


@kernel
def drop_seen(board: Ints, state: Ints, literal: int, when: Ints, stage: int) -> int:
    """Remove all candidates that share a base variable with one; return how many there are."""
    found = 0
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        others = state[w] & ~board[BITS + i]
        while others:
            other = board[9 * w + lowest(others)]
            others = others & (others - 1)
            drop(board, state, other)
            when[other] = stage
            found += 1
    return found


@kernel
def settle(board: Ints, state: Ints, when: Ints, stage: int) -> int:
    """Remove what the cells with one candidate see, until nothing changes; return how many candidates were removed."""
    found = 0
    again = 1
    while again:
        again = 0
        for cell in range(81):
            if ones(state[cell]) == 1:
                again += drop_seen(board, state, 9 * cell + lowest(state[cell]), when, stage)
        found += again
    return found


@kernel
def is_broken(state: Ints) -> int:
    """Return whether a base variable has no candidate left."""
    for w in range(324):
        if state[w] == 0:
            return 1
    return 0


@kernel
def is_solved(state: Ints) -> int:
    """Return whether every cell has one candidate."""
    for cell in range(81):
        if ones(state[cell]) != 1:
            return 0
    return 1
