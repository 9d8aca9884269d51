"""Trials within a trial on the SE-like scale: the smallest refutation tree in which trees also remove candidates.

Within the trial of a candidate, singles are followed as in ``trees``. When there are no more, candidates are removed by
one kind of inner step from that state, all together: patterns, plain chains, chains from every candidate of a base
variable, dynamic chains. The inner tree starts with the cost of what was removed so far, so the size counts everything
that the contradiction needs, and does not depend on the order of search.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, ones
from .basics import is_left, kernel
from .literals import VARIABLES
from .sets import FISH, HIDDEN, NAKED, all_sets
from .singles import mark_singles
from .trees import ANY, COST, FALLS, LAST_ANY, PAIRS, begin, enter, push, searched, start_anew

PATTERN, CHAIN, EVERY, DYNAMIC_CHAIN = 1, 2, 3, 4
"""The kinds of inner steps, the cheapest first."""


@kernel
def nested_size(
    board: Ints, state: Ints, supposed: int, kinds: int, limit: int, trial: Ints, marked: Ints, work: Ints
) -> int:
    """Return the size of the smallest tree that refutes a candidate with the first ``kinds`` kinds of inner steps.

    BIG if none is at most ``limit``. ``trial`` and ``work`` are two work memories.
    """
    begin(state, limit, trial)
    push(supposed, 0, trial)
    size = searched(board, state, limit, ANY, trial)
    kind = PATTERN
    while size > limit and kind <= kinds:
        start_anew(limit, trial)
        if fall_inside(board, kind, limit, trial, marked, work):
            size = searched(board, state, limit, ANY, trial)
            kind = PATTERN
        else:
            kind += 1
    return size


@kernel
def fall_inside(board: Ints, kind: int, limit: int, trial: Ints, marked: Ints, work: Ints) -> int:
    """Record what one kind of inner step removes from the state of a trial, with its cost; return how many
    candidates.
    """
    if kind == PATTERN:
        mark_singles(board, trial, marked)
        all_sets(board, trial, 2, NAKED + HIDDEN + FISH, marked, work)
    mode = PAIRS if kind == CHAIN else LAST_ANY if kind == EVERY else ANY
    found = 0
    for literal in range(729):
        cell = board[VARIABLES + 4 * literal]
        able = is_left(trial, cell, literal) and ones(trial[cell]) > 1
        if able and (kind != PATTERN or marked[literal]):
            size = inner_size(board, trial, literal, limit, mode, work)
            if size <= limit:
                enter(FALLS + literal, size, trial)
                found += 1
        marked[literal] = 0
    return found


@kernel
def inner_size(board: Ints, trial: Ints, literal: int, limit: int, mode: int, work: Ints) -> int:
    """Return the size of the smallest tree that refutes a candidate in a trial, including the cost of earlier
    removals.
    """
    begin(trial, limit, work)
    for w in range(324):
        work[COST + w] = trial[COST + w]
    push(literal, 0, work)
    return searched(board, trial, limit, mode, work)
