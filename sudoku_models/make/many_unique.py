"""Test whether each of many boards of one structure has exactly one solution, in batches if a backend supports them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..bulk.where import Where
from ..engine.batch import MASK_BITS
from ..engine.contract import Batch
from ..engine.registry import BackendLike
from ..errors import BackendMissing, LimitReached, Unsupported
from ..puzzle import Puzzle
from ..verbs.solving import is_unique
from .bands import Array
from .compiled_loops import compiled
from .levels import seconds_to


@compiled
def _with_another_value(rows: Array, cells: Array, every: int, masks: Array) -> None:
    """Write the candidates of each row: those of its values, and in one cell of each row all of ``every`` but its
    value.
    """
    for i in range(len(rows)):
        for cell in range(rows.shape[1]):
            value = rows[i, cell]
            masks[i, cell] = 1 << (value - 1) if value else every
        masks[i, cells[i]] = every & ~masks[i, cells[i]]


class Uniqueness:
    """Finds which rows of values (0 in open cells) have exactly one solution under a puzzle's shape and rules.

    ``tests`` counts the tested boards. Raises what ``is_unique`` raises: LimitReached if the ``deadline`` (of
    ``time.monotonic``) is reached first.
    """

    def __init__(
        self, puzzle: Puzzle, backend: BackendLike = "auto", workers: int = 1, deadline: float | None = None
    ) -> None:
        self.puzzle, self.backend, self.workers, self.deadline = puzzle, backend, workers, deadline
        self.tests = 0
        plain, where = not puzzle.rules and not puzzle.candidates, Where(backend, shape=puzzle.shape)
        self._batches = plain and where.chosen and where.engine is not None

    @property
    def together(self) -> bool:
        """Return whether many boards are tested together, which takes microseconds for each."""
        return self._batches

    def __call__(self, rows: Array) -> Array:
        """Return an array of bool, one for each row."""
        return self.answered(rows)[0]

    def answered(self, rows: Array) -> tuple[Array, Array]:
        """Return what a call returns, and a solution of each row (uint8): zeros if there is none or none is known."""
        self.tests += len(rows)
        answers = self._batch(rows.astype(np.uint8, copy=False), 2)
        if answers is not None:
            return answers.count == 1, answers.values
        return np.array([self.one(row) for row in rows.tolist()], bool), np.zeros_like(rows)

    def without(self, rows: Array, cells: Array) -> Array:
        """Return which boards with one solution keep it without the clue in one cell each.

        Any other solution has another value there, so only such a solution is searched for.
        """
        values = len(self.puzzle.shape.values)
        if self._batches and values <= MASK_BITS:
            masks = np.empty(rows.shape, np.uint16)
            _with_another_value(rows, cells, (1 << values) - 1, masks)
            answers = self._batch(masks, 1)
            if answers is not None:
                self.tests += len(rows)
                good: Array = answers.count == 0
                return good
        trials = rows.copy()
        trials[np.arange(len(rows)), cells] = 0
        return self.answered(trials)[0]

    def _batch(self, rows: Array, limit: int) -> Batch | None:
        """Test all rows together; None if no backend does that."""
        from ..bulk import solve_arrays

        if self._batches:
            left = seconds_to(self.deadline)
            try:
                answers = solve_arrays(
                    rows,
                    limit=limit,
                    workers=self.workers,
                    shape=self.puzzle.shape,
                    check=False,
                    time_limit=left,
                )
                if left is not None and not answers.status.all():
                    raise LimitReached("it is not known whether the boards have one solution: time limit", answers)
                return answers
            except (BackendMissing, Unsupported):
                self._batches = False
        return None

    def one(self, values: list[int]) -> bool:
        """Return whether one board has exactly one solution."""
        givens = tuple(value or None for value in values)
        left = seconds_to(self.deadline)
        return is_unique(replace(self.puzzle, givens=givens), self.backend, time_limit=left)
