"""Trials within a trial: a supposed candidate, after which others fall by small trees, until a contradiction."""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import kernel
from .board import BITS, LITERALS, VARIABLES
from .trees import ANY, tree_size

STATE, STACK = 0, 324
"""Where in the memory of a trial lie: its state, and literals that wait to be true."""

TRIAL = 324 + 2 * 324
"""The size of the memory of a trial: each base variable forces at most one literal."""


@kernel
def is_false(board: Ints, trial: Ints, literal: int) -> int:
    """Tell whether a literal is gone in a trial."""
    return trial[board[VARIABLES + 4 * literal]] & board[BITS + 4 * literal] == 0


@kernel
def cross_out(board: Ints, trial: Ints, literal: int, waiting: int) -> int:
    """Remove a literal; return how many wait, -1 at a contradiction."""
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
    """Remove what a literal sees; return how many wait, -1 at a contradiction."""
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
def fails_nested(board: Ints, state: Ints, supposed: int, inner: int, trial: Ints, work: Ints) -> int:
    """Tell whether a candidate fails when in its trial also falls what a tree of at most a size refutes.

    The order in which candidates fall does not matter here: all that can fall falls.
    """
    for w in range(324):
        trial[w] = state[w]
    if follow(board, trial, assert_one(board, trial, supposed, 0)) < 0:
        return 1
    literal = 0
    calm = 0
    while calm < 729:
        cell = board[VARIABLES + 4 * literal]
        calm += 1
        if trial[cell] & board[BITS + 4 * literal] and ones(trial[cell]) > 1:
            if tree_size(board, trial, literal, inner, ANY, work) <= inner:
                if follow(board, trial, cross_out(board, trial, literal, 0)) < 0:
                    return 1
                calm = 0
        literal = 0 if literal == 728 else literal + 1
    return 0


@kernel
def fails_within(
    board: Ints, state: Ints, supposed: int, least: int, most: int, trial: Ints, work: Ints
) -> int:
    """Return the smallest size from ``least`` to ``most`` for trials within that of a candidate; 0 when none will do."""
    for inner in range(least, most + 1):
        if fails_nested(board, state, supposed, inner, trial, work):
            return inner
    return 0
