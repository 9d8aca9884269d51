"""The compiled way in and out: a formula becomes watched clauses, and the lemmas that a proof needs are found."""

from __future__ import annotations

from .kernel import enqueue
from .layout import (
    CLAUSES,
    FORMULA,
    HINT_AT,
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
    """Take in the clauses of a formula (literals, each clause ended by 0); return a clause that cannot hold, or 0.

    Repeated literals are dropped; a clause with a literal and its contrary is never of use.
    """
    clause = 1
    n = 0
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
    sort_pairs(m)
    return watch_all(m)


@kernel
def has(m: Ints, literal: int, base: int, end: int) -> int:
    """Tell whether a literal is in the part of a clause that is read."""
    for k in range(m[LITS] + base, m[LITS] + end):
        if m[k] == literal:
            return 1
    return 0


@kernel
def watch_all(m: Ints) -> int:
    """Watch the clauses of the formula, and settle those of one literal; return one that cannot hold, or 0."""
    start = m[START]
    for clause in range(1, m[CLAUSES] + 1):
        size = m[start + clause + 1] - m[start + clause]
        if size == 0:
            return clause
        if size > 2:
            watch(m, clause)
    for clause in range(1, m[CLAUSES] + 1):
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
def rests(hints: Ints, hint_at: Ints, needed: Ints, count: int, first: int) -> int:
    """Mark the learned clauses on which the last one rests, itself included; return how many they are."""
    found = 0
    needed[count - 1] = 1
    for k in range(count - 1, -1, -1):
        if needed[k]:
            found += 1
            for j in range(hint_at[k], hint_at[k + 1]):
                if hints[j] >= first:
                    needed[hints[j] - first] = 1
    return found
