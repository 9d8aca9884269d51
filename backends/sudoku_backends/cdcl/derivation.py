"""Hints for the clauses of another search: each is derived again by propagation, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.refutation import Cnf

from .layout import FULL, LEARNED, REFUTED
from .machine import machine
from .solver import ClauseSearch, grown

LOOKS = 256
"""Clauses between two checks of the clock."""


def derived(cnf: Cnf, clauses: Sequence[Sequence[int]], clock: Budget, every: bool) -> Any:
    """Return a proof in numbers (see ``SharedRefuter``) from clauses that propagation derives; None if the
    empty clause is not among them.

    Clauses that it does not derive are left out, or, with ``every``, make it None. OutOfTime if the clock expires.
    """
    search = ClauseSearch.of(cnf.numbers, cnf.clauses, cnf.variables, cnf.first)
    if search.ending:
        return search.proof()
    memory, code = search.memory, machine()
    while (ending := code.prepare(memory.ctypes.data)) == FULL:
        memory = grown(memory)
    literals, starts = _flat(clauses, cnf.variables)
    if every and len(starts) <= len(clauses):
        return None
    for k in range(len(starts) - 1):
        if ending == REFUTED:
            break
        if k % LOOKS == 0 and clock.expired:
            raise OutOfTime
        clause = literals.ctypes.data + 8 * int(starts[k]), int(starts[k + 1] - starts[k])
        while (ending := code.derive(memory.ctypes.data, *clause)) == FULL:
            memory = grown(memory)
        if every and memory[LEARNED] <= k:
            return None
    return ClauseSearch(memory, 0).proof() if ending == REFUTED else None


def _flat(clauses: Sequence[Sequence[int]], variables: int) -> tuple[Any, Any]:
    """Return the literals as the search has them, and where each clause begins; without those of unknown variables."""
    known = [clause for clause in clauses if max(map(abs, clause), default=0) <= variables]
    signed = np.fromiter(chain.from_iterable(known), np.int64)
    starts = np.concatenate(([0], np.cumsum([len(clause) for clause in known], dtype=np.int64)))
    return np.where(signed > 0, 2 * signed, 1 - 2 * signed), starts
