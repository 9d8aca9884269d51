"""The path on the SE-like scale, as far as patterns and chains lead. Nested trials are tried afterwards."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .board import BITS, BROKEN, MOST_STAGES, NUMBER, STUCK, VARIABLES, drop_marked, drop_seen, is_broken, kernel
from .chains import DYNAMIC, NISHIO, TECHNIQUE, TRIPLES, mark_plain_chains, mark_trees
from .patterns import PATTERNS, WRITING, mark_excluded_triples, mark_technique, write_marked
from .unique import mark_grave, mark_loops

QUAD, PAIR_EXCLUSION, UNIQUE = 18, 21, 31
"""The positions of these among the techniques; loops come before quads, the grave before the exclusion of pairs."""


@kernel
def se_path(
    board: Ints, state: Ints, placed: Ints, stage: int, unique: int, levels: Ints, when: Ints, marked: Ints, work: Ints
) -> int:
    """Apply techniques from a state after some stages; return the number of stages then, with STUCK or BROKEN added.

    ``unique``: whether steps may assume one solution. ``placed`` marks the cells that are filled in, ``levels`` has the
    number of each stage, and from
    MOST_STAGES on its technique; ``when`` has the stage (from 1) at which each candidate was removed.
    """
    if stage == 0:
        write_givens(board, state, placed, when)
    while 1:
        if is_broken(state):
            return stage + BROKEN
        if is_full(placed):
            return stage
        level = next_level(board, state, placed, unique, marked, work)
        if level == 0:
            return stage + STUCK
        stage += 1
        note(levels, stage, level)
        apply_marked(board, state, placed, level, marked, when, stage)
    return stage


@kernel
def note(levels: Ints, stage: int, level: int) -> int:
    """Enter a level in a log: its number and, separately, its technique."""
    technique = 0
    while level >= TECHNIQUE:
        level -= TECHNIQUE
        technique += 1
    levels[stage] = level
    levels[MOST_STAGES + stage] = technique
    return 0


@kernel
def write_givens(board: Ints, state: Ints, placed: Ints, when: Ints) -> int:
    """Fill in the cells with one candidate, and remove what these values see."""
    for cell in range(81):
        placed[cell] = ones(state[cell]) == 1
    for cell in range(81):
        if placed[cell] and state[cell]:
            drop_seen(board, state, 9 * cell + lowest(state[cell]), when, 0)
    return 0


@kernel
def is_full(placed: Ints) -> int:
    """Return whether every cell is filled in."""
    for cell in range(81):
        if placed[cell] == 0:
            return 0
    return 1


@kernel
def next_level(board: Ints, state: Ints, placed: Ints, unique: int, marked: Ints, work: Ints) -> int:
    """Mark the steps of the first technique that has any; return technique and number, 0 for none."""
    for technique in range(PATTERNS):
        number = 0
        if unique and technique == QUAD:
            number = mark_loops(board, state, marked, work)
        if unique and technique == PAIR_EXCLUSION:
            number = mark_grave(board, state, placed, marked, work)
        if number:
            return (UNIQUE if technique == QUAD else UNIQUE + 1) * TECHNIQUE + number
        if mark_technique(board, state, technique, placed, marked, work):
            return technique * TECHNIQUE + board[NUMBER + technique]
    level = mark_plain_chains(board, state, marked, work)
    if level:
        return level
    if mark_excluded_triples(board, state, marked, work):
        return TRIPLES * TECHNIQUE + board[NUMBER + TRIPLES]
    for technique in range(NISHIO, DYNAMIC + 1):
        number = mark_trees(board, state, technique, marked, work)
        if number:
            return technique * TECHNIQUE + number
    return 0


@kernel
def apply_marked(board: Ints, state: Ints, placed: Ints, level: int, marked: Ints, when: Ints, stage: int) -> int:
    """Fill in or remove what a stage has marked."""
    if level < WRITING * TECHNIQUE:
        return write_marked(board, state, placed, marked, when, stage)
    return drop_marked(board, state, marked, when, stage)


# ----------------------------------------------------------------------------
# Paths of many boards: for each row of 81 masks, as far as no nested trial is needed.


@kernel
def load(board: Ints, cells: Ints, row: int, state: Ints) -> int:
    """Convert a row of masks to a state."""
    for w in range(324):
        state[w] = 0
    for cell in range(81):
        rest = cells[81 * row + cell]
        while rest:
            i = 4 * (9 * cell + lowest(rest))
            rest = rest & (rest - 1)
            for j in range(i, i + 4):
                state[board[VARIABLES + j]] = state[board[VARIABLES + j]] | board[BITS + j]
    return 0


@kernel
def se_rows(
    board: Ints,
    cells: Ints,
    n: int,
    unique: int,
    found: Ints,
    state: Ints,
    placed: Ints,
    levels: Ints,
    when: Ints,
    marked: Ints,
    work: Ints,
) -> int:
    """Find the greatest number (tenths) on the path of each row, with STUCK or BROKEN added; return how many are
    solved.
    """
    solved = 0
    for row in range(n):
        load(board, cells, row, state)
        end = se_path(board, state, placed, 0, unique, levels, when, marked, work)
        found[row] = greatest(levels, end)
        solved += end < STUCK
    return solved


@kernel
def greatest(levels: Ints, end: int) -> int:
    """Return the greatest level of a path, with STUCK or BROKEN added if the path ends so."""
    added = BROKEN if end >= BROKEN else STUCK if end >= STUCK else 0
    found = 0
    for stage in range(1, end - added + 1):
        found = max(found, levels[stage])
    return found + added
