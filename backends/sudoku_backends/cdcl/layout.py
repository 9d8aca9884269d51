"""The one array of a search: counters, then where each section begins, then the sections.

Literal ``x`` of variable ``v`` is the number ``2 v`` (true) or ``2 v + 1`` (false). Clauses are numbered from 1 in the
order in which they came; those of the formula first, then the learned ones, whose hints are the clauses that make them
unit one after the other (as LRAT wants them). Everything is in one array, so that a search can be stopped, given more
room, and continued.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, Kernels

KERNELS = Kernels()
"""All kernels of this search by name."""

kernel = KERNELS.mark

UNKNOWN, REFUTED, SATISFIED, FULL = 0, 1, 2, 3
"""How a search ends: its budget, the empty clause, an assignment, or too little room."""

(
    TRAILED, HEAD, CLAUSES, LITERALS, HINTED, FIRST, LAST, STAMPED, CONFLICTS, DEPTH, EMITTED, LEARNED, FORMULA,
    SIZE, MET, KEPT, ROOTS, USED, MARKED, LITERAL_ROOM, CLAUSE_ROOM, HINT_ROOM,
) = range(22)  # fmt: skip
"""Counters: the ends of the trail, of what is propagated, and of clauses, literals and hints; the queue of variables;
the numbers of stamps, conflicts, levels, literals emitted, clauses learned and clauses of the formula; how many
variables there are (and one more); the lengths of the lists that learning a clause needs; marks of levels; room."""

(
    LITS,  # the literals of all clauses
    START,  # where clause c begins; it ends where c + 1 begins
    DEAD,  # by clause: 1 when it is out of use
    NEXT,  # the next watch of the same literal; watch 2 c + s is place s of clause c
    HINTS,  # the hints of all learned clauses
    HINT_AT,  # by clause: where its hints begin
    WORTH,  # by clause: how many levels its literals came from
    WATCH,  # by literal: the first watch, or -1
    PAIR_AT,  # by literal: where the binary clauses with it begin in the next two
    PAIR_OTHER,
    PAIR_ID,
    VALUES,  # by literal: 1 true, -1 false, 0 open
    LEVEL,  # by variable
    REASON,  # by variable: the clause that made it so, or 0
    PLACE,  # by variable: its place on the trail
    UNIT,  # by variable: the clause of one literal that settles it for good, or 0
    TRAIL,  # literals in the order in which they became true
    ENDS,  # by level: where it begins on the trail
    BEFORE,  # the queue of variables
    AFTER,
    STAMP,  # by variable: when it was bumped last
    PHASE,  # by variable: 1 when it was false last
    SEEN,  # by variable
    MARK,  # by level
    LISTS,  # four lists of variables or literals: met, kept, settled for good, used
) = range(22, 47)
"""Indexes at which the offsets of the sections are stored; the first seven sections grow."""

GROWING = WATCH - LITS
BODY = 47
"""Where the first section begins."""

__all__ = ["KERNELS", "Ints", "kernel"]
