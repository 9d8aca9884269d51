"""The path on the SE-like scale, as far as patterns and chains lead. Nested trials are tried afterwards."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import BROKEN, STUCK, drop_marked, drop_seen, is_broken, kernel
from .chains import DYNAMIC, NISHIO, TECHNIQUE, TRIPLES, mark_plain_chains, mark_trees
from .direct import write_marked
from .exclusion import mark_excluded_triples
from .literals import NUMBER
from .size import MOST_STAGES
from .techniques import PATTERNS, WRITING, mark_technique


@kernel
def se_path(
    board: Ints, state: Ints, placed: Ints, stage: int, levels: Ints, when: Ints, marked: Ints, work: Ints
) -> int:
    """Apply techniques from a state after some stages; return the number of stages then, with STUCK or BROKEN added.

    ``placed`` marks the cells that are filled in, ``levels`` has the number of each stage, and from
    MOST_STAGES on its technique; ``when`` has the stage (from 1) at which each candidate was removed.
    """
    if stage == 0:
        write_givens(board, state, placed, when)
    while 1:
        if is_broken(state):
            return stage + BROKEN
        if is_full(placed):
            return stage
        level = next_level(board, state, placed, marked, work)
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
def next_level(board: Ints, state: Ints, placed: Ints, marked: Ints, work: Ints) -> int:
    """Mark the steps of the first technique that has any; return technique and number, 0 for none."""
    for technique in range(PATTERNS):
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
