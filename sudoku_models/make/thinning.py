"""Remove clues from many boards together, each one that can be removed, as if one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..bulk import solve_arrays
from ..bulk.where import Where
from ..engine.batch import MASK_BITS
from ..engine.budget import Budget
from ..engine.contract import Batch
from ..engine.registry import BackendLike
from ..errors import LimitReached
from ..puzzle import Puzzle
from ..verbs.solving import is_unique, solve
from .chance import Array

AT_ONCE = 0.35
"""The part of a board's groups that are removed together at first, where that leaves one solution; then half."""


class Uniqueness:
    """Finds which boards (uint8, n x cells, 0 in open cells) have exactly one solution on an empty puzzle's board.

    ``together`` says that an engine tests many boards in one call, which takes microseconds for each. Raises what
    ``is_unique`` raises: LimitReached if the ``budget`` is spent first.
    """

    def __init__(
        self, puzzle: Puzzle, backend: BackendLike = "auto", workers: int = 1, budget: Budget | None = None
    ) -> None:
        self.puzzle, self.backend, self.workers, self.budget = puzzle, backend, workers, budget
        values, where = len(puzzle.shape.values), Where(backend, shape=puzzle.shape)
        self.together = values <= MASK_BITS and where.chosen and where.batches() is not None
        self._every = (1 << values) - 1
        self._masks = np.array([self._every, *(1 << k for k in range(values if self.together else 0))], np.uint64)

    def __call__(self, boards: Array) -> Array:
        """Return which boards have exactly one solution (bool, n)."""
        if self.together:
            found: Array = self._batch(boards, 2).count == 1
            return found
        puzzles = map(self._puzzle, boards.tolist())
        return np.array([is_unique(puzzle, self.backend, budget=self.budget) for puzzle in puzzles], bool)

    def solved(self, boards: Array) -> Array:
        """Return a solution of each board that has one (uint8, n x cells)."""
        if self.together:
            found: Array = self._batch(boards, 1).values
            return found
        grids = [solve(self._puzzle(row), self.backend).grid for row in boards.tolist()]
        return np.array([grid.values for grid in grids if grid is not None], np.uint8).reshape(boards.shape)

    def without(self, boards: Array, cells: Array) -> Array:
        """Return which boards with one solution keep it without the clues in some cells of each (n x m; bool, n)."""
        rows = np.arange(len(boards))[:, None]
        if self.together and cells.shape[1] == 1:  # any other solution has another value in this cell
            masks = self._masks[boards].astype(np.uint16)
            masks[rows, cells] ^= np.uint16(self._every)
            found: Array = self._batch(masks, 1).count == 0
            return found
        fewer = boards.copy()
        fewer[rows, cells] = 0
        return self(fewer)

    def _batch(self, boards: Array, limit: int) -> Batch:
        left = None if self.budget is None else self.budget.left
        answers = solve_arrays(
            boards, limit=limit, workers=self.workers, shape=self.puzzle.shape, check=False, time_limit=left
        )
        if left is not None and not answers.status.all():
            raise LimitReached("it is not known whether the boards have one solution: time limit", answers)
        return answers

    def _puzzle(self, values: list[int]) -> Puzzle:
        return replace(self.puzzle, givens=tuple(value or None for value in values), stated=None)


def thinned(boards: Array, groups: Array, unique: Uniqueness, least: Array | int = 0) -> Array:
    """Remove clues as long as one solution is left, in groups of cells that are removed together.

    ``boards`` (uint8, n x cells) have one solution each. ``groups`` (n x k x m) lists for each board its groups in the
    order in which they are tried; the last cell of a group may be repeated. No board goes below its number of clues in
    ``least``. Without it, and with groups of single cells that cover all clues, what is left is minimal.
    """
    left, number, settled = boards.copy(), groups.shape[1], np.zeros(len(boards), np.int64)
    floor = np.broadcast_to(least, len(boards))

    def removed(rows: Array, cells: Array) -> Array:
        """Open cells (r x m) of some boards where one solution and enough clues are left; return where."""
        cells = cells.reshape(len(rows), cells.size // max(len(rows), 1))
        fewer = left[rows]
        np.put_along_axis(fewer, cells, 0, 1)
        good = (fewer != left[rows]).any(1) & ((fewer > 0).sum(1) >= floor[rows])
        asked = np.flatnonzero(good)
        good[asked] = unique.without(left[rows[asked]], cells[asked]) if len(asked) else True
        left[rows[good]] = fewer[good]
        done: Array = rows[good]
        return done

    together = int(AT_ONCE * number)
    while together > 1:
        rows = np.flatnonzero(settled == 0)
        settled[removed(rows, groups[rows, :together])] = together
        together //= 2
    for place in range(number):
        rows = np.flatnonzero(settled <= place)
        removed(rows, groups[rows, place])
    return left
