"""Sizes: the fewest base variables, counted as a tree, of a refutation of a candidate by singles.

A literal that is true by base variable w costs 1 plus the cost of w's other candidates being false; what a true literal
sees is false at the same cost. Such costs only grow along a derivation, so Knuth's generalisation of Dijkstra's
algorithm (A generalization of Dijkstra's algorithm, 1977) finds the smallest one, in buckets by cost. A literal that is
false is not followed as a true one as well, so that in about one of a thousand cases a smaller tree is missed.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, bits, lowest, ones
from .board import (
    ALL_FAMILIES,
    BIG,
    BITS,
    COUNT,
    LITERALS,
    NAKED,
    TECHNIQUE,
    VARIABLES,
    is_left,
    kernel,
    mark_one,
)
from .patterns import mark_sets, mark_singles

ANY, PAIRS, LAST_ANY, LAST_PLACING, ONE_VALUE, ONE_VALUE_ANY = 0, 1, 2, 3, 4, 5
"""Which base variables may be used: all; those with two candidates; these, and any for the contradiction; the same,
from a falsehood; places of one value, where there are two; places of one value, any number of them."""

LEFT, COST, TRUE = 0, 324, 648
BUCKETS, QUEUE, BEST, TOP = 2106, 3136, 5252, 5253
"""Offsets in the work memory: what is left of each base variable, and the cost of its removals; the cost of each
literal's truth; the first entry for each cost; entries (literal, next entry); the best cost, the number of entries.
"""

FALLS = 729
"""Added to the literal of an entry: it is false."""

MOST_COST = 1024
"""The greatest cost of a tree."""

WORK = 5254
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
                i = 4 * (literal - FALLS)
                if work[LEFT + board[VARIABLES + i]] & board[BITS + i]:
                    fall(board, state, literal - FALLS, cost, limit, mode, work)
            elif work[TRUE + literal] == cost:
                spread(board, state, literal, cost, limit, mode, work)
        cost += 1
    return work[BEST] if work[BEST] <= limit else BIG


@kernel
def begin(state: Ints, limit: int, work: Ints) -> None:
    """Clear the work memory."""
    for w in range(324):
        work[LEFT + w] = state[w]
        work[COST + w] = 0
    for literal in range(729):
        work[TRUE + literal] = BIG
    start_anew(limit, work)


@kernel
def start_anew(limit: int, work: Ints) -> None:
    """Clear the entries."""
    for cost in range(limit + 1):
        work[BUCKETS + cost] = -1
    work[BEST] = BIG
    work[TOP] = 0


@kernel
def push(literal: int, cost: int, work: Ints) -> None:
    """Record the cost of a literal's truth."""
    work[TRUE + literal] = cost
    enter(literal, cost, work)


@kernel
def enter(literal: int, cost: int, work: Ints) -> None:
    """Add an entry at a cost."""
    top = work[TOP]
    work[QUEUE + 2 * top] = literal
    work[QUEUE + 2 * top + 1] = work[BUCKETS + cost]
    work[BUCKETS + cost] = top
    work[TOP] = top + 1


@kernel
def spread(board: Ints, state: Ints, literal: int, cost: int, limit: int, mode: int, work: Ints) -> None:
    """Make false what a true literal sees."""
    for i in range(4 * literal + (mode >= ONE_VALUE), 4 * literal + 4):
        w = board[VARIABLES + i]
        for place in bits(work[LEFT + w] & ~board[BITS + i]):
            fall(board, state, board[LITERALS + 9 * w + place], cost, limit, mode, work)


@kernel
def fall(board: Ints, state: Ints, literal: int, cost: int, limit: int, mode: int, work: Ints) -> None:
    """Set a literal to false; follow its base variables."""
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        left = work[LEFT + w] & ~board[BITS + i]
        work[LEFT + w] = left
        work[COST + w] += cost
        total = work[COST + w] + 1
        if left & (left - 1) == 0 and total <= limit and may_use(state[w], w, left, mode):
            if left == 0:
                total += extra(ones(state[w]), mode)
                work[BEST] = min(work[BEST], total)
            else:
                forced = board[LITERALS + 9 * w + lowest(left)]
                if total < work[TRUE + forced]:
                    push(forced, total, work)


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
def has_refuted(board: Ints, state: Ints, limit: int, mode: int, work: Ints) -> int:
    """Return whether a candidate of an open cell has a refutation of at most a given size."""
    for cell in range(81):
        for value in bits(state[cell] if ones(state[cell]) > 1 else 0):
            if tree_size(board, state, 9 * cell + value, limit, mode, work) <= limit:
                return 1
    return 0


@kernel
def mark_refuted(board: Ints, state: Ints, limit: int, mode: int, marked: Ints, work: Ints) -> None:
    """Mark the candidates of open cells that have a refutation of at most a given size."""
    for cell in range(81):
        for value in bits(state[cell] if ones(state[cell]) > 1 else 0):
            if tree_size(board, state, 9 * cell + value, limit, mode, work) <= limit:
                mark_one(9 * cell + value, marked)


# ----------------------------------------------------------------------------
# Bidirectional cycles on the SE-like scale: chains of strong links whose ends see each other.
#
# A *strong link* joins the only two candidates of a base variable: one of them is true. If A is false, the strong
# link to B makes B true; what B sees is false, and so on. If B is true at the end, then A or B is true, so what sees
# both is false. If A and B see each other, the chain can be read both ways.

IN_CELLS, IN_HOUSES = 0, 1
"""Which strong links are used: those of cells, or those of one value in houses."""

FOLLOWED, REACHED, MET = BUCKETS, TRUE, 1377
"""Offsets in the work memory: the literals that become true, the number of strong links for each, and which ones became
false.
"""


@kernel
def cycles(board: Ints, state: Ints, links: int, limit: int, marking: int, marked: Ints, work: Ints) -> int:
    """Return the number of strong links in the shortest cycle that removes anything, at most ``limit``; BIG for none.

    ``marking``: mark what all cycles of at most ``limit`` links remove instead.
    """
    best = limit + 1
    for literal in range(729):
        count = reach(board, state, literal, best - 1, links, work) if is_left(state, literal) else 0
        for i in range(count):
            other = work[FOLLOWED + i]
            able = work[REACHED + other] < best and is_seen(board, literal, other)
            if able and seen_by_both(board, state, literal, other, marking, marked) and marking == 0:
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
        literal = work[FOLLOWED + at]
        cost = work[REACHED + literal]
        at += 1
        for i in range(4 * literal + links, 4 * literal + (4 if cost < limit else 0)):
            w = board[VARIABLES + i]
            for place in bits(state[w] & ~board[BITS + i]):
                other = board[LITERALS + 9 * w + place]
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
                work[FOLLOWED + count] = other
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
    """Return how many candidates see both literals, which may be the same; with ``marking``, mark them."""
    found = 0
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        for place in bits(state[w] & ~board[BITS + i]):
            seen = board[LITERALS + 9 * w + place]
            if literal == other or is_seen(board, seen, other):
                found += 1
                if marking:
                    mark_one(seen, marked)
    return found


# ----------------------------------------------------------------------------
# Chains on the SE-like scale: cycles, chains and trees of restricted shapes, shortest first, and the cost of length.
#
# The length is the number of candidates from the supposition to the conclusion, both included, minus 2: 2 s for a
# chain of s strong links on one value, 2 s - 2 for a cycle. If each of k candidates of a base variable leads to the
# conclusion, in a tree of s base variables, it is 2 s + 2 k - 4, minus k if the conclusion is that a candidate is
# true. It is set to 2 s - 2 for other chains and to 2 s + 1 for trees that branch, which gave the best match with
# known numbers. Each of the lengths 4, 6, 8, 12, 16, 24, and so on that is exceeded adds 1 (a tenth) to the number.

LONGEST_CHAIN, LONGEST_TREE = 64, 512
"""The most base variables of a plain chain and of the others."""

CYCLE, ONE_VALUE_CHAIN, FORCING, TRIPLES, NISHIO, MULTIPLE, DYNAMIC = 22, 23, 24, 25, 26, 27, 28
"""The positions of these among the techniques."""

MOST_ADDED = 17
"""Numbers of plain chains from 65 that are tried."""


@kernel
def threshold(added: int) -> int:
    """Return the greatest length that adds no more than the given tenths: 4, 6, 8, 12, 16, 24, ..."""
    return (6 if added & 1 else 4) << (added >> 1)


@kernel
def mark_plain_chains(board: Ints, state: Ints, marked: Ints, work: Ints) -> int:
    """Mark what the cheapest plain chains remove; return their technique and number, 0 for none.

    Cycles on one value or of cells count from 65, chains on one value from 66, the others from 71.
    """
    if has_refuted(board, state, LONGEST_CHAIN, PAIRS, work) == 0:
        return 0
    shortest = cycles(board, state, IN_HOUSES, LONGEST_CHAIN, 0, marked, work)
    shortest = min(shortest, cycles(board, state, IN_CELLS, LONGEST_CHAIN, 0, marked, work))
    for added in range(MOST_ADDED):
        technique = CYCLE
        links = (threshold(added) >> 1) + 1
        if shortest <= links:
            cycles(board, state, IN_HOUSES, links, 1, marked, work)
            cycles(board, state, IN_CELLS, links, 1, marked, work)
        if added >= 1:
            technique = technique if marked[COUNT] else ONE_VALUE_CHAIN
            mark_refuted(board, state, threshold(added - 1) >> 1, ONE_VALUE, marked, work)
        if added >= 6:
            technique = technique if marked[COUNT] else FORCING
            mark_refuted(board, state, (threshold(added - 6) >> 1) + 1, PAIRS, marked, work)
        if marked[COUNT]:
            return technique * TECHNIQUE + 65 + added
    return 0


@kernel
def mark_trees(board: Ints, state: Ints, technique: int, marked: Ints, work: Ints) -> int:
    """Mark what the shortest trees of a technique remove; return their number in tenths, 0 for none."""
    mode = ONE_VALUE_ANY if technique == NISHIO else LAST_ANY if technique == MULTIPLE else ANY
    if has_refuted(board, state, LONGEST_TREE, mode, work) == 0:
        return 0
    added = 0
    while threshold(added) < 2 * LONGEST_TREE:
        half = threshold(added) >> 1
        mark_refuted(board, state, half if mode == LAST_ANY else half - 1, mode, marked, work)
        if mode == LAST_ANY:
            mark_placed(board, state, half, marked, work)
        if marked[COUNT]:
            return 5 * (technique - NISHIO) + 75 + added
        added += 1
    return 0


@kernel
def mark_placed(board: Ints, state: Ints, limit: int, marked: Ints, work: Ints) -> None:
    """Mark what is seen by candidates that are true in every case of a base variable."""
    for cell in range(81):
        for value in bits(state[cell] if ones(state[cell]) > 1 else 0):
            if placing_size(board, state, 9 * cell + value, limit, work) <= limit:
                seen_by_both(board, state, 9 * cell + value, 9 * cell + value, 1, marked)


# ----------------------------------------------------------------------------
# Trials within a trial on the SE-like scale: the smallest refutation tree in which trees also remove candidates.
#
# Within the trial of a candidate, singles are followed as in the trees above. When there are no more, candidates are
# removed by one kind of inner step from that state, all together: patterns, plain chains, chains from every
# candidate of a base variable, dynamic chains. The inner tree starts with the cost of what was removed so far, so
# the size counts everything that the contradiction needs, and does not depend on the order of search.

PATTERN, CHAIN, EVERY, DYNAMIC_CHAIN = 1, 2, 3, 4
"""The kinds of inner steps, the cheapest first."""


@kernel
def nested_size(
    board: Ints, state: Ints, supposed: int, kinds: int, limit: int, trial: Ints, marked: Ints, work: Ints
) -> int:
    """Return the size of the smallest tree that refutes a candidate with the first ``kinds`` kinds of inner steps.

    BIG if none is at most ``limit``. ``trial`` and ``work`` are two work memories.
    """
    begin(state, limit, trial)
    push(supposed, 0, trial)
    size = searched(board, state, limit, ANY, trial)
    kind = PATTERN
    while size > limit and kind <= kinds:
        start_anew(limit, trial)
        if fall_inside(board, kind, limit, trial, marked, work):
            size = searched(board, state, limit, ANY, trial)
            kind = PATTERN
        else:
            kind += 1
    return size


@kernel
def fall_inside(board: Ints, kind: int, limit: int, trial: Ints, marked: Ints, work: Ints) -> int:
    """Record what one kind of inner step removes from the state of a trial, with its cost; return whether that is
    anything.
    """
    if kind == PATTERN:
        mark_singles(board, trial, marked)
        mark_sets(board, trial, 2, NAKED, ALL_FAMILIES, 0, marked)
    mode = PAIRS if kind == CHAIN else LAST_ANY if kind == EVERY else ANY
    found = 0
    for literal in range(729):
        able = is_left(trial, literal) and ones(trial[literal // 9]) > 1
        if able and (kind != PATTERN or marked[literal]):
            size = inner_size(board, trial, literal, limit, mode, work)
            if size <= limit:
                enter(FALLS + literal, size, trial)
                found = 1
        marked[literal] = 0
    marked[COUNT] = 0
    return found


@kernel
def inner_size(board: Ints, trial: Ints, literal: int, limit: int, mode: int, work: Ints) -> int:
    """Return the size of the smallest tree that refutes a candidate in a trial, including the cost of earlier
    removals.
    """
    begin(trial, limit, work)
    for w in range(324):
        work[COST + w] = trial[COST + w]
    push(literal, 0, work)
    return searched(board, trial, limit, mode, work)
