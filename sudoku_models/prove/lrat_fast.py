"""Check long LRAT proofs, and many of them, in compiled code: the same verdict as ``lrat``, without negative hints.

What it accepts is accepted; what it refuses is checked again in plain Python, which says why. The tests hold both
against each other. A proof is one array of numbers, as LRAT has it: of each lemma its number, its literals, 0, its
hints, 0; of a deletion a number below 0, the numbers of clauses, 0. Without machine code nothing is accepted here.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.machine_code.language import Bytes, Ints, Kernels, Layout, Signed, size_of
from ..engine.machine_code.library import Library, LoadedKernels, NoMachineCode, address
from .looking import Look, never
from .lrat import Clause, ProofLine

KERNELS = Kernels()
kernel = KERNELS.mark

LARGEST_NUMBER = 1 << 28
"""Proofs with larger numbers than this are left to plain Python."""

ROOM = 1 << 20
"""So are proofs with numbers above this and above eight times the count of numbers: memory grows with the largest
number.
"""

SLICE = 50_000_000
"""Literals that are read between two checks of the clock: about a twentieth of a second."""


class Progress(Layout):
    """The progress of a check: the last lemma's number, the number of lemmas, the position in the proof, the number of
    lines, the hint of the line (0: at its start), the number of literals to read until the next check, the number of
    deletions.
    """

    last: int
    lemmas: int
    at: int
    line: int
    hint: int
    work: int
    gone: int


REFUSED, FOLLOWS, PAUSED = 0, 1, -1
"""The results of a slice of a check, and of a lemma."""


def accepts(formula: Sequence[Clause], lines: Sequence[ProofLine], look: Look = never) -> int | None:
    """Return the number of lemmas checked if a proof refutes a formula; None in all unclear cases."""
    if any(line.deleted is None and line.number < 1 for line in lines):
        return None  # it would read as a deletion
    try:
        proof = numbers_of(lines, look)
    except OverflowError:
        return None
    return accepted(*as_arrays(formula), proof, look) or None


def numbers_of(lines: Iterable[ProofLine], look: Look = never) -> Any:
    """Return a proof as one array of int32."""
    found = array("i")
    for k, line in enumerate(lines):
        if not k % 4096:
            look()
        added = (line.number, *line.clause, 0, *line.hints, 0)
        found.extend(added if line.deleted is None else (-1, *line.deleted, 0))
    return np.array(found, np.int32)


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
    machine = _machine()
    if machine is None:
        return 0
    place = np.full(largest + 1, -1, np.int64)  # of a lemma: where its literals begin in the proof
    gone = np.ones(largest + 1, np.uint8)
    gone[1 : len(starts)] = 0
    false = np.zeros(2 * largest + 2, np.int32)  # the line for which a literal was last false
    memory = bytearray(size_of(Progress))
    state, arrays = Progress(memory), [np.ascontiguousarray(x, np.int32) for x in (numbers, starts, proof)]
    state.last = len(starts) - 1
    first, others = [x.ctypes.data for x in arrays], [x.ctypes.data for x in (place, gone, false)]
    while True:
        state.work = SLICE
        verdict = machine.checked(*first, len(proof), *others, address(memory))
        if verdict != PAUSED:
            whole = state.at == len(proof) and (deletions or not state.gone)
            return state.lemmas if verdict == FOLLOWS and whole else 0
        look()


LIBRARY = Library("lrat", {"checked": "mmmimmmm"}, [Path(__file__)], lambda: KERNELS)


@cache
def _machine() -> LoadedKernels | None:
    try:
        return LIBRARY.load()
    except NoMachineCode:
        return None


@kernel
def checked(
    numbers: Signed,
    starts: Signed,
    proof: Signed,
    length: int,
    place: Ints,
    gone: Bytes,
    false: Signed,
    state: Progress,
) -> int:
    """Continue through a proof line by line, up to the empty clause or the end of a slice of work."""
    while state.at < length:
        begin = state.at + 1
        number, end = proof[begin - 1], ended(proof, length, begin)
        if number < 0:
            if not deleted(proof, begin, end, gone):
                return REFUSED
            state.at = end + 1
            state.gone += 1
            state.work -= end - begin
        else:
            after = ended(proof, length, end + 1) + 1
            if number <= state.last or after > length:
                return REFUSED
            verdict = lemma(numbers, starts, proof, begin, end, after - 1, place, gone, false, state)
            if verdict != FOLLOWS:
                return verdict
            state.last = number
            state.at = after
            state.hint = 0
            place[number] = begin
            gone[number] = 0
            state.lemmas += 1
            if begin == end:
                return FOLLOWS
        if state.work < 0:
            return PAUSED
    return REFUSED


@kernel
def lemma(
    numbers: Signed, starts: Signed, proof: Signed, begin: int, end: int, last: int, place: Ints, gone: Bytes,
    false: Signed, state: Progress,
) -> int:  # fmt: skip
    """Check a lemma whose literals are from ``begin`` to ``end`` and whose hints then go to ``last``; continue where it
    paused.
    """
    if state.hint == 0:
        state.line += 1
        state.hint = end + 1
        state.work -= end - begin
        for k in range(begin, end):
            false[index(proof[k])] = state.line
        if trivial(proof, begin, end, false, state.line):
            return FOLLOWS
    return follows(numbers, starts, proof, last, place, gone, false, state)


@kernel
def ended(proof: Signed, length: int, at: int) -> int:
    """Return the position of the next 0, or the length of the proof."""
    while at < length and proof[at] != 0:
        at += 1
    return at


@kernel
def deleted(proof: Signed, begin: int, end: int, gone: Bytes) -> int:
    """Delete clauses; 0 if one of them does not exist."""
    for k in range(begin, end):
        if proof[k] < 1 or gone[proof[k]]:
            return 0
        gone[proof[k]] = 1
    return 1


@kernel
def follows(
    numbers: Signed, starts: Signed, proof: Signed, last: int, place: Ints, gone: Bytes, false: Signed, state: Progress
) -> int:
    """Propagate along hints until a clause is violated."""
    line = state.line
    for at in range(state.hint, last):
        number = proof[at]
        if state.work < 0:
            state.hint = at
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
def index(x: int) -> int:
    """Return the index of a literal in arrays by literal."""
    return 2 * x if x > 0 else 1 - 2 * x


@kernel
def trivial(proof: Signed, begin: int, end: int, false: Signed, line: int) -> int:
    """Return how many literals of a lemma it also contains negated."""
    count = 0
    for k in range(begin, end):
        count += false[index(-proof[k])] == line
    return count


@kernel
def unit(numbers: Signed, at: int, false: Signed, line: int, state: Progress) -> int:
    """Return the only literal of a clause that is not false; NONE, or SEVERAL if there are more."""
    left, begin = NONE, at
    while numbers[at] != 0:
        x = numbers[at]
        if false[index(x)] != line and x != left:
            if left != NONE:
                return SEVERAL
            left = x
        at += 1
    state.work -= 1 + at - begin
    return left
