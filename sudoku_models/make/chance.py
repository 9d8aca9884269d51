"""Random numbers that depend only on the seed: the same in every process, with any number of workers.

Work is divided into blocks; each block draws from its own stream, identified by the seed, what is made, and its number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..bulk.mapping import mapped, pool
from ..engine.budget import Budget
from ..engine.machine_code.library import Library, LoadedKernels, NoMachineCode

Array = NDArray[Any]

LISTED = 4
"""Random orders of so few things are chosen from a list of all."""

S = TypeVar("S")
T = TypeVar("T")


class Stream:
    """A named stream of random numbers: ``Stream(7, "grids", 3)``. The numbers come from numpy's PCG64."""

    def __init__(self, *name: object) -> None:
        digest = hashlib.sha256("/".join(map(str, name)).encode()).digest()
        self._pcg = np.random.PCG64(list(np.frombuffer(digest, np.uint32)))
        self._bits = np.random.Generator(self._pcg)

    def numbers(self, size: int) -> Array:
        """Return numbers from 0 (inclusive) to 1 (exclusive), float64."""
        numbers: Array = self._bits.random(size)
        return numbers

    def skip(self, size: int) -> None:
        """Leave out some numbers."""
        self._pcg.advance(size)

    def orders(self, rows: int, size: int) -> Array:
        """Return rows of random orders of 0 to ``size`` - 1 (int64)."""
        if size <= LISTED:
            every = all_orders(size)
            return every.take((self.numbers(rows) * len(every)).astype(np.int64), axis=0)
        return np.argsort(self.numbers(rows * size).reshape(rows, size), 1, kind="stable")


@cache
def all_orders(size: int) -> Array:
    """Return all orders of 0 to ``size`` - 1, a row each (int64)."""
    return np.array(list(permutations(range(size))), np.int64)


@cache
def machine(library: Library) -> LoadedKernels:
    """Return the kernels of a library, as plain Python where there can be no machine code: the results are the same."""
    try:
        return library.load()
    except NoMachineCode:
        return library.plain()


def in_blocks(work: Callable[[S], T], workers: int, blocks: Iterator[S]) -> Iterator[T]:
    """Yield what ``work`` makes of each block, in order, on several threads; as lazily as they allow."""
    with pool(max(workers, 1), None, Budget()) as threads:
        yield from mapped(lambda some, _: map(work, some), blocks, threads, most=2 * workers, largest=1)
