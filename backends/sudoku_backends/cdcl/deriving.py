"""Compiled: derive a lemma with hints from a clause of another search, by reverse unit propagation."""

from __future__ import annotations

from .kernel import backtrack, begin, emit_empty, emit_units, enqueue, finish, hint, propagate, put
from .layout import (
    CLAUSE_ROOM,
    CLAUSES,
    CONFLICTS,
    DEPTH,
    ENDS,
    FULL,
    HINT_ROOM,
    HINTED,
    KEPT,
    LEARNED,
    LEVEL,
    LISTS,
    LITERAL_ROOM,
    LITERALS,
    LITS,
    MET,
    REASON,
    REFUTED,
    ROOTS,
    SEEN,
    SIZE,
    START,
    TRAIL,
    TRAILED,
    UNIT,
    UNKNOWN,
    USED,
    VALUES,
    Ints,
    kernel,
)
from .learning import meet, settle, use, watch


@kernel
def prepare(m: Ints) -> int:
    """Propagate what follows from the formula alone; return the status."""
    if ample(m, 0) == 0:
        return FULL
    violated = propagate(m)
    m[CONFLICTS] = 1
    if violated:
        emit_empty(m, violated)
        return REFUTED
    emit_units(m)
    return UNKNOWN


@kernel
def derive(m: Ints, literals: Ints, count: int) -> int:
    """Learn a clause with hints if propagation refutes its negation, and otherwise leave it out.

    Returns the status: unknown, refuted if the empty clause is learned too, or too little room to begin.
    """
    if ample(m, count) == 0:
        return FULL
    m[DEPTH] = 1
    m[m[ENDS] + 1] = m[TRAILED]
    violated = suppose_false(m, literals, count)
    if violated == 0:
        violated = propagate(m)
    if violated == 0:
        backtrack(m, 0)
        return UNKNOWN
    collect(m, violated)
    backtrack(m, 0)
    clause = begin(m)
    free = put_free(m, literals, count)
    for k in range(m[ROOTS]):
        hint(m, m[m[UNIT] + m[m[LISTS] + 2 * m[SIZE] + k]])
    for k in range(m[USED] - 1, -1, -1):
        hint(m, m[m[LISTS] + 3 * m[SIZE] + k])
    hint(m, violated)
    finish(m, clause)
    m[LEARNED] += 1
    if free == 0:
        return REFUTED
    if free > 1:
        watch(m, clause)
        return UNKNOWN
    return follow(m, clause)


@kernel
def follow(m: Ints, clause: int) -> int:
    """Propagate what a new clause of one literal implies; return the status."""
    literal = m[m[LITS] + m[m[START] + clause]]
    if m[m[VALUES] + literal] == 0:
        enqueue(m, literal, clause)
    violated = propagate(m)
    if violated:
        emit_empty(m, violated)
        return REFUTED
    emit_units(m)
    return UNKNOWN


@kernel
def ample(m: Ints, count: int) -> int:
    """Return whether there is room for one more clause, and for everything that it may settle permanently."""
    n = m[SIZE]
    if m[LITERALS] + count + 4 * n >= m[LITERAL_ROOM] or m[CLAUSES] + n + 8 >= m[CLAUSE_ROOM]:
        return 0
    return 1 if m[HINTED] + m[LITERALS] + count + 8 * n < m[HINT_ROOM] else 0


@kernel
def suppose_false(m: Ints, literals: Ints, count: int) -> int:
    """Set all literals of a clause to false; return the clause that says that one of them is true, if any."""
    for k in range(count):
        literal = literals[k]
        value = m[m[VALUES] + literal]
        if value > 0:
            return m[m[UNIT] + (literal >> 1)] if m[m[LEVEL] + (literal >> 1)] == 0 else 0
        if value == 0:
            enqueue(m, literal ^ 1, 0)
    return 0


@kernel
def collect(m: Ints, violated: int) -> int:
    """Record the clauses that lead to a violated one: permanent literals, and reasons from the last one back."""
    m[MET] = 0
    m[ROOTS] = 0
    m[USED] = 0
    m[KEPT] = 0
    note(m, violated)
    for at in range(m[TRAILED] - 1, m[m[ENDS] + 1] - 1, -1):
        v = m[m[TRAIL] + at] >> 1
        if m[m[SEEN] + v] and m[m[REASON] + v]:
            use(m, m[m[REASON] + v])
            note(m, m[m[REASON] + v])
    for k in range(m[MET]):
        m[m[SEEN] + m[m[LISTS] + k]] = 0
    return 0


@kernel
def note(m: Ints, clause: int) -> int:
    """Note each variable of a clause once."""
    single = m[m[START] + clause + 1] - m[m[START] + clause] == 1
    for j in range(m[m[START] + clause], m[m[START] + clause + 1]):
        v = m[m[LITS] + j] >> 1
        if m[m[SEEN] + v] == 0:
            meet(m, v)
            if m[m[LEVEL] + v] == 0 and not single:
                settle(m, v)
    return 0


@kernel
def put_free(m: Ints, literals: Ints, count: int) -> int:
    """Write the literals of a clause that are not permanently false; return their number."""
    free = 0
    for k in range(count):
        if m[m[VALUES] + literals[k]] >= 0:
            put(m, literals[k])
            free += 1
    return free
