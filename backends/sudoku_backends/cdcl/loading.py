"""Compiled input and output: turn a formula into watched clauses, and find the lemmas that a proof needs."""

from __future__ import annotations

from .kernel import enqueue
from .layout import (
    CLAUSES,
    CONFLICTS,
    FORMULA,
    HINT_AT,
    HINTS,
    LISTS,
    LITERALS,
    LITS,
    PAIR_AT,
    PAIR_ID,
    PAIR_OTHER,
    SIZE,
    START,
    VALUES,
    Ints,
    kernel,
)
from .learning import watch


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
