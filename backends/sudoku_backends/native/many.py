"""Many puzzles of one network: rows of masks, shared by threads, each row answered for itself."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.contract import Batch, BatchStatus, Request
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
    work = _Work(compiled, grids, request, clock)
    watch.lap("encode")
    work.run(request.workers)
    watch.lap("run")
    values = work.values()
    watch.lap("decode")
    return Batch(work.status, work.count, values, record)


class _Work:
    """The rows of a batch and their answers."""

    def __init__(self, compiled: CompiledNative, grids: Any, request: Request, clock: Clock) -> None:
        self.compiled, self.network, self.clock = compiled, compiled.network, clock
        self.limit = min(request.limit or NO_LIMIT, NO_LIMIT)
        self.starts = self._starts(np.asarray(grids), request)
        self.count = np.zeros(len(grids), np.int32)
        self.status = np.full(len(grids), BatchStatus.UNKNOWN, np.uint8)
        self.first = np.zeros((len(grids), max(1, self.network.variables)), np.int64)

    def _starts(self, grids: NDArray[Any], request: Request) -> Ints:
        """Return a row of masks for each row of values or of candidate masks; all 0 when a domain is empty."""
        network, base = self.network, self.compiled.start(request.domains)
        if base is None:
            return np.zeros((len(grids), network.variables), np.int64)
        starts = np.repeat(base[None, :], len(grids), axis=0)
        for x, variable in enumerate(self.compiled.model.variables):
            starts[:, x] &= self._masks(grids[:, x], variable.domain)
        return starts

    def _masks(self, column: NDArray[Any], domain: tuple[int, ...]) -> Ints:
        """Return the masks of a column: k stands for the k-th value of the domain, or bit k - 1 does."""
        bits = np.array([1 << (value - self.network.base) for value in domain], np.int64)
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
