"""A search with clause learning that writes down why each learned clause follows: the compiled inner loops.

Literal ``x`` of variable ``v`` is the number ``2 v`` (true) or ``2 v + 1`` (false). Clauses are numbered from 1 in the
order in which they came; those of the formula first, then the learned ones, whose hints are the clauses that make them
unit one after the other (as LRAT wants them). The ways are those of MiniSat (Eén and Sörensson 2003): two watched
literals and the first unique implication point; variables are bumped to the end of a queue (Biere and Fröhlich 2015).
Everything is in flat arrays, so that a search can be stopped, given more room, and gone on with.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import njit

UNKNOWN, REFUTED, SATISFIED, FULL = 0, 1, 2, 3
"""What ``search`` ends with: its budget, the empty clause, an assignment, or too little room."""

TRAIL, HEAD, CLAUSES, LITS, HINTS, FIRST, LAST, STAMP, CONFLICTS, LEVEL, EMITTED, LEARNED, FORMULA = range(13)
"""Places in the array of counters."""

RESTART = 64
"""Conflicts up to the first restart; later ones are multiples by Luby's sequence."""

KEPT = 4_000
"""Learned clauses that are kept in use; beyond them the less useful half is dropped."""


class State(NamedTuple):
    """All arrays of a search."""

    counters: Any  # int64, see the places above
    lits: Any  # int32, the literals of all clauses
    start: Any  # int32, where clause c begins; it ends where c + 1 begins
    dead: Any  # int8 by clause
    following: Any  # int32, the next watch of the same literal; watch 2 c + s is place s of clause c
    watched: Any  # int32 by literal, the first watch, or -1
    pair_at: Any  # int32 by literal: where the binary clauses with it begin in the next two
    pair_other: Any  # int32
    pair_id: Any  # int32
    hints: Any  # int32, the hints of all learned clauses
    hint_at: Any  # int32 by clause
    values: Any  # int8 by literal: 1 true, -1 false, 0 open
    level: Any  # int32 by variable
    reason: Any  # int32 by variable: the clause that made it so, or 0
    place: Any  # int32 by variable: its place on the trail
    unit: Any  # int32 by variable: the clause of one literal that settles it for good, or 0
    trail: Any  # int32, literals in the order in which they became true
    ends: Any  # int32 by level: where it begins on the trail
    before: Any  # int32, the queue of variables
    after: Any  # int32
    stamp: Any  # int64 by variable: when it was bumped last
    phase: Any  # int8 by variable: 1 when it was false last
    seen: Any  # int8 by variable
    worth: Any  # int32 by clause: how many levels its literals came from
    scratch: Any  # int32, room for three lists of variables


@njit(cache=True, forceinline=True)
def enqueue(s, literal, reason):  # type: ignore[no-untyped-def]
    """Make a literal true."""
    v = literal >> 1
    c = s.counters
    s.values[literal] = 1
    s.values[literal ^ 1] = -1
    s.level[v] = c[LEVEL]
    s.reason[v] = reason
    s.place[v] = c[TRAIL]
    s.trail[c[TRAIL]] = literal
    c[TRAIL] += 1


@njit(cache=True)
def propagate(s):  # type: ignore[no-untyped-def]
    """Settle what follows by single clauses; return a clause that is violated, or 0."""
    c = s.counters
    while c[HEAD] < c[TRAIL]:
        false = s.trail[c[HEAD]] ^ 1
        c[HEAD] += 1
        for k in range(s.pair_at[false], s.pair_at[false + 1]):
            other = s.pair_other[k]
            value = s.values[other]
            if value == 0:
                enqueue(s, other, s.pair_id[k])
            elif value < 0:
                return s.pair_id[k]
        violated = visit(s, false)
        if violated:
            return violated
    return 0


@njit(cache=True)
def visit(s, false):  # type: ignore[no-untyped-def]
    """Go through the longer clauses that watch a literal which became false; return one that is violated, or 0."""
    values, lits = s.values, s.lits
    previous, watch = -1, s.watched[false]
    while watch >= 0:
        clause, side, onward = watch >> 1, watch & 1, s.following[watch]
        base, end = s.start[clause], s.start[clause + 1]
        other = lits[base + 1 - side]
        moved = s.dead[clause] == 1
        if not moved and values[other] != 1:
            for k in range(base + 2, end):
                if values[lits[k]] >= 0:
                    lits[base + side], lits[k] = lits[k], false
                    new = lits[base + side]
                    moved = True
                    break
            if not moved:
                if values[other] < 0:
                    return clause
                enqueue(s, other, clause)
        if not moved:
            previous = watch
        else:
            if previous < 0:
                s.watched[false] = onward
            else:
                s.following[previous] = onward
            if s.dead[clause] == 0:
                s.following[watch] = s.watched[new]
                s.watched[new] = watch
        watch = onward
    return 0


@njit(cache=True)
def backtrack(s, level):  # type: ignore[no-untyped-def]
    """Undo all levels above one."""
    c = s.counters
    if c[LEVEL] <= level:
        return
    down = s.ends[level + 1]
    for k in range(c[TRAIL] - 1, down - 1, -1):
        literal = s.trail[k]
        v = literal >> 1
        s.values[literal] = 0
        s.values[literal ^ 1] = 0
        s.phase[v] = literal & 1
        if s.stamp[v] > s.stamp[c[FIRST]]:
            c[FIRST] = v
    c[TRAIL] = down
    c[HEAD] = down
    c[LEVEL] = level


@njit(cache=True)
def bump(s, v):  # type: ignore[no-untyped-def]
    """Move a variable to the end of the queue, from which decisions are taken."""
    c = s.counters
    if c[LAST] == v:
        return
    a, b = s.before[v], s.after[v]
    if a:
        s.after[a] = b
    s.before[b] = a
    s.after[c[LAST]] = v
    s.before[v] = c[LAST]
    s.after[v] = 0
    c[LAST] = v
    c[STAMP] += 1
    s.stamp[v] = c[STAMP]
    if s.values[2 * v] == 0:
        c[FIRST] = v


@njit(cache=True)
def decision(s):  # type: ignore[no-untyped-def]
    """Return the literal to try next, or 0 when every variable is settled."""
    v = s.counters[FIRST]
    while v and s.values[2 * v] != 0:
        v = s.before[v]
    if v == 0:
        return 0
    s.counters[FIRST] = v
    return 2 * v + s.phase[v]


@njit(cache=True, forceinline=True)
def begin(s):  # type: ignore[no-untyped-def]
    """Begin a clause that is learned; return its number."""
    c = s.counters
    c[CLAUSES] += 1
    return c[CLAUSES]


@njit(cache=True, forceinline=True)
def put(s, literal):  # type: ignore[no-untyped-def]
    """Add a literal to the clause that is being learned."""
    c = s.counters
    s.lits[c[LITS]] = literal
    c[LITS] += 1


@njit(cache=True, forceinline=True)
def hint(s, clause):  # type: ignore[no-untyped-def]
    """Add a hint to the clause that is being learned."""
    c = s.counters
    s.hints[c[HINTS]] = clause
    c[HINTS] += 1


@njit(cache=True)
def finish(s, clause):  # type: ignore[no-untyped-def]
    """End the clause that is being learned."""
    s.start[clause + 1] = s.counters[LITS]
    s.hint_at[clause + 1] = s.counters[HINTS]


@njit(cache=True)
def emit_units(s):  # type: ignore[no-untyped-def]
    """Learn each literal that is settled for good as a clause of its own, so that hints stay short."""
    c = s.counters
    for k in range(c[EMITTED], c[TRAIL]):
        literal = s.trail[k]
        v = literal >> 1
        reason = s.reason[v]
        base, end = s.start[reason], s.start[reason + 1]
        if end - base == 1:
            s.unit[v] = reason
            continue
        clause = begin(s)
        put(s, literal)
        for j in range(base, end):
            if s.lits[j] != literal:
                hint(s, s.unit[s.lits[j] >> 1])
        hint(s, reason)
        finish(s, clause)
        s.unit[v] = clause
    c[EMITTED] = c[TRAIL]


@njit(cache=True)
def emit_empty(s, violated):  # type: ignore[no-untyped-def]
    """Learn the empty clause from a clause all of whose literals are false for good."""
    emit_units(s)
    clause = begin(s)
    for j in range(s.start[violated], s.start[violated + 1]):
        hint(s, s.unit[s.lits[j] >> 1])
    hint(s, violated)
    finish(s, clause)
