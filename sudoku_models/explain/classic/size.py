"""The path by sizes: each stage removes what the smallest trees, subsets and fish remove. Nested trials come later."""

from __future__ import annotations

from ...engine.machine_code.language import Ints
from .basics import BROKEN, STUCK, drop_marked, is_broken, is_solved, kernel, settle
from .literals import NEXT_SIZE, SIZES
from .sets import FISH, HIDDEN, NAKED, all_sets
from .singles import mark_singles
from .trees import ANY, mark_refuted

MOST_SIZE = SIZES[-1]
MOST_STAGES = 1000
"""The number of stages for which a log has room: each removes a candidate."""


@kernel
def size_path(board: Ints, state: Ints, stage: int, levels: Ints, when: Ints, marked: Ints, work: Ints) -> int:
    """Continue by sizes from a state after some stages; return the number of stages then, with STUCK or BROKEN added.

    ``levels`` has the size of each stage, ``when`` the stage (from 1) at which each candidate was removed; candidates
    seen by a settled cell belong to the stage that settles it.
    """
    while 1:
        settle(board, state, when, stage)
        if is_broken(state):
            return stage + BROKEN
        if is_solved(state):
            return stage
        size = cheapest(board, state, marked, work)
        if size == 0:
            return stage + STUCK
        stage += 1
        levels[stage] = size
        drop_marked(board, state, marked, when, stage)
    return stage


@kernel
def cheapest(board: Ints, state: Ints, marked: Ints, work: Ints) -> int:
    """Mark what the smallest productive size removes; return that size, 0 for none."""
    if mark_singles(board, state, marked):
        return 1
    size = 2
    while size <= MOST_SIZE:
        found = mark_refuted(board, state, size, ANY, marked, work)
        if size == 3 or size == 4:
            found += all_sets(board, state, size, NAKED + HIDDEN + FISH, marked, work)
        if found:
            return size
        size = board[NEXT_SIZE + size]
    return 0
