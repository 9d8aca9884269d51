"""Remove clues from many boards together, each one that can be removed, as if one by one."""

from __future__ import annotations

import numpy as np

from ..bulk import solve_arrays
from ..engine.batch import MASK_BITS, batching
from ..engine.budget import Budget
from ..engine.contract import Batch
from ..engine.registry import BackendLike
from ..errors import LimitReached
from ..puzzle import Puzzle, Shape
from ..verbs.solving import is_unique, solve
from .chance import Array

AT_ONCE = 0.35
"""The part of a board's groups that are removed together at first, where that leaves one solution; then half."""


class Uniqueness:
    """Finds which boards of a shape (uint8, n x cells, 0 in open cells) have exactly one solution.

    ``together`` says that an engine tests many boards in one call, which takes microseconds for each. Raises what
    ``is_unique`` raises: LimitReached if the ``budget`` is spent first.
    """

    def __init__(
        self, shape: Shape, backend: BackendLike = "auto", workers: int = 1, budget: Budget | None = None
    ) -> None:
        self.shape, self.backend, self.workers, self.budget = shape, backend, workers, budget
        small = len(shape.values) <= MASK_BITS
        self.together = small and backend == "auto" and batching(shape.model, backend) is not None

    def __call__(self, boards: Array) -> Array:
        """Return which boards have exactly one solution (bool, n)."""
        if self.together:
            found: Array = self._batch(boards, 2).count == 1
            return found
        return np.array([is_unique(self.puzzle(row), self.backend, budget=self.budget) for row in boards], bool)

    def solved(self, boards: Array) -> Array:
        """Return a solution of each board that has one (uint8, n x cells)."""
        if self.together:
            found: Array = self._batch(boards, 1).values
            return found
        grids = [solve(self.puzzle(row), self.backend, budget=self.budget).grid for row in boards]
        return np.array([grid.values for grid in grids if grid is not None], np.uint8).reshape(boards.shape)

    def _batch(self, boards: Array, limit: int) -> Batch:
        left = None if self.budget is None else self.budget.left
        answers = solve_arrays(
            boards, limit=limit, workers=self.workers, shape=self.shape, check=False, time_limit=left
        )
        if left is not None and not answers.status.all():
            raise LimitReached("it is not known whether the boards have one solution: time limit", answers)
        return answers

    def puzzle(self, values: Array) -> Puzzle:
        return Puzzle(self.shape, tuple(value or None for value in values.tolist()))


def thinned(boards: Array, groups: Array, unique: Uniqueness, least: Array | int = 0) -> Array:
    """Remove clues as long as one solution is left, in groups of cells that are removed together.

    ``boards`` (uint8, n x cells) have one solution each. ``groups`` (n x k x m) lists for each board its groups in the
    order in which they are tried; the last cell of a group may be repeated. No board goes below its number of clues in
    ``least``. Without it, and with groups of single cells that cover all clues, what is left is minimal.
    """
    left, number, settled = boards.copy(), groups.shape[1], np.zeros(len(boards), np.int64)
    floor, together = np.broadcast_to(least, len(boards)), int(AT_ONCE * number)
    steps = [(0, together >> half) for half in range(together.bit_length() - 1)]
    for start, stop in [*steps, *((group, group + 1) for group in range(number))]:
        rows = np.flatnonzero(settled <= start)
        cells, fewer = groups[rows, start:stop].reshape(len(rows), (stop - start) * groups.shape[2]), left[rows]
        good = np.asarray(np.take_along_axis(fewer, cells, 1).any(1))
        np.put_along_axis(fewer, cells, 0, 1)
        if floor.any():
            good &= (fewer > 0).sum(1) >= floor[rows]
        asked = np.flatnonzero(good)
        if len(asked):
            good[asked] = unique(fewer[asked])
        left[rows[good]] = fewer[good]
        settled[rows[good]] = stop
    return left
