"""Clues are taken from boards in a given order, each one that can go, for many boards at once.

Whether a puzzle has one solution can only get worse when clues go. So the first ones are taken together, half of them
where that did not succeed, and so on: the outcome is the same as one by one.

All others are taken one by one, which is the cheapest question: every further solution without a clue has another value
in its cell. So such a one is looked for, and no second one; where there is none, that value is soon missed.

A puzzle with one solution has a clue in each *unavoidable set*: cells that another grid fills otherwise. The last clue
of a known set stays without a search: small sets are known beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .bands import Array
from .compiled import compiled, inlined
from .trades import small_sets
from .uniqueness import Uniqueness

TOGETHER = 32, 81
"""The part of a board's groups that are taken together at first: chosen for the least time."""


@dataclass(frozen=True)
class Thinned:
    """What is left of the boards (n x cells), and how many tests of uniqueness it took."""

    puzzles: Array
    tests: int


LEAST, CLUES, AT, SIZE, UNTIL, LEFT, ALONE, COUNTS, HELD = 0, 1, 2, 3, 4, 5, 6, 8, 12
"""What a row of ``state`` holds: the number of clues that a board may not go below, and that of its clues.

Then which group comes next, and how many are taken at once; of the trial that is asked about, the group at which it
ends, the number of clues that it leaves, and the group after the one that it takes, 0 where it takes several. How many
clues each known set has left is spread over four numbers: bit s of number p is worth 2^p for set s. They come twice: of
the board, and of its trial. All of a row lies close together.
"""


@dataclass
class Boards:
    """Boards on the way: ``puzzles``, their ``groups``, and the ``state`` of each.

    ``member`` has for each cell the known sets that it is in, as bits.
    """

    puzzles: Array
    groups: Array
    member: Array
    state: Array

    @classmethod
    def of(cls, boards: Array, solutions: Array, groups: Array, least: Array, classic: bool) -> Boards:
        """Begin with the first groups."""
        member = small_sets(solutions, classic)[0]
        state = np.zeros((len(boards), 16), np.int64)
        part, whole = TOGETHER
        state[:, LEAST], state[:, SIZE] = least, max(1, part * groups.shape[1] // whole)
        _count(boards, member, state)
        return cls(boards.copy(), groups.astype(np.int16, copy=False), member, state)


def take_away(
    boards: Array,
    groups: Array,
    least: Array,
    unique: Uniqueness,
    solutions: Array | None = None,
    classic: bool = False,
) -> Thinned:
    """Take clues away where one solution is left, in groups of cells that come and go together.

    ``boards`` (uint8, n x cells) have one solution each: ``solutions``, which are looked for where they are not given.
    ``groups`` (n x k x m) lists for each board its groups in the order in which they are tried, -1 where a group has
    fewer cells. No board goes below its number of clues in ``least``. With 0 there, and groups of single cells that
    cover all clues, what is left is minimal. ``classic`` says that rows, columns and boxes are all that is asked of the
    9 x 9 boards, so that small sets of theirs are known.
    """
    solutions = unique.answered(boards)[1] if solutions is None else solutions
    b = Boards.of(boards, solutions, groups, least, classic)
    going, trials, single = np.arange(len(boards)), boards.copy(), np.zeros(len(boards), np.int64)
    good, tests, number = np.zeros(0, np.bool_), 0, len(boards)
    while number := _go_on(going, number, trials, single, good, b.puzzles, b.groups, b.member, b.state):
        good = _asked(trials[:number], single[:number], unique)
        tests += number
    return Thinned(b.puzzles, tests)


def _asked(trials: Array, single: Array, unique: Uniqueness) -> Array:
    """Tell which trials have one solution; ``single`` is the cell of a clue each that is left out, -1 for none."""
    several, one = np.flatnonzero(single < 0), np.flatnonzero(single >= 0)
    if not len(several):
        return unique.without(trials, single)
    good: Array = np.zeros(len(trials), np.bool_)
    good[several], good[one] = unique(trials[several]), unique.without(trials[one], single[one])
    return good


@inlined
def _without(sets: int, a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Take a clue from some sets, whose clues are counted in the bits of a, b, c and d, worth 1, 2, 4 and 8."""
    twos = sets & ~a
    fours = twos & ~b
    return a ^ sets, b ^ twos, c ^ fours, d ^ fours & ~c


@compiled
def _count(boards: Array, member: Array, state: Array) -> None:
    """Count the clues, and those of each set."""
    for i in range(len(boards)):
        a, b, c, d, clues = 0, 0, 0, 0, 0
        for cell in range(boards.shape[1]):
            if boards[i, cell]:
                ones = member[i, cell]
                twos = ones & a
                fours = twos & b
                a, b, c, d = a ^ ones, b ^ twos, c ^ fours, d ^ fours & c
                clues += 1
        state[i, COUNTS], state[i, COUNTS + 1], state[i, COUNTS + 2], state[i, COUNTS + 3] = a, b, c, d
        state[i, CLUES] = clues


@inlined
def _try(
    i: int, trial: Array, puzzles: Array, groups: Array, member: Array, state: Array
) -> int:  # fmt: skip
    """Take the next groups from a board, but for those that must stay; note where it ends, and what is left.

    Where that is a single clue its cell is returned, and the trial still has it; -1 otherwise.
    """
    for cell in range(len(trial)):
        trial[cell] = puzzles[i, cell]
    a, b, c, d = state[i, COUNTS], state[i, COUNTS + 1], state[i, COUNTS + 2], state[i, COUNTS + 3]
    taken, number, k, lowest, most = 0, state[i, CLUES], state[i, AT], state[i, LEAST], state[i, SIZE]
    first, last = 0, -1
    while k < groups.shape[1] and taken < most and number > lowest:
        fewer, w, x, y, z = 0, a, b, c, d
        for m in range(groups.shape[2]):
            cell = groups[i, k, m]
            if cell >= 0 and trial[cell]:
                sets = member[i, cell]
                if sets & w & ~(x | y | z):
                    fewer = -groups.shape[2]
                w, x, y, z = _without(sets, w, x, y, z)
                fewer += 1
        if fewer > 0 and number - fewer >= lowest:
            a, b, c, d = w, x, y, z
            number -= fewer
            taken += 1
            for m in range(groups.shape[2]):
                cell = groups[i, k, m]
                if cell >= 0 and trial[cell]:
                    trial[cell] = 0
                    last = cell
            if taken == 1:
                first = k + 1
        k += 1
    state[i, HELD], state[i, HELD + 1], state[i, HELD + 2], state[i, HELD + 3] = a, b, c, d
    state[i, UNTIL], state[i, LEFT] = k if state[i, CLUES] > lowest else groups.shape[1], number
    state[i, ALONE] = first if taken == 1 else 0
    if state[i, CLUES] - number != 1:
        return -1
    trial[last] = puzzles[i, last]
    return last


@inlined
def _settle(
    i: int, trial: Array, cell: int, good: bool, puzzles: Array, state: Array
) -> bool:  # fmt: skip
    """Keep what went well, else try half as many next; tell whether the groups of the trial are decided."""
    if good:
        if cell >= 0:
            puzzles[i, cell] = 0
        else:
            for c in range(len(trial)):
                puzzles[i, c] = trial[c]
        for p in range(4):
            state[i, COUNTS + p] = state[i, HELD + p]
        state[i, CLUES] = state[i, LEFT]
    elif state[i, ALONE] > 0:
        state[i, UNTIL] = state[i, ALONE]
    else:
        state[i, SIZE] = (state[i, SIZE] + 1) // 2
    return good or state[i, ALONE] > 0


@compiled
def _go_on(
    going: Array, number: int, trials: Array, single: Array, good: Array, puzzles: Array, groups: Array,
    member: Array, state: Array,
) -> int:  # fmt: skip
    """Settle the trials that were answered, if any was, and write the next ones; return how many there are.

    The trial in a row is of the board in the same row of ``going``, of which the first ``number`` count. In ``single``
    is the cell of the clue where it is about a single one, which the trial still has, and -1 where it is not.
    """
    asked = 0
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
                single[asked] = _try(i, trials[asked], puzzles, groups, member, state)
                there = state[i, LEFT] < state[i, CLUES]
        if there:
            going[asked] = i
            asked += 1
    return asked
