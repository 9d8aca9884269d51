"""A solver: the buffers of one search at a time, and calls on them; and a pool of them for arrays of puzzles."""

from __future__ import annotations

import mmap
from array import array
from collections import deque
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Batch
from sudoku_models.engine.machine_code.language import place_of, size_of
from sudoku_models.engine.machine_code.library import Library, address, machine
from sudoku_models.engine.record import Record
from sudoku_models.lazy import Loaded

from .driver import BLOCKS, DONE, EMPTY, EXHAUSTED, FOREVER, FULL, MASKS, VALUES, Search, Slot
from .rules import DEPTH
from .words import WORDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = Loaded("numpy")  # one puzzle at a time needs none

CELLS = 81
SPARE = 192  # bytes that nobody reads
SLICE = 100_000
"""Passes (about 10 ms) between two checks for Ctrl-C and of the clock in Python."""

AHEAD = 64
"""The most solutions by which an enumeration is ahead of the consumer."""

ALL = 0x1FF
CHUNK = 16384
"""The most puzzles in a chunk of work for a thread: many, to reduce the loss at its end, when lanes are idle."""

LEAST = 512
"""The number of puzzles that justifies a further thread."""

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


@cache
def library(lanes: int | None = None) -> Library:
    """Return the library of the search for a width; its memory is all by address."""
    width = machine(lanes)

    def kernels() -> Any:
        from . import kernels

        return kernels.kernels()

    def settings() -> Any:
        from . import kernels

        return kernels.settings(width, sizes_of(width.lanes))

    sources = [Path(__file__).with_name(f"{name}.py") for name in FILES]
    return Library(f"bitset-{width.lanes}", {"run": "iiii"}, sources, kernels, settings)


class Solver:
    """Keeps its buffers between calls; two threads must not use it at the same time."""

    def __init__(self, lanes: int | None = None, idle: deque[Solver] | None = None) -> None:
        """Make a solver for vectors of 4, 8 or 16 lanes (None: as wide as the machine's).

        It comes back to the ``idle`` ones where a ``with`` block ends.
        """
        self._idle = deque() if idle is None else idle
        self._run = library(lanes).load().run
        self.lanes = machine(lanes).lanes
        self._memory = bytearray(size_of(Search))
        self.search, self._address = Search(self._memory), address(self._memory)
        # Private, so that a forked process has its own: the default is memory that both would write to.
        private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
        self._buffers = {name: mmap.mmap(-1, size, **private) for name, size in buffers_of(self.lanes).items()}
        for name, buffer in self._buffers.items():
            setattr(self.search, name, address(buffer))
        # one puzzle: its candidate masks, then the answer, and the two questions (see ``Question``) about it
        self.masks = array("H", bytes(2 * CELLS))
        self._count, self._status, self._digits = array("i", [0]), bytearray(1), bytearray(CELLS)
        where = (address(self._digits), FOREVER, address(self._count), address(self._status))
        self._asked = [array("q", (address(self.masks), 2 * CELLS, MASKS, 1, limit, 0, *where)) for limit in (1, 2)]
        self._of_masks = list(map(address, self._asked))
        self.reset()

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self._idle.append(self)

    def reset(self) -> None:
        """Drop the remains of an unfinished search."""
        slots = sizes_of(self.lanes)["SLOTS"]
        free = array("q", bytes(size_of(Slot) * slots))
        free[place_of(Slot, "next") :: size_of(Slot) // 8] = array("q", range(1, slots + 1))
        self._buffers["slots"][:] = free.tobytes()
        for name in EMPTY:
            setattr(self.search, name, 0)
        self.search.nfree = slots

    def solve(self, source: Any, limit: int, found: Batch, clock: Budget) -> None:
        """Count the solutions of puzzles up to a limit, and enter what is ``found`` before the clock expires.

        ``source`` is a C-contiguous array of shape (n, 81): uint8 values or uint16 masks.
        """
        if len(source):
            form, stride = (VALUES, CELLS) if source.itemsize == 1 else (MASKS, 2 * CELLS)
            where = (found.values.ctypes.data, FOREVER, found.count.ctypes.data, found.status.ctypes.data)
            asked = array("q", (source.ctypes.data, stride, form, len(source), limit, 0, *where))
            self._slices(address(asked), clock)

    def solve_one(self, limit: int, clock: Budget) -> tuple[int, bool, bytes] | None:
        """Solve the puzzle in ``masks``, up to one or two solutions; None if the clock expired.

        Return the number of solutions found, whether there are no more, and the digits of the first in row order.
        """
        self._status[0] = 0
        if not self._slices(self._of_masks[limit - 1], clock):
            return None
        return self._count[0], self._status[0] == EXHAUSTED, bytes(self._digits)

    def every(self, masks: array[int], clock: Budget) -> Generator[list[bytes], None, None]:
        """Yield the solutions of one puzzle, depth first, in lists of 81 digits. Raise OutOfTime."""
        rows, count, status = bytearray((AHEAD + self.lanes) * CELLS), array("i", [0]), bytearray(1)
        where = (address(rows), AHEAD, address(count), address(status))
        asked = array("q", (address(masks), 2 * CELLS, MASKS, 1, FOREVER, 1, *where))
        ending, resume = FULL, 0
        try:
            while ending != DONE:
                ending = self._run(self._address, address(asked), SLICE // 10, resume)
                resume = 1
                if written := self.search.written:
                    yield [bytes(rows[at : at + CELLS]) for at in range(0, written * CELLS, CELLS)]
                clock.check()
        finally:
            self.reset()

    def _slices(self, asked: int, clock: Budget) -> bool:
        passes = SLICE if clock.left is None else SLICE // 20
        ending = FULL
        try:
            ending = self._run(self._address, asked, passes, 0)
            while ending != DONE:
                if clock.expired:
                    return False
                ending = self._run(self._address, asked, passes, 1)
        finally:
            if ending != DONE:
                self.reset()
        return True


class SolverPool:
    """Solvers of one width, each lent to one user at a time; any number of threads may use them.

    Puzzles are classic 9 x 9 boards in row order; cells are 1 to 9, and a candidate mask has bit v - 1 for value v.
    """

    def __init__(self, lanes: int | None = None) -> None:
        """Vectors have 4, 8 or 16 lanes (None: as wide as the machine's)."""
        self.lanes = lanes
        self._idle: deque[Solver] = deque()

    def borrowed(self) -> Solver:
        """Lend a solver for a ``with`` statement, at the end of which it comes back."""
        try:
            return self._idle.pop()
        except IndexError:
            return Solver(self.lanes, self._idle)

    def solve(self, grids: NDArray[Any], limit: int = 2, workers: int = 1, clock: Budget | None = None) -> Batch:
        """Count solutions up to a limit, and return the first of each puzzle.

        ``grids`` is uint8 of shape (n, 81), values with 0 for open, or uint16, candidate masks. The first solution
        depends only on the puzzle. Givens that clash have no solution. When the clock expires, the unanswered puzzles
        keep the status 0, without a count and a solution.
        """
        source, n, clock = checked(grids), len(grids), clock or Budget()
        if limit < 1:
            raise ValueError(f"a limit of {limit}: 1 or more is expected")
        found = Batch(np.zeros(n, np.uint8), np.zeros(n, np.int32), np.zeros((n, CELLS), np.uint8), Record())
        size = max(LEAST, min(CHUNK, -(-n // (4 * workers)))) if workers > 1 else max(n, 1)
        parts = [slice(start, start + size) for start in range(0, n, size)]

        def solve_part(part: slice) -> None:
            """Solve the puzzles of one chunk into their part of the answers."""
            if part.start and clock.expired:
                return
            room = Batch(found.status[part], found.count[part], found.values[part], found.record)
            with self.borrowed() as solver:
                solver.solve(source[part], limit, room, clock)

        with ThreadPoolExecutor(workers) if len(parts) > 1 else nullcontext() as threads:
            list(threads.map(solve_part, parts) if threads else map(solve_part, parts))
        if clock.expired:  # a search that was not ended has left the best solution so far
            found.values[found.status == 0] = 0
        return found


def checked(grids: NDArray[Any]) -> NDArray[Any]:
    """Return an array of values or masks, C-contiguous; ValueError if it is no such array."""
    if grids.ndim != 2 or grids.shape[1] != CELLS or grids.dtype not in (np.uint8, np.uint16):
        raise ValueError(f"an array of {grids.dtype} and shape {grids.shape}: uint8 or uint16 and (n, 81) are expected")
    kind, largest = ("a value, 0 to 9", 9) if grids.dtype == np.uint8 else ("a mask of nine bits", ALL)
    if grids.size and int(grids.max()) > largest:
        row, cell = np.argwhere(grids > largest)[0]
        raise ValueError(f"puzzle {row}, cell {cell}: {grids[row, cell]} is not {kind}")
    return np.ascontiguousarray(grids)


def masks_of(grids: NDArray[Any]) -> NDArray[np.uint16]:
    """Return the candidate masks of an array of values, or a copy of an array of masks."""
    if checked(grids).dtype == np.uint16:
        return grids.astype(np.uint16)
    masks: NDArray[np.uint16] = np.array([ALL, *(1 << v for v in range(9))], np.uint16)[grids]
    return masks
