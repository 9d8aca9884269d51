"""The SE-like scale: techniques in the order of their customary numbers; a stage has all steps of the first one found.

The names, their order and their numbers are those of Sudoku Explainer 1.2 (Nicolas Juillerat, 2006), without its
arguments from uniqueness. A chain is a refutation by a tree of restricted shape; its length adds to the number as
there.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, ones
from .basics import kernel
from .direct import mark_alone, mark_direct_hidden, mark_direct_locked, mark_last
from .sets import FISH, HIDDEN, NAKED, all_sets
from .singles import mark_claimed, mark_pointed
from .wings import mark_excluded_pairs, mark_wings

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
    if technique <= 4:
        return mark_direct_locked(board, state, technique - 3, marked)
    if technique == 6:
        return mark_alone(board, state, 0, 81, placed, marked)
    if technique <= 7:
        return mark_direct_hidden(board, state, 2 if technique == 5 else 3, marked)
    if technique <= 9:
        return mark_all_locked(board, state, technique - 8, marked)
    if technique == 16 or technique == 17:
        return mark_wings(board, state, technique - 14, marked)
    if technique == 21:
        return mark_excluded_pairs(board, state, marked, work)
    return mark_sets(board, state, technique, marked, work)


@kernel
def mark_sets(board: Ints, state: Ints, technique: int, marked: Ints, work: Ints) -> int:
    """Mark what subsets and fish remove: pairs, triples, quads, each naked, then as fish, then hidden."""
    k = 2 if technique <= 12 else 3 if technique <= 15 else 4
    first = technique - (10 if k == 2 else 13 if k == 3 else 18)
    return all_sets(board, state, k, NAKED if first == 0 else FISH if first == 1 else HIDDEN, marked, work)


@kernel
def mark_all_locked(board: Ints, state: Ints, claiming: int, marked: Ints) -> int:
    """Mark what boxes remove from lines by pointing, or lines from boxes by claiming."""
    found = 0
    for w in range(81 if claiming else 243, 243 if claiming else 324):
        if ones(state[w]) >= 2 and ones(state[w]) <= 3:
            if claiming:
                found += mark_claimed(board, state, w, marked)
            else:
                found += mark_pointed(board, state, w, 1, marked) + mark_pointed(board, state, w, 2, marked)
    return found
