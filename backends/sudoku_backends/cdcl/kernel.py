"""The compiled inner loops of the search: propagation, backtracking, decisions, and writing clauses.

The methods are those of MiniSat (Eén and Sörensson 2003): two watched literals and the first unique implication point;
variables are bumped to the end of a queue (Biere and Fröhlich 2015).
"""

from __future__ import annotations

from .layout import (
    AFTER,
    BEFORE,
    CLAUSES,
    DEAD,
    DEPTH,
    EMITTED,
    ENDS,
    FIRST,
    HEAD,
    HINT_AT,
    HINTED,
    HINTS,
    LAST,
    LEVEL,
    LITERALS,
    LITS,
    NEXT,
    PAIR_AT,
    PAIR_ID,
    PAIR_OTHER,
    PHASE,
    PLACE,
    REASON,
    STAMP,
    STAMPED,
    START,
    TRAIL,
    TRAILED,
    UNIT,
    VALUES,
    WATCH,
    Ints,
    kernel,
)


@kernel
def enqueue(m: Ints, literal: int, reason: int) -> int:
    """Make a literal true."""
    v = literal >> 1
    m[m[VALUES] + literal] = 1
    m[m[VALUES] + (literal ^ 1)] = -1
    m[m[LEVEL] + v] = m[DEPTH]
    m[m[REASON] + v] = reason
    m[m[PLACE] + v] = m[TRAILED]
    m[m[TRAIL] + m[TRAILED]] = literal
    m[TRAILED] += 1
    return 0


@kernel
def propagate(m: Ints) -> int:
    """Propagate unit clauses; return a violated clause, or 0."""
    while m[HEAD] < m[TRAILED]:
        false = m[m[TRAIL] + m[HEAD]] ^ 1
        m[HEAD] += 1
        violated = propagate_pairs(m, false)
        if violated == 0:
            violated = visit(m, false)
        if violated:
            return violated
    return 0


@kernel
def propagate_pairs(m: Ints, false: int) -> int:
    """Go through the clauses of two literals with a literal that became false; return one that is violated, or 0."""
    values = m[VALUES]
    others = m[PAIR_OTHER]
    for k in range(m[m[PAIR_AT] + false], m[m[PAIR_AT] + false + 1]):
        other = m[others + k]
        value = m[values + other]
        if value == 0:
            enqueue(m, other, m[m[PAIR_ID] + k])
        elif value < 0:
            return m[m[PAIR_ID] + k]
    return 0


@kernel
def visit(m: Ints, false: int) -> int:
    """Go through the longer clauses that watch a literal which became false; return one that is violated, or 0."""
    values = m[VALUES]
    lits = m[LITS]
    following = m[NEXT]
    previous = -1
    watch = m[m[WATCH] + false]
    while watch >= 0:
        clause = watch >> 1
        onward = m[following + watch]
        base = lits + m[m[START] + clause]
        other = m[base + 1 - (watch & 1)]
        dead = m[m[DEAD] + clause]
        new = -1
        if dead == 0 and m[values + other] != 1:
            new = another_watch(m, base, lits + m[m[START] + clause + 1], watch & 1)
            if new < 0:
                if m[values + other] < 0:
                    return clause
                enqueue(m, other, clause)
        if new < 0 and dead == 0:
            previous = watch
        else:
            if previous < 0:
                m[m[WATCH] + false] = onward
            else:
                m[following + previous] = onward
            if dead == 0:
                m[following + watch] = m[m[WATCH] + new]
                m[m[WATCH] + new] = watch
        watch = onward
    return 0


@kernel
def another_watch(m: Ints, base: int, end: int, side: int) -> int:
    """Replace a false watched literal by one that is not false; return it, or -1."""
    values = m[VALUES]
    for k in range(base + 2, end):
        new = m[k]
        if m[values + new] >= 0:
            m[k] = m[base + side]
            m[base + side] = new
            return new
    return -1


@kernel
def backtrack(m: Ints, level: int) -> int:
    """Undo all levels above one."""
    if m[DEPTH] <= level:
        return 0
    down = m[m[ENDS] + level + 1]
    for k in range(m[TRAILED] - 1, down - 1, -1):
        literal = m[m[TRAIL] + k]
        v = literal >> 1
        m[m[VALUES] + literal] = 0
        m[m[VALUES] + (literal ^ 1)] = 0
        m[m[PHASE] + v] = literal & 1
        if m[m[STAMP] + v] > m[m[STAMP] + m[FIRST]]:
            m[FIRST] = v
    m[TRAILED] = down
    m[HEAD] = down
    m[DEPTH] = level
    return 0


@kernel
def bump(m: Ints, v: int) -> int:
    """Move a variable to the end of the queue, from which decisions are taken."""
    last = m[LAST]
    if last == v:
        return 0
    a = m[m[BEFORE] + v]
    b = m[m[AFTER] + v]
    if a:
        m[m[AFTER] + a] = b
    m[m[BEFORE] + b] = a
    m[m[AFTER] + last] = v
    m[m[BEFORE] + v] = last
    m[m[AFTER] + v] = 0
    m[LAST] = v
    m[STAMPED] += 1
    m[m[STAMP] + v] = m[STAMPED]
    if m[m[VALUES] + 2 * v] == 0:
        m[FIRST] = v
    return 0


@kernel
def decision(m: Ints) -> int:
    """Return the literal to try next, or 0 when every variable is settled."""
    v = m[FIRST]
    while v and m[m[VALUES] + 2 * v] != 0:
        v = m[m[BEFORE] + v]
    if v == 0:
        return 0
    m[FIRST] = v
    return 2 * v + m[m[PHASE] + v]


@kernel
def begin(m: Ints) -> int:
    """Begin a clause that is learned; return its number."""
    m[CLAUSES] += 1
    return m[CLAUSES]


@kernel
def put(m: Ints, literal: int) -> int:
    """Add a literal to the clause that is being learned."""
    m[m[LITS] + m[LITERALS]] = literal
    m[LITERALS] += 1
    return 0


@kernel
def hint(m: Ints, clause: int) -> int:
    """Add a hint to the clause that is being learned."""
    m[m[HINTS] + m[HINTED]] = clause
    m[HINTED] += 1
    return 0


@kernel
def finish(m: Ints, clause: int) -> int:
    """End the clause that is being learned."""
    m[m[START] + clause + 1] = m[LITERALS]
    m[m[HINT_AT] + clause + 1] = m[HINTED]
    return 0


@kernel
def emit_units(m: Ints) -> int:
    """Learn each permanent literal as a separate clause, so that hints stay short."""
    for k in range(m[EMITTED], m[TRAILED]):
        literal = m[m[TRAIL] + k]
        reason = m[m[REASON] + (literal >> 1)]
        base = m[m[START] + reason]
        end = m[m[START] + reason + 1]
        if end - base == 1:
            m[m[UNIT] + (literal >> 1)] = reason
            continue
        clause = begin(m)
        put(m, literal)
        for j in range(base, end):
            other = m[m[LITS] + j]
            if other != literal:
                hint(m, m[m[UNIT] + (other >> 1)])
        hint(m, reason)
        finish(m, clause)
        m[m[UNIT] + (literal >> 1)] = clause
    m[EMITTED] = m[TRAILED]
    return 0


@kernel
def emit_empty(m: Ints, violated: int) -> int:
    """Learn the empty clause from a clause whose literals are all permanently false."""
    emit_units(m)
    clause = begin(m)
    for j in range(m[m[START] + violated], m[m[START] + violated + 1]):
        hint(m, m[m[UNIT] + (m[m[LITS] + j] >> 1)])
    hint(m, violated)
    finish(m, clause)
    return 0
