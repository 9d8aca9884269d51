"""The check of a long LRAT proof in compiled code: the same verdict as ``lrat``, for lemmas without negative hints.

What it accepts is accepted; what it refuses is checked again in plain Python, which says why. The tests hold both
against each other. numba is imported with this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ..engine.kept_kernel import kept_kernel
from .lrat import Clause, Line

kernel: Any = partial(kept_kernel, nogil=True)

LARGEST_NUMBER = 1 << 28
"""Proofs with larger numbers of lemmas, or of variables, are left to plain Python."""


def accepts(formula: Sequence[Clause], lines: Sequence[Line]) -> int | None:
    """Return how many lemmas were checked when a proof refutes a formula; None for whatever is not plain to see."""
    top = max((line.number for line in lines), default=0)
    variables = max((abs(x) for clause in (*formula, *(line.clause for line in lines)) for x in clause), default=0)
    negative = any(line.deleted is None and min(line.hints, default=1) < 1 for line in lines)
    if negative or max(top, variables) > LARGEST_NUMBER:
        return None
    clauses = [line.clause if line.deleted is None else line.deleted for line in lines]
    checked = int(
        _checked(
            *_flat(formula),
            *_flat(clauses),
            *_flat([line.hints for line in lines]),
            np.array([line.number for line in lines], np.int64),
            np.array([line.deleted is not None for line in lines], np.bool_),
            variables,
            max(top, len(formula)),
        )
    )
    return checked or None


def _flat(rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """Return all numbers of some rows in one array, and where each row begins, and the last one ends."""
    starts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return np.fromiter(chain.from_iterable(rows), np.int64, int(starts[-1])), starts


@kernel
def _checked(numbers, starts, lits, lit_at, hints, hint_at, ids, deletes, variables, top):  # type: ignore[no-untyped-def]
    """Return how many lemmas were checked up to the empty clause; 0 when a line is wrong or there is none."""
    formula = len(starts) - 1
    place = np.full(top + 1, -1, np.int64)  # of a lemma: its line; of a clause of the formula: -1
    gone = np.ones(top + 1, np.bool_)
    gone[1 : formula + 1] = False
    false = np.zeros(2 * variables + 2, np.int64)  # the lemma for which a literal was last false
    last, checked = formula, 0
    for line in range(len(ids)):
        low, high = lit_at[line], lit_at[line + 1]
        if deletes[line]:
            if not deleted(lits[low:high], gone):
                return 0
            continue
        if ids[line] <= last:
            return 0
        for k in range(low, high):
            false[index(lits[k])] = line + 1
        because = hints[hint_at[line] : hint_at[line + 1]]
        if not trivial(lits[low:high], false, line + 1) and not follows(
            numbers, starts, lits, lit_at, because, place, gone, false, line + 1
        ):
            return 0
        last = ids[line]
        place[last], gone[last] = line, False
        checked += 1
        if low == high:
            return checked
    return 0


@kernel
def deleted(clauses, gone):  # type: ignore[no-untyped-def]
    """Delete clauses; False when one of them is not there."""
    for number in clauses:
        if number < 1 or number >= len(gone) or gone[number]:
            return False
        gone[number] = True
    return True


@kernel
def follows(numbers, starts, lits, lit_at, hints, place, gone, false, mark):  # type: ignore[no-untyped-def]
    """Propagate along hints; True once a clause is violated."""
    for number in hints:
        if number >= len(gone) or gone[number]:
            return False
        at = place[number]
        if at < 0:
            left = unit(numbers, starts[number - 1], starts[number], false, mark)
        else:
            left = unit(lits, lit_at[at], lit_at[at + 1], false, mark)
        if left == NONE:
            return True
        if left == TWO or false[index(-left)] == mark:
            return False
        false[index(-left)] = mark
    return False


NONE, TWO = 0, 1 << 40
"""What ``unit`` says of a clause that is violated, and of one with two literals left."""


@kernel
def index(x):  # type: ignore[no-untyped-def]
    """Return the place of a literal in arrays by literal."""
    return 2 * x if x > 0 else 1 - 2 * x


@kernel
def trivial(clause, false, mark):  # type: ignore[no-untyped-def]
    """Tell whether a lemma holds a literal and its contrary."""
    count = 0
    for x in clause:
        count += false[index(-x)] == mark
    return count > 0


@kernel
def unit(numbers, low, high, false, mark):  # type: ignore[no-untyped-def]
    """Return the one literal of a clause that is not false; NONE, or TWO when there are more."""
    left = np.int64(NONE)
    for k in range(low, high):
        x = np.int64(numbers[k])
        if false[index(x)] != mark and x != left:
            if left != NONE:
                return np.int64(TWO)
            left = x
    return left
