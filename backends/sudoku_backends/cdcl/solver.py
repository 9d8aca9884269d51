"""The search as an object: a formula goes in, a proof comes out."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.refutation import Lemma

from .layout import (
    AFTER,
    BEFORE,
    BODY,
    CLAUSE_ROOM,
    CLAUSES,
    CONFLICTS,
    FIRST,
    FORMULA,
    FULL,
    GROWING,
    HINT_ROOM,
    HINTED,
    HINTS,
    LAST,
    LISTS,
    LITERAL_ROOM,
    LITERALS,
    LITS,
    REFUTED,
    SIZE,
    STAMP,
    STAMPED,
    START,
    WATCH,
)
from .machine import machine

Ints = NDArray[np.int64]


def section(memory: Ints, name: int) -> Ints:
    """Return a section of the memory of a search, as it is now."""
    end = memory[name + 1] if name < LISTS else len(memory)
    return memory[memory[name] : end]


def made(numbers: array[int], clauses: int, variables: int, first: int) -> Ints:
    """Return memory with room for a formula; the variables up to ``first`` are tried before the others."""
    n, literals = variables + 1, len(numbers) - clauses
    rows, room = clauses + 2 * n + 1_000, literals + 8 * n + 20_000
    by_clause = (room, rows + 2, rows, 2 * rows + 2, room, rows + 2, rows)
    by_literal = (2 * n, 2 * n + 1, 2 * literals + 2, 2 * literals + 2, 2 * n)
    memory = _laid_out((*by_clause, *by_literal, n, n, n, n, n, n + 1, n, n, n, n, n, n, 4 * n))
    section(memory, WATCH)[:] = -1
    order = np.concatenate([np.arange(variables, first, -1), np.arange(first, 0, -1)])
    section(memory, BEFORE)[order[1:]], section(memory, AFTER)[order[:-1]] = order[:-1], order[1:]
    section(memory, STAMP)[order] = np.arange(1, n)
    if variables:
        memory[[FIRST, LAST]] = order[-1]
    memory[STAMPED] = memory[SIZE] = n
    return memory


def _laid_out(sizes: Sequence[int]) -> Ints:
    """Return empty memory with sections of these sizes."""
    ends = BODY + np.cumsum(sizes)
    memory = np.zeros(ends[-1], np.int64)
    memory[LITS:BODY] = [BODY, *ends[:-1]]
    memory[[LITERAL_ROOM, CLAUSE_ROOM, HINT_ROOM]] = sizes[0], sizes[2], sizes[HINTS - LITS]
    return memory


def grown(memory: Ints) -> Ints:
    """Return memory with twice the room for learned clauses."""
    old = [section(memory, name) for name in range(LITS, BODY)]
    sizes = [len(part) for part in old]
    sizes[:GROWING] = [2 * size + 4 for size in sizes[:GROWING]]
    larger = _laid_out(sizes)
    larger[:LITERAL_ROOM] = memory[:LITERAL_ROOM]
    for name, part in enumerate(old, LITS):
        section(larger, name)[: len(part)] = part
    return larger


class ClauseSearch:
    """A search of one formula that can be stopped and continued."""

    def __init__(self, memory: Ints, violated: int) -> None:
        """Continue with memory that contains a formula; a clause of it may already be ``violated``."""
        self._memory, self._machine, self.ending = memory, machine(), 0
        if violated:
            self._refuted(violated)

    @classmethod
    def of(cls, numbers: array[int], clauses: int, variables: int, first: int) -> ClauseSearch:
        """Load a formula: ``numbers`` are literals, each clause ended by 0; ``first`` variables are decided first."""
        memory, stated = made(numbers, clauses, variables, first), np.array(numbers, np.int64)
        return cls(memory, machine().load(memory.ctypes.data, stated.ctypes.data, len(stated)))

    def _refuted(self, violated: int) -> None:
        start = section(self._memory, START)
        if start[violated + 1] > start[violated]:
            self._machine.propagate(self._memory.ctypes.data)
        self._machine.emit_empty(self._memory.ctypes.data, violated)
        self.ending = REFUTED

    def go_on(self, conflicts: int) -> int:
        """Search for at most a number of further conflicts; return the state of the search (see ``layout``)."""
        while not self.ending:
            self.ending = self._machine.search(self._memory.ctypes.data, conflicts)
            if self.ending != FULL:
                return self.ending
            self.ending, self._memory = 0, grown(self._memory)
        return self.ending

    @property
    def memory(self) -> Ints:
        """The memory of the search as it is now."""
        return self._memory

    @property
    def conflicts(self) -> int:
        """The number of conflicts."""
        return int(self._memory[CONFLICTS])

    def proof(self) -> Ints:
        """Return the learned clauses that the empty clause needs, as LRAT has them: number, literals, 0, hints, 0."""
        memory = self._memory
        lines = memory[CLAUSES] - memory[FORMULA]
        room = memory[LITERALS] - section(memory, START)[memory[FORMULA] + 1] + memory[HINTED] + 3 * lines + 3
        needed, out = np.zeros(memory[CLAUSES] + 1, np.int64), np.empty(room, np.int64)
        size = self._machine.written(memory.ctypes.data, needed.ctypes.data, out.ctypes.data)
        return out[:size].astype(np.int32)


def lemmas_of(search: ClauseSearch) -> list[Lemma]:
    """Return the learned clauses on which the last one, the empty clause, depends, in order, with their own numbers.

    Without a conflict below the root all of them are literals that follow one by one; then the empty clause alone is
    returned, its hints the clauses that show each of them.
    """
    numbers, at, found = search.proof().tolist(), 0, []
    while at < len(numbers):
        middle = numbers.index(0, at)
        end = numbers.index(0, middle + 1)
        found.append(Lemma(numbers[at], tuple(numbers[at + 1 : middle]), tuple(numbers[middle + 1 : end])))
        at = end + 1
    return found
