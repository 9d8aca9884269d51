"""Clues are taken from boards in a given order, each one that can go, for many boards at once.

Whether a puzzle has one solution can only get worse when clues go. So several are taken at once while that is likely
to succeed, half of them where it did not, down to single ones: the outcome is the same as one by one.

A puzzle with one solution has a clue in each *unavoidable set*: cells that another grid fills otherwise. The last clue
of a known set stays without a search. Small sets are known beforehand, others when a search finds a second solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .bands import Array
from .compiled import compiled
from .trades import small_sets

Ask = Callable[[Array], tuple[Array, Array]]
"""Tells for each row of an array of boards (0 in open cells) whether it has exactly one solution (bool), and gives a

solution of each row, or zeros where it is not known."""

_STEPS = {0: 32, 32: 3, 35: 8, 43: 5, 48: 3, 51: 3, 54: 2, 57: 2, 59: 2}
"""How many clues of a full classic board are taken at once, by how many are decided: chosen for the fewest tests."""


@dataclass(frozen=True)
class Thinned:
    """What is left of the boards (n x cells), and how many tests of uniqueness it took."""

    puzzles: Array
    tests: int


@dataclass
class Boards:
    """Boards on the way: ``puzzles``, which group of ``groups`` comes next (``at``), and how many are taken at once.

    ``member`` has for each cell the known sets that it is in, as bits. How many clues each set has left is spread over
    the rows of ``counts``: bit s of row p is worth 2^p for set s. ``known`` says how many sets were noted.
    """

    puzzles: Array
    solutions: Array
    groups: Array
    least: Array
    clues: Array
    member: Array
    counts: Array
    known: Array
    at: Array
    size: Array
    steps: Array

    @classmethod
    def of(cls, boards: Array, solutions: Array, groups: Array, least: Array) -> Boards:
        """Begin with the first groups."""
        groups = groups.astype(np.int16)
        count, cells = boards.shape
        steps = _steps(groups.shape[1], cells)
        member, known = small_sets(solutions)
        counts = np.zeros((count, cells.bit_length()), np.int64)
        _count(boards, member, counts)
        at, size = np.zeros(count, np.int64), np.full(count, steps[0])
        clues = (boards > 0).sum(1)
        return cls(boards.copy(), solutions, groups, least, clues, member, counts, known, at, size, steps)


def take_away(boards: Array, groups: Array, least: Array, ask: Ask, solutions: Array | None = None) -> Thinned:
    """Take clues away where one solution is left, in groups of cells that come and go together.

    ``boards`` (uint8, n x cells) have one solution each: ``solutions``, which are looked for where they are not given.
    ``groups`` (n x k x m) lists for each board its groups in the order in which they are tried, -1 where a group has
    fewer cells. No board goes below its number of clues in ``least``. With 0 there, and groups of single cells that
    cover all clues, what is left is minimal.
    """
    solutions = ask(boards)[1] if solutions is None else solutions
    b = Boards.of(boards, solutions, groups, least)
    until, left, held = np.zeros_like(b.at), np.zeros_like(b.at), np.zeros_like(b.counts)
    going, tests = np.arange(len(boards)), 0
    while len(going := going[b.at[going] < groups.shape[1]]):
        trials = b.puzzles[going]
        _without(trials, going, b.groups, least, b.clues, b.member, b.counts, b.at, b.size, until, left, held)
        asked = np.flatnonzero(left[going] < b.clues[going])
        good = np.ones(len(going), np.bool_)
        good[asked], found = ask(trials[asked] if len(asked) < len(going) else trials)
        tests += len(asked)
        failed = np.flatnonzero(~good[asked])
        _learn(going[asked], failed, found, b.puzzles, solutions, b.member, b.counts, b.known)
        _settle(trials, going, good, b.puzzles, b.counts, b.clues, b.at, b.size, until, left, held, b.steps)
    return Thinned(b.puzzles, tests)


def _steps(groups: int, cells: int) -> Array:
    steps = np.ones(groups, np.int64)
    for decided, size in _STEPS.items():
        at = decided * groups // 81
        if at < groups:
            steps[at] = max(1, size * groups // 81)
    for at in range(groups):
        steps[at] = min(steps[at], groups - at)
    return steps


def _count(boards: Array, member: Array, counts: Array) -> None:
    """Count the clues of each set."""
    for i in range(len(boards)):
        for c in range(boards.shape[1]):
            carry = member[i, c] if boards[i, c] else 0
            p = 0
            while carry:
                counts[i, p], carry = counts[i, p] ^ carry, counts[i, p] & carry
                p += 1


def _is_last(held: Array, i: int, sets: int) -> bool:
    """Tell whether one of some sets has a single clue left."""
    alone, p = sets & held[i, 0], 1
    while alone and p < held.shape[1]:
        alone &= ~held[i, p]
        p += 1
    return bool(alone != 0)


def _take_one(held: Array, i: int, sets: int) -> None:
    """Take a clue from some sets."""
    p = 0
    while sets:
        before = held[i, p]
        held[i, p] = before ^ sets
        sets &= ~before
        p += 1


_count, _is_last, _take_one = compiled(_count), compiled(_is_last), compiled(_take_one)


def _take_group(groups: Array, k: int, boards: Array, t: int, member: Array, i: int, held: Array) -> int:
    """Take the clues of a group from what their sets hold; how many there are, or -1 where one of them must stay."""
    taken = 0
    for m in range(groups.shape[2]):
        cell = groups[i, k, m]
        if cell >= 0 and boards[t, cell]:
            if _is_last(held, i, member[i, cell]):
                return -1
            _take_one(held, i, member[i, cell])
            taken += 1
    return taken


_take_group = compiled(_take_group)


def _without(
    trials: Array, going: Array, groups: Array, least: Array, clues: Array, member: Array, counts: Array,
    at: Array, size: Array, until: Array, left: Array, held: Array,
) -> None:  # fmt: skip
    """Take the next groups from each board, but for those that must stay; note where it ends, and what is left."""
    planes, members = counts.shape[1], groups.shape[2]
    kept = np.zeros(planes, np.int64)
    for t in range(len(going)):
        i = going[t]
        for p in range(planes):
            held[i, p] = counts[i, p]
        taken, number, k = 0, clues[i], at[i]
        while k < groups.shape[1] and taken < size[i] and number > least[i]:
            for p in range(planes if members > 1 else 0):
                kept[p] = held[i, p]
            fewer = _take_group(groups, k, trials, t, member, i, held)
            if fewer > 0 and number - fewer >= least[i]:
                number -= fewer
                taken += 1
                for m in range(members):
                    if groups[i, k, m] >= 0:
                        trials[t, groups[i, k, m]] = 0
            else:
                for p in range(planes if members > 1 else 0):
                    held[i, p] = kept[p]
            k += 1
        until[i], left[i] = k if clues[i] > least[i] else groups.shape[1], number


def _learn(
    going: Array, failed: Array, found: Array, puzzles: Array, solutions: Array, member: Array, counts: Array,
    known: Array,
) -> None:  # fmt: skip
    """Note the sets in which second solutions differ; they take the place of the oldest ones where there is no room."""
    cells = puzzles.shape[1]
    for t in failed:
        i = going[t]
        clues, differs = 0, 0
        for c in range(cells):
            differs += found[t, c] != solutions[i, c]
            clues += (found[t, c] != solutions[i, c]) & (puzzles[i, c] > 0)
        if not differs or not found[t, 0] or not solutions[i, 0]:
            continue
        place = known[i] % 63
        for c in range(cells):
            member[i, c] = member[i, c] & ~(1 << place) | (found[t, c] != solutions[i, c]) << place
        for p in range(counts.shape[1]):
            counts[i, p] = counts[i, p] & ~(1 << place) | (clues >> p & 1) << place
        known[i] += 1


def _settle(
    trials: Array, going: Array, good: Array, puzzles: Array, counts: Array, clues: Array,
    at: Array, size: Array, until: Array, left: Array, held: Array, steps: Array,
) -> None:  # fmt: skip
    """Keep what went well, and go on; where it did not, try half as many next, or leave a group in place."""
    for t in range(len(going)):
        i = going[t]
        if not good[t] and size[i] > 1:
            size[i] = (size[i] + 1) // 2
            continue
        if good[t]:
            for c in range(puzzles.shape[1]):
                puzzles[i, c] = trials[t, c]
            for p in range(counts.shape[1]):
                counts[i, p] = held[i, p]
            clues[i] = left[i]
        at[i] = until[i]
        if at[i] < len(steps):
            size[i] = steps[at[i]]


_without, _learn, _settle = compiled(_without), compiled(_learn), compiled(_settle)
