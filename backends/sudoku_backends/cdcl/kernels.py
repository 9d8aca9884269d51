"""The kernels of the search: its one array, propagation, clause learning, input and output, and hints by propagation.

Literal ``x`` of variable ``v`` is the number ``2 v`` (true) or ``2 v + 1`` (false). Clauses are numbered from 1 in the
order in which they came; those of the formula first, then the learned ones, whose hints are the clauses that make them
unit one after the other (as LRAT wants them). Everything is in one array, so that a search can be stopped, given more
room, and continued: counters, then where each section begins, then the sections.

The methods are those of MiniSat (Eén and Sörensson 2003): two watched literals and the first unique implication point;
the next variable is the one met in the most recent conflicts (the ACIDS of Biere and Fröhlich 2015).
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, Kernels, Layout, section

KERNELS = Kernels()
"""All kernels of this search by name."""

kernel = KERNELS.mark

UNKNOWN, REFUTED, SATISFIED, FULL = 0, 1, 2, 3
"""How a search ends: its budget, the empty clause, an assignment, or too little room."""


class Memory(Layout):
    """A search: counters, what there is room for, and its sections, of which the first five grow.

    Clause ``c`` has the literals in ``lits`` from ``start[c]`` to ``start[c + 1]``; watch ``2 c + s`` is its place
    ``s``. The hints of a learned clause are in ``hints``, likewise from ``hint_at[c]`` on.
    """

    trailed: int  # the ends of the trail, of what is propagated, and of clauses, literals and hints
    head: int
    clauses: int
    literals: int
    hinted: int
    conflicts: int
    depth: int
    emitted: int
    learned: int
    formula: int  # the number of its clauses
    size: int  # the number of variables, and one more
    met: int  # the lengths of the lists that learning a clause needs
    kept: int
    roots: int
    used: int
    literal_room: int
    clause_room: int
    hint_room: int
    lits: Ints = section()
    start: Ints = section()
    next: Ints = section()  # the next watch of the same literal
    hints: Ints = section()
    hint_at: Ints = section()
    watch: Ints = section()  # by literal: the first watch, or -1
    values: Ints = section()  # by literal: 1 true, -1 false, 0 open
    level: Ints = section()  # by variable, as are reason, unit, score, phase and seen
    reason: Ints = section()  # the clause that made it so, or 0
    unit: Ints = section()  # the clause of one literal that settles it for good, or 0
    trail: Ints = section()  # literals in the order in which they became true
    ends: Ints = section()  # by level: where it begins on the trail
    score: Ints = section()  # how recently it took part in conflicts
    phase: Ints = section()  # 1 when it was false last
    seen: Ints = section()
    met_list: Ints = section()  # variables met
    kept_list: Ints = section()  # literals kept
    roots_list: Ints = section()  # variables settled for good
    used_list: Ints = section()  # clauses used


# ---------------------------------------------------------------- propagation, backtracking, decisions, writing clauses


@kernel
def enqueue(m: Memory, literal: int, reason: int) -> int:
    """Make a literal true."""
    v = literal >> 1
    m.values[literal] = 1
    m.values[literal ^ 1] = -1
    m.level[v] = m.depth
    m.reason[v] = reason
    m.trail[m.trailed] = literal
    m.trailed += 1
    return 0


@kernel
def propagate(m: Memory) -> int:
    """Propagate unit clauses; return a violated clause, or 0."""
    while m.head < m.trailed:
        m.head += 1
        violated = visit(m, m.trail[m.head - 1] ^ 1)
        if violated:
            return violated
    return 0


@kernel
def visit(m: Memory, false: int) -> int:
    """Go through the clauses that watch a literal which became false; return one that is violated, or 0."""
    previous = -1
    watch = m.watch[false]
    while watch >= 0:
        clause = watch >> 1
        onward = m.next[watch]
        base = m.start[clause]
        other = m.lits[base + 1 - (watch & 1)]
        new = -1
        if m.values[other] != 1:
            new = another_watch(m, base, m.start[clause + 1], watch & 1)
            if new < 0:
                if m.values[other] < 0:
                    return clause  # the watches behind it stay in the list as they are
                enqueue(m, other, clause)
        if new < 0:
            previous = watch
        else:
            if previous < 0:
                m.watch[false] = onward
            else:
                m.next[previous] = onward
            m.next[watch] = m.watch[new]
            m.watch[new] = watch
        watch = onward
    return 0


@kernel
def another_watch(m: Memory, base: int, end: int, side: int) -> int:
    """Replace a false watched literal by one that is not false; return it, or -1."""
    for k in range(base + 2, end):
        new = m.lits[k]
        if m.values[new] >= 0:
            m.lits[k] = m.lits[base + side]
            m.lits[base + side] = new
            return new
    return -1


@kernel
def backtrack(m: Memory, level: int) -> int:
    """Undo all levels above one."""
    if m.depth <= level:
        return 0
    down = m.ends[level + 1]
    for k in range(m.trailed - 1, down - 1, -1):
        literal = m.trail[k]
        v = literal >> 1
        m.values[literal] = 0
        m.values[literal ^ 1] = 0
        m.phase[v] = literal & 1  # a part of the formula that was satisfied is then found satisfied again
    m.trailed = down
    m.head = down
    m.depth = level
    return 0


@kernel
def decision(m: Memory) -> int:
    """Return the literal to try next, or 0 when every variable is settled."""
    best = 0
    most = -1
    for v in range(1, m.size):
        if m.score[v] > most and m.values[2 * v] == 0:
            most = m.score[v]
            best = v
    return 2 * best + m.phase[best]


@kernel
def begin(m: Memory) -> int:
    """Begin a clause that is learned; return its number."""
    m.clauses += 1
    return m.clauses


@kernel
def put(m: Memory, literal: int) -> int:
    """Add a literal to the clause that is being learned."""
    m.lits[m.literals] = literal
    m.literals += 1
    return 0


@kernel
def hint(m: Memory, clause: int) -> int:
    """Add a hint to the clause that is being learned."""
    m.hints[m.hinted] = clause
    m.hinted += 1
    return 0


@kernel
def finish(m: Memory, clause: int) -> int:
    """End the clause that is being learned."""
    m.start[clause + 1] = m.literals
    m.hint_at[clause + 1] = m.hinted
    return 0


@kernel
def emit_units(m: Memory) -> int:
    """Learn each permanent literal as a separate clause, so that hints stay short."""
    for k in range(m.emitted, m.trailed):
        literal = m.trail[k]
        reason = m.reason[literal >> 1]
        base = m.start[reason]
        end = m.start[reason + 1]
        if end - base == 1:
            m.unit[literal >> 1] = reason
            continue
        clause = begin(m)
        put(m, literal)
        for j in range(base, end):
            other = m.lits[j]
            if other != literal:
                hint(m, m.unit[other >> 1])
        hint(m, reason)
        finish(m, clause)
        m.unit[literal >> 1] = clause
    m.emitted = m.trailed
    return 0


@kernel
def emit_empty(m: Memory, violated: int) -> int:
    """Learn the empty clause from a clause whose literals are all permanently false."""
    emit_units(m)
    clause = begin(m)
    for j in range(m.start[violated], m.start[violated + 1]):
        hint(m, m.unit[m.lits[j] >> 1])
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
"""What a conflict adds to the scores, times its number; a score is then halved. Large, since scores are integers."""


@kernel
def look_at(m: Memory, clause: int) -> int:
    """Examine each literal of a clause once: record lower and permanent ones; count those of this level."""
    here = 0
    for j in range(m.start[clause], m.start[clause + 1]):
        literal = m.lits[j]
        v = literal >> 1
        if m.seen[v]:
            continue
        m.seen[v] = 1
        m.met_list[m.met] = v
        m.met += 1
        if m.level[v] == m.depth:
            here += 1
        elif m.level[v] > 0:
            m.kept_list[m.kept] = literal
            m.kept += 1
        else:
            m.roots_list[m.roots] = v
            m.roots += 1
    return here


@kernel
def trace(m: Memory, violated: int, point: int) -> int:
    """Record the clauses of this level that lead to a violated one, from the last one back.

    With ``point``, only as far as the first unique implication point, whose literal is returned.
    """
    m.met = 0
    m.kept = 0
    m.roots = 0
    m.used = 0
    left = look_at(m, violated)
    for at in range(m.trailed - 1, m.ends[m.depth] - 1, -1):
        literal = m.trail[at]
        reason = m.reason[literal >> 1]
        if m.seen[literal >> 1]:
            left -= 1
            if point and left == 0:
                return literal
            if reason:
                m.used_list[m.used] = reason
                m.used += 1
                left += look_at(m, reason)
    return 0


@kernel
def hints(m: Memory, violated: int) -> int:
    """Write the hints of a clause: permanent literals, the clauses recorded, and the violated one."""
    for k in range(m.roots):
        hint(m, m.unit[m.roots_list[k]])
    for k in range(m.used - 1, -1, -1):
        hint(m, m.used_list[k])
    return hint(m, violated)


@kernel
def forget(m: Memory) -> int:
    """Make the variables met unseen."""
    for k in range(m.met):
        m.seen[m.met_list[k]] = 0
    return 0


@kernel
def write(m: Memory, point: int, violated: int) -> int:
    """Write the learned clause and its hints, the deepest of the lower literals second; return its number."""
    clause = begin(m)
    put(m, point ^ 1)
    first = m.literals
    for k in range(m.kept):
        literal = m.kept_list[k]
        put(m, literal)
        if m.level[literal >> 1] > m.level[m.lits[first] >> 1]:  # the last to become open, so it is watched
            m.lits[first + k] = m.lits[first]
            m.lits[first] = literal
    hints(m, violated)
    finish(m, clause)
    return clause


@kernel
def watch(m: Memory, clause: int) -> int:
    """Watch the first two literals of a clause."""
    for side in range(2):
        literal = m.lits[m.start[clause] + side]
        m.next[2 * clause + side] = m.watch[literal]
        m.watch[literal] = 2 * clause + side
    return 0


@kernel
def learn(m: Memory, violated: int) -> int:
    """Learn a clause from one that is violated, go back to where it is unit, and use it."""
    point = trace(m, violated, 1)
    clause = write(m, point, violated)
    second = m.lits[m.start[clause] + 1] >> 1
    backtrack(m, m.level[second] if m.kept else 0)
    m.conflicts += 1
    for k in range(m.met):
        v = m.met_list[k]
        m.score[v] = (m.score[v] + RECENT * m.conflicts) >> 1
    forget(m)
    if m.kept:
        watch(m, clause)
    m.learned += 1
    return enqueue(m, point ^ 1, clause)


@kernel
def latest(m: Memory) -> int:
    """Return how many of the learned clauses stay in use whatever their length."""
    return LATEST + (m.conflicts >> 3)


@kernel
def drop_old(m: Memory) -> int:
    """Watch, at the root, only the formula and the latest and the short ones of the learned clauses."""
    for literal in range(2 * m.size):
        m.watch[literal] = -1
    for clause in range(1, m.clauses + 1):
        size = m.start[clause + 1] - m.start[clause]
        if size > 1 and (clause <= m.formula or size <= SHORT or clause > m.clauses - latest(m)):
            watch(m, clause)
    m.learned = latest(m)
    return 0


@kernel
def search(m: Memory, budget: int) -> int:
    """Search for at most a given number of conflicts; call again to continue. Returns one of the four endings."""
    since = 0
    while True:
        violated = propagate(m)
        if ample(m, 0) == 0:
            backtrack(m, 0)
            m.head = 0  # a violated clause, which is not learned from now, will be found again
            return FULL
        if violated:
            if m.depth == 0:
                emit_empty(m, violated)
                return REFUTED
            learn(m, violated)
            since += 1
            budget -= 1
            continue
        if m.depth == 0:
            emit_units(m)
        if budget <= 0:
            backtrack(m, 0)
            return UNKNOWN
        if since >= RESTART:
            since = 0
            backtrack(m, 0)
            if m.learned > 2 * latest(m):
                drop_old(m)
            continue
        literal = decision(m)
        if literal == 0:
            return SATISFIED
        m.depth += 1
        m.ends[m.depth] = m.trailed
        enqueue(m, literal, 0)


# ---------------------------------------------------------------- loading a formula, writing a proof


@kernel
def load(m: Memory, numbers: Ints, count: int) -> int:
    """Load the clauses of a formula (literals, each clause ended by 0); return a clause that cannot hold, or 0.

    Further ones may follow until the search begins. Repeated literals are
    dropped; a clause with a literal and its negation has no effect.
    """
    first = m.clauses + 1
    read(m, numbers, count)
    return watch_all(m, first)


@kernel
def read(m: Memory, numbers: Ints, count: int) -> int:
    """Append clauses to those of the formula."""
    clause = m.clauses + 1
    n = m.literals
    for k in range(count):
        number = numbers[k]
        if number == 0:
            m.start[clause + 1] = n
            clause += 1
        else:
            literal = 2 * number if number > 0 else 1 - 2 * number
            if has(m, literal, m.start[clause], n) == 0:
                m.lits[n] = literal
                n += 1
    m.clauses = clause - 1
    m.formula = clause - 1
    m.literals = n
    m.hint_at[clause] = 0
    return 0


@kernel
def has(m: Memory, literal: int, base: int, end: int) -> int:
    """Return whether a literal is in the part of a clause that is read."""
    for k in range(base, end):
        if m.lits[k] == literal:
            return 1
    return 0


@kernel
def watch_all(m: Memory, first: int) -> int:
    """Watch the clauses from ``first`` on, make their unit clauses true; return as ``load`` does."""
    for clause in range(first, m.clauses + 1):
        size = m.start[clause + 1] - m.start[clause]
        if size == 0:
            return clause
        if size > 1:
            watch(m, clause)
    for clause in range(first, m.clauses + 1):
        if m.start[clause + 1] - m.start[clause] == 1:
            literal = m.lits[m.start[clause]]
            if m.values[literal] < 0:
                return clause
            if m.values[literal] == 0:
                enqueue(m, literal, clause)
    return 0


@kernel
def written(m: Memory, needed: Ints, out: Ints) -> int:
    """Write the learned clauses on which the last one depends: number, literals, 0, hints, 0; return how many numbers.

    ``needed`` has a zero for each clause. Without a conflict below the root only the last one is written: its hints are
    the unit clauses used, and those that prove literal after literal.
    """
    first = m.formula + 1
    count = m.clauses - m.formula
    mark_needed(m, needed, count)
    n = 0
    if m.conflicts == 0:
        out[0] = first
        out[1] = 0
        n = 2
    for k in range(count):
        if needed[first + k] == 0:
            continue
        if m.conflicts:
            n = write_line(m, out, n, first + k)
            continue
        last = m.hint_at[first + k + 1] - 1
        for j in range(m.hint_at[first + k], last):
            hint = m.hints[j]
            if hint < first and needed[hint] == 0:
                needed[hint] = 1
                out[n] = hint
                n += 1
        out[n] = m.hints[last]
        n += 1
    if m.conflicts == 0:
        out[n] = 0
        n += 1
    return n


@kernel
def mark_needed(m: Memory, needed: Ints, count: int) -> int:
    """Mark, by their numbers, the learned clauses on which the last one rests, itself included."""
    first = m.formula + 1
    needed[m.clauses] = 1
    for k in range(count - 1, -1, -1):
        if needed[first + k]:
            for j in range(m.hint_at[first + k], m.hint_at[first + k + 1]):
                hint = m.hints[j]
                if hint >= first:
                    needed[hint] = 1
    return 0


@kernel
def write_line(m: Memory, out: Ints, n: int, clause: int) -> int:
    """Write one learned clause; return where the next one begins."""
    out[n] = clause
    n += 1
    for j in range(m.start[clause], m.start[clause + 1]):
        literal = m.lits[j]
        out[n] = 0 - (literal >> 1) if literal & 1 else literal >> 1
        n += 1
    out[n] = 0
    n += 1
    for j in range(m.hint_at[clause], m.hint_at[clause + 1]):
        out[n] = m.hints[j]
        n += 1
    out[n] = 0
    return n + 1


# ---------------------------------------------------------------- a lemma with hints from a clause of another search


@kernel
def prepare(m: Memory) -> int:
    """Propagate what follows from the formula alone; return the status."""
    if ample(m, 0) == 0:
        return FULL
    violated = propagate(m)
    m.conflicts = 1
    if violated:
        emit_empty(m, violated)
        return REFUTED
    emit_units(m)
    return UNKNOWN


@kernel
def derive(m: Memory, literals: Ints, count: int) -> int:
    """Learn a clause with hints if propagation refutes its negation, and otherwise leave it out.

    Returns the status: unknown, refuted if the empty clause is learned too, or too little room to begin.
    """
    if ample(m, count) == 0:
        return FULL
    m.depth = 1
    m.ends[1] = m.trailed
    violated = suppose_false(m, literals, count)
    if violated == 0:
        violated = propagate(m)
    if violated == 0:
        backtrack(m, 0)
        return UNKNOWN
    trace(m, violated, 0)
    forget(m)
    if m.start[violated + 1] - m.start[violated] == 1:
        m.roots = 0  # it is what makes its literal permanent: it is a hint already
    backtrack(m, 0)
    clause = begin(m)
    free = put_free(m, literals, count)
    hints(m, violated)
    finish(m, clause)
    m.learned += 1
    if free == 0:
        return REFUTED
    if free > 1:
        watch(m, clause)
        return UNKNOWN
    return follow(m, clause)


@kernel
def follow(m: Memory, clause: int) -> int:
    """Propagate what a new clause of one literal implies; return the status."""
    literal = m.lits[m.start[clause]]
    if m.values[literal] == 0:
        enqueue(m, literal, clause)
    violated = propagate(m)
    if violated:
        emit_empty(m, violated)
        return REFUTED
    emit_units(m)
    return UNKNOWN


@kernel
def ample(m: Memory, count: int) -> int:
    """Return whether there is room for one more clause, and for everything that it may settle permanently."""
    n = m.size
    if m.literals + count + 4 * n >= m.literal_room or m.clauses + n + 8 >= m.clause_room:
        return 0
    return 1 if m.hinted + m.literals + count + 8 * n < m.hint_room else 0


@kernel
def suppose_false(m: Memory, literals: Ints, count: int) -> int:
    """Set all literals of a clause to false; return the clause that says that one of them is true, if any."""
    for k in range(count):
        literal = literals[k]
        value = m.values[literal]
        if value > 0:
            return m.unit[literal >> 1] if m.level[literal >> 1] == 0 else 0
        if value == 0:
            enqueue(m, literal ^ 1, 0)
    return 0


@kernel
def put_free(m: Memory, literals: Ints, count: int) -> int:
    """Write the literals of a clause that are not permanently false; return their number."""
    free = 0
    for k in range(count):
        if m.values[literals[k]] >= 0:
            put(m, literals[k])
            free += 1
    return free
