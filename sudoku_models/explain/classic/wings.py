"""Patterns of few cells: XY-wings, XYZ-wings, and pairs of cells whose combinations are excluded."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import kernel
from .literals import VARIABLES


@kernel
def sees(board: Ints, cell: int, other: int) -> int:
    """Return whether two different cells share a house."""
    first = VARIABLES + 36 * cell
    second = VARIABLES + 36 * other
    same = board[first + 1] == board[second + 1] or board[first + 2] == board[second + 2]
    return cell != other and (same or board[first + 3] == board[second + 3])


@kernel
def mark_wings(board: Ints, state: Ints, size: int, marked: Ints) -> int:
    """Mark what XY-wings (the pivot has 2 candidates, ``size``) or XYZ-wings (3) remove; return how many."""
    found = 0
    for pivot in range(81):
        if ones(state[pivot]) == size:
            for wing in range(81):
                if ones(state[wing]) == 2 and ones(state[wing] | state[pivot]) == 3 and sees(board, pivot, wing):
                    found += mark_second_wing(board, state, pivot, wing, marked)
    return found


@kernel
def mark_second_wing(board: Ints, state: Ints, pivot: int, wing: int, marked: Ints) -> int:
    """Mark what a pivot, a wing and each later second wing remove."""
    found = 0
    for other in range(wing + 1, 81):
        if ones(state[other]) == 2 and state[other] != state[wing] and sees(board, pivot, other):
            shared = state[wing] & state[other]
            if ones(state[wing] | state[other] | state[pivot]) == 3 and ones(shared) == 1:
                if state[pivot] == state[wing] | state[other]:
                    found += mark_seen_by(board, state, pivot, wing, other, shared, marked)
                elif state[pivot] & shared == 0:
                    found += mark_seen_by(board, state, wing, wing, other, shared, marked)
    return found


@kernel
def mark_seen_by(board: Ints, state: Ints, a: int, b: int, c: int, bit: int, marked: Ints) -> int:
    """Mark a value in the cells that see three cells (which may be the same)."""
    found = 0
    for cell in range(81):
        if state[cell] & bit and sees(board, cell, a) and sees(board, cell, b) and sees(board, cell, c):
            literal = 9 * cell + lowest(bit)
            found += 1 - marked[literal]
            marked[literal] = 1
    return found


@kernel
def mark_excluded_pairs(board: Ints, state: Ints, marked: Ints, near: Ints) -> int:
    """Mark each value of a cell that excludes every value of a second cell (aligned pair exclusion).

    Two values are excluded if a cell that sees both has no other candidates, or if they are equal and their cells see
    each other.
    """
    found = 0
    for cell in range(81):
        rest = state[cell] if ones(state[cell]) > 1 else 0
        while rest:
            bit = rest & -rest
            rest = rest & (rest - 1)
            count = excluders(board, state, cell, bit, near)
            if count and has_partner(board, state, cell, bit, count, near):
                found += 1 - marked[9 * cell + lowest(bit)]
                marked[9 * cell + lowest(bit)] = 1
    return found


@kernel
def excluders(board: Ints, state: Ints, cell: int, bit: int, near: Ints) -> int:
    """List the cells seen by a cell that have two candidates, one of them the given value; return how many there
    are.
    """
    count = 0
    for other in range(81):
        if state[other] & bit and ones(state[other]) == 2 and sees(board, cell, other):
            near[count] = other
            count += 1
    return count


@kernel
def has_partner(board: Ints, state: Ints, cell: int, bit: int, count: int, near: Ints) -> int:
    """Return whether some second cell has a value that is compatible with a given one of a first cell."""
    for other in range(81):
        if other != cell and ones(state[other]) >= 2 and ones(state[other]) <= count + 1:
            left = state[other] & ~bit if sees(board, cell, other) else state[other]
            for i in range(count):
                if sees(board, other, near[i]):
                    left = left & ~state[near[i]] | left & bit
            if left == 0:
                return 1
    return 0
