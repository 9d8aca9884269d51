"""Clues are taken from boards in a given order, each one that can go, for many boards at once.

Whether a puzzle has one solution can only get worse when clues go. So several are taken at once while that is likely
to succeed, half of them where it did not, down to single ones: the outcome is the same as one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .bands import Array
from .compiled import compiled

Unique = Callable[[Array], Array]
"""Tells for each row of an array of boards (0 in open cells) whether it has exactly one solution."""

_STEPS = {0: 28, 28: 8, 36: 5, 41: 4, 45: 3, 48: 2, 50: 2}
"""How many clues of a full classic board are taken at once, by how many have been decided."""


@dataclass(frozen=True)
class Taken:
    """What is left of the boards (n x cells), and how many tests of uniqueness it took."""

    puzzles: Array
    tests: int


def take_away(boards: Array, groups: Array, least: Array, unique: Unique) -> Taken:
    """Take clues away where one solution is left, in groups of cells that come and go together.

    ``boards`` (uint8, n x cells) have one solution each. ``groups`` (n x k x m) lists for each board its groups in the
    order in which they are tried, -1 where a group has fewer cells. No board goes below its number of clues in
    ``least``. With 0 there, and groups of single cells that cover all clues, what is left is minimal.
    """
    puzzles = boards.copy()
    count, last = len(boards), groups.shape[1]
    steps = _steps(last, boards.shape[1])
    at, size = np.zeros(count, np.int64), np.full(count, steps[0])
    clues = (puzzles > 0).sum(1)
    going, tests = np.arange(count), 0
    while len(going := going[at[going] < last]):
        trials = np.empty((len(going), boards.shape[1]), boards.dtype)
        left = np.empty(len(going), np.int64)
        _without(puzzles, groups, going, at, size, trials, left)
        asked = np.flatnonzero((left < clues[going]) & (left >= least[going]))
        good = left == clues[going]
        good[asked] = unique(trials[asked] if len(asked) < len(going) else trials)
        tests += len(asked)
        _settle(puzzles, trials, going, good, left, clues, at, size, steps)
    return Taken(puzzles, tests)


def _steps(groups: int, cells: int) -> Array:
    steps = np.ones(groups, np.int64)
    for decided, size in _STEPS.items():
        at = decided * groups // 81
        if at < groups:
            steps[at] = max(1, size * groups // 81)
    for at in range(groups):
        steps[at] = min(steps[at], groups - at)
    return steps


def _without(
    puzzles: Array, groups: Array, going: Array, at: Array, size: Array, trials: Array, left: Array
) -> None:  # fmt: skip
    """Write each board without its next groups, and how many clues are left."""
    cells, members = puzzles.shape[1], groups.shape[2]
    for t in range(len(going)):
        i = going[t]
        for c in range(cells):
            trials[t, c] = puzzles[i, c]
        for k in range(at[i], at[i] + size[i]):
            for m in range(members):
                if groups[i, k, m] >= 0:
                    trials[t, groups[i, k, m]] = 0
        clues = 0
        for c in range(cells):
            clues += 1 if trials[t, c] > 0 else 0
        left[t] = clues


def _settle(
    puzzles: Array, trials: Array, going: Array, good: Array, left: Array, clues: Array,
    at: Array, size: Array, steps: Array,
) -> None:  # fmt: skip
    """Keep what went well, and go on; where it did not, try half as many next, or leave a group in place."""
    cells = puzzles.shape[1]
    for t in range(len(going)):
        i = going[t]
        if good[t]:
            for c in range(cells):
                puzzles[i, c] = trials[t, c]
            clues[i] = left[t]
        elif size[i] > 1:
            size[i] = (size[i] + 1) // 2
            continue
        at[i] += size[i]
        if at[i] < len(steps):
            size[i] = steps[at[i]]


_without, _settle = compiled(_without), compiled(_settle)
