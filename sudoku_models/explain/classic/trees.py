"""Sizes: the fewest base variables, counted as a tree, of a refutation of a candidate by singles.

A literal that is true by base variable w costs 1 plus the cost of w's other candidates being false; what a true literal
sees is false at the same cost. Such costs only grow along a derivation, so Knuth's generalisation of Dijkstra's
algorithm (A generalization of Dijkstra's algorithm, 1977) finds the smallest one exactly, in buckets by cost.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import BIG, kernel
from .literals import BITS, LITERALS, VARIABLES

ANY, PAIRS, LAST_ANY, LAST_PLACING, ONE_VALUE, ONE_VALUE_ANY = 0, 1, 2, 3, 4, 5
"""Which base variables may be used: all; those with two candidates; these, and any for the contradiction; the same,
from a falsehood; places of one value, where there are two; places of one value, any number of them."""

LEFT, COST, TRUE, TRUE_BY, FALSE_BY = 0, 324, 648, 1377, 2106
BUCKETS, QUEUE, BEST, LAST, TOP = 2835, 3865, 5981, 5982, 5983
"""Offsets in the work memory: what is left of each base variable, and the cost of its removals; the cost of each
literal's truth, its base variable, and the true literal that a false one sees; the first entry for each cost;
entries (literal, next entry); the best cost, its base variable, the number of entries.
"""

FALLS = 729
"""Added to the literal of an entry: it is false."""

MOST_COST = 1024
"""The greatest cost of a tree."""

WORK = 5984
"""The size of the work memory."""


@kernel
def tree_size(board: Ints, state: Ints, supposed: int, limit: int, mode: int, work: Ints) -> int:
    """Return the size of a smallest tree that refutes a candidate, at most ``limit``; BIG if there is none."""
    begin(state, limit, work)
    push(supposed, 0, work)
    return searched(board, state, limit, mode, work)


@kernel
def placing_size(board: Ints, state: Ints, literal: int, limit: int, work: Ints) -> int:
    """Return the size of a smallest tree that proves a candidate true, at most ``limit``; BIG if there is none.

    In its last base variable each of k candidates leads there by strong links. Half of k minus 3 is added to the size,
    rounded down: see ``extra``.
    """
    begin(state, limit, work)
    fall(board, state, literal, 0, limit, LAST_PLACING, work)
    return searched(board, state, limit, LAST_PLACING, work)


@kernel
def searched(board: Ints, state: Ints, limit: int, mode: int, work: Ints) -> int:
    """Follow the entries, cheapest first; return the size of the smallest tree, BIG if there is none."""
    cost = 0
    followed = 0
    while followed < work[TOP] and cost <= limit and cost < work[BEST]:
        entry = work[BUCKETS + cost]
        while entry >= 0:
            followed += 1
            literal = work[QUEUE + 2 * entry]
            entry = work[QUEUE + 2 * entry + 1]
            if literal >= FALLS:
                fall_left(board, state, literal - FALLS, cost, limit, mode, work)
            elif work[TRUE + literal] == cost:
                spread(board, state, literal, cost, limit, mode, work)
        cost += 1
    return work[BEST] if work[BEST] <= limit else BIG


@kernel
def begin(state: Ints, limit: int, work: Ints) -> int:
    """Clear the work memory."""
    for w in range(324):
        work[LEFT + w] = state[w]
        work[COST + w] = 0
    for literal in range(729):
        work[TRUE + literal] = BIG
    return start_anew(limit, work)


@kernel
def start_anew(limit: int, work: Ints) -> int:
    """Clear the entries."""
    for cost in range(limit + 1):
        work[BUCKETS + cost] = -1
    work[BEST] = BIG
    work[TOP] = 0
    return 0


@kernel
def push(literal: int, cost: int, work: Ints) -> int:
    """Record the cost of a literal's truth."""
    work[TRUE + literal] = cost
    return enter(literal, cost, work)


@kernel
def enter(literal: int, cost: int, work: Ints) -> int:
    """Add an entry at a cost."""
    top = work[TOP]
    work[QUEUE + 2 * top] = literal
    work[QUEUE + 2 * top + 1] = work[BUCKETS + cost]
    work[BUCKETS + cost] = top
    work[TOP] = top + 1
    return 0


@kernel
def spread(board: Ints, state: Ints, literal: int, cost: int, limit: int, mode: int, work: Ints) -> int:
    """Make false what a true literal sees."""
    for i in range(4 * literal + (mode >= ONE_VALUE), 4 * literal + 4):
        w = board[VARIABLES + i]
        others = work[LEFT + w] & ~board[BITS + i]
        while others:
            other = board[LITERALS + 9 * w + lowest(others)]
            others = others & (others - 1)
            work[FALSE_BY + other] = literal
            fall(board, state, other, cost, limit, mode, work)
    return 0


@kernel
def fall_left(board: Ints, state: Ints, literal: int, cost: int, limit: int, mode: int, work: Ints) -> int:
    """Set a remaining literal to false; one that is also true is a contradiction."""
    cell = board[VARIABLES + 4 * literal]
    if work[LEFT + cell] & board[BITS + 4 * literal]:
        fall(board, state, literal, cost, limit, mode, work)
    return 0


@kernel
def fall(board: Ints, state: Ints, literal: int, cost: int, limit: int, mode: int, work: Ints) -> int:
    """Set a literal to false; follow its base variables."""
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        left = work[LEFT + w] & ~board[BITS + i]
        work[LEFT + w] = left
        work[COST + w] += cost
        total = work[COST + w] + 1
        if left & (left - 1) == 0 and total <= limit and may_use(state[w], w, left, mode):
            if left == 0:
                conclude(w, total + extra(ones(state[w]), mode), work)
            else:
                forced = board[LITERALS + 9 * w + lowest(left)]
                if total < work[TRUE + forced]:
                    work[TRUE_BY + forced] = w
                    push(forced, total, work)
    return 0


@kernel
def may_use(mask: int, w: int, left: int, mode: int) -> int:
    """Return whether a base variable with some candidates may be used when some of them are left."""
    if mode == ANY:
        return 1
    if mode == ONE_VALUE_ANY:
        return w >= 81
    if left == 0 and mode >= LAST_ANY and mode < ONE_VALUE:
        return 1
    return ones(mask) <= 2 and (mode != ONE_VALUE or w >= 81)


@kernel
def extra(count: int, mode: int) -> int:
    """Return the size that the candidates of a last base variable add: each of them starts its own chain."""
    return count - 2 if mode == LAST_ANY else (count - 3) >> 1 if mode == LAST_PLACING else 0


@kernel
def conclude(w: int, total: int, work: Ints) -> int:
    """Record a contradiction in a base variable."""
    if total < work[BEST]:
        work[BEST] = total
        work[LAST] = w
    return 0


@kernel
def mark_refuted(board: Ints, state: Ints, limit: int, mode: int, marked: Ints, work: Ints) -> int:
    """Mark the candidates of open cells that have a refutation of at most a given size; return how many there are."""
    found = 0
    for cell in range(81):
        rest = state[cell] if ones(state[cell]) > 1 else 0
        while rest:
            literal = 9 * cell + lowest(rest)
            rest = rest & (rest - 1)
            if tree_size(board, state, literal, limit, mode, work) <= limit:
                found += 1 - marked[literal]
                marked[literal] = 1
    return found
