"""Steps that immediately fill in a value: singles, and values that a pattern leaves as the only one in a house."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import drop_seen, kernel
from .literals import BITS, LITERALS, VARIABLES
from .singles import across, third


@kernel
def mark_alone(board: Ints, state: Ints, first: int, last: int, placed: Ints, marked: Ints) -> int:
    """Mark the only candidates of some base variables whose cells are not filled in; return how many."""
    found = 0
    for w in range(first, last):
        if ones(state[w]) == 1:
            literal = board[LITERALS + 9 * w + lowest(state[w])]
            if placed[board[VARIABLES + 4 * literal]] == 0:
                found += 1 - marked[literal]
                marked[literal] = 1
    return found


@kernel
def mark_last(board: Ints, state: Ints, placed: Ints, marked: Ints) -> int:
    """Mark the value of each cell that is the last open one of a house."""
    found = 0
    for house in range(27):
        open_ones = 0
        last = 0
        for i in range(9):
            cell = board[VARIABLES + 4 * board[LITERALS + 9 * (81 + 9 * house) + i]]
            if placed[cell] == 0:
                open_ones += 1
                last = cell
        if open_ones == 1 and ones(state[last]) == 1:
            literal = 9 * last + lowest(state[last])
            found += 1 - marked[literal]
            marked[literal] = 1
    return found


@kernel
def write_marked(board: Ints, state: Ints, placed: Ints, marked: Ints, when: Ints, stage: int) -> int:
    """Fill in the marked literals and remove what they see; return how many candidates were removed, at least 1 a
    literal.
    """
    found = 0
    for literal in range(729):
        if marked[literal]:
            marked[literal] = 0
            cell = board[VARIABLES + 4 * literal]
            if placed[cell] == 0 and state[cell] & board[BITS + 4 * literal]:
                placed[cell] = 1
                found += 1 + drop_seen(board, state, literal, when, stage)
    return found


@kernel
def mark_if_alone(board: Ints, state: Ints, w: int, gone: int, marked: Ints) -> int:
    """Mark the last literal of a base variable when some are removed; return whether there is one."""
    left = state[w] & ~gone
    if left == state[w] or ones(left) != 1:
        return 0
    literal = board[LITERALS + 9 * w + lowest(left)]
    found = 1 - marked[literal]
    marked[literal] = 1
    return found


@kernel
def mark_direct_locked(board: Ints, state: Ints, claiming: int, marked: Ints) -> int:
    """Mark the singles, in houses of the first one's kind, that follow directly from locked candidates."""
    found = 0
    for w in range(81 if claiming else 243, 243 if claiming else 324):
        if ones(state[w]) >= 2 and ones(state[w]) <= 3:
            if claiming:
                found += after_claiming(board, state, w, marked)
            else:
                found += after_pointing(board, state, w, 1, marked) + after_pointing(board, state, w, 2, marked)
    return found


@kernel
def after_claiming(board: Ints, state: Ints, w: int, marked: Ints) -> int:
    """Mark singles in parallel lines if a line's places for a value claim it in a box."""
    found = 0
    place = lowest(state[w])
    if state[w] & ~third(place) == 0:
        a = 1 if w < 162 else 2
        first = board[LITERALS + 9 * w + place]
        box = board[VARIABLES + 4 * first + 3]
        inside = lowest(board[BITS + 4 * first + 3])
        others = state[box] & ~(third(inside) if a == 1 else across(inside))
        while others:
            i = 4 * board[LITERALS + 9 * box + lowest(others)] + a
            others = others & (others - 1)
            found += mark_if_alone(board, state, board[VARIABLES + i], third(lowest(board[BITS + i])), marked)
    return found


@kernel
def after_pointing(board: Ints, state: Ints, w: int, a: int, marked: Ints) -> int:
    """Mark singles in other boxes if a box's places for a value point along a row (``a`` is 1) or column (2)."""
    found = 0
    place = lowest(state[w])
    if state[w] & ~(third(place) if a == 1 else across(place)) == 0:
        first = board[LITERALS + 9 * w + place]
        line = board[VARIABLES + 4 * first + a]
        others = state[line] & ~third(lowest(board[BITS + 4 * first + a]))
        while others:
            i = 4 * board[LITERALS + 9 * line + lowest(others)] + 3
            others = others & (others - 1)
            inside = lowest(board[BITS + i])
            gone = third(inside) if a == 1 else across(inside)
            found += mark_if_alone(board, state, board[VARIABLES + i], gone, marked)
    return found


@kernel
def mark_direct_hidden(board: Ints, state: Ints, k: int, marked: Ints) -> int:
    """Mark the singles that follow directly, in the same house, from k values that have k places there."""
    found = 0
    for house in range(27):
        first = 81 + 9 * house
        able = 0
        for v in range(9):
            if ones(state[first + v]) >= 2 and ones(state[first + v]) <= k:
                able = able | 1 << v
        some = able
        while some:
            if ones(some) == k:
                found += after_hidden(board, state, first, some, k, marked)
            some = (some - 1) & able
    return found


@kernel
def after_hidden(board: Ints, state: Ints, first: int, some: int, k: int, marked: Ints) -> int:
    """Mark the singles of a house's other values, if some values have k places together."""
    union = 0
    for v in range(9):
        if some >> v & 1:
            union = union | state[first + v]
    found = 0
    if ones(union) == k:
        for v in range(9):
            if some >> v & 1 == 0:
                found += mark_if_alone(board, state, first + v, union, marked)
    return found
