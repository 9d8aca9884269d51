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
        values = len(shape.values)
        self.together = values <= MASK_BITS and backend == "auto" and batching(shape.model, backend) is not None
        bits = (1 << values) - 1, *(1 << k for k in range(values))
        self._form = np.array(bits if self.together else range(values + 1), np.uint16)
        self.open = self._form[0]

    def __call__(self, boards: Array) -> Array:
        """Return which boards, of values or in the ``form``, have exactly one solution (bool, n)."""
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

    def form(self, boards: Array) -> Array:
        """Return boards in the form in which many are tested: sets of bits (bit k - 1 for k), or values.

        ``open`` is an open cell in this form.
        """
        found: Array = self._form[boards]
        return found

    def without(self, boards: Array, cells: Array) -> Array:
        """Return which boards with one solution keep it without the clues in some cells of each (n x m; bool, n).

        The boards are in the ``form``, and are changed. If one clue is removed, any other solution has another value in
        its cell, so only such a solution is searched for.
        """
        rows = np.arange(len(boards))[:, None]
        if self.together and cells.shape[1] == 1:
            boards[rows, cells] ^= self.open
            found: Array = self._batch(boards, 1).count == 0
            return found
        boards[rows, cells] = self.open
        return self(boards)

    def _batch(self, boards: Array, limit: int) -> Batch:
        left = None if self.budget is None else self.budget.left
        answers = solve_arrays(
            boards, limit=limit, workers=self.workers, shape=self.shape, check=False, time_limit=left
        )
        if left is not None and not answers.status.all():
            raise LimitReached("it is not known whether the boards have one solution: time limit", answers)
        return answers

    def _puzzle(self, values: list[int]) -> Puzzle:
        return Puzzle(self.shape, tuple(value or None for value in values))


def thinned(boards: Array, groups: Array, unique: Uniqueness, least: Array | int = 0) -> Array:
    """Remove clues as long as one solution is left, in groups of cells that are removed together.

    ``boards`` (uint8, n x cells) have one solution each. ``groups`` (n x k x m) lists for each board its groups in the
    order in which they are tried; the last cell of a group may be repeated. No board goes below its number of clues in
    ``least``. Without it, and with groups of single cells that cover all clues, what is left is minimal.
    """
    left, number, settled = unique.form(boards), groups.shape[1], np.zeros(len(boards), np.int64)
    floor = np.broadcast_to(least, len(boards))

    def removed(rows: Array, cells: Array) -> Array:
        """Open cells (r x m) of some boards where one solution and enough clues are left; return where."""
        good = (left[rows[:, None], cells] != unique.open).any(1)
        if floor.any():
            fewer = left[rows]
            np.put_along_axis(fewer, cells, unique.open, 1)
            good &= (fewer != unique.open).sum(1) >= floor[rows]
        asked = np.flatnonzero(good)
        if len(asked):
            good[asked] = unique.without(left[rows[asked]], cells[asked])
        done: Array = rows[good]
        left[done[:, None], cells[good]] = unique.open
        return done

    together = int(AT_ONCE * number)
    while together > 1 and len(rows := np.flatnonzero(settled == 0)):
        settled[removed(rows, groups[rows, :together].reshape(len(rows), -1))] = together
        together //= 2
    for place in range(number):
        rows = np.flatnonzero(settled <= place)
        removed(rows, groups[rows, place])
    puzzles: Array = np.where(left == unique.open, 0, boards)
    return puzzles
