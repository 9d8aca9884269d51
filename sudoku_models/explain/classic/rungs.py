"""The uniform ladder on classic boards: the same stages as ``Ladder`` finds, by kernels for this board only."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import BROKEN, STUCK, drop_marked, is_broken, is_solved, kernel
from .literals import BITS, VARIABLES
from .nesting import assert_one, fall_one, follow
from .rounds import strong_rounds, weak_rounds
from .sets import HIDDEN, NAKED, all_sets, mark

RUNGS = (
    (1, 1), (1, 2), (1, 3), (1, 9),
    *((2, d) for d in (2, 3, 4, 5, 6, 8, 10, 14, 20, 1000)),
    *((3, d) for d in (2, 3, 4, 6, 10, 1000)),
    *((4, j) for j in (2, 4, 8, 1000)),
)  # fmt: skip
"""The levels of the ladder that classic boards can have; a stage is recorded as the position of its level here, from 1.
"""

WEAK, STRONG, NESTED_RUNG = 5, 15, 21
"""The first positions of trials, of strong ones and of nested ones."""

ANY_ROUND = 1000
"""The number of rounds for "any"."""


@kernel
def rung_path(board: Ints, state: Ints, stage: int, levels: Ints, when: Ints, marked: Ints, work: Ints) -> int:
    """Follow the ladder from a state after some stages; return the number of stages then, with STUCK or BROKEN added.

    ``levels`` holds the rung of each stage, ``when`` the stage (from 1) at which each candidate was removed.
    """
    while 1:
        if is_broken(state):
            return stage + BROKEN
        if is_solved(state):
            return stage
        rung = cheapest_rung(board, state, marked, work)
        if rung == 0:
            return stage + STUCK
        stage += 1
        levels[stage] = rung
        drop_marked(board, state, marked, when, stage)
    return stage


@kernel
def cheapest_rung(board: Ints, state: Ints, marked: Ints, work: Ints) -> int:
    """Mark what the lowest productive rung removes; return the rung, 0 if none is productive without nested trials."""
    if mark_ones(board, state, marked):
        return 1
    for k in range(2, 5):
        if all_sets(board, state, k, NAKED + HIDDEN, marked, work):
            return k
    rung = mark_failing(board, state, WEAK, marked, work)
    return rung if rung else mark_failing(board, state, STRONG, marked, work)


@kernel
def mark_ones(board: Ints, state: Ints, marked: Ints) -> int:
    """Mark what naked and hidden singles remove, a settled cell from its houses; return how many."""
    found = 0
    for w in range(324):
        if ones(state[w]) == 1:
            literal = board[9 * w + lowest(state[w])]
            for i in range(4 * literal + (w < 81), 4 * literal + (4 if w < 81 else 1)):
                found += mark(board, board[VARIABLES + i], state[board[VARIABLES + i]] & ~board[BITS + i], marked)
    return found


@kernel
def mark_failing(board: Ints, state: Ints, first: int, marked: Ints, work: Ints) -> int:
    """Mark the candidates that fail within the fewest rounds; return the rung, 0 for none.

    The shortest trials come first: most stages need no others.
    """
    best = mark_within(board, state, first, 2, marked, work)
    if best == 0:
        best = mark_within(board, state, first, ANY_ROUND, marked, work)
    return best


@kernel
def mark_within(board: Ints, state: Ints, first: int, limit: int, marked: Ints, work: Ints) -> int:
    """Mark the candidates that fail within the fewest rounds, at most a limit; return the rung, 0 for none."""
    best = 0
    for literal in range(729):
        cell = board[VARIABLES + 4 * literal]
        if state[cell] & board[BITS + 4 * literal] and ones(state[cell]) > 1:
            depth = fails_after(board, state, literal, limit, first, work)
            if depth:
                limit = last_round(depth, first)
                if limit != best:
                    best = limit
                    for other in range(literal):
                        marked[other] = 0
                marked[literal] = 1
    return first + band(best, first) if best else 0


@kernel
def fails_after(board: Ints, state: Ints, literal: int, limit: int, first: int, work: Ints) -> int:
    """Return the weak or strong round in which a candidate fails; 0 if it does not."""
    if first == WEAK:
        return weak_rounds(board, state, literal, limit, work)
    return strong_rounds(board, state, literal, limit, work)


@kernel
def last_round(depth: int, first: int) -> int:
    """Return the last round of a depth's band: of 2, 3, 4, 5, 6, 8, 10, 14, 20, any; or of 2, 3, 4, 6, 10, any."""
    if depth <= (6 if first == WEAK else 4):
        return max(depth, 2)
    if depth <= 10:
        return 10 if depth > 8 or (depth > 6 and first == STRONG) else 8 if first == WEAK else 6
    return 14 if depth <= 14 and first == WEAK else 20 if depth <= 20 and first == WEAK else ANY_ROUND


@kernel
def band(last: int, first: int) -> int:
    """Return the index of a greatest number of rounds among the bands."""
    found = 0
    depth = 2
    while depth < last:
        depth = last_round(depth + 1, first)
        found += 1
    return found


@kernel
def fails_in_rounds(board: Ints, state: Ints, supposed: int, rounds: int, trial: Ints, work: Ints) -> int:
    """Return whether a candidate fails if trials of at most a given number of rounds remove others in its trial."""
    for w in range(324):
        trial[w] = state[w]
    if follow(board, trial, assert_one(board, trial, supposed, 0)) < 0:
        return 1
    again = 1
    while again:
        again = 0
        for literal in range(729):
            cell = board[VARIABLES + 4 * literal]
            able = trial[cell] & board[BITS + 4 * literal] and ones(trial[cell]) > 1
            if able and weak_rounds(board, trial, literal, rounds, work):
                again = 1
                if fall_one(board, trial, literal) < 0:
                    return 1
    return 0
