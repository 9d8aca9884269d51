"""The SE-like scale: techniques in the order of their customary numbers; a stage has all steps of the first one found.

The names, their order and their numbers are those of Sudoku Explainer 1.2 (Nicolas Juillerat, 2006), without its
arguments from uniqueness. A chain is a refutation by a tree of restricted shape; its length adds to the number as
there.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, bits, lowest, ones
from .board import ALL_FAMILIES, BITS, COUNT, FAMILIES, FISH, HIDDEN, LITERALS, NAKED, VARIABLES, kernel, mark, mark_one

PATTERNS = 22
"""The number of techniques before the chains."""

WRITING = 8
"""The number of techniques whose steps fill in a value."""


@kernel
def mark_technique(board: Ints, state: Ints, technique: int, placed: Ints, marked: Ints, work: Ints) -> int:
    """Mark what one of the first patterns fills in, or what one of the others removes; return how many literals."""
    if technique == 0:
        mark_last(board, state, placed, marked)
    elif technique == 1:
        mark_alone(board, state, 243, 324, placed, marked)
    elif technique == 2:
        mark_alone(board, state, 81, 243, placed, marked)
    elif technique == 6:
        mark_alone(board, state, 0, 81, placed, marked)
    elif technique == 5 or technique == 7:
        mark_sets(board, state, 2 if technique == 5 else 3, HIDDEN, FISH, 1, marked)
    elif technique == 3 or technique == 8:
        mark_locked(board, state, 243, 324, technique == 3, marked)
    elif technique == 4 or technique == 9:
        mark_locked(board, state, 81, 243, technique == 4, marked)
    elif technique == 16 or technique == 17:
        mark_wings(board, state, technique - 14, marked)
    elif technique == 21:
        mark_excluded(board, state, 2, marked, work)
    else:  # pairs, triples, quads: each naked, then as fish, then hidden
        k = 2 if technique <= 12 else 3 if technique <= 15 else 4
        kind = technique - (10 if k == 2 else 13 if k == 3 else 18)
        first = NAKED if kind == 0 else FISH if kind == 1 else HIDDEN
        mark_sets(board, state, k, first, ALL_FAMILIES if first == FISH else first + 27, 0, marked)
    return marked[COUNT]


# ----------------------------------------------------------------------------
# Subsets and fish: k base variables of one family whose candidates lie in k others.


@kernel
def mark_sets(board: Ints, state: Ints, k: int, first: int, last: int, direct: int, marked: Ints) -> None:
    """Mark what sets of size k in some families remove.

    ``direct``: mark the last candidates that are left by that instead.
    """
    for family in range(first, last):
        able = 0
        for i in range(9):
            size = ones(state[board[FAMILIES + 9 * family + i]])
            if size >= 2 and size <= k:
                able = able | 1 << i
        some = able
        while ones(able) >= k and some:
            if ones(some) == k:
                mark_beside(board, state, family, some, 511, 0, k, direct, marked)
            some = (some - 1) & able


@kernel
def mark_beside(
    board: Ints, state: Ints, family: int, some: int, among: int, union: int, k: int, direct: int, marked: Ints
) -> None:
    """Mark what some base variables of a family remove from others if they have k places, with those of ``union``."""
    for i in bits(some):
        union = union | state[board[FAMILIES + 9 * family + i]]
    for i in bits(among & ~some if ones(union) == k else 0):
        w = board[FAMILIES + 9 * family + i]
        if direct:
            mark_if_alone(board, state, w, union, marked)
        else:
            mark(board, w, state[w] & union, marked)


# ----------------------------------------------------------------------------
# Hidden singles and locked candidates, all together: what trees of size 1 find once cells are settled.


@kernel
def mark_singles(board: Ints, state: Ints, marked: Ints) -> None:
    """Mark what hidden singles and locked candidates remove."""
    mark_locked(board, state, 81, 324, 0, marked)
    for w in range(81, 324):
        if ones(state[w]) == 1:
            literal = board[LITERALS + 9 * w + lowest(state[w])]
            mark(board, literal // 9, state[literal // 9] & ~board[BITS + 4 * literal], marked)


@kernel
def mark_locked(board: Ints, state: Ints, first: int, last: int, direct: int, marked: Ints) -> None:
    """Mark what boxes remove from lines by pointing, and lines from boxes by claiming, for some base variables.

    Houses are of the kinds 1 (row), 2 (column) and 3 (box). If all places for a value in one house lie in a second one,
    its other places there fall. With ``direct``, mark instead the singles that follow at once, in houses of the kind
    that is read.
    """
    for w in range(first, last):
        kind = w // 81
        for to in range(1 if kind == 3 else 3, 3 if kind == 3 else 4):
            second = board[VARIABLES + 4 * board[LITERALS + 9 * w + lowest(state[w])] + to] if state[w] else 0
            if ones(state[w]) >= 2 and ones(state[w]) <= 3 and shared(board, state, w, to, second) == state[w]:
                others = state[second] & ~shared(board, state, second, kind, w)
                if direct == 0:
                    mark(board, second, others, marked)
                for place in bits(others if direct else 0):
                    other = board[VARIABLES + 4 * board[LITERALS + 9 * second + place] + kind]
                    mark_if_alone(board, state, other, shared(board, state, other, to, second), marked)


@kernel
def shared(board: Ints, state: Ints, w: int, kind: int, other: int) -> int:
    """Return the places of a base variable whose candidates lie in another one, of a kind of house."""
    found = 0
    for place in bits(state[w]):
        if board[VARIABLES + 4 * board[LITERALS + 9 * w + place] + kind] == other:
            found = found | 1 << place
    return found


# ----------------------------------------------------------------------------
# Steps that immediately fill in a value: singles, and values that a pattern leaves as the only one in a house.


@kernel
def mark_alone(board: Ints, state: Ints, first: int, last: int, placed: Ints, marked: Ints) -> None:
    """Mark the only candidates of some base variables whose cells are not filled in."""
    for w in range(first, last):
        literal = board[LITERALS + 9 * w + lowest(state[w])] if ones(state[w]) == 1 else 0
        if ones(state[w]) == 1 and placed[literal // 9] == 0:
            mark_one(literal, marked)


@kernel
def mark_last(board: Ints, state: Ints, placed: Ints, marked: Ints) -> None:
    """Mark the value of each cell that is the last open one of a house."""
    for house in range(27):
        count = 0
        last = 0
        for i in range(9):
            cell = board[FAMILIES + 9 * (NAKED + house) + i]
            if placed[cell] == 0:
                count += 1
                last = cell
        if count == 1:
            mark_alone(board, state, last, last + 1, placed, marked)


@kernel
def mark_if_alone(board: Ints, state: Ints, w: int, gone: int, marked: Ints) -> None:
    """Mark the last literal of a base variable when some are removed, if one is left."""
    left = state[w] & ~gone
    if left != state[w] and ones(left) == 1:
        mark(board, w, left, marked)


# ----------------------------------------------------------------------------
# Patterns of few cells: XY-wings and XYZ-wings.


@kernel
def sees(board: Ints, cell: int, other: int) -> int:
    """Return whether two different cells share a house."""
    first = VARIABLES + 36 * cell
    second = VARIABLES + 36 * other
    same = board[first + 1] == board[second + 1] or board[first + 2] == board[second + 2]
    return cell != other and (same or board[first + 3] == board[second + 3])


@kernel
def mark_wings(board: Ints, state: Ints, size: int, marked: Ints) -> None:
    """Mark what XY-wings (the pivot has 2 candidates, ``size``) or XYZ-wings (3) remove."""
    for pivot in range(81):
        for wing in range(81 if ones(state[pivot]) == size else 0):
            if ones(state[wing]) == 2 and ones(state[wing] | state[pivot]) == 3 and sees(board, pivot, wing):
                for other in range(wing + 1, 81):
                    both = state[wing] & state[other]
                    needed = (state[wing] ^ state[other]) | (both if size == 3 else 0)
                    able = needed == state[pivot] and ones(both) == 1 and ones(state[other]) == 2
                    if able and sees(board, pivot, other):
                        mark_seen_by(board, state, pivot if size == 3 else wing, wing, other, both, marked)


@kernel
def mark_seen_by(board: Ints, state: Ints, a: int, b: int, c: int, bit: int, marked: Ints) -> None:
    """Mark a value in the cells that see three cells (which may be the same)."""
    for cell in range(81):
        if state[cell] & bit and sees(board, cell, a) and sees(board, cell, b) and sees(board, cell, c):
            mark(board, cell, bit, marked)


# ----------------------------------------------------------------------------
# Exclusion: combinations of two or three cells, each ruled out by some cell (aligned pairs and triplets).
#
# A cell rules out a combination if it is seen by all these cells and has only their values as candidates. A
# combination is also ruled out if two of its cells that see each other have the same value.

FIRST, SECOND, THIRD = 0, 81, 162
"""Offsets in the memory: the cells that rule out something, seen by the first cell, also by the second, by all."""


@kernel
def mark_excluded(board: Ints, state: Ints, size: int, marked: Ints, near: Ints) -> None:
    """Mark each value of two or three cells (``size``) for which every combination is ruled out."""
    for a in range(81):
        count = excluders_of(board, state, a, size, near) if ones(state[a]) > 1 else 0
        for b in range(a + 1, 81 if count >= size - 1 else 0):
            both = narrowed(board, b, FIRST, count, near) if ones(state[b]) > 1 else 0
            if size == 2 and both:
                mark_impossible(board, state, a, b, b, SECOND, both, marked, near)
                mark_impossible(board, state, b, a, a, SECOND, both, marked, near)
            for c in range(b + 1, 81 if size == 3 and both > 1 else 0):
                three = narrowed(board, c, SECOND, both, near) if ones(state[c]) > 1 else 0
                if three > 1:
                    mark_impossible(board, state, a, b, c, THIRD, three, marked, near)
                    mark_impossible(board, state, b, a, c, THIRD, three, marked, near)
                    mark_impossible(board, state, c, a, b, THIRD, three, marked, near)


@kernel
def excluders_of(board: Ints, state: Ints, cell: int, size: int, near: Ints) -> int:
    """List the cells of two candidates, or up to ``size``, that a cell sees; return how many there are."""
    count = 0
    for other in range(81):
        if ones(state[other]) >= 2 and ones(state[other]) <= size and sees(board, cell, other):
            near[FIRST + count] = other
            count += 1
    return count


@kernel
def narrowed(board: Ints, cell: int, listed: int, count: int, near: Ints) -> int:
    """Copy to the next list those of the listed cells that a cell sees too; return how many there are."""
    kept = 0
    for i in range(count):
        if sees(board, cell, near[listed + i]):
            near[listed + 81 + kept] = near[listed + i]
            kept += 1
    return kept


@kernel
def mark_impossible(
    board: Ints, state: Ints, a: int, b: int, c: int, listed: int, count: int, marked: Ints, near: Ints
) -> None:
    """Mark the values of the first of three cells (the last two may be one) that occur in no combination."""
    for value in bits(state[a]):
        known = marked[9 * a + value]
        if known == 0 and is_possible(board, state, a, 1 << value, b, c, listed, count, near) == 0:
            mark_one(9 * a + value, marked)


@kernel
def is_possible(board: Ints, state: Ints, a: int, bit: int, b: int, c: int, listed: int, count: int, near: Ints) -> int:
    """Return whether some combination of three cells, the first with a given value, is not ruled out."""
    for second in bits(state[b] & ~bit if sees(board, a, b) else state[b]):
        thirds = state[c] & ~bit if sees(board, a, c) else state[c]
        thirds = 1 << second if b == c else thirds & ~(1 << second) if sees(board, b, c) else thirds
        for third in bits(thirds):
            free = 1
            for i in range(count):
                if state[near[listed + i]] & ~(bit | 1 << second | 1 << third) == 0:
                    free = 0
            if free:
                return 1
    return 0
