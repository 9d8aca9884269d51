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
from sudoku_models.engine.contract import Batch, BatchStatus, Request
from sudoku_models.engine.record import Record
from sudoku_models.model import Domain

from .kernel import layout
from .machine import address, machine
from .search import Searching

if TYPE_CHECKING:
    from .compiled import CompiledNative

# ---------------------------------------------------------------- boards and rows of masks

Ints = NDArray[np.int64]
Codes = NDArray[Any]
"""uint8 or uint16."""


def starts_of(compiled: CompiledNative, grids: Codes, request: Request) -> Ints:
    """Return a row of masks for each board; all 0 if a domain of the request is empty."""
    network, base = compiled.network, compiled.start(request.domains)
    if base is None:
        return np.zeros((len(grids), network.variables), np.int64)
    starts = np.repeat(np.array(base, np.int64)[None, :], len(grids), axis=0)
    for domain, xs in _by_domain(compiled).items():
        starts[:, xs] &= _masks(grids[:, xs], domain, network.base)
    return starts


def _by_domain(compiled: CompiledNative) -> dict[Domain, list[int]]:
    """Return the numbers of the stated variables by their domain."""
    found: dict[Domain, list[int]] = {}
    for x, variable in enumerate(compiled.model.variables):
        found.setdefault(variable.domain, []).append(x)
    return found


def _masks(codes: Codes, domain: Domain, base: int) -> Ints:
    bits = np.array([1 << (value - base) for value in domain], np.int64)
    if codes.dtype == np.uint8:
        table = np.zeros(256, np.int64)
        table[0] = np.bitwise_or.reduce(bits) if len(bits) else 0
        table[1 : len(bits) + 1] = bits
        return np.asarray(table[codes])
    found = np.zeros(codes.shape, np.int64)
    for k, bit in enumerate(bits):
        found |= (codes.astype(np.int64) >> k & 1) * bit
    return found


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
                self.network.address, address(searching.mem), address(searching.weight),
                address(self.network.weights), starts.ctypes.data, done, size, self.limit,
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
        some, names = self.count > 0, self.compiled.model.names
        first = self.first[some] + self.network.base
        numbers, values = np.empty((len(first), len(names)), np.uint8), np.zeros((len(some), len(names)), np.uint8)
        for domain, xs in _by_domain(self.compiled).items():
            numbers[:, xs] = np.searchsorted(domain, first[:, xs]) + 1
        values[some] = numbers
        return values
