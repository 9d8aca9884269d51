"""Check long LRAT proofs, and many of them, in compiled code: the same verdict as ``lrat``, without negative hints.

What it accepts is accepted; what it refuses is checked again in plain Python, which says why. The tests hold both
against each other. A proof is one array of numbers, as LRAT has it: of each lemma its number, its literals, 0, its
hints, 0; of a deletion a number below 0, the numbers of clauses, 0. numba is imported with this module.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any

import numpy as np

from ..engine.kept_kernel import kept_kernel
from .looking import Look, never
from .lrat import Clause, ProofLine

kernel: Any = partial(kept_kernel, nogil=True)

LARGEST_NUMBER = 1 << 28
"""Proofs with larger numbers than this are left to plain Python."""

ROOM = 1 << 20
"""So are proofs with numbers above this and above eight times the count of numbers: memory grows with the largest
number.
"""

SLICE = 50_000_000
"""Literals that are read between two checks of the clock: about a twentieth of a second."""

LAST, LEMMAS, AT, LINE, HINT, WORK, GONE = range(7)
"""The progress of a check: the last lemma's number, the number of lemmas, the position in the proof, the number of
lines, the hint of the line (0: at its start), the number of literals to read until the next check, the number of
deletions.
"""

REFUSED, FOLLOWS, PAUSED = 0, 1, -1
"""The results of a slice of a check, and of a lemma."""


def accepts(formula: Sequence[Clause], lines: Sequence[ProofLine], look: Look = never) -> int | None:
    """Return the number of lemmas checked if a proof refutes a formula; None in all unclear cases."""
    proof = array("i")
    for k, line in enumerate(lines):
        if not k % 4096:
            look()
        if line.deleted is None and (line.number < 1 or min(line.hints, default=1) < 1):
            return None
        try:
            proof.extend((line.number, *line.clause, 0, *line.hints, 0) if line.deleted is None else ())
            proof.extend((-1, *line.deleted, 0) if line.deleted is not None else ())
        except OverflowError:
            return None
    return accepted(*as_arrays(formula), np.array(proof, np.int32), look) or None


def as_arrays(formula: Sequence[Clause]) -> tuple[Any, Any]:
    """Return the literals of a formula, 0 after each clause, and the start of each clause, as ``accepted`` needs
    them.
    """
    numbers = np.fromiter(chain.from_iterable((*clause, 0) for clause in formula), np.int32)
    return numbers, np.fromiter(accumulate((len(clause) + 1 for clause in formula), initial=0), np.int32)


def accepted(numbers: Any, starts: Any, proof: Any, look: Look = never, *, deletions: bool = True) -> int:
    """Return the number of lemmas of a proof checked up to the empty clause; 0 if it does not refute the formula.

    ``numbers`` are the literals of the formula, 0 after each clause, ``starts`` the start of each clause and of the
    next one; all are arrays of int32. Proofs are not accepted if they have numbers above ``LARGEST_NUMBER``, lines
    after the empty clause or, without ``deletions``, deleted clauses. ``look`` is called repeatedly; an exception from
    it ends the check.
    """
    if not len(proof):
        return 0
    largest = max(np.abs(proof.astype(np.int64)).max(), np.abs(numbers).max(initial=0), len(starts))
    if largest > min(LARGEST_NUMBER, max(ROOM, 8 * (len(proof) + len(numbers)))):
        return 0
    place = np.full(largest + 1, -1, np.int64)  # of a lemma: where its literals begin in the proof
    gone = np.ones(largest + 1, np.bool_)
    gone[1 : len(starts)] = False
    false = np.zeros(2 * largest + 2, np.int32)  # the line for which a literal was last false
    state = np.zeros(7, np.int64)
    state[LAST] = len(starts) - 1
    while True:
        state[WORK] = SLICE
        verdict = checked(numbers, starts, proof, place, gone, false, state)
        if verdict != PAUSED:
            whole = state[AT] == len(proof) and (deletions or not state[GONE])
            return int(state[LEMMAS]) if verdict == FOLLOWS and whole else 0
        look()


@kernel
def checked(numbers, starts, proof, place, gone, false, state):  # type: ignore[no-untyped-def]
    """Continue through a proof line by line, up to the empty clause or the end of a slice of work."""
    while state[AT] < len(proof):
        begin = state[AT] + 1
        number, end = proof[begin - 1], ended(proof, begin)
        if number < 0:
            if not deleted(proof[begin:end], gone):
                return REFUSED
            state[AT] = end + 1
            state[GONE] += 1
            state[WORK] -= end - begin
        else:
            after = ended(proof, end + 1) + 1
            if number <= state[LAST] or after > len(proof):
                return REFUSED
            verdict = lemma(numbers, starts, proof, begin, end, after - 1, place, gone, false, state)
            if verdict != FOLLOWS:
                return verdict
            state[LAST], state[AT], state[HINT] = number, after, 0
            place[number], gone[number] = begin, False
            state[LEMMAS] += 1
            if begin == end:
                return FOLLOWS
        if state[WORK] < 0:
            return PAUSED
    return REFUSED


@kernel
def lemma(numbers, starts, proof, begin, end, last, place, gone, false, state):  # type: ignore[no-untyped-def]
    """Check a lemma whose literals are from ``begin`` to ``end`` and whose hints then go to ``last``; continue where it
    paused.
    """
    if state[HINT] == 0:
        state[LINE] += 1
        state[HINT] = end + 1
        state[WORK] -= end - begin
        for k in range(begin, end):
            false[index(proof[k])] = state[LINE]
        if trivial(proof[begin:end], false, state[LINE]):
            return FOLLOWS
    return follows(numbers, starts, proof, last, place, gone, false, state)


@kernel
def ended(proof, at):  # type: ignore[no-untyped-def]
    """Return the position of the next 0, or the length of the proof."""
    while at < len(proof) and proof[at] != 0:
        at += 1
    return at


@kernel
def deleted(clauses, gone):  # type: ignore[no-untyped-def]
    """Delete clauses; False if one of them does not exist."""
    for number in clauses:
        if number < 1 or gone[number]:
            return False
        gone[number] = True
    return True


@kernel
def follows(numbers, starts, proof, last, place, gone, false, state):  # type: ignore[no-untyped-def]
    """Propagate along hints until a clause is violated."""
    line = state[LINE]
    for at in range(state[HINT], last):
        number = proof[at]
        if state[WORK] < 0:
            state[HINT] = at
            return PAUSED
        if number < 1 or gone[number]:
            return REFUSED
        if place[number] < 0:
            left = unit(numbers, starts[number - 1], false, line, state)
        else:
            left = unit(proof, place[number], false, line, state)
        if left == NONE:
            return FOLLOWS
        if left == SEVERAL or false[index(-left)] == line:
            return REFUSED
        false[index(-left)] = line
    return REFUSED


NONE, SEVERAL = 0, 1 << 40
"""The results of ``unit`` for a violated clause, and for one with two literals left."""


@kernel
def index(x):  # type: ignore[no-untyped-def]
    """Return the index of a literal in arrays by literal."""
    return 2 * x if x > 0 else 1 - 2 * x


@kernel
def trivial(clause, false, line):  # type: ignore[no-untyped-def]
    """Return whether a lemma contains a literal and its negation."""
    count = 0
    for x in clause:
        count += false[index(-x)] == line
    return count > 0


@kernel
def unit(numbers, at, false, line, state):  # type: ignore[no-untyped-def]
    """Return the only literal of a clause that is not false; NONE, or SEVERAL if there are more."""
    left, begin = np.int64(NONE), at
    while numbers[at] != 0:
        x = np.int64(numbers[at])
        if false[index(x)] != line and x != left:
            if left != NONE:
                return np.int64(SEVERAL)
            left = x
        at += 1
    state[WORK] -= 1 + at - begin
    return left
