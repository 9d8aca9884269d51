"""The search as an object: a formula goes in, a proof comes out."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .kernel import (
    CLAUSES,
    CONFLICTS,
    FIRST,
    FORMULA,
    FULL,
    HINTS,
    LAST,
    LITS,
    REFUTED,
    STAMP,
    State,
    emit_empty,
    enqueue,
    propagate,
)
from .learning import search


@njit(cache=True)
def load(numbers, s):  # type: ignore[no-untyped-def]
    """Take in the clauses of a formula (literals, each clause ended by 0); return a clause that cannot hold, or 0.

    Repeated literals are dropped; a clause with a literal and its contrary is never of use and watched nowhere.
    """
    clause, n = 1, 0
    for x in numbers:
        if x == 0:
            s.start[clause + 1] = n
            clause += 1
            continue
        literal = 2 * x if x > 0 else 1 - 2 * x
        for k in range(s.start[clause], n):
            if s.lits[k] == literal:
                break
        else:
            s.lits[n] = literal
            n += 1
    last = clause - 1
    c = s.counters
    c[CLAUSES], c[FORMULA], c[LITS] = last, last, n
    s.hint_at[last + 1] = 0
    return watch_all(s, last)


@njit(cache=True)
def watch_all(s, last):  # type: ignore[no-untyped-def]
    """Watch the clauses of the formula, and settle those of one literal; return one that cannot hold, or 0."""
    pairs(s, last)
    for clause in range(1, last + 1):
        base, size = s.start[clause], s.start[clause + 1] - s.start[clause]
        if size == 0:
            return clause
        if size > 2:
            for side in range(2):
                literal = s.lits[base + side]
                s.following[2 * clause + side] = s.watched[literal]
                s.watched[literal] = 2 * clause + side
    for clause in range(1, last + 1):
        if s.start[clause + 1] - s.start[clause] == 1:
            literal = s.lits[s.start[clause]]
            if s.values[literal] < 0:
                return clause
            if s.values[literal] == 0:
                enqueue(s, literal, clause)
    return 0


@njit(cache=True)
def pairs(s, last):  # type: ignore[no-untyped-def]
    """Sort the binary clauses by literal."""
    at = s.pair_at
    for clause in range(1, last + 1):
        base = s.start[clause]
        if s.start[clause + 1] - base == 2:
            at[s.lits[base] + 1] += 1
            at[s.lits[base + 1] + 1] += 1
    for literal in range(1, len(at)):
        at[literal] += at[literal - 1]
    filled = at.copy()
    for clause in range(1, last + 1):
        base = s.start[clause]
        if s.start[clause + 1] - base == 2:
            for side in range(2):
                literal = s.lits[base + side]
                s.pair_other[filled[literal]] = s.lits[base + 1 - side]
                s.pair_id[filled[literal]] = clause
                filled[literal] += 1


class Learned(NamedTuple):
    """The clauses that a search learned, and why: flat arrays, and where each clause begins and the last one ends."""

    first: int  # the number of the first one
    lits: Any
    starts: Any
    hints: Any
    hint_at: Any
    conflicts: int


def made(numbers: array[int], clauses: int, variables: int, first: int) -> State:
    """Return a state with room for a formula; the variables up to ``first`` are tried before the others."""
    n, literals = variables + 1, len(numbers) - clauses
    rows, room = clauses + 2 * n + 1_000, literals + 8 * n + 20_000
    order = np.concatenate([np.arange(variables, first, -1), np.arange(first, 0, -1)]).astype(np.int32)
    before, after, stamp = np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.int64)
    before[order[1:]], after[order[:-1]] = order[:-1], order[1:]
    stamp[order] = np.arange(1, n)
    counters = np.zeros(16, np.int64)
    if variables:
        counters[[FIRST, LAST]] = order[-1]
    counters[STAMP] = n
    sizes = (room, rows + 2, 2 * rows + 2, 2 * literals + 2, 2 * literals + 2, room, rows + 2, 4 * n)
    lits, start, following, other, number, hints, hint_at, scratch = (np.empty(size, np.int32) for size in sizes)
    level, reason, place, trail, ends = (np.empty(size, np.int32) for size in (n, n, n, n, n + 1))
    start[:2] = hint_at[:2] = level[0] = 0
    return State(
        counters, lits, start, np.zeros(rows, np.int8), following, np.full(2 * n, -1, np.int32),
        np.zeros(2 * n + 1, np.int32), other, number, hints, hint_at, np.zeros(2 * n, np.int8), level, reason, place,
        np.zeros(n, np.int32), trail, ends, before, after, stamp, np.zeros(n, np.int8), np.zeros(n, np.int8),
        np.zeros(rows, np.int32), scratch,
    )  # fmt: skip


def grown(s: State) -> State:
    """Return a state with twice the room for learned clauses."""
    larger = {
        name: _doubled(getattr(s, name)) for name in ("lits", "start", "dead", "following", "hints", "hint_at", "worth")
    }
    return s._replace(**larger)


def _doubled(values: Any) -> Any:
    found = np.zeros(2 * len(values) + 4, values.dtype)
    found[: len(values)] = values
    return found


class Search:
    """A search of one formula that is stopped and gone on with."""

    def __init__(self, numbers: array[int], clauses: int, variables: int, first: int) -> None:
        """Load a formula: ``numbers`` are literals, each clause ended by 0; ``first`` variables are decided first."""
        self._state = made(numbers, clauses, variables, first)
        violated = load(np.frombuffer(numbers, np.int32) if len(numbers) else np.zeros(0, np.int32), self._state)
        self.ending = 0
        if violated:
            self._refuted(violated)

    def _refuted(self, violated: int) -> None:
        s = self._state
        if s.start[violated + 1] > s.start[violated]:
            propagate(s)
        emit_empty(s, violated)
        self.ending = REFUTED

    def go_on(self, conflicts: int) -> int:
        """Search for at most so many further conflicts; return how it stands (see ``kernel``)."""
        while not self.ending:
            self.ending = search(self._state, conflicts)
            if self.ending != FULL:
                return self.ending
            self.ending, self._state = 0, grown(self._state)
        return self.ending

    @property
    def conflicts(self) -> int:
        """How many conflicts there were."""
        return int(self._state.counters[CONFLICTS])

    def learned(self) -> Learned:
        """Return the learned clauses."""
        s = self._state
        first, last = int(s.counters[FORMULA]), int(s.counters[CLAUSES])
        base = s.start[first + 1]
        lits = s.lits[base : s.counters[LITS]]
        signed = np.where(lits & 1, -(lits >> 1), lits >> 1).astype(np.int32)
        starts, hint_at = s.start[first + 1 : last + 2] - base, s.hint_at[first + 1 : last + 2]
        return Learned(first + 1, signed, starts, s.hints[: s.counters[HINTS]], hint_at, self.conflicts)
