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
from sudoku_models.engine.machine_code.language import memory_of, place_of, size_of
from sudoku_models.engine.machine_code.library import Library, LoadedKernels
from sudoku_models.engine.refutation import Cnf, Lemma

from . import kernels as at
from .kernels import Memory

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

COUNTERS = place_of(Memory, "lits")
"""The number of words before those that say where the sections begin."""

SECTIONS = tuple(Memory.__annotations__)[COUNTERS:]


def sizes_of(memory: Memory) -> dict[str, int]:
    """Return how many items each section of a memory has."""
    n, clauses, literals, hints = memory.size, memory.clause_room, memory.literal_room, memory.hint_room
    by_clause = {"lits": literals, "start": clauses + 1, "next": 2 * clauses + 2, "hints": hints}
    by_literal = {"hint_at": clauses + 1, "watch": 2 * n, "values": 2 * n, "ends": n + 1}
    return dict.fromkeys(SECTIONS, n) | by_clause | by_literal


def section(memory: Ints, name: str) -> Ints:
    """Return a section of the memory of a search, as it is now."""
    seen = Memory(memory)
    return memory[getattr(seen, name).place :][: sizes_of(seen)[name]]


def made(cnf: Cnf) -> Ints:
    """Return memory with room for a formula."""
    n, literals = cnf.variables + 1, len(cnf.numbers) - cnf.clauses
    rooms = Memory()
    rooms.size, rooms.clause_room = n, cnf.clauses + 2 * n + 1_001
    rooms.literal_room = rooms.hint_room = literals + 8 * n + 20_000
    memory = _laid_out(rooms)
    section(memory, "watch")[:] = -1
    return memory


def _laid_out(rooms: Memory) -> Ints:
    """Return memory with these counters, and empty sections with room for so many clauses."""
    memory = np.frombuffer(memory_of(Memory, **sizes_of(rooms)), np.int64)
    memory[:COUNTERS] = [rooms[word] for word in range(COUNTERS)]
    return memory


def grown(memory: Ints) -> Ints:
    """Return memory with twice the room for learned clauses."""
    rooms = Memory(memory[:COUNTERS].copy())
    rooms.clause_room, rooms.literal_room, rooms.hint_room = (
        2 * room + 4 for room in (rooms.clause_room, rooms.literal_room, rooms.hint_room)
    )
    larger = _laid_out(rooms)
    for name in SECTIONS:
        part = section(memory, name)
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
        start = Memory(self.memory).start
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
        seen = Memory(self.memory)
        lines = seen.clauses - seen.formula
        room = seen.literals - seen.start[seen.formula + 1] + seen.hinted + 3 * lines + 3
        needed, out = np.zeros(seen.clauses + 1, np.int64), np.empty(room, np.int64)
        size = self._machine.written(self.memory.ctypes.data, needed.ctypes.data, out.ctypes.data)
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
        self._used, self._seen = self._fresh.copy(), Memory(self._fresh)

    def refute(self, numbers: array[int], clock: Budget) -> Any:
        """Return a proof in numbers, as ``Refuter`` says; None if the formula is satisfiable."""
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
        seen = self._seen
        return seen.clauses + 2 * clauses < seen.clause_room and seen.literals + 2 * literals < seen.literal_room

    def _reset(self) -> None:
        """Undo what a search changed: learned clauses come last."""
        used, fresh, seen = self._used, self._fresh, self._seen
        lits, following = seen.lits.place, seen.next.place
        for start, end in (
            (0, size_of(Memory) // 8),
            (lits, lits + seen.literals),
            (following, following + 2 * seen.clauses + 2),
            (seen.watch.place, len(fresh)),
        ):
            used[start:end] = fresh[start:end]


# ---------------------------------------------------------------- hints for the clauses of another search


LOOKS = 256
"""Clauses between two checks of the clock."""


def derived(cnf: Cnf, clauses: Sequence[Sequence[int]], clock: Budget, every: bool) -> Any:
    """Return a proof in numbers (see ``Refuter``) from clauses that propagation derives; None if the
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
        if every and Memory(memory).learned <= k:
            return None
    return ClauseSearch(memory, 0).proof() if ending == at.REFUTED else None


def _flat(clauses: Sequence[Sequence[int]], variables: int) -> tuple[Any, Any]:
    """Return the literals as the search has them, and where each clause begins; without those of unknown variables."""
    known = [clause for clause in clauses if max(map(abs, clause), default=0) <= variables]
    signed = np.fromiter(chain.from_iterable(known), np.int64)
    starts = np.concatenate(([0], np.cumsum([len(clause) for clause in known], dtype=np.int64)))
    return np.where(signed > 0, 2 * signed, 1 - 2 * signed), starts
