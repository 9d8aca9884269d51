"""The path on the SE-like scale, as far as patterns and chains lead. Nested trials are tried afterwards."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .board import BITS, BROKEN, NUMBER, STUCK, TECHNIQUE, VARIABLES, drop_marked, drop_seen, is_broken, kernel
from .chains import DYNAMIC, NISHIO, TRIPLES, mark_plain_chains, mark_trees
from .patterns import PATTERNS, WRITING, mark_excluded, mark_technique, write_marked
from .unique import mark_grave, mark_loops

QUAD, PAIR_EXCLUSION, UNIQUE = 18, 21, 31
"""The positions of these among the techniques; loops come before quads, the grave before the exclusion of pairs."""


@kernel
def load(board: Ints, cells: Ints, state: Ints) -> int:
    """Convert 81 masks to a state."""
    for w in range(324):
        state[w] = 0
    for cell in range(81):
        rest = cells[cell]
        while rest:
            i = 4 * (9 * cell + lowest(rest))
            rest = rest & (rest - 1)
            for j in range(i, i + 4):
                state[board[VARIABLES + j]] = state[board[VARIABLES + j]] | board[BITS + j]
    return 0


@kernel
def se_path(
    board: Ints,
    cells: Ints,
    state: Ints,
    placed: Ints,
    stage: int,
    unique: int,
    steps: Ints,
    when: Ints,
    marked: Ints,
    work: Ints,
) -> int:
    """Apply techniques from a state after some stages; return the number of stages then, with STUCK or BROKEN added.

    Before the first stage the state is that of 81 masks (``cells``). ``unique``: whether steps may assume one solution.
    ``placed`` marks the cells that are filled in, ``steps`` has what each stage does, and ``when`` the stage (from 1)
    at which each candidate was removed.
    """
    if stage == 0:
        load(board, cells, state)
        write_givens(board, state, placed, when)
    while is_broken(state) == 0:
        if is_full(placed):
            return stage
        step = next_step(board, state, placed, unique, marked, work)
        if step == 0:
            return stage + STUCK
        stage += 1
        steps[stage] = step
        if step < WRITING * TECHNIQUE:
            write_marked(board, state, placed, marked, when, stage)
        else:
            drop_marked(board, state, marked, when, stage)
    return stage + BROKEN


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
def next_step(board: Ints, state: Ints, placed: Ints, unique: int, marked: Ints, work: Ints) -> int:
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
    step = mark_plain_chains(board, state, marked, work)
    if step:
        return step
    if mark_excluded(board, state, 3, marked, work):
        return TRIPLES * TECHNIQUE + board[NUMBER + TRIPLES]
    for technique in range(NISHIO, DYNAMIC + 1):
        number = mark_trees(board, state, technique, marked, work)
        if number:
            return technique * TECHNIQUE + number
    return 0
