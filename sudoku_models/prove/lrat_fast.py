"""The check of long LRAT proofs, and of many, in compiled code: the same verdict as ``lrat``, without negative hints.

What it accepts is accepted; what it refuses is checked again in plain Python, which says why. The tests hold both
against each other. A proof is one array of numbers, as LRAT has it: of each lemma its number, its literals, 0, its
hints, 0; of a deletion a number below 0, the numbers of clauses, 0. numba is imported with this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any

import numpy as np

from ..engine.kept_kernel import kept_kernel
from .lrat import Clause, Line

kernel: Any = partial(kept_kernel, nogil=True)

LARGEST_NUMBER = 1 << 28
"""Proofs with larger numbers than this are left to plain Python."""


def accepts(formula: Sequence[Clause], lines: Sequence[Line]) -> int | None:
    """Return how many lemmas were checked when a proof refutes a formula; None for whatever is not plain to see."""
    if any(line.deleted is None and (line.number < 1 or min(line.hints, default=1) < 1) for line in lines):
        return None
    rows: list[tuple[int, ...]] = []
    for line in lines:
        whole = (line.number, *line.clause, 0, *line.hints, 0)
        rows.append(whole if line.deleted is None else (-1, *line.deleted, 0))
    if max(map(abs, chain.from_iterable(rows)), default=0) > LARGEST_NUMBER:
        return None
    numbers = np.fromiter(chain.from_iterable((*clause, 0) for clause in formula), np.int32)
    starts = np.fromiter(accumulate((len(clause) + 1 for clause in formula), initial=0), np.int32)
    return accepted(numbers, starts, np.fromiter(chain.from_iterable(rows), np.int32)) or None


def accepted(numbers: Any, starts: Any, proof: Any) -> int:
    """Return how many lemmas of a proof were checked up to the empty clause; 0 when it does not refute the formula.

    ``numbers`` are the literals of the formula, 0 after each clause, ``starts`` where each clause begins and the next
    one would; all are arrays of int32. Proofs with numbers above ``LARGEST_NUMBER`` are not accepted.
    """
    if not len(proof):
        return 0
    largest = max(np.abs(proof.astype(np.int64)).max(), np.abs(numbers).max(initial=0), len(starts))
    return int(checked(numbers, starts, proof, largest)) if largest <= LARGEST_NUMBER else 0


@kernel
def checked(numbers, starts, proof, largest):  # type: ignore[no-untyped-def]
    """Go through a proof line by line; ``largest`` is no less than any number that stands in it or in the formula."""
    formula = len(starts) - 1
    place = np.full(largest + 1, -1, np.int64)  # of a lemma: where its literals begin in the proof
    gone = np.ones(largest + 1, np.bool_)
    gone[1 : formula + 1] = False
    false = np.zeros(2 * largest + 2, np.int32)  # the line for which a literal was last false
    last, lemmas, at, line = formula, 0, 0, 0
    while at < len(proof):
        number, begin, line = proof[at], at + 1, line + 1
        end = ended(proof, begin)
        if number < 0:
            if not deleted(proof[begin:end], gone):
                return 0
            at = end + 1
            continue
        at = ended(proof, end + 1) + 1
        if number <= last or at > len(proof):
            return 0
        for k in range(begin, end):
            false[index(proof[k])] = line
        if not trivial(proof[begin:end], false, line) and not follows(
            numbers, starts, proof, proof[end + 1 : at - 1], place, gone, false, line
        ):
            return 0
        last = number
        place[last], gone[last] = begin, False
        lemmas += 1
        if begin == end:
            return lemmas
    return 0


@kernel
def ended(proof, at):  # type: ignore[no-untyped-def]
    """Return where the next 0 stands, or the length of the proof."""
    while at < len(proof) and proof[at] != 0:
        at += 1
    return at


@kernel
def deleted(clauses, gone):  # type: ignore[no-untyped-def]
    """Delete clauses; False when one of them is not there."""
    for number in clauses:
        if number < 1 or gone[number]:
            return False
        gone[number] = True
    return True


@kernel
def follows(numbers, starts, proof, hints, place, gone, false, line):  # type: ignore[no-untyped-def]
    """Propagate along hints; True once a clause is violated."""
    for number in hints:
        if number < 1 or gone[number]:
            return False
        if place[number] < 0:
            left = unit(numbers, starts[number - 1], false, line)
        else:
            left = unit(proof, place[number], false, line)
        if left == NONE:
            return True
        if left == SEVERAL or false[index(-left)] == line:
            return False
        false[index(-left)] = line
    return False


NONE, SEVERAL = 0, 1 << 40
"""What ``unit`` says of a clause that is violated, and of one with two literals left."""


@kernel
def index(x):  # type: ignore[no-untyped-def]
    """Return the place of a literal in arrays by literal."""
    return 2 * x if x > 0 else 1 - 2 * x


@kernel
def trivial(clause, false, line):  # type: ignore[no-untyped-def]
    """Tell whether a lemma holds a literal and its negation."""
    count = 0
    for x in clause:
        count += false[index(-x)] == line
    return count > 0


@kernel
def unit(numbers, at, false, line):  # type: ignore[no-untyped-def]
    """Return the one literal of a clause that is not false; NONE, or SEVERAL when there are more."""
    left = np.int64(NONE)
    while numbers[at] != 0:
        x = np.int64(numbers[at])
        if false[index(x)] != line and x != left:
            if left != NONE:
                return np.int64(SEVERAL)
            left = x
        at += 1
    return left
