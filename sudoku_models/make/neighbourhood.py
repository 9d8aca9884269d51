"""The neighbours of a puzzle: some clues removed and as many others added, with one solution again ({-1+1}, {-2+2}).

One clue is changed in all possible ways if many boards can be proved together. Otherwise, and for two clues: without
some of its clues a puzzle has many solutions. Other clues can settle it only if at most one of these contains them all,
which is checked on a sample of them, for all clues or pairs together; what is left is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import numpy as np

from ..engine.registry import BackendLike
from ..puzzle import Puzzle, Shape
from ..verbs.solving import solutions
from .bands import Array
from .many_unique import Uniqueness

SAMPLE = 1000
"""The number of solutions in the sample."""

TOGETHER = 4096
"""Boards that are proved together."""


def near(puzzle: Puzzle, changed: int = 1, backend: BackendLike = "auto") -> Iterator[Array]:
    """Yield boards (uint8, n x cells) with one solution that differ in ``changed`` clues, for each choice of clues.

    ``changed`` is 1 or 2. The puzzle has no rules and no candidates: ValueError otherwise. A board may be yielded more
    than once.
    """
    if puzzle.rules or puzzle.candidates or changed not in (1, 2):
        raise ValueError("one or two clues are changed, of a puzzle without rules and candidates")
    values = np.array([value or 0 for value in puzzle.givens], np.uint8)
    unique = Uniqueness(Puzzle.empty(puzzle.shape), backend)
    if changed == 1 and unique.together:
        for trials in one_changed(values, puzzle.shape):
            yield trials[unique(trials)]
        return
    for gone in combinations(np.flatnonzero(values).tolist(), changed):
        base = values.copy()
        base[list(gone)] = 0
        trials = _trials(puzzle, base, changed)
        trials = trials[(trials != values).any(1)]
        found = [part[unique(part)] for part in np.split(trials, range(TOGETHER, len(trials), TOGETHER)) if len(part)]
        yield np.concatenate([values[None][:0], *found])


def one_changed(values: Array, shape: Shape) -> Iterator[Array]:
    """Yield, for each clue, the boards with another clue in its place that agrees with its houses."""
    sees, side = sees_of(shape), len(shape.values)
    for gone in np.flatnonzero(values).tolist():
        base = values.copy()
        base[gone] = 0
        free = (base == 0)[:, None] & ~(sees @ (base[:, None] == np.arange(1, side + 1)))
        free[gone, values[gone] - 1] = False
        cells, places = np.nonzero(free)
        trials = np.repeat(base[None], len(cells), 0)
        trials[np.arange(len(cells)), cells] = places + 1
        yield trials


@lru_cache(maxsize=16)
def sees_of(shape: Shape) -> Array:
    """Return for each pair of cells whether they share a house (bool, cells x cells)."""
    found = np.zeros((shape.cells, shape.cells), bool)
    for house in shape.houses:
        found[np.ix_(house.cells, house.cells)] = True
    np.fill_diagonal(found, False)
    return found


def _trials(puzzle: Puzzle, base: Array, changed: int) -> Array:
    """Return the boards with further clues that may have one solution, judging by a sample of solutions."""
    side = len(puzzle.shape.values)
    givens = tuple(value or None for value in base.tolist())
    with solutions(replace(puzzle, givens=givens, stated=None), limit=SAMPLE) as found:
        sample = np.array([grid.values for grid in found], np.int64)
    shown = np.zeros((len(sample), len(base) * side), np.float32)
    np.put_along_axis(shown, np.arange(len(base)) * side + sample - 1, 1, axis=1)
    least = (
        1 if len(sample) < SAMPLE else 0
    )  # if the sample has all solutions, a clue that none of them contains is useless
    free = np.flatnonzero(np.repeat(base == 0, side) & (shown.sum(0) >= least))
    if changed == 1:
        chosen = free[shown[:, free].sum(0) <= 1][:, None]
    else:
        both = shown[:, free].T @ shown[:, free]
        first, second = np.nonzero(np.triu((both <= 1) & (both >= least), 1))
        chosen = np.stack([free[first], free[second]], 1)
        chosen = chosen[chosen[:, 0] // side != chosen[:, 1] // side]
    boards: Array = np.repeat(base[None], len(chosen), 0)
    np.put_along_axis(boards, chosen // side, (chosen % side + 1).astype(np.uint8), axis=1)
    return boards
