"""Nested trials: a supposed candidate, after which small trees remove others until there is a contradiction."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import kernel
from .literals import BITS, LITERALS, VARIABLES
from .singles import mark_singles
from .trees import ANY, tree_size

STATE, STACK = 0, 324
"""Offsets in the memory of a trial: its state, and literals waiting to be set true."""

TRIAL = 324 + 2 * 324
"""The size of the memory of a trial: each base variable forces at most one literal."""


@kernel
def is_false(board: Ints, trial: Ints, literal: int) -> int:
    """Return whether a literal is removed in a trial."""
    return trial[board[VARIABLES + 4 * literal]] & board[BITS + 4 * literal] == 0


@kernel
def cross_out(board: Ints, trial: Ints, literal: int, waiting: int) -> int:
    """Remove a literal; return how many literals are waiting, -1 at a contradiction."""
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        left = trial[w] & ~board[BITS + i]
        trial[w] = left
        if left == 0:
            return -1
        if left & (left - 1) == 0:
            trial[STACK + waiting] = board[LITERALS + 9 * w + lowest(left)]
            waiting += 1
    return waiting


@kernel
def assert_one(board: Ints, trial: Ints, literal: int, waiting: int) -> int:
    """Remove what a literal sees; return how many literals are waiting, -1 at a contradiction."""
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        others = trial[w] & ~board[BITS + i]
        while others:
            other = board[LITERALS + 9 * w + lowest(others)]
            others = others & (others - 1)
            waiting = cross_out(board, trial, other, waiting)
            if waiting < 0:
                return -1
    return waiting


@kernel
def follow(board: Ints, trial: Ints, waiting: int) -> int:
    """Follow the singles; return 0, or -1 at a contradiction."""
    while waiting > 0:
        waiting -= 1
        literal = trial[STACK + waiting]
        if is_false(board, trial, literal):
            return -1
        waiting = assert_one(board, trial, literal, waiting)
    return waiting


@kernel
def fails_nested(board: Ints, state: Ints, supposed: int, inner: int, trial: Ints, marked: Ints, work: Ints) -> int:
    """Return whether a candidate fails if everything that trees of at most a given size refute is removed in its trial.

    The order of removal does not matter, since everything that can be removed is; so the cheap removals come first.
    """
    for w in range(324):
        trial[w] = state[w]
    if follow(board, trial, assert_one(board, trial, supposed, 0)) < 0:
        return 1
    found = 1
    while found > 0:
        found = fall_locked(board, trial, marked)
        if found == 0 and inner > 1:
            found = fall_refuted(board, trial, inner, work)
    return -found


@kernel
def fall_one(board: Ints, trial: Ints, literal: int) -> int:
    """Remove a literal and follow the singles; return 0, or -1 at a contradiction."""
    if is_false(board, trial, literal):
        return 0
    return follow(board, trial, cross_out(board, trial, literal, 0))


@kernel
def fall_locked(board: Ints, trial: Ints, marked: Ints) -> int:
    """Remove in a trial what locked candidates remove; return whether anything was removed, -1 at a contradiction."""
    found = mark_singles(board, trial, marked)
    if found:
        found = 1
        for literal in range(729):
            if marked[literal]:
                marked[literal] = 0
                if found > 0:
                    found = 1 + 2 * fall_one(board, trial, literal)
    return found


@kernel
def fall_refuted(board: Ints, trial: Ints, inner: int, work: Ints) -> int:
    """Remove in a trial what small trees refute; return whether anything was removed, -1 at a contradiction."""
    found = 0
    for literal in range(729):
        cell = board[VARIABLES + 4 * literal]
        if trial[cell] & board[BITS + 4 * literal] and ones(trial[cell]) > 1:
            size = tree_size(board, trial, literal, inner, ANY, work)
            if size <= inner and fall_one(board, trial, literal) < 0:
                return -1
            if size <= inner:
                found = 1
    return found
