"""The path on the SE-like scale, as far as patterns and chains lead; its steps that assume one solution.

These are unique rectangles and loops, and the bivalue universal grave. Nested trials are tried afterwards.

A *loop* is an even circle of cells that all have two values, each sharing a house with the next; each house has none or
two of them, at an odd and at an even place. If no cell had another candidate, both values could be exchanged. In a
*grave* that holds for all open cells. So one of the other candidates, the extra ones, is true.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .board import (
    BITS,
    BROKEN,
    CELLS,
    LITERALS,
    NUMBER,
    STUCK,
    TECHNIQUE,
    VARIABLES,
    drop_marked,
    drop_seen,
    is_broken,
    kernel,
)
from .chains import DYNAMIC, NISHIO, TRIPLES, mark_plain_chains, mark_trees
from .patterns import PATTERNS, WRITING, mark, mark_excluded, mark_technique, marked_beside, sees, write_marked

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
        found = 0
        for a in range(9):
            for b in range(a + 1, 9):
                for cell in range(81):
                    if state[cell] == 1 << a | 1 << b:
                        found += begin_loop(board, state, cell, number, marked, work)
        if found:
            return number
    return 0


@kernel
def begin_loop(board: Ints, state: Ints, start: int, number: int, marked: Ints, work: Ints) -> int:
    """Mark what the loops from a cell of two values remove, up to a number; return how many candidates."""
    for i in range(AT_PLACES, MORE):
        work[i] = 0
    work[LOOP] = start
    enter_houses(board, start, 0, 1, work)
    return longer_loop(board, state, 1, 0, 0, number, marked, work)


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
) -> int:
    """Mark what the loops that go on from the cells so far remove; ``more`` are those with extra candidates."""
    found = 0
    longest = 4 + 2 * (number - RECTANGLE) if number < RECTANGLE + 3 else LONGEST_LOOP
    pair = state[work[LOOP]]
    cell = work[LOOP + length - 1]
    first = 36 * cell + 4 * lowest(pair)
    second = 36 * cell + 4 * lowest(pair & (pair - 1))
    for kind in range(1, 4):
        w = board[VARIABLES + first + kind]
        rest = state[w] & state[board[VARIABLES + second + kind]] & ~board[BITS + first + kind]
        while rest and kind != last_kind:
            other = board[VARIABLES + 4 * board[LITERALS + 9 * w + lowest(rest)]]
            rest = rest & (rest - 1)
            if other == work[LOOP] and length > 3 and length & 1 == 0:
                found += close_loop(board, state, length, more, number, marked, work)
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
                    found += longer_loop(board, state, length + 1, kind, wider, number, marked, work)
                enter_houses(board, other, length & 1, -1, work)
    return found


@kernel
def is_in_loop(cell: int, length: int, work: Ints) -> int:
    """Return whether a cell is among the first ones of a loop."""
    for i in range(length):
        if work[LOOP + i] == cell:
            return 1
    return 0


@kernel
def close_loop(board: Ints, state: Ints, length: int, more: int, number: int, marked: Ints, work: Ints) -> int:
    """Mark what a loop removes, if it can be exchanged, up to a number."""
    for at in range(AT_PLACES, AT_PLACES + 243, 9):
        if work[at] != work[at + 1]:
            return 0
    pair = state[work[LOOP]]
    left = number - RECTANGLE - min(3, (length - 4) >> 1)
    if more == 1:
        return mark(board, work[MORE], pair, marked)
    found = mark_extra(board, state, more, marked, work)
    if more == 2:
        found += mark_locked_pair(board, state, pair, marked, work)
        for k in range(2, min(4, left + 1) + 1):
            found += mark_with_sets(board, state, k, marked, work)
    return found


@kernel
def mark_extra(board: Ints, state: Ints, more: int, marked: Ints, work: Ints) -> int:
    """Mark the only extra value (type 2) in the cells that see all cells which have it."""
    extra = 0
    for i in range(more):
        extra = extra | work[EXTRA + work[MORE + i]]
    found = 0
    for cell in range(81):
        able = 1 if ones(extra) == 1 and state[cell] & extra != 0 else 0
        for i in range(more):
            if sees(board, cell, work[MORE + i]) == 0:
                able = 0
        if able:
            found += mark(board, cell, extra, marked)
    return found


@kernel
def mark_locked_pair(board: Ints, state: Ints, pair: int, marked: Ints, work: Ints) -> int:
    """Mark one value of a pair in two cells, if the other one has no other place in a house of both (type 4)."""
    found = 0
    rest = pair
    while rest:
        bit = rest & -rest
        rest = rest & (rest - 1)
        for kind in range(1, 4):
            w = board[VARIABLES + 36 * work[MORE] + 4 * lowest(bit) + kind]
            if w == board[VARIABLES + 36 * work[MORE + 1] + 4 * lowest(bit) + kind] and ones(state[w]) == 2:
                for i in range(2):
                    found += mark(board, work[MORE + i], pair & ~bit & state[work[MORE + i]], marked)
    return found


@kernel
def mark_with_sets(board: Ints, state: Ints, k: int, marked: Ints, work: Ints) -> int:
    """Mark what k - 1 cells of a house and the extra candidates of two, as one cell, remove as a naked set (type 3)."""
    found = 0
    for kind in range(1, 4):
        w = board[VARIABLES + 36 * work[MORE] + kind]
        if w == board[VARIABLES + 36 * work[MORE + 1] + kind]:
            extra = work[EXTRA + work[MORE]] | work[EXTRA + work[MORE + 1]]
            able = 0
            for i in range(9):
                cell = board[CELLS + w - 81 + i]
                work[i] = cell
                if ones(state[cell]) > 1 and cell != work[MORE] and cell != work[MORE + 1]:
                    able = able | 1 << i
            some = able if ones(extra) <= k else 0
            while some:
                if ones(some) == k - 1:
                    found += marked_beside(board, state, some, able, extra, k, 0, marked, work)
                some = (some - 1) & able
    return found


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
        return GRAVE if mark(board, first, one, marked) else 0
    if mark_extra(board, state, more, marked, work):
        return GRAVE + 1
    if more > 2:
        return 0
    two = state[second] & ~work[EXTRA + second]
    if ones(one & two) == 1 and sees(board, first, second):
        mark(board, first, one & ~two, marked)
        mark(board, second, two & ~one, marked)
        return GRAVE + 1
    for k in range(2, 5):
        if mark_with_sets(board, state, k, marked, work):
            return GRAVE + k
    return 0


@kernel
def extra_cells(board: Ints, state: Ints, placed: Ints, work: Ints) -> int:
    """List the cells with more than two candidates, and write the extra ones of every cell; return how many cells."""
    more = 0
    for cell in range(81):
        extra = 0
        rest = state[cell] if placed[cell] == 0 and ones(state[cell]) > 2 else 0
        while rest:
            literal = 9 * cell + lowest(rest)
            many = 1
            for i in range(1, 4):
                if ones(state[board[VARIABLES + 4 * literal + i]]) < 3:
                    many = 0
            extra = extra | (rest & -rest if many else 0)
            rest = rest & (rest - 1)
        work[EXTRA + cell] = extra
        if placed[cell] == 0 and ones(state[cell]) > 2:
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
        rest = state[w]
        while rest:
            literal = board[LITERALS + 9 * w + lowest(rest)]
            rest = rest & (rest - 1)
            cell = board[VARIABLES + 4 * literal]
            count += 2 if placed[cell] else 1 - (work[EXTRA + cell] & board[BITS + 4 * literal] != 0)
        if count != 2:
            return 0
    return 1
