"""Hidden singles and locked candidates, all together: what trees of size 1 find once cells are settled."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import kernel
from .literals import BITS, LITERALS, VARIABLES
from .sets import mark


@kernel
def mark_singles(board: Ints, state: Ints, marked: Ints) -> int:
    """Mark what hidden singles and locked candidates remove; return how many candidates there are."""
    found = 0
    for w in range(81, 324):
        size = ones(state[w])
        if size == 1:
            found += mark_cell(board, state, board[LITERALS + 9 * w + lowest(state[w])], marked)
        elif size <= 3:
            found += mark_locked(board, state, w, marked)
    return found


@kernel
def mark_cell(board: Ints, state: Ints, literal: int, marked: Ints) -> int:
    """Mark the other candidates of a literal's cell."""
    cell = board[VARIABLES + 4 * literal]
    return mark(board, cell, state[cell] & ~board[BITS + 4 * literal], marked)


@kernel
def mark_locked(board: Ints, state: Ints, w: int, marked: Ints) -> int:
    """Mark what is removed from a second house if all places for a value in one house lie in it."""
    if w < 243:
        return mark_claimed(board, state, w, marked)
    return mark_pointed(board, state, w, 1, marked) + mark_pointed(board, state, w, 2, marked)


@kernel
def mark_claimed(board: Ints, state: Ints, w: int, marked: Ints) -> int:
    """Mark what a line's places for a value remove from the rest of their box."""
    place = lowest(state[w])
    if state[w] & ~third(place):
        return 0
    first = board[LITERALS + 9 * w + place]
    box = board[VARIABLES + 4 * first + 3]
    inside = lowest(board[BITS + 4 * first + 3])
    return mark(board, box, state[box] & ~(third(inside) if w < 162 else across(inside)), marked)


@kernel
def mark_pointed(board: Ints, state: Ints, w: int, a: int, marked: Ints) -> int:
    """Mark what a box's places for a value remove from the rest of their row (``a`` is 1) or column (2)."""
    place = lowest(state[w])
    if state[w] & ~(third(place) if a == 1 else across(place)):
        return 0
    first = board[LITERALS + 9 * w + place]
    line = board[VARIABLES + 4 * first + a]
    return mark(board, line, state[line] & ~third(lowest(board[BITS + 4 * first + a])), marked)


@kernel
def third(place: int) -> int:
    """Return the three places of a line that share a box with a given one; for a box, those that share its row."""
    return 7 if place < 3 else 56 if place < 6 else 448


@kernel
def across(place: int) -> int:
    """Return the three places of a box that share the column of a given one."""
    return 73 << (place if place < 3 else place - 3 if place < 6 else place - 6)
