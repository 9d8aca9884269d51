"""A solver: the buffers of one search at a time, and calls on them. Use one for each thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import records
from .build import Sizes, compiled, record_of
from .driver import FOREVER
from .records import CHARACTERS, DONE, EXHAUSTED, FULL, MASKS, VALUES, WRONG
from .vec import machine

CELLS = 81
Rows = NDArray[np.uint8]
BYTES = {CHARACTERS: CELLS, VALUES: CELLS, MASKS: 2 * CELLS}
SLICE = 100_000
"""Passes (about 10 ms) between two checks for Ctrl-C and of the clock in Python."""

AHEAD = 64
"""The most solutions by which an enumeration is ahead of the consumer."""


@dataclass(frozen=True)
class PuzzleBytes:
    """Puzzles in memory: ``data`` (bytes of any kind) has one every ``stride`` bytes, in the form given."""

    data: NDArray[Any]
    n: int
    stride: int
    form: int

    @property
    def address(self) -> int:
        """Where the first puzzle begins."""
        return int(self.data.ctypes.data)

    def part(self, start: int, stop: int) -> PuzzleBytes:
        """Return some consecutive puzzles."""
        return PuzzleBytes(self.data[start * self.stride :], stop - start, self.stride, self.form)


@dataclass(frozen=True)
class Answers:
    """The answers to n puzzles.

    ``count`` (int32) is the number of solutions up to the limit, ``status`` (uint8) is 0 if it is unknown, 1 if as many
    as requested were found and 2 if no more exist. ``values`` (uint8, n rows of 81) has the first solutions, or 0.
    """

    count: NDArray[np.int32]
    status: NDArray[np.uint8]
    values: NDArray[np.uint8]

    @classmethod
    def empty(cls, n: int) -> Answers:
        """Return room for n answers, all unknown."""
        return cls(np.zeros(n, np.int32), np.zeros(n, np.uint8), np.zeros((n, CELLS), np.uint8))

    def part(self, start: int, stop: int) -> Answers:
        """Return the (shared) room of some consecutive puzzles."""
        return Answers(self.count[start:stop], self.status[start:stop], self.values[start:stop])


class WrongCharacter(Exception):
    """The puzzle of this index (the exception's argument) holds a character that is neither a digit nor a dot."""


class Solver:
    """Keeps its buffers between calls; two threads must not use it at the same time."""

    def __init__(self, lanes: int | None = None) -> None:
        """Make a solver for vectors of 4, 8 or 16 lanes (None: as wide as the machine's)."""
        self._run = compiled(lanes)
        self.lanes = machine(lanes).lanes
        sizes = Sizes(self.lanes)
        self.search = np.zeros(1, record_of(records.SEARCH))
        self._buffers = {name: _aligned(size) for name, size in sizes.buffers().items()}
        for name, buffer in self._buffers.items():
            self.search[name] = buffer.ctypes.data
        self._slots = self._buffers["slots"].view(record_of(records.SLOT))
        self._address = self.search.ctypes.data
        self.one = One()
        self.reset()

    def reset(self) -> None:
        """Drop the remains of an unfinished search."""
        self._slots[:] = 0
        self._slots["next"] = np.arange(1, len(self._slots) + 1)
        for name in records.EMPTY:
            self.search[name] = 0
        self.search["nfree"] = len(self._slots)

    def solve(
        self, source: PuzzleBytes, limit: int, answers: Answers, expired: Callable[[], bool] | None = None
    ) -> bool:
        """Count solutions up to a limit; False if ``expired`` returned True before all puzzles were answered.

        Raises WrongCharacter, with the first such puzzle's index, when the form is CHARACTERS and one cannot be read.
        """
        if source.n == 0:
            return True
        where = (answers.values.ctypes.data, FOREVER, answers.count.ctypes.data, answers.status.ctypes.data)
        return self._slices((source.address, source.stride, source.form, source.n, limit, 0, *where), expired)

    def solve_one(self, limit: int, expired: Callable[[], bool] | None = None) -> bool:
        """Solve the puzzle in ``one.masks``; the answer is in ``one``."""
        self.one.status[0] = 0
        return self._slices((*self.one.question, limit, 0, *self.one.where), expired)

    def solve_one_of_values(self, limit: int) -> None:
        """Solve the puzzle in ``one.cells``, values with 0 for open; the answer is in ``one``."""
        self._slices((*self.one.of_values, limit, 0, *self.one.where), None)

    def every(self, masks: NDArray[np.uint16], expired: Callable[[], bool]) -> Generator[Rows | None, None, None]:
        """Yield the solutions of one puzzle, depth first, in blocks of rows; at last None if ``expired``
        returned True.
        """
        rows, count, status = np.zeros((AHEAD + self.lanes, CELLS), np.uint8), np.zeros(1, np.int32), np.zeros(1, "u1")
        where = (rows.ctypes.data, AHEAD, count.ctypes.data, status.ctypes.data)
        call = (masks.ctypes.data, 2 * CELLS, MASKS, 1, FOREVER, 1, *where)
        resume = 0
        try:
            while True:
                ending = self._run(self._address, *call, SLICE // 10, resume)
                resume = 1
                written = int(self.search["written"][0])
                if written:
                    yield rows[:written].copy()
                if ending == DONE:
                    return
                if expired():
                    yield None
                    return
        finally:
            self.reset()

    def _slices(self, call: tuple[int, ...], expired: Callable[[], bool] | None) -> bool:
        passes = SLICE if expired is None else SLICE // 20
        ending = FULL
        try:
            ending = self._run(self._address, *call, passes, 0)
            while ending not in (DONE, WRONG):
                if expired is not None and expired():
                    return False
                ending = self._run(self._address, *call, passes, 1)
        finally:
            if ending != DONE:
                self.reset()
        if ending == WRONG:
            raise WrongCharacter(int(self.search["wrong"][0]))
        return True


class One:
    """Room for a single puzzle, made once: 81 candidate masks or values in (``cells``), the answer out."""

    def __init__(self) -> None:
        self.masks = np.zeros(CELLS, np.uint16)
        self.count, self.status, self.values = np.zeros(1, np.int32), np.zeros(1, np.uint8), np.zeros(CELLS, np.uint8)
        given = np.zeros(CELLS, np.uint8)
        self.cells = given.data
        self.question = (self.masks.ctypes.data, 2 * CELLS, MASKS, 1)
        self.of_values = (given.ctypes.data, CELLS, VALUES, 1)
        self._count, self._status, self._digits = self.count.data, self.status.data, self.values.data
        self.where = (self.values.ctypes.data, FOREVER, self.count.ctypes.data, self.status.ctypes.data)

    @property
    def count_and_status(self) -> tuple[int, bool]:
        """How many solutions were found, and whether there are no more."""
        return self._count[0], self._status[0] == EXHAUSTED

    @property
    def digits(self) -> bytes:
        """The digits of the first solution, in row order."""
        return self._digits.tobytes()


class SolverPool:
    """Solvers of one width, each lent to one user at a time."""

    def __init__(self, lanes: int | None = None) -> None:
        self.lanes = lanes
        self._idle: deque[Solver] = deque()

    def borrowed(self) -> Loan:
        """Lend a solver, in a ``with`` statement."""
        try:
            return Loan(self._idle.pop(), self._idle)
        except IndexError:
            return Loan(Solver(self.lanes), self._idle)


class Loan:
    """A solver that goes back to the idle ones where the ``with`` statement ends."""

    __slots__ = ("_idle", "_solver")

    def __init__(self, solver: Solver, idle: deque[Solver]) -> None:
        self._solver, self._idle = solver, idle

    def __enter__(self) -> Solver:
        return self._solver

    def __exit__(self, *_: object) -> None:
        self._idle.append(self._solver)


def _aligned(size: int) -> NDArray[np.uint8]:
    """Return an array of bytes that begins on a cache line; pages are not touched before they are used."""
    raw = np.empty(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]
