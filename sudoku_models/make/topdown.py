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
from .compiled import compiled, inlined
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


LEAST, CLUES, KNOWN, AT, SIZE, UNTIL, LEFT, COUNTS, HELD = 0, 1, 2, 3, 4, 5, 6, 8, 12
"""What a row of ``state`` holds: the number of clues that a board may not go below; of its clues; of the sets noted.

Then which group comes next, and how many are taken at once; of the trial that is asked about, the group at which it
ends and the number of clues that it leaves. How many clues each known set has left is spread over four numbers: bit s
of number p is worth 2^p for set s. They come twice: of the board, and of its trial. All of a row lies close together.
"""


@dataclass
class Boards:
    """Boards on the way: ``puzzles``, their ``groups``, and the ``state`` of each.

    ``member`` has for each cell in ``groups``, in their order, the known sets that it is in, as bits.
    """

    puzzles: Array
    solutions: Array
    groups: Array
    member: Array
    state: Array
    steps: Array

    @classmethod
    def of(cls, boards: Array, solutions: Array, groups: Array, least: Array, classic: bool) -> Boards:
        """Begin with the first groups."""
        groups = groups.astype(np.int16, copy=False)
        steps = _steps(groups.shape[1], boards.shape[1])
        member, known = small_sets(solutions, classic)
        state = np.zeros((len(boards), 16), np.int64)
        state[:, LEAST], state[:, KNOWN], state[:, SIZE] = least, known, steps[0]
        _count(boards, member, state)
        return cls(boards.copy(), solutions, groups, _in_order(member, groups), state, steps)


def take_away(
    boards: Array, groups: Array, least: Array, ask: Ask, solutions: Array | None = None, classic: bool = False
) -> Thinned:
    """Take clues away where one solution is left, in groups of cells that come and go together.

    ``boards`` (uint8, n x cells) have one solution each: ``solutions``, which are looked for where they are not given.
    ``groups`` (n x k x m) lists for each board its groups in the order in which they are tried, -1 where a group has
    fewer cells. No board goes below its number of clues in ``least``. With 0 there, and groups of single cells that
    cover all clues, what is left is minimal. ``classic`` says that rows, columns and boxes are all that is asked of the
    9 x 9 boards, so that small sets of theirs are known.
    """
    solutions = ask(boards)[1] if solutions is None else solutions
    b = Boards.of(boards, solutions, groups, least, classic)
    going, trials = np.arange(len(boards)), boards.copy()
    good, found, tests, number = np.zeros(0, np.bool_), trials[:0], 0, len(boards)
    while number:
        number = _go_on(
            going, number, trials, good, found, b.puzzles, b.solutions, b.groups, b.member, b.state, b.steps
        )
        if number:
            good, found = ask(trials[:number])
            tests += number
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


@compiled
def _in_order(member: Array, groups: Array) -> Array:
    """Return for the cells of each group the sets that they are in."""
    found = np.zeros(groups.shape, np.int64)
    for i in range(groups.shape[0]):
        for k in range(groups.shape[1]):
            for m in range(groups.shape[2]):
                if groups[i, k, m] >= 0:
                    found[i, k, m] = member[i, groups[i, k, m]]
    return found


@inlined
def _try(
    i: int, trial: Array, puzzles: Array, groups: Array, member: Array, state: Array
) -> None:  # fmt: skip
    """Take the next groups from a board, but for those that must stay; note where it ends, and what is left."""
    for cell in range(len(trial)):
        trial[cell] = puzzles[i, cell]
    a, b, c, d = state[i, COUNTS], state[i, COUNTS + 1], state[i, COUNTS + 2], state[i, COUNTS + 3]
    taken, number, k, lowest, most = 0, state[i, CLUES], state[i, AT], state[i, LEAST], state[i, SIZE]
    while k < groups.shape[1] and taken < most and number > lowest:
        fewer, w, x, y, z = 0, a, b, c, d
        for m in range(groups.shape[2]):
            cell = groups[i, k, m]
            if cell >= 0 and trial[cell]:
                sets = member[i, k, m]
                if sets & w & ~(x | y | z):
                    fewer = -groups.shape[2]
                w, x, y, z = _without(sets, w, x, y, z)
                fewer += 1
        if fewer > 0 and number - fewer >= lowest:
            a, b, c, d = w, x, y, z
            number -= fewer
            taken += 1
            for m in range(groups.shape[2]):
                if groups[i, k, m] >= 0:
                    trial[groups[i, k, m]] = 0
        k += 1
    state[i, HELD], state[i, HELD + 1], state[i, HELD + 2], state[i, HELD + 3] = a, b, c, d
    state[i, UNTIL], state[i, LEFT] = k if state[i, CLUES] > lowest else groups.shape[1], number


@inlined
def _learn(
    i: int, other: Array, puzzles: Array, solutions: Array, groups: Array, member: Array, state: Array
) -> None:  # fmt: skip
    """Note the set in which a second solution differs; where there is no room it takes the place of the oldest one.

    All its clues are in groups to come. One with more than 15 of them is of no use.
    """
    bit, clues = 1 << state[i, KNOWN] % 63, 0
    for k in range(state[i, AT], groups.shape[1]):
        for m in range(groups.shape[2]):
            cell = groups[i, k, m]
            member[i, k, m] &= ~bit
            if cell >= 0 and other[cell] != solutions[i, cell]:
                member[i, k, m] |= bit
                clues += puzzles[i, cell] > 0
    if clues > 15:
        for k in range(state[i, AT], groups.shape[1]):
            for m in range(groups.shape[2]):
                member[i, k, m] &= ~bit
    for p in range(4):
        state[i, COUNTS + p] = state[i, COUNTS + p] & ~bit | (bit if clues >> p & 1 and clues <= 15 else 0)
    state[i, KNOWN] += clues > 0


@inlined
def _settle(
    i: int, trial: Array, good: bool, other: Array, puzzles: Array, solutions: Array, groups: Array, member: Array,
    state: Array,
) -> bool:  # fmt: skip
    """Keep what went well; where it did not, try half as many next. Tell whether the groups of the trial are decided.

    The set that a single clue is needed for has no other clue: it would not be of use again.
    """
    decided = good or state[i, SIZE] == 1
    if good:
        for cell in range(len(trial)):
            puzzles[i, cell] = trial[cell]
        for p in range(4):
            state[i, COUNTS + p] = state[i, HELD + p]
        state[i, CLUES] = state[i, LEFT]
    elif not decided:
        state[i, SIZE] = (state[i, SIZE] + 1) // 2
        if other[0] and solutions[i, 0]:
            _learn(i, other, puzzles, solutions, groups, member, state)
    return decided


@compiled
def _go_on(
    going: Array, number: int, trials: Array, good: Array, found: Array, puzzles: Array, solutions: Array,
    groups: Array, member: Array, state: Array, steps: Array,
) -> int:  # fmt: skip
    """Settle the trials that were answered, if any was, and write the next ones; return how many there are.

    The trial in a row is of the board in the same row of ``going``, of which the first ``number`` count.
    """
    asked = 0
    for t in range(number):
        i, decided = going[t], False
        if t < len(good):
            decided = _settle(i, trials[t], good[t], found[t], puzzles, solutions, groups, member, state)
        there, at_end = False, False
        while not there and not at_end:
            if decided:
                state[i, AT] = state[i, UNTIL]
                state[i, SIZE] = steps[min(state[i, AT], len(steps) - 1)]
            decided, at_end = True, state[i, AT] >= groups.shape[1]
            if not at_end:
                _try(i, trials[asked], puzzles, groups, member, state)
                there = state[i, LEFT] < state[i, CLUES]
        if there:
            going[asked] = i
            asked += 1
    return asked
