"""The kernels of the search: its one array, propagation, clause learning, input and output, and hints by propagation.

Literal ``x`` of variable ``v`` is the number ``2 v`` (true) or ``2 v + 1`` (false). Clauses are numbered from 1 in the
order in which they came; those of the formula first, then the learned ones, whose hints are the clauses that make them
unit one after the other (as LRAT wants them). Everything is in one array, so that a search can be stopped, given more
room, and continued: counters, then where each section begins, then the sections.

The methods are those of MiniSat (Eén and Sörensson 2003): two watched literals and the first unique implication point;
variables are bumped to the end of a queue (Biere and Fröhlich 2015).
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


# ---------------------------------------------------------------- propagation, backtracking, decisions, writing clauses


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


# ---------------------------------------------------------------- learning a clause with hints, and the search


RESTART = 64
"""Conflicts up to the first restart; later ones are multiples by Luby's sequence."""

MOST = 4_000
"""Learned clauses that are kept in use; beyond them the less useful half is dropped."""


@kernel
def listed(m: Ints, which: int, item: int) -> int:
    """Append to one of the four lists: MET, KEPT, ROOTS or USED."""
    m[m[LISTS] + (which - MET) * m[SIZE] + m[which]] = item
    m[which] += 1
    return 0


@kernel
def empty_lists(m: Ints) -> int:
    """Empty the four lists."""
    for which in range(MET, USED + 1):
        m[which] = 0
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
def resolve(m: Ints, violated: int) -> int:
    """Go back to the first unique implication point; return its literal."""
    at = m[TRAILED] - 1
    left = look_at(m, violated)
    while True:
        while m[m[SEEN] + (m[m[TRAIL] + at] >> 1)] == 0:
            at -= 1
        literal = m[m[TRAIL] + at]
        left -= 1
        if left == 0:
            return literal
        listed(m, USED, literal >> 1)
        left += look_at(m, m[m[REASON] + (literal >> 1)])
        at -= 1


@kernel
def redundant(m: Ints, literal: int) -> int:
    """Return whether a literal follows from the others of the clause by the clause that made it so."""
    reason = m[m[REASON] + (literal >> 1)]
    if reason == 0:
        return 0
    for j in range(m[m[START] + reason], m[m[START] + reason + 1]):
        v = m[m[LITS] + j] >> 1
        if m[m[SEEN] + v] == 0 and m[m[LEVEL] + v] > 0:
            return 0
    return 1


@kernel
def minimise(m: Ints) -> int:
    """Drop redundant literals; what makes them so is used as well."""
    n = 0
    kept = m[LISTS] + m[SIZE]
    for k in range(m[KEPT]):
        literal = m[kept + k]
        if redundant(m, literal) == 0:
            m[kept + n] = literal
            n += 1
            continue
        listed(m, USED, literal >> 1)
        reason = m[m[REASON] + (literal >> 1)]
        for j in range(m[m[START] + reason], m[m[START] + reason + 1]):
            v = m[m[LITS] + j] >> 1
            if m[m[LEVEL] + v] == 0 and m[m[SEEN] + v] == 0:
                m[m[SEEN] + v] = 1
                listed(m, MET, v)
                listed(m, ROOTS, v)
    m[KEPT] = n
    return 0


@kernel
def sort(m: Ints, at: int, n: int, key: int) -> int:
    """Sort a list in place by the key of each item (heap sort)."""
    for root in range((n >> 1) - 1, -1, -1):
        sift(m, at, root, n, key)
    for end in range(n - 1, 0, -1):
        largest = m[at]
        m[at] = m[at + end]
        m[at + end] = largest
        sift(m, at, 0, end, key)
    return 0


@kernel
def sift(m: Ints, at: int, root: int, n: int, key: int) -> int:
    """Let an item of a heap sink to its place."""
    while 2 * root + 1 < n:
        child = 2 * root + 1
        if child + 1 < n and m[key + m[at + child]] < m[key + m[at + child + 1]]:
            child += 1
        if m[key + m[at + root]] >= m[key + m[at + child]]:
            return 0
        item = m[at + root]
        m[at + root] = m[at + child]
        m[at + child] = item
        root = child
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
    for k in range(m[ROOTS]):
        hint(m, m[m[UNIT] + m[m[LISTS] + 2 * m[SIZE] + k]])
    used = m[LISTS] + 3 * m[SIZE]
    sort(m, used, m[USED], m[PLACE])
    for k in range(m[USED]):
        hint(m, m[m[REASON] + m[used + k]])
    hint(m, violated)
    finish(m, clause)
    return clause


@kernel
def levels(m: Ints, clause: int) -> int:
    """Return how many levels the literals of a clause are of."""
    m[MARKED] += 1
    n = 0
    for j in range(m[m[START] + clause], m[m[START] + clause + 1]):
        mark = m[MARK] + m[m[LEVEL] + (m[m[LITS] + j] >> 1)]
        if m[mark] != m[MARKED]:
            m[mark] = m[MARKED]
            n += 1
    return n


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
    empty_lists(m)
    point = resolve(m, violated)
    minimise(m)
    clause = write(m, point, violated)
    m[m[WORTH] + clause] = levels(m, clause)
    second = m[m[LITS] + m[m[START] + clause] + 1] >> 1
    sort(m, m[LISTS], m[MET], m[STAMP])
    backtrack(m, m[m[LEVEL] + second] if m[KEPT] else 0)
    for k in range(m[MET]):
        v = m[m[LISTS] + k]
        m[m[SEEN] + v] = 0
        bump(m, v)
    if m[KEPT]:
        watch(m, clause)
        m[LEARNED] += 1
    enqueue(m, point ^ 1, clause)
    return 0


@kernel
def may_go(m: Ints, clause: int) -> int:
    """Return whether a learned clause is unused and may be dropped."""
    long = m[m[START] + clause + 1] - m[m[START] + clause] > 1
    return 1 if m[m[DEAD] + clause] == 0 and long and m[m[WORTH] + clause] > 2 else 0


@kernel
def reduce(m: Ints) -> int:
    """Drop, at the root, the half of the learned clauses whose literals come from the most levels."""
    how_many = m[LISTS]
    for worth in range(m[SIZE] + 1):
        m[how_many + worth] = 0
    alive = 0
    for clause in range(m[FORMULA] + 1, m[CLAUSES] + 1):
        if may_go(m, clause):
            m[how_many + m[m[WORTH] + clause]] += 1
            alive += 1
    bound = 0
    below = m[how_many]
    while below <= alive >> 1 and bound < m[SIZE]:
        bound += 1
        below += m[how_many + bound]
    for clause in range(m[FORMULA] + 1, m[CLAUSES] + 1):
        if may_go(m, clause) and m[m[WORTH] + clause] >= bound:
            m[m[DEAD] + clause] = 1
            m[LEARNED] -= 1
    return 0


@kernel
def luby(n: int) -> int:
    """Return the n-th number of Luby's sequence, from 0: 1, 1, 2, 1, 1, 2, 4, ..."""
    size = 1
    power = 0
    while size < n + 1:
        size = 2 * size + 1
        power += 1
    while size - 1 != n:
        size = (size - 1) >> 1
        power -= 1
        while n >= size:
            n -= size
    return 1 << power


@kernel
def search(m: Ints, budget: int) -> int:
    """Search for at most a given number of conflicts; call again to continue. Returns one of the four endings."""
    restarts = 0
    since = 0
    most = MOST
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
            m[CONFLICTS] += 1
            since += 1
            budget -= 1
            continue
        if m[DEPTH] == 0:
            emit_units(m)
        if budget <= 0:
            backtrack(m, 0)
            return UNKNOWN
        if since >= RESTART * luby(restarts):
            restarts += 1
            since = 0
            backtrack(m, 0)
            if m[LEARNED] > most:
                reduce(m)
                most += MOST >> 2
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

    Repeated literals are dropped; a clause with a literal and its negation has no effect.
    """
    read(m, numbers, count)
    sort_pairs(m)
    return watch_all(m, 1, 3)


@kernel
def extend(m: Ints, numbers: Ints, count: int) -> int:
    """Load further clauses of a formula that is loaded and not yet searched; return one that cannot hold, or 0."""
    first = m[CLAUSES] + 1
    read(m, numbers, count)
    return watch_all(m, first, 2)


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
def watch_all(m: Ints, first: int, least: int) -> int:
    """Watch the clauses from ``first`` on that are long enough, propagate unit clauses; return as ``load`` does."""
    start = m[START]
    for clause in range(first, m[CLAUSES] + 1):
        size = m[start + clause + 1] - m[start + clause]
        if size == 0:
            return clause
        if size >= least:
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
def sort_pairs(m: Ints) -> int:
    """Sort the clauses of two literals by literal."""
    at = m[PAIR_AT]
    filled = m[LISTS]
    literals = 2 * m[SIZE]
    for clause in range(1, m[CLAUSES] + 1):
        base = m[m[START] + clause]
        if m[m[START] + clause + 1] - base == 2:
            m[at + m[m[LITS] + base] + 1] += 1
            m[at + m[m[LITS] + base + 1] + 1] += 1
    for literal in range(literals):
        m[at + literal + 1] += m[at + literal]
    for literal in range(literals):
        m[filled + literal] = m[at + literal]
    for clause in range(1, m[CLAUSES] + 1):
        base = m[LITS] + m[m[START] + clause]
        if m[m[START] + clause + 1] - m[m[START] + clause] == 2:
            for side in range(2):
                place = filled + m[base + side]
                m[m[PAIR_OTHER] + m[place]] = m[base + 1 - side]
                m[m[PAIR_ID] + m[place]] = clause
                m[place] += 1
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
    """Record the clauses that lead to a violated one: permanent literals, and reasons from the last one back.

    A violated clause of one literal is what makes that literal permanent: it is a hint already.
    """
    empty_lists(m)
    look_at(m, violated)
    if m[m[START] + violated + 1] - m[m[START] + violated] == 1:
        m[ROOTS] = 0
    for at in range(m[TRAILED] - 1, m[m[ENDS] + 1] - 1, -1):
        v = m[m[TRAIL] + at] >> 1
        if m[m[SEEN] + v] and m[m[REASON] + v]:
            listed(m, USED, m[m[REASON] + v])
            look_at(m, m[m[REASON] + v])
    for k in range(m[MET]):
        m[m[SEEN] + m[m[LISTS] + k]] = 0
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
