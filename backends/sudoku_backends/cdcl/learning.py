"""The compiled search with clause learning: from a conflict to a clause with hints, and the loop around it."""

from __future__ import annotations

from .kernel import (
    backtrack,
    begin,
    bump,
    decision,
    emit_empty,
    emit_units,
    enqueue,
    finish,
    hint,
    propagate,
    put,
)
from .layout import (
    CLAUSE_ROOM,
    CLAUSES,
    CONFLICTS,
    DEAD,
    DEPTH,
    EMITTED,
    ENDS,
    FORMULA,
    FULL,
    HEAD,
    HINT_ROOM,
    HINTED,
    KEPT,
    LEARNED,
    LEVEL,
    LISTS,
    LITERAL_ROOM,
    LITERALS,
    LITS,
    MARK,
    MARKED,
    MET,
    NEXT,
    PLACE,
    REASON,
    REFUTED,
    ROOTS,
    SATISFIED,
    SEEN,
    SIZE,
    STAMP,
    START,
    TRAIL,
    TRAILED,
    UNIT,
    UNKNOWN,
    USED,
    WATCH,
    WORTH,
    Ints,
    kernel,
)

RESTART = 64
"""Conflicts up to the first restart; later ones are multiples by Luby's sequence."""

MOST = 4_000
"""Learned clauses that are kept in use; beyond them the less useful half is dropped."""


@kernel
def meet(m: Ints, v: int) -> int:
    """Record a variable as seen."""
    m[m[SEEN] + v] = 1
    m[m[LISTS] + m[MET]] = v
    m[MET] += 1
    return 0


@kernel
def keep(m: Ints, literal: int) -> int:
    """Record a literal of a lower level."""
    m[m[LISTS] + m[SIZE] + m[KEPT]] = literal
    m[KEPT] += 1
    return 0


@kernel
def settle(m: Ints, v: int) -> int:
    """Record a variable with a permanent value."""
    m[m[LISTS] + 2 * m[SIZE] + m[ROOTS]] = v
    m[ROOTS] += 1
    return 0


@kernel
def use(m: Ints, v: int) -> int:
    """Record a variable whose reason is used."""
    m[m[LISTS] + 3 * m[SIZE] + m[USED]] = v
    m[USED] += 1
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
        meet(m, v)
        if m[m[LEVEL] + v] == m[DEPTH]:
            here += 1
        elif m[m[LEVEL] + v] > 0:
            keep(m, literal)
        else:
            settle(m, v)
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
        use(m, literal >> 1)
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
        use(m, literal >> 1)
        reason = m[m[REASON] + (literal >> 1)]
        for j in range(m[m[START] + reason], m[m[START] + reason + 1]):
            v = m[m[LITS] + j] >> 1
            if m[m[LEVEL] + v] == 0 and m[m[SEEN] + v] == 0:
                meet(m, v)
                settle(m, v)
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
    m[MET] = 0
    m[KEPT] = 0
    m[ROOTS] = 0
    m[USED] = 0
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
def roomy(m: Ints) -> int:
    """Return whether there is room for one more clause and for all permanent literals."""
    n = m[SIZE]
    wanted = 4 * n
    if m[DEPTH] == 0:
        for k in range(m[EMITTED], m[TRAILED]):
            reason = m[m[REASON] + (m[m[TRAIL] + k] >> 1)]
            wanted += m[m[START] + reason + 1] - m[m[START] + reason]
    if m[LITERALS] + 3 * n >= m[LITERAL_ROOM] or m[CLAUSES] + n + 4 >= m[CLAUSE_ROOM]:
        return 0
    return 1 if m[HINTED] + wanted < m[HINT_ROOM] else 0


@kernel
def search(m: Ints, budget: int) -> int:
    """Search for at most a given number of conflicts; call again to continue. Returns one of the four endings."""
    restarts = 0
    since = 0
    most = MOST
    while True:
        violated = propagate(m)
        if roomy(m) == 0:
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
