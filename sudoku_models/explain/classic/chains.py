"""Chains on the SE-like scale: cycles, chains and trees of restricted shapes, shortest first, and the cost of length.

The length is the number of candidates from the supposition to the conclusion, both included, minus 2: 2 s for a chain
of s strong links on one value, 2 s - 2 for a cycle. If each of k candidates of a base variable leads to the conclusion,
in a tree of s base variables, it is 2 s + 2 k - 4, minus k if the conclusion is that a candidate is true. It is set to
2 s - 2 for other chains and to 2 s + 1 for trees that branch, which gave the best match with known numbers. Each of the
lengths 4, 6, 8, 12, 16, 24, and so on that is exceeded adds 1 (a tenth) to the number.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import is_left, kernel
from .cycles import IN_CELLS, IN_HOUSES, mark_cycles, seen_by_both, shortest_cycle
from .literals import VARIABLES
from .trees import ANY, LAST_ANY, ONE_VALUE, ONE_VALUE_ANY, PAIRS, mark_refuted, placing_size, tree_size

LONGEST_CHAIN, LONGEST_TREE = 64, 512
"""The most base variables of a plain chain and of the others."""

CYCLE, ONE_VALUE_CHAIN, FORCING, TRIPLES, NISHIO, MULTIPLE, DYNAMIC = 22, 23, 24, 25, 26, 27, 28
"""The positions of these among the techniques."""

TECHNIQUE = 1000
"""A level is the technique times this, plus its number in tenths."""

MOST_ADDED = 16
"""Numbers of plain chains from 65 that are tried."""


@kernel
def threshold(added: int) -> int:
    """Return the greatest length that adds no more than the given tenths: 4, 6, 8, 12, 16, 24, ..."""
    return (6 if added & 1 else 4) << (added >> 1)


@kernel
def any_refuted(board: Ints, state: Ints, limit: int, mode: int, work: Ints) -> int:
    """Return whether any candidate of an open cell has a refutation of at most the given size."""
    for cell in range(81):
        rest = state[cell] if ones(state[cell]) > 1 else 0
        while rest:
            if tree_size(board, state, 9 * cell + lowest(rest), limit, mode, work) <= limit:
                return 1
            rest = rest & (rest - 1)
    return 0


@kernel
def mark_plain_chains(board: Ints, state: Ints, marked: Ints, work: Ints) -> int:
    """Mark what the cheapest plain chains remove; return their technique and number, 0 for none.

    Cycles on one value or of cells count from 65, chains on one value from 66, the others from 70.
    """
    if any_refuted(board, state, LONGEST_CHAIN, PAIRS, work) == 0:
        return 0
    shortest = shortest_cycle(board, state, IN_HOUSES, LONGEST_CHAIN, marked, work)
    shortest = min(shortest, shortest_cycle(board, state, IN_CELLS, LONGEST_CHAIN, marked, work))
    for added in range(MOST_ADDED):
        technique = 0
        links = (threshold(added) >> 1) + 1
        if shortest <= links:
            mark_cycles(board, state, IN_HOUSES, links, marked, work)
            mark_cycles(board, state, IN_CELLS, links, marked, work)
            technique = CYCLE
        if added >= 1 and mark_refuted(board, state, threshold(added - 1) >> 1, ONE_VALUE, marked, work):
            technique = technique if technique else ONE_VALUE_CHAIN
        if added >= 5 and mark_refuted(board, state, (threshold(added - 5) >> 1) + 1, PAIRS, marked, work):
            technique = technique if technique else FORCING
        if technique:
            return technique * TECHNIQUE + 65 + added
    return 0


@kernel
def mark_trees(board: Ints, state: Ints, technique: int, marked: Ints, work: Ints) -> int:
    """Mark what the shortest trees of a technique remove; return their number in tenths, 0 for none."""
    mode = ONE_VALUE_ANY if technique == NISHIO else LAST_ANY if technique == MULTIPLE else ANY
    if any_refuted(board, state, LONGEST_TREE, mode, work) == 0:
        return 0
    added = 0
    while threshold(added) < 2 * LONGEST_TREE:
        half = threshold(added) >> 1
        found = mark_refuted(board, state, half if mode == LAST_ANY else half - 1, mode, marked, work)
        if mode == LAST_ANY:
            found += mark_placed(board, state, half, marked, work)
        if found:
            return 5 * (technique - NISHIO) + 75 + added
        added += 1
    return 0


@kernel
def mark_placed(board: Ints, state: Ints, limit: int, marked: Ints, work: Ints) -> int:
    """Mark what is seen by candidates that are true in every case of a base variable; return how many are marked."""
    found = 0
    for literal in range(729):
        cell = board[VARIABLES + 4 * literal]
        able = is_left(state, cell, literal) and ones(state[cell]) > 1
        if able and placing_size(board, state, literal, limit, work) <= limit:
            found += seen_by_both(board, state, literal, literal, 1, marked)
    return found
