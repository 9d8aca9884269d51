"""The search with clause learning: from a conflict to a clause with hints, and the loop around it."""

from __future__ import annotations

import numpy as np
from numba import njit

from .kernel import (
    CLAUSES,
    CONFLICTS,
    EMITTED,
    FORMULA,
    FULL,
    HEAD,
    HINTS,
    KEPT,
    LEARNED,
    LEVEL,
    LITS,
    REFUTED,
    RESTART,
    SATISFIED,
    TRAIL,
    UNKNOWN,
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


@njit(cache=True)
def mark(s, clause, met, kept, roots, counts):  # type: ignore[no-untyped-def]
    """Look at each literal of a clause once: count those of this level, keep lower ones, note those settled for good.

    ``counts`` holds how many variables were met, kept and settled; returned is how many are of this level.
    """
    here = 0
    for j in range(s.start[clause], s.start[clause + 1]):
        literal = s.lits[j]
        v = literal >> 1
        if s.seen[v]:
            continue
        s.seen[v] = 1
        met[counts[0]] = v
        counts[0] += 1
        if s.level[v] == s.counters[LEVEL]:
            here += 1
        elif s.level[v] > 0:
            kept[counts[1]] = literal
            counts[1] += 1
        else:
            roots[counts[2]] = v
            counts[2] += 1
    return here


@njit(cache=True)
def resolve(s, violated, met, kept, roots, used, counts):  # type: ignore[no-untyped-def]
    """Go back to the first unique implication point; return its literal.

    ``used`` gets the places on the trail of what was resolved.
    """
    at = s.counters[TRAIL] - 1
    left = mark(s, violated, met, kept, roots, counts)
    while True:
        while not s.seen[s.trail[at] >> 1]:
            at -= 1
        literal = s.trail[at]
        left -= 1
        if left == 0:
            return literal
        used[counts[3]] = at
        counts[3] += 1
        left += mark(s, s.reason[literal >> 1], met, kept, roots, counts)
        at -= 1


@njit(cache=True)
def redundant(s, literal):  # type: ignore[no-untyped-def]
    """Tell whether a literal follows from the others of the clause by the clause that made it so."""
    reason = s.reason[literal >> 1]
    if reason == 0:
        return False
    for j in range(s.start[reason], s.start[reason + 1]):
        v = s.lits[j] >> 1
        if not s.seen[v] and s.level[v] > 0:
            return False
    return True


@njit(cache=True)
def minimise(s, kept, roots, met, used, counts):  # type: ignore[no-untyped-def]
    """Drop redundant literals; what makes them so is used as well."""
    n = 0
    for k in range(counts[1]):
        literal = kept[k]
        if not redundant(s, literal):
            kept[n] = literal
            n += 1
            continue
        v = literal >> 1
        used[counts[3]] = s.place[v]
        counts[3] += 1
        reason = s.reason[v]
        for j in range(s.start[reason], s.start[reason + 1]):
            u = s.lits[j] >> 1
            if s.level[u] == 0 and not s.seen[u]:
                s.seen[u] = 1
                met[counts[0]] = u
                counts[0] += 1
                roots[counts[2]] = u
                counts[2] += 1
    counts[1] = n


@njit(cache=True)
def write(s, point, violated, kept, roots, used, counts):  # type: ignore[no-untyped-def]
    """Write the learned clause and its hints, the deepest of the lower literals second; return its number."""
    clause = begin(s)
    put(s, point ^ 1)
    first = s.counters[LITS]
    for k in range(counts[1]):
        put(s, kept[k])
        if s.level[kept[k] >> 1] > s.level[s.lits[first] >> 1]:
            s.lits[first], s.lits[first + k] = s.lits[first + k], s.lits[first]
    for k in range(counts[2]):
        hint(s, s.unit[roots[k]])
    places = np.sort(used[: counts[3]])
    for k in range(counts[3]):
        hint(s, s.reason[s.trail[places[k]] >> 1])
    hint(s, violated)
    finish(s, clause)
    return clause


@njit(cache=True)
def levels(s, clause):  # type: ignore[no-untyped-def]
    """Return how many levels the literals of a clause are of."""
    found = np.sort(s.level[s.lits[s.start[clause] : s.start[clause + 1]] >> 1])
    n = 1
    for k in range(1, len(found)):
        n += found[k] != found[k - 1]
    return n


@njit(cache=True)
def learn(s, violated):  # type: ignore[no-untyped-def]
    """Learn a clause from one that is violated, go back to where it is unit, and use it."""
    n = len(s.seen)
    met, kept, roots, used = s.scratch[:n], s.scratch[n : 2 * n], s.scratch[2 * n : 3 * n], s.scratch[3 * n :]
    counts = np.zeros(4, dtype=np.int64)
    point = resolve(s, violated, met, kept, roots, used, counts)
    minimise(s, kept, roots, met, used, counts)
    clause = write(s, point, violated, kept, roots, used, counts)
    bumped = met[: counts[0]]
    order = np.argsort(s.stamp[bumped])
    s.worth[clause] = levels(s, clause)
    base, size = s.start[clause], counts[1] + 1
    backtrack(s, s.level[s.lits[base + 1] >> 1] if size > 1 else 0)
    for k in order:
        s.seen[bumped[k]] = 0
        bump(s, bumped[k])
    if size > 1:
        for side in range(2):
            literal = s.lits[base + side]
            s.following[2 * clause + side] = s.watched[literal]
            s.watched[literal] = 2 * clause + side
        s.counters[LEARNED] += 1
    enqueue(s, point ^ 1, clause)


@njit(cache=True)
def reduce(s):  # type: ignore[no-untyped-def]
    """Drop, at the root, the half of the learned clauses whose literals come from the most levels."""
    first, last = s.counters[FORMULA] + 1, s.counters[CLAUSES] + 1
    alive = [
        s.worth[k] for k in range(first, last) if s.dead[k] == 0 and s.start[k + 1] - s.start[k] > 1 and s.worth[k] > 2
    ]
    if len(alive) == 0:
        return
    bound = np.median(np.array(alive))
    for k in range(first, last):
        if s.dead[k] == 0 and s.start[k + 1] - s.start[k] > 1 and s.worth[k] > 2 and s.worth[k] >= bound:
            s.dead[k] = 1
            s.counters[LEARNED] -= 1


@njit(cache=True)
def luby(n):  # type: ignore[no-untyped-def]
    """Return the n-th number of Luby's sequence, from 0: 1, 1, 2, 1, 1, 2, 4, ..."""
    size, power = 1, 0
    while size < n + 1:
        size, power = 2 * size + 1, power + 1
    while size - 1 != n:
        size = (size - 1) >> 1
        power -= 1
        n %= size
    return 1 << power


@njit(cache=True)
def roomy(s):  # type: ignore[no-untyped-def]
    """Tell whether the arrays have room for one more clause and for all literals that are settled for good."""
    c, n = s.counters, len(s.level)
    wanted = 4 * n
    if c[LEVEL] == 0:
        for k in range(c[EMITTED], c[TRAIL]):
            reason = s.reason[s.trail[k] >> 1]
            wanted += s.start[reason + 1] - s.start[reason]
    return c[LITS] + 3 * n < len(s.lits) and c[CLAUSES] + n + 4 < len(s.dead) and c[HINTS] + wanted < len(s.hints)


@njit(cache=True, nogil=True)
def search(s, budget):  # type: ignore[no-untyped-def]
    """Search for at most so many conflicts; go on by calling again. Returns one of the four endings."""
    c = s.counters
    restarts, since, most = 0, 0, KEPT
    while True:
        violated = propagate(s)
        if not roomy(s):
            backtrack(s, 0)
            c[HEAD] = 0
            return FULL
        if violated:
            if c[LEVEL] == 0:
                emit_empty(s, violated)
                return REFUTED
            learn(s, violated)
            c[CONFLICTS] += 1
            since += 1
            budget -= 1
            continue
        if c[LEVEL] == 0:
            emit_units(s)
        if budget <= 0:
            backtrack(s, 0)
            return UNKNOWN
        if since >= RESTART * luby(restarts):
            restarts, since = restarts + 1, 0
            backtrack(s, 0)
            if c[LEARNED] > most:
                reduce(s)
                most += KEPT // 4
            continue
        literal = decision(s)
        if literal == 0:
            return SATISFIED
        c[LEVEL] += 1
        s.ends[c[LEVEL]] = c[TRAIL]
        enqueue(s, literal, 0)
