"""The kernels of the search: its one array, propagation, clause learning, input and output, and hints by propagation.

Literal ``x`` of variable ``v`` is the number ``2 v`` (true) or ``2 v + 1`` (false). Clauses are numbered from 1 in the
order in which they came; those of the formula first, then the learned ones, whose hints are the clauses that make them
unit one after the other (as LRAT wants them). Everything is in one array, so that a search can be stopped, given more
room, and continued: counters, then where each section begins, then the sections.

The methods are those of MiniSat (Eén and Sörensson 2003): two watched literals and the first unique implication point;
the next variable is the one met in the most recent conflicts (the ACIDS of Biere and Fröhlich 2015).
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, Kernels

KERNELS = Kernels()
"""All kernels of this search by name."""

kernel = KERNELS.mark

UNKNOWN, REFUTED, SATISFIED, FULL = 0, 1, 2, 3
"""How a search ends: its budget, the empty clause, an assignment, or too little room."""

(
    TRAILED, HEAD, CLAUSES, LITERALS, HINTED, CONFLICTS, DEPTH, EMITTED, LEARNED, FORMULA, SIZE, MET, KEPT, ROOTS, USED,
    LITERAL_ROOM, CLAUSE_ROOM, HINT_ROOM,
) = range(18)  # fmt: skip
"""Counters: the ends of the trail, of what is propagated, and of clauses, literals and hints; the numbers of conflicts,
levels, literals emitted, clauses learned and clauses of the formula; how many variables there are (and one more); the
lengths of the lists that learning a clause needs; room."""

(
    LITS,  # the literals of all clauses
    START,  # where clause c begins; it ends where c + 1 begins
    NEXT,  # the next watch of the same literal; watch 2 c + s is place s of clause c
    HINTS,  # the hints of all learned clauses
    HINT_AT,  # by clause: where its hints begin
    WATCH,  # by literal: the first watch, or -1
    VALUES,  # by literal: 1 true, -1 false, 0 open
    LEVEL,  # by variable
    REASON,  # by variable: the clause that made it so, or 0
    UNIT,  # by variable: the clause of one literal that settles it for good, or 0
    TRAIL,  # literals in the order in which they became true
    ENDS,  # by level: where it begins on the trail
    SCORE,  # by variable: how recently it took part in conflicts
    PHASE,  # by variable: 1 when it was false last
    SEEN,  # by variable
    LISTS,  # four lists: variables met, literals kept, variables settled for good, clauses used
) = range(18, 34)
"""Indexes at which the offsets of the sections are stored; the first five sections grow."""

GROWING = WATCH - LITS
BODY = 34
"""Where the first section begins."""


# ---------------------------------------------------------------- propagation, backtracking, decisions, writing clauses


@kernel
def enqueue(m: Ints, literal: int, reason: int) -> int:
    """Make a literal true."""
    v = literal >> 1
    m[m[VALUES] + literal] = 1
    m[m[VALUES] + (literal ^ 1)] = -1
    m[m[LEVEL] + v] = m[DEPTH]
    m[m[REASON] + v] = reason
    m[m[TRAIL] + m[TRAILED]] = literal
    m[TRAILED] += 1
    return 0


@kernel
def propagate(m: Ints) -> int:
    """Propagate unit clauses; return a violated clause, or 0."""
    while m[HEAD] < m[TRAILED]:
        m[HEAD] += 1
        violated = visit(m, m[m[TRAIL] + m[HEAD] - 1] ^ 1)
        if violated:
            return violated
    return 0


@kernel
def visit(m: Ints, false: int) -> int:
    """Go through the clauses that watch a literal which became false; return one that is violated, or 0."""
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
        new = -1
        if m[values + other] != 1:
            new = another_watch(m, base, lits + m[m[START] + clause + 1], watch & 1)
            if new < 0:
                if m[values + other] < 0:
                    return clause
                enqueue(m, other, clause)
        if new < 0:
            previous = watch
        else:
            if previous < 0:
                m[m[WATCH] + false] = onward
            else:
                m[following + previous] = onward
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
    m[TRAILED] = down
    m[HEAD] = down
    m[DEPTH] = level
    return 0


@kernel
def decision(m: Ints) -> int:
    """Return the literal to try next, or 0 when every variable is settled."""
    best = 0
    most = -1
    for v in range(1, m[SIZE]):
        if m[m[SCORE] + v] > most and m[m[VALUES] + 2 * v] == 0:
            most = m[m[SCORE] + v]
            best = v
    return 2 * best + m[m[PHASE] + best]


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


# ---------------------------------------------------------------- learning a clause with hints, and the search


RESTART = 64
"""Conflicts between two restarts."""

LATEST = 2_000
"""The learned clauses that stay in use, the latest ones; an eighth of the number of conflicts is added to it."""

SHORT = 6
"""A learned clause of so many literals stays in use."""

RECENT = 1 << 20
"""What a conflict adds to the scores, times its number; a score is then halved."""


@kernel
def listed(m: Ints, which: int, item: int) -> int:
    """Append to one of the four lists: MET, KEPT, ROOTS or USED."""
    m[m[LISTS] + (which - MET) * m[SIZE] + m[which]] = item
    m[which] += 1
    return 0


@kernel
def look_at(m: Ints, clause: int) -> int:
    """Examine each literal of a clause once: record lower and permanent ones; count those of this level."""
    here = 0
    for j in range(m[m[START] + clause], m[m[START] + clause + 1]):
        literal = m[m[LITS] + j]
        v = literal >> 1
        if m[m[SEEN] + v]:
            continue
        m[m[SEEN] + v] = 1
        listed(m, MET, v)
        if m[m[LEVEL] + v] == m[DEPTH]:
            here += 1
        elif m[m[LEVEL] + v] > 0:
            listed(m, KEPT, literal)
        else:
            listed(m, ROOTS, v)
    return here


@kernel
def trace(m: Ints, violated: int, point: int) -> int:
    """Record the clauses of this level that lead to a violated one, from the last one back.

    With ``point``, only as far as the first unique implication point, whose literal is returned.
    """
    for which in range(MET, USED + 1):
        m[which] = 0
    left = look_at(m, violated)
    for at in range(m[TRAILED] - 1, m[m[ENDS] + m[DEPTH]] - 1, -1):
        literal = m[m[TRAIL] + at]
        reason = m[m[REASON] + (literal >> 1)]
        if m[m[SEEN] + (literal >> 1)]:
            left -= 1
            if point and left == 0:
                return literal
            if reason:
                listed(m, USED, reason)
                left += look_at(m, reason)
    return 0


@kernel
def hints(m: Ints, violated: int) -> int:
    """Write the hints of a clause: permanent literals, the clauses recorded, and the violated one."""
    for k in range(m[ROOTS]):
        hint(m, m[m[UNIT] + m[m[LISTS] + 2 * m[SIZE] + k]])
    for k in range(m[USED] - 1, -1, -1):
        hint(m, m[m[LISTS] + 3 * m[SIZE] + k])
    return hint(m, violated)


@kernel
def forget(m: Ints) -> int:
    """Make the variables met unseen."""
    for k in range(m[MET]):
        m[m[SEEN] + m[m[LISTS] + k]] = 0
    return 0


@kernel
def write(m: Ints, point: int, violated: int) -> int:
    """Write the learned clause and its hints, the deepest of the lower literals second; return its number."""
    clause = begin(m)
    put(m, point ^ 1)
    first = m[LITS] + m[LITERALS]
    for k in range(m[KEPT]):
        literal = m[m[LISTS] + m[SIZE] + k]
        put(m, literal)
        if m[m[LEVEL] + (literal >> 1)] > m[m[LEVEL] + (m[first] >> 1)]:
            m[first + k] = m[first]
            m[first] = literal
    hints(m, violated)
    finish(m, clause)
    return clause


@kernel
def watch(m: Ints, clause: int) -> int:
    """Watch the first two literals of a clause."""
    for side in range(2):
        literal = m[m[LITS] + m[m[START] + clause] + side]
        m[m[NEXT] + 2 * clause + side] = m[m[WATCH] + literal]
        m[m[WATCH] + literal] = 2 * clause + side
    return 0


@kernel
def learn(m: Ints, violated: int) -> int:
    """Learn a clause from one that is violated, go back to where it is unit, and use it."""
    point = trace(m, violated, 1)
    clause = write(m, point, violated)
    second = m[m[LITS] + m[m[START] + clause] + 1] >> 1
    backtrack(m, m[m[LEVEL] + second] if m[KEPT] else 0)
    m[CONFLICTS] += 1
    for k in range(m[MET]):
        score = m[SCORE] + m[m[LISTS] + k]
        m[score] = (m[score] + RECENT * m[CONFLICTS]) >> 1
    forget(m)
    if m[KEPT]:
        watch(m, clause)
    m[LEARNED] += 1
    return enqueue(m, point ^ 1, clause)


@kernel
def latest(m: Ints) -> int:
    """Return how many of the learned clauses stay in use whatever their length."""
    return LATEST + (m[CONFLICTS] >> 3)


@kernel
def drop_old(m: Ints) -> int:
    """Watch, at the root, only the formula and the latest and the short ones of the learned clauses."""
    for literal in range(2 * m[SIZE]):
        m[m[WATCH] + literal] = -1
    for clause in range(1, m[CLAUSES] + 1):
        size = m[m[START] + clause + 1] - m[m[START] + clause]
        if size > 1 and (clause <= m[FORMULA] or size <= SHORT or clause > m[CLAUSES] - latest(m)):
            watch(m, clause)
    m[LEARNED] = latest(m)
    return 0


@kernel
def search(m: Ints, budget: int) -> int:
    """Search for at most a given number of conflicts; call again to continue. Returns one of the four endings."""
    since = 0
    while True:
        violated = propagate(m)
        if ample(m, 0) == 0:
            backtrack(m, 0)
            m[HEAD] = 0
            return FULL
        if violated:
            if m[DEPTH] == 0:
                emit_empty(m, violated)
                return REFUTED
            learn(m, violated)
            since += 1
            budget -= 1
            continue
        if m[DEPTH] == 0:
            emit_units(m)
        if budget <= 0:
            backtrack(m, 0)
            return UNKNOWN
        if since >= RESTART:
            since = 0
            backtrack(m, 0)
            if m[LEARNED] > 2 * latest(m):
                drop_old(m)
            continue
        literal = decision(m)
        if literal == 0:
            return SATISFIED
        m[DEPTH] += 1
        m[m[ENDS] + m[DEPTH]] = m[TRAILED]
        enqueue(m, literal, 0)


# ---------------------------------------------------------------- loading a formula, writing a proof


@kernel
def load(m: Ints, numbers: Ints, count: int) -> int:
    """Load the clauses of a formula (literals, each clause ended by 0); return a clause that cannot hold, or 0.

    Further ones may follow until the search begins. Repeated literals are
    dropped; a clause with a literal and its negation has no effect.
    """
    first = m[CLAUSES] + 1
    read(m, numbers, count)
    return watch_all(m, first)


@kernel
def read(m: Ints, numbers: Ints, count: int) -> int:
    """Append clauses to those of the formula."""
    clause = m[CLAUSES] + 1
    n = m[LITERALS]
    for k in range(count):
        number = numbers[k]
        if number == 0:
            m[m[START] + clause + 1] = n
            clause += 1
        else:
            literal = 2 * number if number > 0 else 1 - 2 * number
            if has(m, literal, m[m[START] + clause], n) == 0:
                m[m[LITS] + n] = literal
                n += 1
    m[CLAUSES] = clause - 1
    m[FORMULA] = clause - 1
    m[LITERALS] = n
    m[m[HINT_AT] + clause] = 0
    return 0


@kernel
def has(m: Ints, literal: int, base: int, end: int) -> int:
    """Return whether a literal is in the part of a clause that is read."""
    for k in range(m[LITS] + base, m[LITS] + end):
        if m[k] == literal:
            return 1
    return 0


@kernel
def watch_all(m: Ints, first: int) -> int:
    """Watch the clauses from ``first`` on, make their unit clauses true; return as ``load`` does."""
    start = m[START]
    for clause in range(first, m[CLAUSES] + 1):
        size = m[start + clause + 1] - m[start + clause]
        if size == 0:
            return clause
        if size > 1:
            watch(m, clause)
    for clause in range(first, m[CLAUSES] + 1):
        if m[start + clause + 1] - m[start + clause] == 1:
            literal = m[m[LITS] + m[start + clause]]
            if m[m[VALUES] + literal] < 0:
                return clause
            if m[m[VALUES] + literal] == 0:
                enqueue(m, literal, clause)
    return 0


@kernel
def written(m: Ints, needed: Ints, out: Ints) -> int:
    """Write the learned clauses on which the last one depends: number, literals, 0, hints, 0; return how many numbers.

    ``needed`` has a zero for each clause. Without a conflict below the root only the last one is written: its hints are
    the unit clauses used, and those that prove literal after literal.
    """
    first = m[FORMULA] + 1
    count = m[CLAUSES] - m[FORMULA]
    hint_at = m[HINT_AT] + first
    mark_needed(m, needed, count)
    n = 0
    if m[CONFLICTS] == 0:
        out[0] = first
        out[1] = 0
        n = 2
    for k in range(count):
        if needed[first + k] == 0:
            continue
        if m[CONFLICTS]:
            n = write_line(m, out, n, first + k)
            continue
        last = m[hint_at + k + 1] - 1
        for j in range(m[hint_at + k], last):
            hint = m[m[HINTS] + j]
            if hint < first and needed[hint] == 0:
                needed[hint] = 1
                out[n] = hint
                n += 1
        out[n] = m[m[HINTS] + last]
        n += 1
    if m[CONFLICTS] == 0:
        out[n] = 0
        n += 1
    return n


@kernel
def mark_needed(m: Ints, needed: Ints, count: int) -> int:
    """Mark, by their numbers, the learned clauses on which the last one rests, itself included."""
    first = m[FORMULA] + 1
    needed[m[CLAUSES]] = 1
    for k in range(count - 1, -1, -1):
        if needed[first + k]:
            for j in range(m[m[HINT_AT] + first + k], m[m[HINT_AT] + first + k + 1]):
                hint = m[m[HINTS] + j]
                if hint >= first:
                    needed[hint] = 1
    return 0


@kernel
def write_line(m: Ints, out: Ints, n: int, clause: int) -> int:
    """Write one learned clause; return where the next one begins."""
    out[n] = clause
    n += 1
    for j in range(m[m[START] + clause], m[m[START] + clause + 1]):
        literal = m[m[LITS] + j]
        out[n] = 0 - (literal >> 1) if literal & 1 else literal >> 1
        n += 1
    out[n] = 0
    n += 1
    for j in range(m[m[HINT_AT] + clause], m[m[HINT_AT] + clause + 1]):
        out[n] = m[m[HINTS] + j]
        n += 1
    out[n] = 0
    return n + 1


# ---------------------------------------------------------------- a lemma with hints from a clause of another search


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
    trace(m, violated, 0)
    forget(m)
    if m[m[START] + violated + 1] - m[m[START] + violated] == 1:
        m[ROOTS] = 0  # it is what makes its literal permanent: it is a hint already
    backtrack(m, 0)
    clause = begin(m)
    free = put_free(m, literals, count)
    hints(m, violated)
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
def put_free(m: Ints, literals: Ints, count: int) -> int:
    """Write the literals of a clause that are not permanently false; return their number."""
    free = 0
    for k in range(count):
        if m[m[VALUES] + literals[k]] >= 0:
            put(m, literals[k])
            free += 1
    return free
