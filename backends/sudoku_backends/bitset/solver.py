"""A solver: the buffers of one search at a time, and calls on them. Use one for each thread."""

from __future__ import annotations

import mmap
from array import array
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.machine_code.language import place_of, size_of
from sudoku_models.engine.machine_code.library import Library, NoMachineCode, address, machine

from .driver import BLOCKS, DONE, EMPTY, EXHAUSTED, FOREVER, FULL, MASKS, VALUES, Search, Slot
from .rules import DEPTH
from .words import WORDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CELLS = 81
BYTES = {VALUES: CELLS, MASKS: 2 * CELLS}
SPARE = 192  # bytes that nobody reads
SLICE = 100_000
"""Passes (about 10 ms) between two checks for Ctrl-C and of the clock in Python."""

AHEAD = 64
"""The most solutions by which an enumeration is ahead of the consumer."""

FILES = ("words", "rules", "driver", "kernels", "solver")
"""The sources that the code depends on."""


def sizes_of(lanes: int) -> dict[str, int]:
    """Return the names of ``driver`` that are numbers: of lanes and slots, and the bytes between things.

    A row of a store is an odd number of vectors, and the levels of the stacks, which lie side by side, are an odd
    number of cache lines apart: otherwise they would share cache sets. A stack holds a state, filled up to vectors.
    """
    line, slots = 4 * lanes, 16 * lanes
    return {
        "LANES": lanes, "EVERY_LANE": (1 << lanes) - 1, "FEW": max(1, lanes * 5 // 16), "LINE": line, "SHORT": 9 * line,
        "BLOCK": WORDS * line, "LEVEL": slots * 128 + 64, "STACK": 128, "SLOTS": slots, "SLOT_BYTES": size_of(Slot),
    }  # fmt: skip


def buffers_of(lanes: int) -> dict[str, int]:
    """Return the bytes of each buffer of a search."""
    sizes = sizes_of(lanes)
    store, slots = WORDS * sizes["SHORT"], sizes["SLOTS"]
    return {
        "blocks": BLOCKS * sizes["BLOCK"], "fresh": store, "stuck": store, "done": store, "spare": SPARE,
        "slots": size_of(Slot) * slots, "stacks": sizes["LEVEL"] * (DEPTH + 1), "table": 8 * lanes,
        "ended": 16 * lanes, "retired": 8 * lanes, "ready": 8 * (slots + lanes),
    }  # fmt: skip


RUN = (("run", "iiii"),)


@cache
def library(lanes: int | None = None, entries: tuple[tuple[str, str], ...] = RUN) -> Library:
    """Return the library of the search for a width; its memory is all by address."""
    width = machine(lanes)

    def kernels() -> Any:
        from . import kernels

        return kernels.kernels()

    def settings() -> Any:
        from . import kernels

        return kernels.settings(width, sizes_of(width.lanes))

    sources = [Path(__file__).with_name(f"{name}.py") for name in FILES]
    return Library(f"bitset-{width.lanes}", dict(entries), sources, kernels, settings)


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
        import numpy as np

        return cls(np.zeros(n, np.int32), np.zeros(n, np.uint8), np.zeros((n, CELLS), np.uint8))

    def part(self, start: int, stop: int) -> Answers:
        """Return the (shared) room of some consecutive puzzles."""
        return Answers(self.count[start:stop], self.status[start:stop], self.values[start:stop])


def question(*numbers: int) -> array[int]:
    """Return the memory of a ``Question`` with these numbers."""
    return array("q", numbers)


class Solver:
    """Keeps its buffers between calls; two threads must not use it at the same time."""

    def __init__(self, lanes: int | None = None) -> None:
        """Make a solver for vectors of 4, 8 or 16 lanes (None: as wide as the machine's)."""
        self._run = library(lanes).load().run
        self.lanes = machine(lanes).lanes
        self._memory = bytearray(size_of(Search))
        self.search, self._address = Search(self._memory), address(self._memory)
        # Private, so that a forked process has its own: the default is memory that both would write to.
        private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
        self._buffers = {name: mmap.mmap(-1, size, **private) for name, size in buffers_of(self.lanes).items()}
        for name, buffer in self._buffers.items():
            setattr(self.search, name, address(buffer))
        self.one = One()
        self.reset()

    def reset(self) -> None:
        """Drop the remains of an unfinished search."""
        slots = sizes_of(self.lanes)["SLOTS"]
        free = array("q", bytes(size_of(Slot) * slots))
        free[place_of(Slot, "next") :: size_of(Slot) // 8] = array("q", range(1, slots + 1))
        self._buffers["slots"][:] = free.tobytes()
        for name in EMPTY:
            setattr(self.search, name, 0)
        self.search.nfree = slots

    def solve(
        self, source: PuzzleBytes, limit: int, answers: Answers, expired: Callable[[], bool] | None = None
    ) -> bool:
        """Count solutions up to a limit; False if ``expired`` returned True before all puzzles were answered."""
        if source.n == 0:
            return True
        where = (answers.values.ctypes.data, FOREVER, answers.count.ctypes.data, answers.status.ctypes.data)
        asked = question(source.address, source.stride, source.form, source.n, limit, 0, *where)
        return self._slices(address(asked), expired)

    def solve_one(self, limit: int, expired: Callable[[], bool] | None = None) -> bool:
        """Solve the puzzle in ``one.masks``, up to one or two solutions; the answer is in ``one``."""
        self.one.status[0] = 0
        return self._slices(self.one.of_masks[limit - 1], expired)

    def every(self, masks: array[int], expired: Callable[[], bool]) -> Generator[list[bytes] | None, None, None]:
        """Yield the solutions of one puzzle, depth first, in lists of 81 digits; at last None if ``expired``
        returned True.
        """
        rows, count, status = bytearray((AHEAD + self.lanes) * CELLS), array("i", [0]), bytearray(1)
        where = (address(rows), AHEAD, address(count), address(status))
        asked = question(address(masks), 2 * CELLS, MASKS, 1, FOREVER, 1, *where)
        resume = 0
        try:
            while True:
                ending = self._run(self._address, address(asked), SLICE // 10, resume)
                resume = 1
                if written := self.search.written:
                    yield [bytes(rows[at : at + CELLS]) for at in range(0, written * CELLS, CELLS)]
                if ending == DONE:
                    return
                if expired():
                    yield None
                    return
        finally:
            self.reset()

    def _slices(self, asked: int, expired: Callable[[], bool] | None) -> bool:
        passes = SLICE if expired is None else SLICE // 20
        ending = FULL
        try:
            ending = self._run(self._address, asked, passes, 0)
            while ending != DONE:
                if expired is not None and expired():
                    return False
                ending = self._run(self._address, asked, passes, 1)
        finally:
            if ending != DONE:
                self.reset()
        return True


class One:
    """Room for a single puzzle, made once: 81 candidate masks in, the answer out."""

    def __init__(self) -> None:
        self.masks = array("H", bytes(2 * CELLS))
        self._count, self.status, self._digits = array("i", [0]), bytearray(1), bytearray(CELLS)
        where = (address(self._digits), FOREVER, address(self._count), address(self.status))
        self._asked = [question(address(self.masks), 2 * CELLS, MASKS, 1, limit, 0, *where) for limit in (1, 2)]
        self.of_masks = list(map(address, self._asked))

    @property
    def count_and_status(self) -> tuple[int, bool]:
        """How many solutions were found, and whether there are no more."""
        return self._count[0], self.status[0] == EXHAUSTED

    @property
    def digits(self) -> bytes:
        """The digits of the first solution, in row order."""
        return bytes(self._digits)


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


__all__ = ["BYTES", "CELLS", "Answers", "NoMachineCode", "PuzzleBytes", "Solver", "SolverPool"]
