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
    """Finds which boards have exactly one solution under a puzzle's shape and rules.

    Boards are rows of values (n x cells, 0 in open cells), or in the ``form`` that an engine takes. ``together`` says
    that an engine tests many boards in one call, which takes microseconds for each. Raises what ``is_unique`` raises:
    LimitReached if the ``budget`` is spent first.
    """

    def __init__(
        self, puzzle: Puzzle, backend: BackendLike = "auto", workers: int = 1, budget: Budget | None = None
    ) -> None:
        self.puzzle, self.backend, self.workers, self.budget = puzzle, backend, workers, budget
        values, where = len(puzzle.shape.values), Where(backend, shape=puzzle.shape)
        plain = not puzzle.rules and not puzzle.candidates and values <= MASK_BITS
        self.together = plain and where.chosen and where.batches() is not None
        self.every = (1 << values) - 1
        self.open = self.every if self.together else 0

    def __call__(self, boards: Array) -> Array:
        """Return which boards have exactly one solution (bool, n)."""
        together = self.together
        good: Array = (
            self._batch(boards, 2).count == 1 if together else np.array([*map(self.one, boards.tolist())], bool)
        )
        return good

    def one(self, values: list[int]) -> bool:
        """Return whether one board has exactly one solution."""
        return is_unique(self._puzzle(values), self.backend, budget=self.budget)

    def solved(self, boards: Array) -> Array:
        """Return a solution of each board that has one (uint8, n x cells)."""
        found: Array
        if self.together:
            found = self._batch(boards, 1).values
        else:
            grids = [solve(self._puzzle(row), self.backend).grid for row in boards.tolist()]
            found = np.array([grid.values for grid in grids if grid is not None], np.uint8).reshape(boards.shape)
        return found

    def form(self, boards: Array) -> Array:
        """Return boards in the form that is tested fastest: sets of bits (bit k - 1 for the value k), or values.

        ``open`` is an open cell in this form.
        """
        bits = np.array([self.every, *(1 << k for k in range(self.every.bit_length()))], object)
        return bits.astype(np.uint16)[boards] if self.together else boards.copy()

    def without(self, boards: Array, cells: Array) -> Array:
        """Return which boards with one solution keep it without the clues in some cells of each (n x m; bool, n).

        The boards are in the ``form``, and are changed. If one clue is removed, any other solution has another value in
        its cell, so only such a solution is searched for.
        """
        rows = np.arange(len(boards))[:, None]
        if self.together and cells.shape[1] == 1:
            boards[rows, cells] ^= self.every
            kept: Array = self._batch(boards, 1).count == 0
            return kept
        boards[rows, cells] = self.open
        return self(boards)

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


def thinned(boards: Array, groups: Array, unique: Uniqueness, least: Array | None = None) -> Array:
    """Remove clues as long as one solution is left, in groups of cells that are removed together.

    ``boards`` (uint8, n x cells) have one solution each. ``groups`` (n x k x m) lists for each board its groups in the
    order in which they are tried; the last cell of a group may be repeated. No board goes below its number of clues in
    ``least`` (n); without it, and with groups of single cells that cover all clues, what is left is minimal.
    """
    left, number = unique.form(boards), groups.shape[1]
    settled = np.zeros(len(boards), np.int64)
    if least is None:
        together = int(AT_ONCE * number)
        may_go = np.full(len(boards), together)
    else:
        may_go = _may_go(boards, groups, least)
        together = int(may_go.max(initial=0))
    while together > 1 and len(rows := np.flatnonzero(settled == 0)):
        inside = np.arange(together) < may_go[rows, None]
        cells = np.where(inside[:, :, None], groups[rows, :together], groups[rows, :1])
        good = _removed(left, rows, cells.reshape(len(rows), -1), unique, least)
        settled[rows[good]] = np.minimum(together, may_go[rows[good]])
        together //= 2
    for place in range(number):
        rows = np.flatnonzero(settled <= place)
        _removed(left, rows, groups[rows, place], unique, least)
    puzzles: Array = np.where(left == unique.open, 0, boards)
    return puzzles


def _may_go(boards: Array, groups: Array, least: Array) -> Array:
    """Return how many of the first groups of each board have no more clues than may go."""
    held = np.take_along_axis(boards, groups.reshape(len(boards), -1), 1).reshape(groups.shape) > 0
    held[:, :, 1:] &= groups[:, :, 1:] != groups[:, :, :-1]
    room = (boards > 0).sum(1) - least
    found: Array = (held.sum(2).cumsum(1) <= room[:, None]).sum(1)
    return found


def _removed(left: Array, rows: Array, cells: Array, unique: Uniqueness, least: Array | None) -> Array:
    """Open some cells (r x m) of some boards where one solution and enough clues are left; return where (bool, r)."""
    good: Array = (left[rows[:, None], cells] != unique.open).any(1)
    if least is not None:
        fewer = left[rows]
        np.put_along_axis(fewer, cells, unique.open, 1)
        good &= (fewer != unique.open).sum(1) >= least[rows]
    asked = np.flatnonzero(good)
    if len(asked):
        good[asked] = unique.without(left[rows[asked]], cells[asked])
    left[rows[good][:, None], cells[good]] = unique.open
    return good
