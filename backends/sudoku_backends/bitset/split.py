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

from .bit_words import Word, choose, count, either, every, less, lowest_bit, nonzero, odd, twice, without
from .layout import AXES, NUMBER, THREE, Axis
from .propagation import State

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
        lost_minirows(axis, [ways[axis.number, d] for d in THREE], digit[axis.number]) for axis in AXES
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
            a, b, c = (either(*[x[axis.word(r, k, d)] for k in THREE]) for r in THREE)
            (b1, b2), (c1, c2) = axis.turn(b), axis.turn(c)
            ways[axis.number, d] = every(a, b2, c1), every(a, b1, c2)
    return ways


def tightest_band(ways: Ways) -> Word:
    """Return the number (axis and band, 3 * axis + k) of the band with the fewest ways.

    Nine ways mean that all nine digits are fixed: such a band comes last, as if it had 64.
    """
    best: Word = 511
    for axis in AXES:
        unit, two, four = _sum_of_six([way for d in THREE for way in ways[axis.number, d]])
        for k in THREE:
            band = axis.band << axis.band_step * k
            number = ((count(four & band) << 1) + count(two & band) << 1) + count(unit & band)
            key = ((number + 54) & 63) << 3 | 3 * axis.number + k  # 54 is -10 modulo 64
            best = choose(less(key, best), key, best)
    return best & 7


def _sum_of_six(words: list[Word]) -> tuple[Word, Word, Word]:
    """Add six bits at each place: the sum's bits of worth 1, 2 and 4."""
    unit, carry, other, others = odd(*words[:3]), twice(*words[:3]), odd(*words[3:]), twice(*words[3:])
    both = unit & other
    return unit ^ other, odd(both, carry, others), twice(both, carry, others)


def chosen_digit(ways: Ways, band: Word) -> tuple[list[list[Word]], Word]:
    """Return the minirows of the digit chosen, and all ones where a digit was found.

    By axis and d: the three minirows in the band's first row for that digit, zero for the others.
    """
    numbers = {key: _numbers_of_ways(pair, AXES[key[0]]) for key, pair in ways.items()}
    with_two, with_three, any_two, any_three = {}, {}, 0, 0
    here = [_band_bits(axis, band) for axis in AXES]
    for (axis, d), (one, two, four) in numbers.items():
        with_two[axis, d] = without(two & here[axis], one, four)
        with_three[axis, d] = every(two, one, here[axis])
        any_two, any_three = any_two | with_two[axis, d], any_three | with_three[axis, d]
    is_two, is_three = nonzero(any_two), nonzero(any_three)
    taken: Word = 0
    digit: list[list[Word]] = [[0, 0, 0], [0, 0, 0]]
    for (axis, d), (_, _, four) in numbers.items():
        fit = choose(is_two, with_two[axis, d], choose(is_three, with_three[axis, d], four & here[axis]))
        fit = lowest_bit(fit & ~taken)
        taken = taken | nonzero(fit)
        step = AXES[axis].row_step
        digit[axis][d] = either(fit, fit << step, fit << 2 * step)
    return digit, taken


def _band_bits(axis: Axis, band: Word) -> Word:
    """Return the bits of the band if it is one of this axis, else zero."""
    bits: Word = 0
    for k in THREE:
        bits = bits | axis.band << axis.band_step * k & ~nonzero(band ^ (3 * axis.number + k))
    return bits


def _numbers_of_ways(pair: Pair, axis: Axis) -> tuple[Word, Word, Word]:
    """Return the bits (1, 2, 4) of the number of ways of a digit in its band, at each minirow of the first row."""
    return _sum_of_six([word for way in pair for word in (way, *axis.turn(way))])


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
