"""One pass of the rules over a state: branch-free, so that every lane of a vector can run it on its own puzzle.

All rules read the state as it was at the start of the pass and act together at its end. See `words` for the words,
and for "row" and "minirow", which stand for "column" and "minicolumn" along the second axis.

Splitting: a stuck state in two that together have its solutions and none in common.

A digit lies in a band as three minirows, one in each row and each box: in at most six ways, the permutations. The band
(of the six, three of rows and three of columns) with the fewest ways over all its digits is taken, in it a digit with
two ways if there is one, else with more; one half of its ways stays in each of the two states.
Against "a cell with two candidates" this halves the number of guesses on hard puzzles.

Depth. A split of a digit in a band leaves each half fewer minirows for it in the first row of the band, or, where it
had one there, one way. So it happens three times at most (from three minirows to two, to one, to one way) along a
path, and no path has more splits than six bands of nine digits allow, DEPTH.

Puzzles and grids as bytes: 81 values, or 81 candidate masks, to a state; a solved state to 81 bytes.

A row of bytes is held as 32-bit little-endian words, `BlockLanes` says where. Reading and writing take whole words and
never touch a byte outside the row.
"""

from __future__ import annotations

from typing import NamedTuple

from .words import (
    ALL,
    AXES,
    D0,
    NUMBER,
    THREE,
    Axis,
    Word,
    also,
    cells,
    choose,
    count,
    differ,
    either,
    every,
    left,
    less,
    lowest_bit,
    neither,
    nonzero,
    odd,
    turn_digits,
    twice,
    without,
)

State = list[Word]  # or anything that is indexed alike, such as rows of memory
Minirows = list[list[Word]]  # [d][row inside its band]


def propagate(x: State) -> tuple[Word, Word, Word]:
    """Apply every rule once, in place. Return words that are not zero when, respectively:

    the state has no solution; cells are open (that is, not naked singles); the state has changed.
    A state without any of the three is a solution: each cell has one candidate and each house has each digit.
    """
    alone, empty, open_ = naked_singles(x)
    found: list[tuple[Minirows, Minirows, Minirows]] = []
    full: Word = ALL
    for axis in AXES:
        some, many = minirows(x, axis)
        if not found:  # a box is the same along both axes
            full = boxes_with_all(some)
        sure, full = sure_minirows(axis, some, full)
        hidden = [[s & ~m for s, m in zip(sure[d], many[d], strict=True)] for d in THREE]
        found.append((sure, hidden, closed_minirows(sure)))
    put, gone = {}, {}
    for d in THREE:
        put.update(singles(x, d, alone, found[0][1][d], found[1][1][d]))
        for axis in AXES:
            sure, _, shut = found[axis.number]
            gone[axis.number, d] = eliminations(axis, d, put, sure[d], shut[d])
    return (empty | ~full) & ALL, open_ & ALL, update(x, put, gone)


def naked_singles(x: State) -> tuple[list[Word], Word, Word]:
    """Return, for the nine words of cells: the cells with one candidate; then the cells without any, and the open.

    A cell's candidates over d are reduced across words, over D by a turn: at most one is left where no d is there
    twice and no other D at all, which is at the D of that candidate, or at every D of an empty cell.
    """
    alone, empty, open_ = [], 0, 0
    for cell in range(9):
        digits = [x[3 * cell + d] for d in THREE]
        some = either(*digits)
        most = neither(twice(*digits), *turn_digits(some))
        alone.append(most)
        empty, open_ = left(empty, most, some), left(open_, some, most)
    return alone, empty, open_


def minirows(x: State, axis: Axis) -> tuple[Minirows, Minirows]:
    """Return the minirows that can hold the digit, and those that can in two or three of their cells."""
    some, many = [], []
    for d in THREE:
        cells = [[x[axis.word(r, c, d)] for c in THREE] for r in THREE]
        some.append([either(*words) for words in cells])
        many.append([twice(*words) for words in cells])
    return some, many


def boxes_with_all(some: Minirows) -> Word:
    """Return the boxes that can hold the digit, whatever d."""
    full = ALL
    for minirows_of_box in some:
        full = full & either(*minirows_of_box)
    return full


def sure_minirows(axis: Axis, some: Minirows, full: Word) -> tuple[Minirows, Word]:
    """Return the minirows that must hold the digit, and ``full`` less the rows that cannot.

    A minirow must hold a digit that it can hold and that cannot lie elsewhere in its row (claiming) or elsewhere in
    its box (pointing).
    """
    sure: Minirows = []
    for d in THREE:
        sure.append([])
        for r in THREE:
            here, row = some[d][r], axis.others(some[d][r])
            full = also(full, here, row)
            elsewhere_in_both = also(row, some[d][r - 1], some[d][r - 2])
            sure[d].append(here & ~elsewhere_in_both)
    return sure, full


def closed_minirows(sure: Minirows) -> Minirows:
    """Return the digits that three sure ones shut out of a minirow (a hidden triple)."""
    closed: Minirows = [[], [], []]
    for r in THREE:
        packed = just_three([sure[d][r] for d in THREE])
        for d in THREE:
            closed[d].append(packed & ~sure[d][r])
    return closed


def singles(x: State, d: int, alone: list[Word], across: list[Word], down: list[Word]) -> dict[int, Word]:
    """Return the cells that take the digit, by word: naked singles, and the one cell left in a sure minirow."""
    put = {}
    for r in THREE:
        for c in THREE:
            k = 9 * r + 3 * c + d
            put[k] = x[k] & either(across[r], down[c], alone[3 * r + c])
    return put


def eliminations(axis: Axis, d: int, put: dict[int, Word], sure: list[Word], shut: list[Word]) -> list[Word]:
    """Return the minirows that lose the digit: another of its row or of its box holds it, or it is shut out."""
    hold = [sure[r] | either(*[put[axis.word(r, c, d)] for c in THREE]) for r in THREE]
    return [axis.others(hold[r], either(hold[r - 1], hold[r - 2], shut[r])) for r in THREE]


def update(x: State, put: dict[int, Word], gone: dict[tuple[int, int], list[Word]]) -> Word:
    """Write the new state: the eliminations of both axes, and in each cell that takes a digit the others go."""
    change: Word = 0
    for r in THREE:
        for c in THREE:
            k = 9 * r + 3 * c
            taken = [put[k + d] for d in THREE]
            one, other = turn_digits(either(*taken))
            for d in THREE:
                old = x[k + d]
                lost = either(gone[0, d][r], gone[1, d][c], one)
                new = without(old, lost, either(other, taken[d - 1], taken[d - 2]))
                x[k + d] = new
                change = differ(change, old, new)
    return change


def just_three(words: list[Word]) -> Word:
    """Return all three D of each place where the words, at its three neighbouring bits D, have three ones.

    And of some with more: more than three sure digits are a contradiction, of which anything may be said.
    """
    low, high = odd(*words), twice(*words)
    ones = low, low >> 1, low >> 2
    flag = also(odd(*ones), twice(*ones), either(high, high >> 1, high >> 2)) & D0
    return (flag << 3) - flag  # from the bit at D = 0 to all three


# ---------------------------------------------------------------- splitting


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
    with_two, with_more, any_two = {}, {}, 0
    here = [_band_bits(axis, band) for axis in AXES]
    for (axis, d), (one, two, four) in numbers.items():
        with_two[axis, d] = without(two & here[axis], one, four)
        with_more[axis, d] = here[axis] & (four | two & one)
        any_two = any_two | with_two[axis, d]
    is_two = nonzero(any_two)
    taken: Word = 0
    digit: list[list[Word]] = [[0, 0, 0], [0, 0, 0]]
    for axis, d in numbers:
        fit = lowest_bit(choose(is_two, with_two[axis, d], with_more[axis, d]) & ~taken)
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


# ---------------------------------------------------------------- puzzles and grids as bytes


class BlockLanes(NamedTuple):
    """Where the bytes of a row of ``size`` bytes are found when it is read as blocks of ``lanes`` words.

    The last block ends with the row and so overlaps the one before.
    """

    size: int
    lanes: int

    @property
    def offsets(self) -> list[int]:
        """The byte at which each block begins."""
        block = 4 * self.lanes
        return [block * k for k in range(self.size // block)] + [self.size - block]

    def place(self, byte: int) -> tuple[int, int]:
        """Return the word and the shift at which a byte is found."""
        block = min(byte // (4 * self.lanes), len(self.offsets) - 1)
        inside = byte - self.offsets[block]
        return block * self.lanes + inside // 4, 8 * (inside % 4)

    def words(self) -> list[int]:
        """Return the words that are needed to cover the row."""
        return sorted({self.place(byte)[0] for byte in range(self.size)})


def parse(values: State, x: State, packing: BlockLanes) -> None:
    """Write the candidates of 81 values: 1 to 9 are givens, 0 is an open cell."""
    digit = {}
    for band, r, stack, c, k in cells():
        word, shift = packing.place(k)
        digit[band, r, stack, c] = candidates(values[word] >> shift)
    pack(digit, x)


def candidates(x: Word) -> Word:
    """Return the mask of the digits that a value in the low four bits of a word leaves open."""
    n = (x & 15) - 1
    return choose(less(n, 9), 1 << (n & 15), 0o777)


def parse_masks(masks: State, x: State, packing: BlockLanes) -> None:
    """Write the candidates given as 81 masks of 16 bits: bit v says that the cell can hold digit v + 1."""
    digit = {}
    for band, r, stack, c, k in cells():
        word, shift = packing.place(2 * k)
        digit[band, r, stack, c] = masks[word] >> shift & 0o777
    pack(digit, x)


def pack(digit: dict[tuple[int, int, int, int], Word], x: State) -> None:
    """Write the state of 81 masks, by (R, r, C, c): three bands side by side, then each d gathers its bits D."""
    for r in THREE:
        for c in THREE:
            stacks = [
                either(digit[0, r, stack, c], digit[1, r, stack, c] << 9, digit[2, r, stack, c] << 18)
                for stack in THREE
            ]
            for d in THREE:
                digits = [w >> 3 * d & 0o007007007 for w in stacks]
                x[9 * r + 3 * c + d] = either(digits[0], digits[1] << 3, digits[2] << 6)


def render(x: State, text: State, packing: BlockLanes) -> None:
    """Write the 81 values (1 to 9) of a solved state. A byte that is found in an earlier block too is junk."""
    number = {}
    for r in THREE:
        for c in THREE:
            number.update({(r, c, stack): n for stack, n in enumerate(_numbers([x[9 * r + 3 * c + d] for d in THREE]))})
    out: dict[int, Word] = dict.fromkeys(packing.words(), 0)
    for band, r, stack, c, k in cells():
        word, shift = packing.place(k)
        left = shift - 9 * band
        n = number[r, c, stack]
        out[word] = out[word] | (n << left if left > 0 else n >> -left) & 15 << shift
    for k, word in out.items():
        text[k] = word + 0x01010101


def _numbers(words: list[Word]) -> list[Word]:
    """Return, for each stack C, the digit (0 to 8) of each band at its bits 9R to 9R + 3."""
    big_d = either(*words) >> 1 & 0o333333333  # 0, 1, 2 as a number at each bit D = 0
    one, two = (either(w, w >> 1, w >> 2) & D0 for w in words[1:])
    small = one | two << 1
    numbers = []
    for stack in THREE:
        d = small >> 3 * stack & 0o003003003
        numbers.append((big_d >> 3 * stack & 0o003003003) + d + (d << 1))
    return numbers
