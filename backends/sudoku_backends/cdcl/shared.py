"""A formula that is loaded once, for many searches with further clauses."""

from __future__ import annotations

from array import array

import numpy as np

from .layout import (
    BODY,
    CLAUSE_ROOM,
    CLAUSES,
    DEAD,
    LITERAL_ROOM,
    LITERALS,
    LITS,
    NEXT,
    PAIR_AT,
    VALUES,
    WATCH,
)
from .machine import machine
from .solver import ClauseSearch, made


class Shared:
    """Memory with a formula; each search starts with a copy of what searches change. For one thread."""

    def __init__(self, numbers: array[int], clauses: int, variables: int, first: int) -> None:
        """Load the common formula of all searches."""
        self._whole = numbers, clauses, variables, first
        self._fresh, stated = made(numbers, clauses, variables, first), np.array(numbers, np.int64)
        self._violated = machine().load(self._fresh.ctypes.data, stated.ctypes.data, len(stated))
        self._used = self._fresh.copy()

    def search(self, numbers: array[int]) -> ClauseSearch:
        """Return a search with further clauses, each ended by 0. It is valid until the next one is requested."""
        clauses = numbers.count(0)
        if self._violated or not self._roomy(len(numbers), clauses):
            common, count, variables, first = self._whole
            return ClauseSearch.of(common + numbers, count + clauses, variables, first)
        self._reset()
        stated = np.array(numbers, np.int64)
        memory = self._used
        return ClauseSearch(memory, machine().extend(memory.ctypes.data, stated.ctypes.data, len(stated)))

    def _roomy(self, literals: int, clauses: int) -> bool:
        """Return whether there is room for further clauses, and as much again for learned ones."""
        fresh = self._fresh
        all_clauses, all_literals = fresh[CLAUSES] + 2 * clauses, fresh[LITERALS] + 2 * literals
        return bool(all_clauses < fresh[CLAUSE_ROOM] and all_literals < fresh[LITERAL_ROOM])

    def _reset(self) -> None:
        """Undo what a search changed: it does not change clauses of two literals, and learned clauses come last."""
        used, fresh = self._used, self._fresh
        clauses = int(fresh[CLAUSES])
        dead, rows = int(fresh[DEAD]), int(used[CLAUSES]) + 1
        used[dead : dead + rows] = 0
        for start, end in (
            (0, BODY),
            (fresh[LITS], fresh[LITS] + fresh[LITERALS]),
            (fresh[NEXT], fresh[NEXT] + 2 * clauses + 2),
            (fresh[WATCH], fresh[PAIR_AT]),
            (fresh[VALUES], len(fresh)),
        ):
            used[start:end] = fresh[start:end]
