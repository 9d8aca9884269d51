"""The SE-like scale: techniques in the order of their customary numbers; a stage has all steps of the first one found.

The names, their order and their numbers are those of Sudoku Explainer 1.2 (Nicolas Juillerat, 2006), without its
arguments from uniqueness. A chain is a refutation by a tree of restricted shape; its length adds to the number as
there.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .board import BITS, CELLS, LITERALS, VARIABLES, drop_seen, kernel

PATTERNS = 22
"""The number of techniques before the chains."""

WRITING = 8
"""The number of techniques whose steps fill in a value."""


@kernel
def mark_technique(board: Ints, state: Ints, technique: int, placed: Ints, marked: Ints, work: Ints) -> int:
    """Mark what one of the first patterns fills in, or what one of the others removes; return how many literals."""
    if technique == 0:
        return mark_last(board, state, placed, marked)
    if technique == 1:
        return mark_alone(board, state, 243, 324, placed, marked)
    if technique == 2:
        return mark_alone(board, state, 81, 243, placed, marked)
    if technique == 6:
        return mark_alone(board, state, 0, 81, placed, marked)
    if technique == 5 or technique == 7:
        return all_sets(board, state, 2 if technique == 5 else 3, HIDDEN, 1, marked, work)
    if technique == 3 or technique == 8:
        return mark_all_locked(board, state, 243, 324, technique == 3, marked)
    if technique == 4 or technique == 9:
        return mark_all_locked(board, state, 81, 243, technique == 4, marked)
    if technique == 16 or technique == 17:
        return mark_wings(board, state, technique - 14, marked)
    if technique == 21:
        return mark_excluded(board, state, 2, marked, work)
    # pairs, triples, quads: each naked, then as fish, then hidden
    k = 2 if technique <= 12 else 3 if technique <= 15 else 4
    first = technique - (10 if k == 2 else 13 if k == 3 else 18)
    return all_sets(board, state, k, NAKED if first == 0 else FISH if first == 1 else HIDDEN, 0, marked, work)


# ----------------------------------------------------------------------------
# Subsets and fish: k base variables of one kind whose candidates lie in k others.
#
# Four families use the same loop: the cells of a house and its values (naked), the values and their places (hidden),
# the rows and the columns of a value, and the reverse (fish).

NAKED, HIDDEN, FISH = 1, 2, 4
"""Kinds of sets; they can be added."""


@kernel
def all_sets(board: Ints, state: Ints, k: int, kinds: int, direct: int, marked: Ints, chosen: Ints) -> int:
    """Mark what sets of size k of the given kinds remove; return how many candidates there are.

    ``direct``: mark the last candidates that are left by that instead.
    """
    found = 0
    for house in range(27):
        for i in range(9):
            chosen[i] = board[CELLS + 9 * house + i]
        if kinds & NAKED:
            found += sets(board, state, k, direct, marked, chosen)
        for i in range(9):
            chosen[i] = 81 + 9 * house + i
        if kinds & HIDDEN:
            found += sets(board, state, k, direct, marked, chosen)
    for lines in range(18 if kinds & FISH else 0):  # the rows of each of nine values, then the columns
        for i in range(9):
            chosen[i] = 81 + lines + 9 * i if lines < 9 else 153 + lines + 9 * i
        found += sets(board, state, k, direct, marked, chosen)
    return found


@kernel
def sets(board: Ints, state: Ints, k: int, direct: int, marked: Ints, chosen: Ints) -> int:
    """Mark what k of nine base variables confined to k places remove from the others; return how many."""
    able = 0
    for i in range(9):
        size = ones(state[chosen[i]])
        if size >= 2 and size <= k:
            able = able | 1 << i
    found = 0
    some = able
    while ones(able) >= k and some:
        if ones(some) == k:
            found += marked_beside(board, state, some, 511, 0, k, direct, marked, chosen)
        some = (some - 1) & able
    return found


@kernel
def marked_beside(
    board: Ints, state: Ints, some: int, among: int, union: int, k: int, direct: int, marked: Ints, chosen: Ints
) -> int:
    """Mark what some base variables remove from others if they have k places, with those of ``union``; return how
    many.
    """
    rest = some
    while rest:
        union = union | state[chosen[lowest(rest)]]
        rest = rest & (rest - 1)
    found = 0
    if ones(union) == k:
        rest = among & ~some
        while rest:
            w = chosen[lowest(rest)]
            rest = rest & (rest - 1)
            if direct:
                found += mark_if_alone(board, state, w, union, marked)
            else:
                found += mark(board, w, state[w] & union, marked)
    return found


@kernel
def mark(board: Ints, w: int, places: int, marked: Ints) -> int:
    """Mark candidates of a base variable; return how many were not marked before."""
    found = 0
    while places:
        found += mark_one(board[LITERALS + 9 * w + lowest(places)], marked)
        places = places & (places - 1)
    return found


@kernel
def mark_one(literal: int, marked: Ints) -> int:
    """Mark a candidate; return whether it was not marked before."""
    new = 1 - marked[literal]
    marked[literal] = 1
    return new


# ----------------------------------------------------------------------------
# Hidden singles and locked candidates, all together: what trees of size 1 find once cells are settled.


@kernel
def mark_singles(board: Ints, state: Ints, marked: Ints) -> int:
    """Mark what hidden singles and locked candidates remove; return how many candidates there are."""
    found = mark_all_locked(board, state, 81, 324, 0, marked)
    for w in range(81, 324):
        if ones(state[w]) == 1:
            literal = board[LITERALS + 9 * w + lowest(state[w])]
            cell = board[VARIABLES + 4 * literal]
            found += mark(board, cell, state[cell] & ~board[BITS + 4 * literal], marked)
    return found


@kernel
def mark_all_locked(board: Ints, state: Ints, first: int, last: int, direct: int, marked: Ints) -> int:
    """Mark what boxes remove from lines by pointing, and lines from boxes by claiming, for some base variables.

    With ``direct``, mark instead the singles that follow at once, in houses of the kind that is read.
    """
    found = 0
    for w in range(first, last):
        if ones(state[w]) >= 2 and ones(state[w]) <= 3:
            if w < 243:
                found += mark_locked(board, state, w, 3, 1 if w < 162 else 2, direct, marked)
            else:
                found += mark_locked(board, state, w, 1, 3, direct, marked)
                found += mark_locked(board, state, w, 2, 3, direct, marked)
    return found


@kernel
def mark_locked(board: Ints, state: Ints, w: int, to: int, kind: int, direct: int, marked: Ints) -> int:
    """Mark what is removed from a second house if all places for a value in one house lie in it.

    Houses are of the kinds 1 (row), 2 (column) and 3 (box): ``kind`` is that of the first one, ``to`` of the second.
    """
    second = board[VARIABLES + 4 * board[LITERALS + 9 * w + lowest(state[w])] + to]
    if shared(board, state, w, to, second) != state[w]:
        return 0
    others = state[second] & ~shared(board, state, second, kind, w)
    if direct == 0:
        return mark(board, second, others, marked)
    found = 0
    while others:
        other = board[VARIABLES + 4 * board[LITERALS + 9 * second + lowest(others)] + kind]
        others = others & (others - 1)
        found += mark_if_alone(board, state, other, shared(board, state, other, to, second), marked)
    return found


@kernel
def shared(board: Ints, state: Ints, w: int, kind: int, other: int) -> int:
    """Return the places of a base variable whose candidates lie in another one, of a kind of house."""
    found = 0
    rest = state[w]
    while rest:
        if board[VARIABLES + 4 * board[LITERALS + 9 * w + lowest(rest)] + kind] == other:
            found = found | (rest & -rest)
        rest = rest & (rest - 1)
    return found


# ----------------------------------------------------------------------------
# Steps that immediately fill in a value: singles, and values that a pattern leaves as the only one in a house.


@kernel
def mark_alone(board: Ints, state: Ints, first: int, last: int, placed: Ints, marked: Ints) -> int:
    """Mark the only candidates of some base variables whose cells are not filled in; return how many."""
    found = 0
    for w in range(first, last):
        if ones(state[w]) == 1:
            literal = board[LITERALS + 9 * w + lowest(state[w])]
            if placed[board[VARIABLES + 4 * literal]] == 0:
                found += mark_one(literal, marked)
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
            found += mark_one(9 * last + lowest(state[last]), marked)
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
    return mark_one(board[LITERALS + 9 * w + lowest(left)], marked)


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
def mark_wings(board: Ints, state: Ints, size: int, marked: Ints) -> int:
    """Mark what XY-wings (the pivot has 2 candidates, ``size``) or XYZ-wings (3) remove; return how many."""
    found = 0
    for pivot in range(81):
        for wing in range(81 if ones(state[pivot]) == size else 0):
            if ones(state[wing]) == 2 and ones(state[wing] | state[pivot]) == 3 and sees(board, pivot, wing):
                for other in range(wing + 1, 81):
                    shared = state[wing] & state[other]
                    needed = (state[wing] ^ state[other]) | (shared if size == 3 else 0)
                    able = needed == state[pivot] and ones(shared) == 1 and ones(state[other]) == 2
                    if able and sees(board, pivot, other):
                        first = pivot if size == 3 else wing
                        found += mark_seen_by(board, state, first, wing, other, shared, marked)
    return found


@kernel
def mark_seen_by(board: Ints, state: Ints, a: int, b: int, c: int, bit: int, marked: Ints) -> int:
    """Mark a value in the cells that see three cells (which may be the same)."""
    found = 0
    for cell in range(81):
        if state[cell] & bit and sees(board, cell, a) and sees(board, cell, b) and sees(board, cell, c):
            found += mark_one(9 * cell + lowest(bit), marked)
    return found


# ----------------------------------------------------------------------------
# Exclusion: combinations of two or three cells, each ruled out by some cell (aligned pairs and triplets).
#
# A cell rules out a combination if it is seen by all these cells and has only their values as candidates. A
# combination is also ruled out if two of its cells that see each other have the same value.

FIRST, SECOND, THIRD = 0, 81, 162
"""Offsets in the memory: the cells that rule out something, seen by the first cell, also by the second, by all."""


@kernel
def mark_excluded(board: Ints, state: Ints, size: int, marked: Ints, near: Ints) -> int:
    """Mark each value of two or three cells (``size``) for which every combination is ruled out."""
    found = 0
    for a in range(81):
        count = excluders_of(board, state, a, size, near) if ones(state[a]) > 1 else 0
        for b in range(a + 1, 81 if count >= size - 1 else 0):
            both = narrowed(board, b, FIRST, count, near) if ones(state[b]) > 1 else 0
            if size == 2 and both:
                found += mark_impossible(board, state, a, b, b, SECOND, both, marked, near)
                found += mark_impossible(board, state, b, a, a, SECOND, both, marked, near)
            for c in range(b + 1, 81 if size == 3 and both > 1 else 0):
                three = narrowed(board, c, SECOND, both, near) if ones(state[c]) > 1 else 0
                if three > 1:
                    found += mark_impossible(board, state, a, b, c, THIRD, three, marked, near)
                    found += mark_impossible(board, state, b, a, c, THIRD, three, marked, near)
                    found += mark_impossible(board, state, c, a, b, THIRD, three, marked, near)
    return found


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
) -> int:
    """Mark the values of the first of three cells (the last two may be one) that occur in no combination."""
    found = 0
    rest = state[a]
    while rest:
        bit = rest & -rest
        rest = rest & (rest - 1)
        literal = 9 * a + lowest(bit)
        if marked[literal] == 0 and is_possible(board, state, a, bit, b, c, listed, count, near) == 0:
            marked[literal] = 1
            found += 1
    return found


@kernel
def is_possible(board: Ints, state: Ints, a: int, bit: int, b: int, c: int, listed: int, count: int, near: Ints) -> int:
    """Return whether some combination of three cells, the first with a given value, is not ruled out."""
    seconds = state[b] & ~bit if sees(board, a, b) else state[b]
    while seconds:
        second = seconds & -seconds
        seconds = seconds & (seconds - 1)
        thirds = state[c] & ~bit if sees(board, a, c) else state[c]
        thirds = second if b == c else thirds & ~second if sees(board, b, c) else thirds
        while thirds:
            values = bit | second | (thirds & -thirds)
            thirds = thirds & (thirds - 1)
            free = 1
            for i in range(count):
                if state[near[listed + i]] & ~values == 0:
                    free = 0
            if free:
                return 1
    return 0
