"""Remove clues from many boards at the same time, in a given order, each one that can be removed.

If a puzzle has several solutions, removing clues cannot change that. So the first clues are removed together, half of
them if that fails, and so on: the outcome is the same as one by one.

All others are removed one by one, which is the cheapest question: every further solution without a clue has another
value in its cell. So only such a solution is searched for; if there is none, that is soon known.

A puzzle with one solution has a clue in each *unavoidable set*: cells that another grid fills differently. On classic
boards some are found without a search: the digits of two rows of a band (two columns of a stack) may be exchanged along
a cycle of columns, with everything else unchanged. The last clue of such a set must stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .bands import Array
from .compiled_loops import compiled, inlined
from .many_unique import Uniqueness

TOGETHER = 32, 81
"""The part of a board's groups that are removed together at first: chosen for the least time."""


@dataclass(frozen=True)
class Thinned:
    """What is left of the boards (n x cells), and the number of tests of uniqueness."""

    puzzles: Array
    tests: int


LEAST, CLUES, AT, SIZE, UNTIL, LEFT, ALONE = range(7)
"""What a row of ``state`` holds: the number of clues that a board may not go below, and that of its clues.

Then which group comes next, and how many are taken at once; of the trial that is asked about, the group at which it
ends, the number of clues that it leaves, and the group after the one that it takes, 0 where it takes several.
"""


def take_away(
    boards: Array,
    groups: Array,
    least: Array,
    unique: Uniqueness,
    solutions: Array | None = None,
    classic: bool = False,
) -> Thinned:
    """Remove clues as long as one solution is left, in groups of cells that are removed together.

    ``boards`` (uint8, n x cells) have one solution each: ``solutions``, which are found if they are needed.
    ``groups`` (n x k x m) lists for each board its groups in the order in which they are tried, -1 where a group has
    fewer cells. No board goes below its number of clues in ``least``. With 0 there, and groups of single cells that
    cover all clues, what is left is minimal. ``classic`` says that rows, columns and boxes are the only rules of the
    9 x 9 boards, so that digits of two lines may be exchanged.
    """
    if classic and solutions is None:
        solutions = unique.answered(boards)[1]
    known = solutions if classic and solutions is not None and solutions.all() else boards[:0]
    puzzles, groups = boards.copy(), groups.astype(np.int16, copy=False)
    state = np.zeros((len(boards), 8), np.int64)
    part, whole = TOGETHER
    state[:, LEAST], state[:, CLUES] = least, (boards > 0).sum(1)
    state[:, SIZE] = max(1, part * groups.shape[1] // whole)
    going, trials, single = np.arange(len(boards)), boards.copy(), np.zeros(len(boards), np.int64)
    good, tests, number = np.zeros(0, np.bool_), 0, len(boards)
    while number := _go_on(going, number, trials, single, good, puzzles, known, groups, state):
        good = _asked(trials[:number], single[:number], unique)
        tests += number
    return Thinned(puzzles, tests)


def _asked(trials: Array, single: Array, unique: Uniqueness) -> Array:
    """Return which trials have one solution; ``single`` is the cell of the clue that each leaves out, -1 for none."""
    several, one = np.flatnonzero(single < 0), np.flatnonzero(single >= 0)
    if not len(several):
        return unique.without(trials, single)
    good: Array = np.zeros(len(trials), np.bool_)
    good[several], good[one] = unique(trials[several]), unique.without(trials[one], single[one])
    return good


@inlined
def _trades(trial: Array, grid: Array, cell: int, step: int, across: int, places: Array) -> bool:
    """Return whether a cell of a line can be exchanged along a cycle without any other clue; ``places`` is scratch."""
    line, start, free, known = cell // step % 9, cell // across % 9, False, False
    own = step * line
    for other in range(own - line % 3 * step, own - line % 3 * step + 3 * step, step):
        if free or other == own or trial[other + across * start]:
            continue
        if not known:
            for k in range(9):
                places[grid[own + across * k]] = across * k
            known = True
        at, free = places[grid[other + across * start]], True
        while free and at != across * start:
            free = trial[own + at] == 0 and trial[other + at] == 0
            at = places[grid[other + at]]
    return free


@inlined
def _try(
    i: int, trial: Array, puzzles: Array, solutions: Array, groups: Array, state: Array, places: Array
) -> int:  # fmt: skip
    """Remove the next groups from a board, except those that must stay; record where the trial ends, and what is left.

    If only one clue is removed, its cell is returned and the trial still has it; otherwise -1.
    """
    for cell in range(len(trial)):
        trial[cell] = puzzles[i, cell]
    taken, number, k, lowest, most = 0, state[i, CLUES], state[i, AT], state[i, LEAST], state[i, SIZE]
    first, single, last = 0, -1, -1
    while k < groups.shape[1] and taken < most and number > lowest:
        fewer, stays = 0, False
        for m in range(groups.shape[2]):
            cell = groups[i, k, m]
            if cell >= 0 and trial[cell]:
                if len(solutions) and not stays:
                    stays = _trades(trial, solutions[i], cell, 9, 1, places)
                    stays = stays or _trades(trial, solutions[i], cell, 1, 9, places)
                trial[cell] = 0
                last = cell
                fewer += 1
        if stays or number - fewer < lowest:
            for m in range(groups.shape[2]):
                if groups[i, k, m] >= 0:
                    trial[groups[i, k, m]] = puzzles[i, groups[i, k, m]]
        elif fewer > 0:
            number -= fewer
            taken += 1
            if taken == 1:
                first, single = k + 1, last
        k += 1
    state[i, UNTIL], state[i, LEFT] = k if state[i, CLUES] > lowest else groups.shape[1], number
    state[i, ALONE] = first if taken == 1 else 0
    if state[i, CLUES] - number != 1:
        return -1
    trial[single] = puzzles[i, single]
    return single


@inlined
def _settle(
    i: int, trial: Array, cell: int, good: bool, puzzles: Array, state: Array
) -> bool:  # fmt: skip
    """Keep what succeeded, otherwise try half as many next; return whether the groups of the trial are decided."""
    if good:
        if cell >= 0:
            puzzles[i, cell] = 0
        else:
            for c in range(len(trial)):
                puzzles[i, c] = trial[c]
        state[i, CLUES] = state[i, LEFT]
    elif state[i, ALONE] > 0:
        state[i, UNTIL] = state[i, ALONE]
    else:
        state[i, SIZE] = (state[i, SIZE] + 1) // 2
    return good or state[i, ALONE] > 0


@compiled
def _go_on(
    going: Array, number: int, trials: Array, single: Array, good: Array, puzzles: Array,
    solutions: Array, groups: Array, state: Array,
) -> int:  # fmt: skip
    """Settle the trials that were answered, if any, and write the next ones; return how many there are.

    The trial in a row is of the board in the same row of ``going``, of which the first ``number`` count. In ``single``
    is the cell of the clue where it is about a single one, which the trial still has, and -1 where it is not.
    """
    asked, places = 0, np.zeros(10, np.int64)
    for t in range(number):
        i, decided = going[t], False
        if len(good):
            decided = _settle(i, trials[t], single[t], good[t], puzzles, state)
        there, at_end = False, False
        while not there and not at_end:
            if decided:
                state[i, AT], state[i, SIZE] = state[i, UNTIL], 1
            decided, at_end = True, state[i, AT] >= groups.shape[1]
            if not at_end:
                single[asked] = _try(i, trials[asked], puzzles, solutions, groups, state, places)
                there = state[i, LEFT] < state[i, CLUES]
        if there:
            going[asked] = i
            asked += 1
    return asked
