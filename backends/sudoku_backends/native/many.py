"""Many puzzles of one network: rows of masks, shared by threads, each row answered for itself."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.contract import Batch, BatchStatus, Request, Witnessed
from sudoku_models.engine.record import Clock, Record

from .kernel import layout
from .machine import machine
from .search import Searching

if TYPE_CHECKING:
    from .backend import CompiledNative

Ints = NDArray[np.int64]

NO_LIMIT = (1 << 31) - 1
SLICE = 1_000
BLOCK = 256
"""Rows that a thread takes at a time."""


def run_many(compiled: CompiledNative, grids: Any, request: Request) -> Batch:
    """Answer every row; see ``CompiledBatch.run_many``."""
    clock = Clock(request.time_limit)
    clock.resume()
    record = Record(sizes={"puzzles": len(grids)})
    watch = record.stopwatch()
    work = _Work(compiled, starts_of(compiled, np.asarray(grids), request), request.limit, clock)
    watch.lap("encode")
    work.run(request.workers)
    watch.lap("run")
    values = work.values()
    watch.lap("decode")
    return Batch(work.status, work.count, values, record)


def witnessed_many(compiled: CompiledNative, grids: Any, request: Request) -> Witnessed | None:
    """Find the candidates of every row, each with a solution that has it; see ``CompiledWithWitnesses``."""
    clock = Clock(request.time_limit)
    clock.resume()
    marking = _Marking(compiled, starts_of(compiled, np.asarray(grids), request), request.workers, clock)
    return marking.witnessed() if marking.marked() else None


class _Marking:
    """The candidates of rows of masks.

    One solution of each row comes first. Then, cell by cell, each row is asked for a solution with a value of the cell
    that none of its solutions has had, until there is none.
    """

    def __init__(self, compiled: CompiledNative, starts: Ints, workers: int, clock: Clock) -> None:
        self.compiled, self.starts, self.workers, self.clock = compiled, starts, workers, clock
        self.met = np.zeros_like(starts)
        self.rows: list[NDArray[np.int64]] = []
        self.values: list[NDArray[np.uint8]] = []

    def marked(self) -> bool:
        """Find all candidates; tell whether there was time for it."""
        for row in self.starts:
            if row.all() and not self.clock.expired:
                _narrow(self.compiled, row)
        alive = self._ask(np.arange(len(self.starts)), None)
        for x in range(len(self.compiled.model.variables)):
            asked = alive
            while asked is not None and len(asked := asked[self._left(asked, x) != 0]):
                asked = self._ask(asked, x)
            if asked is None:
                return False
        return True

    def _left(self, rows: NDArray[np.int64], x: int) -> Ints:
        """Return the values of a cell, by row, that no solution has had."""
        return np.asarray(self.starts[rows, x] & ~self.met[rows, x])

    def _ask(self, rows: NDArray[np.int64], x: int | None) -> NDArray[np.int64] | None:
        """Ask rows for a solution, with a new value of a cell; return those that have one, None without the time."""
        starts = self.starts[rows]
        if x is not None:
            starts[:, x] = self._left(rows, x)
        work = _Work(self.compiled, starts, 1, self.clock)
        work.run(self.workers)
        if (work.status == BatchStatus.UNKNOWN).any():
            return None
        found = work.count > 0
        self.met[rows[found]] |= np.left_shift(np.int64(1), work.first[found])
        self.rows.append(rows[found])
        self.values.append(work.values()[found])
        return rows[found]

    def witnessed(self) -> Witnessed:
        """Return what was found."""
        return Witnessed(_marks(self.compiled, self.met), np.concatenate(self.rows), np.concatenate(self.values))


def _narrow(compiled: CompiledNative, row: Ints) -> None:
    """Narrow a row of masks, in place, by what the first propagation removes."""
    left = Searching(compiled.network, row).narrowed()
    row[:] = 0 if left is None else left


def _marks(compiled: CompiledNative, met: Ints) -> NDArray[np.uint16]:
    """Return masks of the network as masks of the contract: bit k - 1 is the k-th value of a domain."""
    found = np.zeros((len(met), len(compiled.model.variables)), np.uint16)
    for x, variable in enumerate(compiled.model.variables):
        for k, value in enumerate(variable.domain[:16]):
            found[:, x] |= ((met[:, x] >> (value - compiled.network.base)) & 1).astype(np.uint16) << np.uint16(k)
    return found


def starts_of(compiled: CompiledNative, grids: NDArray[Any], request: Request) -> Ints:
    """Return a row of masks for each row of values or of candidate masks; all 0 when a domain is empty."""
    network, base = compiled.network, compiled.start(request.domains)
    if base is None:
        return np.zeros((len(grids), network.variables), np.int64)
    starts = np.repeat(base[None, :], len(grids), axis=0)
    for x, variable in enumerate(compiled.model.variables):
        starts[:, x] &= _masks(grids[:, x], variable.domain, network.base)
    return starts


def _masks(column: NDArray[Any], domain: tuple[int, ...], base: int) -> Ints:
    """Return the masks of a column: k stands for the k-th value of the domain, or bit k - 1 does."""
    bits = np.array([1 << (value - base) for value in domain], np.int64)
    whole = int(np.bitwise_or.reduce(bits)) if len(bits) else 0
    if column.dtype == np.uint8:
        table = np.zeros(256, np.int64)
        table[0] = whole
        table[1 : len(bits) + 1] = bits
        return np.asarray(table[column])
    found = np.zeros(len(column), np.int64)
    for k, bit in enumerate(bits[:16]):
        found |= np.where((column >> k) & 1, bit, 0)
    return found


class _Work:
    """Rows of masks, and what comes of searches that begin there."""

    def __init__(self, compiled: CompiledNative, starts: Ints, limit: int | None, clock: Clock) -> None:
        self.compiled, self.network, self.clock = compiled, compiled.network, clock
        self.limit = min(limit or NO_LIMIT, NO_LIMIT)
        self.starts = np.ascontiguousarray(starts)
        self.count = np.zeros(len(starts), np.int32)
        self.status = np.full(len(starts), BatchStatus.UNKNOWN, np.uint8)
        self.first = np.zeros((len(starts), max(1, self.network.variables)), np.int64)

    def run(self, workers: int) -> None:
        """Answer all rows, a block at a time, on a number of threads."""
        blocks = [range(at, min(at + BLOCK, len(self.count))) for at in range(0, len(self.count), BLOCK)]
        if workers <= 1 or len(blocks) <= 1:
            self._thread(iter(blocks))
            return
        shares = [iter(blocks[i::workers]) for i in range(workers)]
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(self._thread, shares))

    def _thread(self, blocks: Iterator[range]) -> None:
        searching = Searching(self.network, self.network.start)
        for block in blocks:
            if not self._block(searching, block):
                return

    def _block(self, searching: Searching, block: range) -> bool:
        """Answer a block of rows; tell whether there was time for all of them."""
        size, n = len(block), self.network.variables
        starts = self.starts[block.start : block.stop]
        found, counts = np.zeros((size + 1, max(1, n)), np.int64), np.zeros(2 * size, np.int64)
        done, timed = 0, self.clock.limit is not None
        searching.mem[layout.STATE] = layout.BEGIN
        while done < size and not self.clock.expired:
            done = machine().count_many(
                self.network.net.ctypes.data, searching.mem.ctypes.data, searching.weight.ctypes.data,
                self.network.weights.ctypes.data, starts.ctypes.data, done, size, self.limit,
                SLICE if timed else 1 << 60, found.ctypes.data, counts.ctypes.data,
            )  # fmt: skip
        rows = slice(block.start, block.start + done)
        self.count[rows] = counts[:done]
        self.first[rows] = np.where(counts[:done, None] > 0, found[:done], -1)
        self.status[rows] = np.where(counts[size : size + done], BatchStatus.EXHAUSTED, BatchStatus.LIMIT)
        return done == size

    def values(self) -> NDArray[np.uint8]:
        """Return the first solutions: k for the k-th value of each domain, 0 where there is none."""
        model, base = self.compiled.model, self.network.base
        found = np.zeros((len(self.count), len(model.variables)), np.uint8)
        for x, variable in enumerate(model.variables):
            numbers = np.zeros(layout.MOST_BITS + 1, np.uint8)
            for k, value in enumerate(variable.domain, 1):
                numbers[value - base] = k
            found[:, x] = np.where(self.count > 0, numbers[self.first[:, x]], 0)
        return found
