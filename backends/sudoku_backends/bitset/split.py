"""Split a stuck state in two that together have its solutions and none in common.

A digit lies in a band as three minirows, one in each row and each box: in at most six ways, the permutations. The band
(of the six, three of rows and three of columns) with the fewest ways over all its digits is taken, in it a digit with
two ways if there is one, else with three, else with more; one half of its ways stays in each of the two states.
Against "a cell with two candidates" this halves the number of guesses on hard puzzles.

Depth. A split of a digit in a band leaves each half fewer minirows for it in the first row of the band, or, where it
had one there, one way. So it happens three times at most (from three minirows to two, to one, to one way) along a
path, and no path has more splits than six bands of nine digits allow, DEPTH.
"""

from __future__ import annotations

from .layout import ALL, AXES, NUMBER, THREE, Axis
from .propagation import State
from .words import Word, choose, count, either, every, less, lowest_bit, nonzero, odd, twice, without

DEPTH = 6 * 9 * 3

Pair = tuple[Word, Word]
Ways = dict[tuple[int, int], Pair]
"""(axis, d) -> the even and the odd ways, each a bit at the minirow in the first row of its band."""

Lost = list[list[Word]]  # [d][row inside the band]


def split(x: State, later: State, first: State) -> None:
    """Write the two halves of x to ``later`` and ``first``.

    A state that is stuck has a digit with two ways or more: were each the only one of its band, the pass would have
    closed all other minirows and minicolumns, and no cell would be open. For any other state ``first`` may be x
    itself; ``later`` is then empty, so that no solution is met twice.
    """
    ways = all_ways(x)
    digit, taken = chosen_digit(ways, tightest_band(ways))
    (later_rows, first_rows), (later_columns, first_columns) = (
        lost_minirows(axis, [ways[axis.index, d] for d in THREE], digit[axis.index]) for axis in AXES
    )
    for r in THREE:
        for d in THREE:
            later_rows[d][r] = later_rows[d][r] | ~taken
    for half, rows, columns in ((later, later_rows, later_columns), (first, first_rows, first_columns)):
        for r in THREE:
            for c in THREE:
                for d in THREE:
                    k = 9 * r + 3 * c + d
                    half[k] = without(x[k], rows[d][r], columns[d][c])
        half[NUMBER] = x[NUMBER]


def all_ways(x: State) -> Ways:
    """Return the ways of every digit in every band."""
    ways: Ways = {}
    for axis in AXES:
        for d in THREE:
            a, b, c = (either(*[x[axis.word(r, k, d)] for k in THREE]) & ALL for r in THREE)
            (b1, b2), (c1, c2) = axis.turn(b), axis.turn(c)
            ways[axis.index, d] = every(a, b2, c1) & ALL, every(a, b1, c2) & ALL
    return ways


def tightest_band(ways: Ways) -> Word:
    """Return the number (axis and band, 3 * axis + k) of the band with the fewest ways.

    Nine ways are nine digits that lie fast: such a band comes last, as if it had 64.
    """
    best: Word = 511
    for axis in AXES:
        for k in THREE:
            band, excess = axis.band << axis.band_step * k, 54  # -10 modulo 64
            for d in THREE:
                even, odds = ways[axis.index, d]
                excess = count(even & band) + count(odds & band) + excess
            key = (excess & 63) << 3 | 3 * axis.index + k
            best = choose(less(key, best), key, best)
    return best & 7


def chosen_digit(ways: Ways, band: Word) -> tuple[list[list[Word]], Word]:
    """Return, by axis and d, the three minirows in the band's first row of the digit chosen, else zero;

    and all ones where a digit was found.
    """
    taken: Word = 0
    digit: list[list[Word]] = [[0, 0, 0], [0, 0, 0]]
    for wanted in ("two", "three", "more"):
        for axis in AXES:
            here: Word = 0
            for k in THREE:
                here = here | axis.band << axis.band_step * k & ~nonzero(band ^ (3 * axis.index + k))
            for d in THREE:
                fit = lowest_bit(_with_ways(ways[axis.index, d], axis, wanted) & here & ~taken & ALL)
                fit = either(fit, fit << axis.row_step, fit << 2 * axis.row_step)
                digit[axis.index][d] = digit[axis.index][d] | fit
                taken = taken | nonzero(fit)
    return digit, taken


def _with_ways(pair: Pair, axis: Axis, wanted: str) -> Word:
    """Return the minirows whose digit has two, three, or four and more ways in its band."""
    evens, odds = ((w, *axis.turn(w)) for w in pair)
    unit, other, carry, others = odd(*evens), odd(*odds), twice(*evens), twice(*odds)
    one, two, four = unit ^ other, odd(unit & other, carry, others), twice(unit & other, carry, others)
    return {"two": without(two, one, four), "three": one & two, "more": four}[wanted]


def lost_minirows(axis: Axis, ways: list[Pair], digit: list[Word]) -> tuple[Lost, Lost]:
    """Return the minirows that the digit chosen loses in the later half and those that it loses in the first.

    The first half has the ways with the first possible minirow in the first row of the band. Where that row has only
    one, there are two ways, an even and an odd one, and the first half takes the even.
    """
    later, first = [], []
    for (even, odds), chosen in zip(ways, digit, strict=True):
        even, odds = even & chosen, odds & chosen
        place = lowest_bit(even | odds)
        several = nonzero((even | odds) & ~place)
        mine, its = even & (place | ~several), odds & place & several
        later.append(_unused(axis, even & ~mine, odds & ~its, chosen))
        first.append(_unused(axis, mine, its, chosen))
    return later, first


def _unused(axis: Axis, even: Word, odds: Word, chosen: Word) -> list[Word]:
    """Return, for each row of the band, the minirows that none of these ways uses."""
    (even1, even2), (odd1, odd2) = axis.turn(even), axis.turn(odds)
    return [chosen & ~use for use in (even | odds, even1 | odd2, even2 | odd1)]
