"""Solve many puzzles on any number of threads: arrays in, arrays out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Batch
from sudoku_models.engine.record import Record

from .solver import CELLS, SolverPool

ALL = 0x1FF
CHUNK = 16384
"""The most puzzles in a chunk of work for a thread: many, to reduce the loss at its end, when lanes are idle."""

LEAST = 512
"""The number of puzzles that justifies a further thread."""


class BulkSolver:
    """Solves classic 9 x 9 puzzles in row order; cells are 1 to 9, and a candidate mask has bit v - 1 for value v.

    Any number of threads may use it at the same time.
    """

    def __init__(self, pool: SolverPool) -> None:
        self.pool = pool

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
            with self.pool.borrowed() as solver:
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
