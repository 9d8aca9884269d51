"""Bidirectional cycles on the SE-like scale: chains of strong links whose ends see each other.

A *strong link* joins the only two candidates of a base variable: one of them is true. If A is false, the strong link to
B makes B true; what B sees is false, and so on. If B is true at the end, then A or B is true, so what sees both is
false. If A and B see each other, the chain can be read both ways.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import BIG, is_left, kernel
from .literals import BITS, LITERALS, VARIABLES
from .sets import mark
from .trees import BUCKETS, FALSE_BY, TRUE

IN_CELLS, IN_HOUSES = 0, 1
"""Which strong links are used: those of cells, or those of one value in houses."""

QUEUE, REACHED, MET = BUCKETS, TRUE, FALSE_BY
"""Offsets in the work memory: the literals that become true, the number of strong links for each, and which were false.
"""


@kernel
def mark_cycles(board: Ints, state: Ints, links: int, limit: int, marked: Ints, work: Ints) -> int:
    """Mark what cycles of at most the given number of strong links remove; return how many candidates are marked."""
    found = 0
    for literal in range(729):
        if is_left(state, board[VARIABLES + 4 * literal], literal):
            count = reach(board, state, literal, limit, links, work)
            for i in range(count):
                other = work[QUEUE + i]
                if is_seen(board, literal, other):
                    found += seen_by_both(board, state, literal, other, 1, marked)
    return found


@kernel
def shortest_cycle(board: Ints, state: Ints, links: int, limit: int, marked: Ints, work: Ints) -> int:
    """Return the number of strong links in the shortest cycle that removes anything, at most ``limit``; BIG for
    none.
    """
    best = limit + 1
    for literal in range(729):
        if is_left(state, board[VARIABLES + 4 * literal], literal):
            count = reach(board, state, literal, best - 1, links, work)
            for i in range(count):
                other = work[QUEUE + i]
                able = work[REACHED + other] < best and is_seen(board, literal, other)
                if able and seen_by_both(board, state, literal, other, 0, marked):
                    best = work[REACHED + other]
    return best if best <= limit else BIG


@kernel
def reach(board: Ints, state: Ints, start: int, limit: int, links: int, work: Ints) -> int:
    """List the literals that become true if one is false, within a number of strong links; return how many."""
    count = 0
    if limit > 0 and is_linked(board, state, start, links):
        for literal in range(729):
            work[REACHED + literal] = BIG
            work[MET + literal] = 0
        count = join(board, state, start, 1, links, 0, work)
    at = 0
    while at < count:
        literal = work[QUEUE + at]
        cost = work[REACHED + literal]
        at += 1
        for i in range(4 * literal + links, 4 * literal + (4 if cost < limit else 0)):
            w = board[VARIABLES + i]
            others = state[w] & ~board[BITS + i]
            while others:
                other = board[LITERALS + 9 * w + lowest(others)]
                others = others & (others - 1)
                if work[MET + other] == 0:
                    count = join(board, state, other, cost + 1, links, count, work)
    return count


@kernel
def is_linked(board: Ints, state: Ints, literal: int, links: int) -> int:
    """Return whether a literal has a strong link."""
    for i in range(4 * literal + links, 4 * literal + (1 if links == IN_CELLS else 4)):
        if ones(state[board[VARIABLES + i]]) == 2:
            return 1
    return 0


@kernel
def join(board: Ints, state: Ints, false: int, cost: int, links: int, count: int, work: Ints) -> int:
    """List the literals that become true through strong links of a false literal; return how many are listed."""
    work[MET + false] = 1
    for i in range(4 * false + links, 4 * false + (1 if links == IN_CELLS else 4)):
        w = board[VARIABLES + i]
        if ones(state[w]) == 2:
            other = board[LITERALS + 9 * w + lowest(state[w] & ~board[BITS + i])]
            if cost < work[REACHED + other]:
                work[REACHED + other] = cost
                work[QUEUE + count] = other
                count += 1
    return count


@kernel
def is_seen(board: Ints, literal: int, other: int) -> int:
    """Return whether two different literals share a base variable."""
    for i in range(4):
        if literal != other and board[VARIABLES + 4 * literal + i] == board[VARIABLES + 4 * other + i]:
            return 1
    return 0


@kernel
def seen_by_both(board: Ints, state: Ints, literal: int, other: int, marking: int, marked: Ints) -> int:
    """Return how many candidates see both literals, which may be the same; with ``marking``, mark and count new
    ones.
    """
    found = 0
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        rest = state[w] & ~board[BITS + i]
        while rest:
            place = lowest(rest)
            rest = rest & (rest - 1)
            seen = board[LITERALS + 9 * w + place]
            if literal == other or is_seen(board, seen, other):
                found += mark(board, w, 1 << place, marked) if marking else 1
    return found
