"""The path on the SE-like scale, as far as patterns and chains lead; its steps that assume one solution.

These are unique rectangles and loops, and the bivalue universal grave. Nested trials are tried afterwards.

A *loop* is an even circle of cells that all have two values, each sharing a house with the next; each house has none or
two of them, at an odd and at an even place. If no cell had another candidate, both values could be exchanged. In a
*grave* that holds for all open cells. So one of the other candidates, the extra ones, is true.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, bits, lowest, ones
from .board import (
    BITS,
    BROKEN,
    COUNT,
    FAMILIES,
    LITERALS,
    NUMBER,
    STUCK,
    TECHNIQUE,
    VARIABLES,
    drop_marked,
    drop_seen,
    is_broken,
    kernel,
    mark,
    write_marked,
)
from .chains import DYNAMIC, NISHIO, TRIPLES, mark_plain_chains, mark_trees
from .patterns import PATTERNS, WRITING, mark_beside, mark_excluded, mark_technique, sees

QUAD, PAIR_EXCLUSION, UNIQUE = 18, 21, 31
"""The positions of these among the techniques; loops come before quads, the grave before the exclusion of pairs."""


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
        load(board, cells, state, placed, when)
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
def load(board: Ints, cells: Ints, state: Ints, placed: Ints, when: Ints) -> None:
    """Convert 81 masks to a state; fill in the cells with one candidate, and remove what these values see."""
    for w in range(324):
        state[w] = 0
    for cell in range(81):
        placed[cell] = ones(cells[cell]) == 1
        for value in bits(cells[cell]):
            for i in range(36 * cell + 4 * value, 36 * cell + 4 * value + 4):
                state[board[VARIABLES + i]] = state[board[VARIABLES + i]] | board[BITS + i]
    for cell in range(81):
        if placed[cell] and state[cell]:
            drop_seen(board, state, 9 * cell + lowest(state[cell]), when, 0)


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
    mark_excluded(board, state, 3, marked, work)
    if marked[COUNT]:
        return TRIPLES * TECHNIQUE + board[NUMBER + TRIPLES]
    for technique in range(NISHIO, DYNAMIC + 1):
        number = mark_trees(board, state, technique, marked, work)
        if number:
            return technique * TECHNIQUE + number
    return 0


# ----------------------------------------------------------------------------
# Unique rectangles and loops, and the grave.


LOOP, AT_PLACES, MORE, EXTRA = 10, 30, 310, 410
"""Offsets in the work memory, after the cells of a house: the cells of a loop; by house (times 9) the numbers of its
cells at even and, one place on, at odd places; the cells with extra candidates; by cell these candidates.
"""

LONGEST_LOOP = 14
RECTANGLE, LAST_LOOP = 45, 51
GRAVE, LAST_GRAVE = 56, 61
"""The lowest and the highest numbers, in tenths."""


@kernel
def mark_loops(board: Ints, state: Ints, marked: Ints, work: Ints) -> int:
    """Mark what the loops with the lowest number remove; return that number, 0 for none."""
    for number in range(RECTANGLE, LAST_LOOP + 1):
        for cell in range(81):
            if ones(state[cell]) == 2:
                for i in range(AT_PLACES, MORE):
                    work[i] = 0
                work[LOOP] = cell
                enter_houses(board, cell, 0, 1, work)
                longer_loop(board, state, 1, 0, 0, number, marked, work)
        if marked[COUNT]:
            return number
    return 0


@kernel
def enter_houses(board: Ints, cell: int, odd: int, by: int, work: Ints) -> int:
    """Count a cell in its houses; return whether none of them has another cell at such a place."""
    free = 1
    for kind in range(1, 4):
        at = AT_PLACES + board[VARIABLES + 36 * cell + kind] - 81 + odd
        work[at] += by
        if work[at] > 1:
            free = 0
    return free


@kernel
def longer_loop(
    board: Ints, state: Ints, length: int, last_kind: int, more: int, number: int, marked: Ints, work: Ints
) -> None:
    """Mark what the loops that go on from the cells so far remove; ``more`` are those with extra candidates."""
    longest = 4 + 2 * (number - RECTANGLE) if number < RECTANGLE + 3 else LONGEST_LOOP
    pair = state[work[LOOP]]
    cell = work[LOOP + length - 1]
    first = 36 * cell + 4 * lowest(pair)
    second = 36 * cell + 4 * lowest(pair & (pair - 1))
    for kind in range(1, 4):
        w = board[VARIABLES + first + kind]
        both = state[w] & state[board[VARIABLES + second + kind]] & ~board[BITS + first + kind]
        for place in bits(both if kind != last_kind else 0):
            other = board[LITERALS + 9 * w + place] // 9
            if other == work[LOOP] and length > 3 and length & 1 == 0:
                close_loop(board, state, length, more, number, marked, work)
            elif length < longest and is_in_loop(other, length, work) == 0:
                extra = state[other] & ~pair
                work[EXTRA + other] = extra
                for i in range(more if extra and more > 1 else 0):
                    extra = extra | work[EXTRA + work[MORE + i]]
                fits = extra == 0 or more < 2 or ones(extra) == 1
                if enter_houses(board, other, length & 1, 1, work) and fits:
                    work[LOOP + length] = other
                    work[MORE + more] = other
                    wider = more + (state[other] != pair)
                    longer_loop(board, state, length + 1, kind, wider, number, marked, work)
                enter_houses(board, other, length & 1, -1, work)


@kernel
def is_in_loop(cell: int, length: int, work: Ints) -> int:
    """Return whether a cell is among the first ones of a loop."""
    for i in range(length):
        if work[LOOP + i] == cell:
            return 1
    return 0


@kernel
def close_loop(board: Ints, state: Ints, length: int, more: int, number: int, marked: Ints, work: Ints) -> None:
    """Mark what a loop removes, if it can be exchanged, up to a number."""
    uneven = 0
    for at in range(AT_PLACES, AT_PLACES + 243, 9):
        uneven += work[at] != work[at + 1]
    pair = state[work[LOOP]]
    left = number - RECTANGLE - min(3, (length - 4) >> 1)
    if more == 1 and uneven == 0:
        mark(board, work[MORE], pair, marked)
    if more > 1 and uneven == 0:
        mark_extra(board, state, more, marked, work)
    if more == 2 and uneven == 0:
        mark_locked_pair(board, state, pair, marked, work)
        for k in range(2, min(4, left + 1) + 1):
            mark_with_sets(board, state, k, marked, work)


@kernel
def mark_extra(board: Ints, state: Ints, more: int, marked: Ints, work: Ints) -> None:
    """Mark the only extra value (type 2) in the cells that see all cells which have it."""
    extra = 0
    for i in range(more):
        extra = extra | work[EXTRA + work[MORE + i]]
    for cell in range(81 if ones(extra) == 1 else 0):
        able = state[cell] & extra
        for i in range(more):
            able = able if sees(board, cell, work[MORE + i]) else 0
        mark(board, cell, able, marked)


@kernel
def mark_locked_pair(board: Ints, state: Ints, pair: int, marked: Ints, work: Ints) -> None:
    """Mark one value of a pair in two cells, if the other one has no other place in a house of both (type 4)."""
    for value in bits(pair):
        for kind in range(1, 4):
            w = board[VARIABLES + 36 * work[MORE] + 4 * value + kind]
            if w == board[VARIABLES + 36 * work[MORE + 1] + 4 * value + kind] and ones(state[w]) == 2:
                for i in range(2):
                    mark(board, work[MORE + i], pair & ~(1 << value) & state[work[MORE + i]], marked)


@kernel
def mark_with_sets(board: Ints, state: Ints, k: int, marked: Ints, work: Ints) -> None:
    """Mark what k - 1 cells of a house and the extra candidates of two, as one cell, remove as a naked set (type 3)."""
    extra = work[EXTRA + work[MORE]] | work[EXTRA + work[MORE + 1]]
    for kind in range(1, 4):
        w = board[VARIABLES + 36 * work[MORE] + kind]
        if w == board[VARIABLES + 36 * work[MORE + 1] + kind] and ones(extra) <= k:
            able = 0
            for i in range(9):
                cell = board[FAMILIES + w - 81 + i]
                if ones(state[cell]) > 1 and cell != work[MORE] and cell != work[MORE + 1]:
                    able = able | 1 << i
            some = able
            while some:
                if ones(some) == k - 1:
                    mark_beside(board, state, w // 9 - 9, some, able, extra, k, 0, marked)
                some = (some - 1) & able


@kernel
def mark_grave(board: Ints, state: Ints, placed: Ints, marked: Ints, work: Ints) -> int:
    """Mark what the grave of all open cells removes; return its number, 0 for none."""
    more = extra_cells(board, state, placed, work)
    if more == 0 or is_grave(board, state, placed, work) == 0:
        return 0
    first = work[MORE]
    second = work[MORE + 1]
    one = state[first] & ~work[EXTRA + first]
    if more == 1:
        mark(board, first, one, marked)
        return GRAVE
    mark_extra(board, state, more, marked, work)
    if marked[COUNT]:
        return GRAVE + 1
    if more > 2:
        return 0
    two = state[second] & ~work[EXTRA + second]
    if ones(one & two) == 1 and sees(board, first, second):
        mark(board, first, one & ~two, marked)
        mark(board, second, two & ~one, marked)
        return GRAVE + 1
    for k in range(2, 5):
        mark_with_sets(board, state, k, marked, work)
        if marked[COUNT]:
            return GRAVE + k
    return 0


@kernel
def extra_cells(board: Ints, state: Ints, placed: Ints, work: Ints) -> int:
    """List the cells with more than two candidates, and write the extra ones of every cell; return how many cells."""
    more = 0
    for cell in range(81):
        extra = 0
        wide = placed[cell] == 0 and ones(state[cell]) > 2
        for value in bits(state[cell] if wide else 0):
            many = 1
            for i in range(36 * cell + 4 * value + 1, 36 * cell + 4 * value + 4):
                if ones(state[board[VARIABLES + i]]) < 3:
                    many = 0
            extra = extra | many << value
        work[EXTRA + cell] = extra
        if wide:
            work[MORE + more] = cell
            more += 1
    return more


@kernel
def is_grave(board: Ints, state: Ints, placed: Ints, work: Ints) -> int:
    """Return whether without the extra candidates each open cell has two, and each value two places in its houses."""
    for cell in range(81):
        if placed[cell] == 0 and ones(state[cell] & ~work[EXTRA + cell]) != 2:
            return 0
    for w in range(81, 324):
        count = 0
        for place in bits(state[w]):
            literal = board[LITERALS + 9 * w + place]
            cell = literal // 9
            count += 2 if placed[cell] else 1 - (work[EXTRA + cell] & board[BITS + 4 * literal] != 0)
        if count != 2:
            return 0
    return 1
