"""Paths of many boards: for each row of 81 masks, as far as no nested trial is needed."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest
from .basics import BROKEN, STUCK, kernel
from .literals import BITS, VARIABLES
from .rungs import rung_path
from .se import se_path
from .size import size_path


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
def size_rows(
    board: Ints, cells: Ints, n: int, found: Ints, state: Ints, levels: Ints, when: Ints, marked: Ints, work: Ints
) -> int:
    """Find the largest size on the path of each row, with STUCK or BROKEN added; return how many are solved."""
    solved = 0
    for row in range(n):
        load(board, cells, row, state)
        end = size_path(board, state, 0, levels, when, marked, work)
        found[row] = greatest(levels, end)
        solved += end < STUCK
    return solved


@kernel
def se_rows(
    board: Ints,
    cells: Ints,
    n: int,
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
        end = se_path(board, state, placed, 0, levels, when, marked, work)
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


@kernel
def level_rows(
    board: Ints,
    cells: Ints,
    n: int,
    found: Ints,
    counts: Ints,
    state: Ints,
    levels: Ints,
    when: Ints,
    marked: Ints,
    work: Ints,
) -> int:
    """Find the highest rung on the path of each row, with STUCK or BROKEN added, and count its stages on each of 25
    rungs.

    Return how many are solved.
    """
    solved = 0
    for row in range(n):
        load(board, cells, row, state)
        end = rung_path(board, state, 0, levels, when, marked, work)
        found[row] = greatest(levels, end)
        stages = end - (BROKEN if end >= BROKEN else STUCK if end >= STUCK else 0)
        for stage in range(1, stages + 1):
            counts[25 * row + levels[stage]] += 1
        solved += end < STUCK
    return solved
