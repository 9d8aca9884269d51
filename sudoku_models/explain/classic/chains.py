"""Chains on the SE-like scale: trees of restricted shapes, shortest first, and what their length adds.

A tree of s base variables is counted as a chain of 2 s + ``extra`` candidates; each of the lengths 4, 6, 8, 12, 16, 24,
and so on that it exceeds adds 1 (a tenth) to the number.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import kernel
from .trees import ANY, LAST_ANY, ONE_VALUE, ONE_VALUE_ANY, PAIRS, mark_refuted, tree_size

LONGEST_CHAIN, LONGEST_TREE = 64, 512
"""The most base variables of a plain chain and of the others."""

NISHIO, MULTIPLE, DYNAMIC = 24, 25, 26
"""The places of these among the techniques."""


@kernel
def threshold(added: int) -> int:
    """Return the greatest length that adds no more than some tenths: 4, 6, 8, 12, 16, 24, ..."""
    return (6 if added & 1 else 4) << (added >> 1)


@kernel
def any_refuted(board: Ints, state: Ints, limit: int, mode: int, work: Ints) -> int:
    """Tell whether any candidate of an open cell has a refutation of at most some size."""
    for cell in range(81):
        rest = state[cell] if ones(state[cell]) > 1 else 0
        while rest:
            if tree_size(board, state, 9 * cell + lowest(rest), limit, mode, work) <= limit:
                return 1
            rest = rest & (rest - 1)
    return 0


@kernel
def mark_plain_chains(board: Ints, state: Ints, marked: Ints, work: Ints) -> int:
    """Mark what the cheapest plain chains remove; return their number in tenths, 0 for none.

    A chain on one value counts from 66, one of base variables with two candidates from 70.
    """
    if any_refuted(board, state, LONGEST_CHAIN, PAIRS, work) == 0:
        return 0
    added = 0
    while threshold(added) <= 2 * LONGEST_CHAIN:
        found = mark_refuted(board, state, (threshold(added) + 1) >> 1, ONE_VALUE, marked, work)
        if added >= 4:
            found += mark_refuted(board, state, (threshold(added - 4) + 3) >> 1, PAIRS, marked, work)
        if found:
            return 66 + added
        added += 1
    return 0


@kernel
def mark_trees(board: Ints, state: Ints, technique: int, marked: Ints, work: Ints) -> int:
    """Mark what the shortest trees of a technique remove; return their number in tenths, 0 for none."""
    mode = ONE_VALUE_ANY if technique == NISHIO else LAST_ANY if technique == MULTIPLE else ANY
    if any_refuted(board, state, LONGEST_TREE, mode, work) == 0:
        return 0
    added = 1
    while threshold(added) < 2 * LONGEST_TREE:
        if mark_refuted(board, state, (threshold(added) - 1) >> 1, mode, marked, work):
            return 5 * (technique - NISHIO) + 75 + added
        added += 1
    return 0
