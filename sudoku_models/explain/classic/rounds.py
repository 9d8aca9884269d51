"""Trials in rounds, as on the uniform ladder: in a round every house is applied once, all from one snapshot.

In a weak round houses apply singles, in a strong one everything that follows. A base variable reduced to one literal in
a round takes effect in the next one; a cell without a candidate is noticed immediately, a value without a place when
its house is applied again.
"""

from __future__ import annotations

from ...engine.machine_code.language import Ints, lowest, ones
from .basics import kernel
from .literals import BITS, CELLS, HOUSES, LITERALS, VARIABLES

COUNT, EMPTY_CELL, EMPTY_PLACE, NEXT, NOW = 324, 325, 326, 330, 660
"""Offsets in the memory of weak rounds, after the state: the number of base variables reduced to one literal, whether a
cell or a value became empty, these base variables, and those of the last round with their literals (two numbers
each).
"""

NARROWED, UNIONS, OPEN = 90, 180, 700
"""Offsets in the memory of strong rounds, after the 81 masks of the snapshot: what is left of them after the round, the
unions of subsets of a house's cells, and its open cells.
"""

ROUNDS = 1320
"""The size of either memory."""


@kernel
def weak_rounds(board: Ints, state: Ints, supposed: int, limit: int, trial: Ints) -> int:
    """Return the weak round in which a supposed candidate fails, at most ``limit``; 0 if it does not fail."""
    for w in range(324):
        trial[w] = state[w]
    trial[COUNT] = 0
    trial[EMPTY_CELL] = 0
    trial[EMPTY_PLACE] = 0
    strike_beside(board, trial, supposed, 0)
    for number in range(1, limit + 1):
        if trial[EMPTY_PLACE]:
            return number
        if trial[COUNT] == 0:
            return 0
        one_round(board, trial)
        if trial[EMPTY_CELL]:
            return number
    return 0


@kernel
def one_round(board: Ints, trial: Ints) -> int:
    """Apply the literals that were determined in the last round."""
    count = trial[COUNT]
    trial[COUNT] = 0
    for i in range(count):
        w = trial[NEXT + i]
        trial[NOW + 2 * i] = w
        trial[NOW + 2 * i + 1] = board[LITERALS + 9 * w + lowest(trial[w])]
    for i in range(count):
        literal = trial[NOW + 2 * i + 1]
        if trial[NOW + 2 * i] >= 81:
            strike_beside(board, trial, literal, 0)
        else:
            for a in range(1, 4):
                strike_beside(board, trial, literal, a)
    return 0


@kernel
def strike_beside(board: Ints, trial: Ints, literal: int, a: int) -> int:
    """Remove the other literals of the a-th base variable of a literal."""
    w = board[VARIABLES + 4 * literal + a]
    others = trial[w] & ~board[BITS + 4 * literal + a]
    while others:
        strike(board, trial, board[LITERALS + 9 * w + lowest(others)])
        others = others & (others - 1)
    return 0


@kernel
def strike(board: Ints, trial: Ints, literal: int) -> int:
    """Remove a literal; record base variables that are reduced to one literal or to none."""
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        left = trial[w] & ~board[BITS + i]
        trial[w] = left
        if left == 0:
            trial[EMPTY_CELL if w < 81 else EMPTY_PLACE] = 1
        elif left & (left - 1) == 0:
            trial[NEXT + trial[COUNT]] = w
            trial[COUNT] += 1
    return 0


@kernel
def strong_rounds(board: Ints, state: Ints, supposed: int, limit: int, trial: Ints) -> int:
    """Return the strong round in which a supposed candidate fails, at most ``limit``; 0 if it does not fail."""
    for cell in range(81):
        trial[cell] = state[cell]
    cell = board[VARIABLES + 4 * supposed]
    trial[cell] = board[BITS + 4 * supposed]
    dirty = board[HOUSES + cell]
    for number in range(1, limit + 1):
        if dirty == 0:
            return 0
        for cell in range(81):
            trial[NARROWED + cell] = trial[cell]
        for house in range(27):
            if dirty >> house & 1 and narrow(board, trial, house) == 0:
                return number
        dirty = 0
        for cell in range(81):
            if trial[NARROWED + cell] == 0:
                return number
            if trial[NARROWED + cell] != trial[cell]:
                trial[cell] = trial[NARROWED + cell]
                dirty = dirty | board[HOUSES + cell]
    return 0


@kernel
def narrow(board: Ints, trial: Ints, house: int) -> int:
    """Keep exactly those candidates of a house's cells that occur in a solution of it; return 0 if there is none.

    k cells that have k values between them keep these for themselves, by Hall's theorem.
    """
    settled = 0
    for i in range(9):
        mask = trial[board[CELLS + 9 * house + i]]
        if mask & (mask - 1) == 0:
            if settled & mask:
                return 0
            settled = settled | mask
    count = 0
    for i in range(9):
        cell = board[CELLS + 9 * house + i]
        if trial[cell] & (trial[cell] - 1):
            trial[OPEN + count] = cell
            trial[NARROWED + cell] = trial[NARROWED + cell] & ~settled
            count += 1
    return narrow_open(trial, settled, count)


@kernel
def narrow_open(trial: Ints, settled: int, count: int) -> int:
    """Do the same for the open cells of a house, without the values of the others."""
    trial[UNIONS] = 0
    for some in range(1, 1 << count):
        union = trial[UNIONS + (some & (some - 1))] | trial[trial[OPEN + lowest(some)]] & ~settled
        trial[UNIONS + some] = union
        if ones(union) < ones(some):
            return 0
        if ones(union) == ones(some):
            for i in range(count):
                if some >> i & 1 == 0:
                    cell = trial[OPEN + i]
                    trial[NARROWED + cell] = trial[NARROWED + cell] & ~union
    return 1
