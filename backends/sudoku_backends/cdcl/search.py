"""The search as an object: a formula goes in, a proof comes out; formulas that begin alike; hints for other proofs."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.machine_code.library import Library, LoadedKernels
from sudoku_models.engine.refutation import Cnf, Lemma

from . import kernels as at

# ---------------------------------------------------------------- machine code


ENTRIES = {
    "load": "mmi",
    "propagate": "m",
    "emit_empty": "mi",
    "search": "mi",
    "written": "mmm",
    "prepare": "m",
    "derive": "mmi",
}


LIBRARY = Library("cdcl", ENTRIES, [Path(str(at.__file__))], lambda: at.KERNELS)


@lru_cache(maxsize=1)
def machine() -> LoadedKernels:
    """Return the search, which takes addresses and integers. Raises NoMachineCode without llvmlite."""
    return LIBRARY.load_or_plain()


# ---------------------------------------------------------------- a search


Ints = NDArray[np.int64]


def section(memory: Ints, name: int) -> Ints:
    """Return a section of the memory of a search, as it is now."""
    end = memory[name + 1] if name < at.LISTS else len(memory)
    return memory[memory[name] : end]


def made(cnf: Cnf) -> Ints:
    """Return memory with room for a formula."""
    n, literals = cnf.variables + 1, len(cnf.numbers) - cnf.clauses
    rows, room = cnf.clauses + 2 * n + 1_000, literals + 8 * n + 20_000
    by_clause = (room, rows + 2, 2 * rows + 2, room, rows + 2)
    memory = _laid_out((*by_clause, 2 * n, 2 * n, n, n, n, n, n + 1, n, n, n, 4 * n))
    section(memory, at.WATCH)[:] = -1
    memory[at.SIZE] = n
    return memory


def _laid_out(sizes: Sequence[int]) -> Ints:
    """Return empty memory with sections of these sizes."""
    ends = at.BODY + np.cumsum(sizes)
    memory = np.zeros(ends[-1], np.int64)
    memory[at.LITS : at.BODY] = [at.BODY, *ends[:-1]]
    memory[[at.LITERAL_ROOM, at.CLAUSE_ROOM, at.HINT_ROOM]] = sizes[0], sizes[2] // 2 - 1, sizes[at.HINTS - at.LITS]
    return memory


def grown(memory: Ints) -> Ints:
    """Return memory with twice the room for learned clauses."""
    old = [section(memory, name) for name in range(at.LITS, at.BODY)]
    sizes = [len(part) for part in old]
    sizes[: at.GROWING] = [2 * size + 4 for size in sizes[: at.GROWING]]
    larger = _laid_out(sizes)
    larger[: at.LITERAL_ROOM] = memory[: at.LITERAL_ROOM]
    for name, part in enumerate(old, at.LITS):
        section(larger, name)[: len(part)] = part
    return larger


WORK = 20_000_000
"""Literals of a formula times conflicts of a slice: about a tenth of a second between two checks of the clock."""


def loaded(memory: Ints, numbers: array[int]) -> int:
    """Load clauses, literals with a 0 after each; return the number of one that cannot hold, or 0."""
    stated = np.array(numbers, np.int64)
    return machine().load(memory.ctypes.data, stated.ctypes.data, len(stated))


class ClauseSearch:
    """A search of one formula that can be stopped and continued."""

    def __init__(self, memory: Ints, violated: int) -> None:
        """Continue with ``memory`` that contains a formula; a clause of it may already be ``violated``."""
        self.memory, self._machine, self.ending = memory, machine(), 0
        if violated:
            self._refuted(violated)

    @classmethod
    def of(cls, cnf: Cnf) -> ClauseSearch:
        """Load a formula."""
        memory = made(cnf)
        return cls(memory, loaded(memory, cnf.numbers))

    def _refuted(self, violated: int) -> None:
        start = section(self.memory, at.START)
        if start[violated + 1] > start[violated]:
            self._machine.propagate(self.memory.ctypes.data)
        self._machine.emit_empty(self.memory.ctypes.data, violated)
        self.ending = at.REFUTED

    def go_on(self, conflicts: int) -> int:
        """Search for at most a number of further conflicts; return the state of the search (see ``layout``)."""
        while not self.ending:
            self.ending = self._machine.search(self.memory.ctypes.data, conflicts)
            if self.ending != at.FULL:
                return self.ending
            self.ending, self.memory = 0, grown(self.memory)
        return self.ending

    def refuted(self, size: int, clock: Budget) -> bool:
        """Search a formula of some size to the end, and return whether it is refuted; OutOfTime if time is up first."""
        conflicts = max(10, WORK // (size + 1))
        while self.go_on(conflicts) == at.UNKNOWN:
            if clock.expired:
                raise OutOfTime
        return self.ending == at.REFUTED

    def proof(self) -> Ints:
        """Return the learned clauses that the empty clause needs, as LRAT has them: number, literals, 0, hints, 0."""
        memory = self.memory
        lines = memory[at.CLAUSES] - memory[at.FORMULA]
        room = (
            memory[at.LITERALS] - section(memory, at.START)[memory[at.FORMULA] + 1] + memory[at.HINTED] + 3 * lines + 3
        )
        needed, out = np.zeros(memory[at.CLAUSES] + 1, np.int64), np.empty(room, np.int64)
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


# ---------------------------------------------------------------- formulas that begin alike


class Shared:
    """Memory with a formula; each search starts with a copy of what searches change. For one thread."""

    def __init__(self, cnf: Cnf) -> None:
        """Load the common formula of all searches."""
        self._whole, self._fresh = cnf, made(cnf)
        self._violated = loaded(self._fresh, cnf.numbers)
        self._used = self._fresh.copy()

    def refute(self, numbers: array[int], clock: Budget) -> Any:
        """Return a proof in numbers, as ``SharedRefuter`` says; None if the formula is satisfiable."""
        search = self._search(numbers)
        return search.proof() if search.refuted(len(self._whole.numbers) + len(numbers), clock) else None

    def _search(self, numbers: array[int]) -> ClauseSearch:
        """Return a search with further clauses, each ended by 0. It is valid until the next one is requested."""
        clauses = numbers.count(0)
        if self._violated or not self._roomy(len(numbers), clauses):
            whole = self._whole
            return ClauseSearch.of(Cnf(whole.numbers + numbers, whole.clauses + clauses, whole.variables))
        self._reset()
        return ClauseSearch(self._used, loaded(self._used, numbers))

    def _roomy(self, literals: int, clauses: int) -> bool:
        """Return whether there is room for further clauses, and as much again for learned ones."""
        fresh = self._fresh
        all_clauses, all_literals = fresh[at.CLAUSES] + 2 * clauses, fresh[at.LITERALS] + 2 * literals
        return bool(all_clauses < fresh[at.CLAUSE_ROOM] and all_literals < fresh[at.LITERAL_ROOM])

    def _reset(self) -> None:
        """Undo what a search changed: learned clauses come last."""
        used, fresh = self._used, self._fresh
        for start, end in (
            (0, at.BODY),
            (fresh[at.LITS], fresh[at.LITS] + fresh[at.LITERALS]),
            (fresh[at.NEXT], fresh[at.NEXT] + 2 * fresh[at.CLAUSES] + 2),
            (fresh[at.WATCH], len(fresh)),
        ):
            used[start:end] = fresh[start:end]


# ---------------------------------------------------------------- hints for the clauses of another search


LOOKS = 256
"""Clauses between two checks of the clock."""


def derived(cnf: Cnf, clauses: Sequence[Sequence[int]], clock: Budget, every: bool) -> Any:
    """Return a proof in numbers (see ``SharedRefuter``) from clauses that propagation derives; None if the
    empty clause is not among them.

    Clauses that it does not derive are left out, or, with ``every``, make it None. OutOfTime if the clock expires.
    """
    search = ClauseSearch.of(cnf)
    if search.ending:
        return search.proof()
    memory, code = search.memory, machine()
    while (ending := code.prepare(memory.ctypes.data)) == at.FULL:
        memory = grown(memory)
    literals, starts = _flat(clauses, cnf.variables)
    if every and len(starts) <= len(clauses):
        return None
    for k in range(len(starts) - 1):
        if ending == at.REFUTED:
            break
        if k % LOOKS == 0 and clock.expired:
            raise OutOfTime
        clause = literals.ctypes.data + 8 * int(starts[k]), int(starts[k + 1] - starts[k])
        while (ending := code.derive(memory.ctypes.data, *clause)) == at.FULL:
            memory = grown(memory)
        if every and memory[at.LEARNED] <= k:
            return None
    return ClauseSearch(memory, 0).proof() if ending == at.REFUTED else None


def _flat(clauses: Sequence[Sequence[int]], variables: int) -> tuple[Any, Any]:
    """Return the literals as the search has them, and where each clause begins; without those of unknown variables."""
    known = [clause for clause in clauses if max(map(abs, clause), default=0) <= variables]
    signed = np.fromiter(chain.from_iterable(known), np.int64)
    starts = np.concatenate(([0], np.cumsum([len(clause) for clause in known], dtype=np.int64)))
    return np.where(signed > 0, 2 * signed, 1 - 2 * signed), starts
