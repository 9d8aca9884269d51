"""Many puzzles of one network: boards as rows of masks, shared by threads, each row answered on its own.

A board has a code for each variable: k for the k-th value of its domain and 0 where it is open (uint8), or a mask in
which bit k - 1 is the k-th value (uint16).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Batch, BatchStatus, Request, Witnessed
from sudoku_models.engine.record import Record
from sudoku_models.model import Domain

from .kernel import layout
from .machine import machine
from .search import Searching

if TYPE_CHECKING:
    from .backend import CompiledNative

# ---------------------------------------------------------------- boards and rows of masks

Ints = NDArray[np.int64]
Codes = NDArray[Any]
"""uint8 or uint16."""

CODED = 16
"""The number of values for which a mask of candidates has bits."""


def starts_of(compiled: CompiledNative, grids: Codes, request: Request) -> Ints:
    """Return a row of masks for each board; all 0 if a domain of the request is empty."""
    network, base = compiled.network, compiled.start(request.domains)
    if base is None:
        return np.zeros((len(grids), network.variables), np.int64)
    starts = np.repeat(base[None, :], len(grids), axis=0)
    for x in range(len(compiled.model.variables)):
        narrow(compiled, starts, x, grids[:, x])
    return starts


def narrow(compiled: CompiledNative, starts: Ints, x: int, column: Codes) -> None:
    """Narrow a variable, in each row of masks, to the values that a column of codes allows."""
    starts[:, x] &= _masks(column, compiled.model.variables[x].domain, compiled.network.base)


def _masks(column: Codes, domain: Domain, base: int) -> Ints:
    """Return the masks of a column."""
    bits = np.array([1 << (value - base) for value in domain], np.int64)
    if column.dtype == np.uint8:
        table = np.zeros(256, np.int64)
        table[0] = np.bitwise_or.reduce(bits) if len(bits) else 0
        table[1 : len(bits) + 1] = bits
        return np.asarray(table[column])
    found = np.zeros(len(column), np.int64)
    for k, bit in enumerate(bits[:CODED]):
        found |= np.where((column >> k) & 1, bit, 0)
    return found


def candidates_of(compiled: CompiledNative, starts: Ints) -> NDArray[np.uint16]:
    """Return rows of masks as masks of candidates."""
    found = np.zeros((len(starts), len(compiled.model.variables)), np.uint16)
    for x, variable in enumerate(compiled.model.variables):
        for k in range(min(CODED, len(variable.domain))):
            left = starts[:, x] >> (variable.domain[k] - compiled.network.base) & 1
            found[:, x] |= left.astype(np.uint16) << np.uint16(k)
    found[~starts.all(axis=1)] = 0
    return found


def values_of(compiled: CompiledNative, found: Ints) -> NDArray[np.uint8]:
    """Return solutions, rows of bit numbers, as values of boards: k for the k-th value of each domain."""
    values = compiled.network.rows(found)
    numbers = np.empty(values.shape, np.uint8)
    for x, variable in enumerate(compiled.model.variables):
        domain = variable.domain
        in_a_row = domain[-1] - domain[0] < len(domain)
        numbers[:, x] = (values[:, x] - domain[0] if in_a_row else np.searchsorted(domain, values[:, x])) + 1
    return numbers


# ---------------------------------------------------------------- answers

NO_LIMIT = (1 << 31) - 1
BLOCK = 256
"""The number of rows that a thread takes at a time."""


def run_many(compiled: CompiledNative, grids: Any, request: Request) -> Batch:
    """Answer every row; see ``CompiledWithRows``."""
    clock = Budget(request.time_limit)
    clock.start()
    record = Record(sizes={"puzzles": len(grids)})
    watch = record.stopwatch()
    work = _Work(compiled, starts_of(compiled, grids, request), request.limit, clock)
    watch.lap("encode")
    work.run(request.workers)
    watch.lap("run")
    batch = Batch(work.status, work.count, work.values(), record)
    watch.lap("decode")
    return batch


def witnessed_many(compiled: CompiledNative, grids: Any, request: Request) -> Witnessed | None:
    """Find the candidates of every row, each with a solution that has it; see ``CompiledWithRows``."""
    clock = Budget(request.time_limit)
    clock.start()
    marking = _Marking(compiled, grids, request, clock)
    return marking.witnessed() if marking.marked() else None


class _Marking:
    """The candidates of rows of masks.

    One solution of each row comes first. Then, cell by cell, each row is asked for a solution with a value of the cell
    that none of its solutions has had, until there is none.
    """

    def __init__(self, compiled: CompiledNative, grids: Codes, request: Request, clock: Budget) -> None:
        self.compiled, self.workers, self.clock = compiled, request.workers, clock
        self.starts = starts_of(compiled, grids, request)
        for row in self.starts:
            if row.all() and not clock.expired:
                _narrow(compiled, row)
        self.allowed = candidates_of(compiled, self.starts)
        self.met = np.zeros_like(self.allowed)
        self.rows: list[NDArray[np.int64]] = []
        self.values: list[NDArray[np.uint8]] = []

    def marked(self) -> bool:
        """Find all candidates; return whether there was time for it."""
        rows = np.arange(len(self.starts))
        alive = self._ask(rows)
        if alive is None:
            return False
        return all(self._marked(x, rows[alive]) for x in range(len(self.compiled.model.variables)))

    def _marked(self, x: int, asked: NDArray[np.int64]) -> bool:
        """Find the candidates of a variable in some rows."""
        while len(asked := asked[self._left(asked, x) != 0]):
            wanted = self._left(asked, x)
            found = self._ask(asked, x, wanted)
            if found is None:
                return False
            self.allowed[asked[~found], x] &= ~wanted[~found]
        return True

    def _left(self, rows: NDArray[np.int64], x: int) -> NDArray[np.uint16]:
        """Return the values of a variable, by row, that no solution has had."""
        return np.asarray(self.allowed[rows, x] & ~self.met[rows, x])

    def _ask(
        self, rows: NDArray[np.int64], x: int = 0, wanted: NDArray[np.uint16] | None = None
    ) -> NDArray[np.bool_] | None:
        """Ask rows for solutions with wanted values of a variable; return which have one, None if time ran out."""
        starts = self.starts[rows]
        if wanted is not None:
            narrow(self.compiled, starts, x, wanted)
        work = _Work(self.compiled, starts, 1, self.clock)
        work.run(self.workers)
        if (work.status == BatchStatus.UNKNOWN).any():
            return None
        found: NDArray[np.bool_] = work.count > 0
        self._enter(rows[found], work.values()[found])
        return found

    def _enter(self, rows: NDArray[np.int64], values: NDArray[np.uint8]) -> None:
        """Enter solutions of rows, at most one of each."""
        self.met[rows] |= np.left_shift(np.uint16(1), values.astype(np.uint16) - np.uint16(1))
        self.rows.append(rows)
        self.values.append(values)

    def witnessed(self) -> Witnessed:
        """Return what was found."""
        return Witnessed(self.met, np.concatenate(self.rows), np.concatenate(self.values))


def _narrow(compiled: CompiledNative, row: Ints) -> None:
    """Narrow a row of masks, in place, by what the first propagation removes."""
    left = Searching(compiled.network, row).narrowed()
    row[:] = 0 if left is None else left


class _Work:
    """Rows of masks, and the results of the searches that begin there."""

    def __init__(self, compiled: CompiledNative, starts: Ints, limit: int | None, clock: Budget) -> None:
        self.compiled, self.network, self.clock = compiled, compiled.network, clock
        self.limit = min(limit or NO_LIMIT, NO_LIMIT)
        self.starts = np.ascontiguousarray(starts)
        self.count = np.zeros(len(starts), np.int32)
        self.status = np.full(len(starts), BatchStatus.UNKNOWN, np.uint8)
        self.first = np.zeros((len(starts), max(1, self.network.variables)), np.int64)
        self._ended = Event()

    def run(self, workers: int) -> None:
        """Answer all rows, a block at a time, on a number of threads."""
        blocks = [range(at, min(at + BLOCK, len(self.count))) for at in range(0, len(self.count), BLOCK)]
        if workers <= 1 or len(blocks) <= 1:
            self._thread(iter(blocks))
            return
        shares = [iter(blocks[i::workers]) for i in range(workers)]
        with ThreadPoolExecutor(workers) as pool:
            try:
                list(pool.map(self._thread, shares))
            finally:
                self._ended.set()

    def _thread(self, blocks: Iterator[range]) -> None:
        searching = Searching(self.network, self.network.start)
        for block in blocks:
            if not self._block(searching, block):
                return

    def _block(self, searching: Searching, block: range) -> bool:
        """Answer a block of rows; return whether there was time for all of them."""
        size, n = len(block), self.network.variables
        starts = self.starts[block.start : block.stop]
        found, counts = np.zeros((size + 1, max(1, n)), np.int64), np.zeros(2 * size, np.int64)
        done, began = 0, time.perf_counter()
        searching.state.state = layout.BEGIN
        while done < size and not (self.clock.expired or self._ended.is_set()):
            done = machine().count_many(
                self.network.net.ctypes.data, searching.mem.ctypes.data, searching.weight.ctypes.data,
                self.network.weights.ctypes.data, starts.ctypes.data, done, size, self.limit,
                searching.slice, found.ctypes.data, counts.ctypes.data,
            )  # fmt: skip
            ended = time.perf_counter()
            if done < size:
                searching.adapt(ended - began)
            began = ended
        rows = slice(block.start, block.start + done)
        self.count[rows] = counts[:done]
        self.first[rows] = np.where(counts[:done, None] > 0, found[:done], -1)
        self.status[rows] = np.where(counts[size : size + done], BatchStatus.EXHAUSTED, BatchStatus.LIMIT)
        return done == size

    def values(self) -> NDArray[np.uint8]:
        """Return the first solutions: k for the k-th value of each domain, 0 if there is none."""
        values, found = np.zeros((len(self.count), len(self.compiled.model.variables)), np.uint8), self.count > 0
        if found.any():
            values[found] = values_of(self.compiled, self.first[found])
        return values
