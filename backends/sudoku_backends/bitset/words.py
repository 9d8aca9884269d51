"""Words of 32 bits, and where a candidate lies in them.

The rules of the solver are written with the operations here and with ``| & ^ ~ << >> + -`` only, on vectors of words
(`vectors.Vec`, whose operators emit instructions) and on constants. Words have 27 bits; the bits above them are junk
that the last step of a rule masks away.

Where a candidate lies: 27 words of 27 bits hold the 729 candidates of a classic Sudoku.

Vocabulary. A cell lies in row ``3R + r`` and column ``3C + c`` (R: band, C: stack, 0 to 2; r, c: which of the three
inside it); a digit is ``3D + d``. Its candidate is bit ``9R + 3C + D`` of word ``9r + 3c + d``. So r, c, d run across
the words of a state and R, C, D inside each word, and most reductions run across words, without a shift:

- a cell has its nine candidates in three words (over d) at three neighbouring bits (over D);
- a minirow, three cells side by side in a box, is one bit of three words (over c); a minicolumn likewise (over r);
- a row is three minirows, in the three stacks: three bits C of one word (after its minirows are reduced over c);
- a box is three minirows (over r), the same bit of three words.

Rows with minirows and columns with minicolumns are the two axes; a rule is written once and run along both. In the
names below "minirow" and "row" stand for either.

A state is 28 words: the 27 and one that the rules pass through untouched (the search keeps a number there).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

Word = Any
"""A vector of words, or a constant."""


def either(a: Word, b: Word, c: Word) -> Word:
    """Bits in at least one."""
    return a | b | c


def neither(a: Word, b: Word, c: Word) -> Word:
    """Bits in none."""
    return ~(a | b | c)


def every(a: Word, b: Word, c: Word) -> Word:
    """Bits in all three."""
    return a & b & c


def twice(a: Word, b: Word, c: Word) -> Word:
    """Bits in two or three: the carry of a full adder."""
    return a & b | c & (a | b)


def odd(a: Word, b: Word, c: Word) -> Word:
    """Bits in one or three: the sum of a full adder."""
    return a ^ b ^ c


def choose(a: Word, b: Word, c: Word) -> Word:
    """Bits of b where a is set, otherwise of c."""
    return c ^ a & (b ^ c)


def without(a: Word, b: Word, c: Word) -> Word:
    """Bits of a in neither b nor c."""
    return a & ~(b | c)


def also(a: Word, b: Word, c: Word) -> Word:
    """Bits of a that are also in b or c."""
    return a & (b | c)


def differ(a: Word, b: Word, c: Word) -> Word:
    """Bits of a, and those in which b and c differ."""
    return a | b ^ c


def left(a: Word, b: Word, c: Word) -> Word:
    """Bits of a, and those of b that are not in c."""
    return a | b & ~c


def nonzero(x: Word) -> Word:
    """All ones where the word is not zero, else zero."""
    return x.nonzero()


def less(x: Word, y: Word) -> Word:
    """All ones where x < y (unsigned), else zero."""
    return x.less(y)


def count(x: Word) -> Word:
    """How many bits are set in each word."""
    return x.count()


def lowest_bit(x: Word) -> Word:
    """The lowest set bit of each word; zero for zero."""
    return x & (~x + 1)


# ---------------------------------------------------------------- the layout of candidates


ALL = 0o777777777  # every bit of a word in use
THREE = range(3)
WORDS = 28  # words of a state, its number included
NUMBER = 27  # the word with the number

D0, D1, D2 = 0o111111111, 0o222222222, 0o444444444  # the bits of one D
C0, C1, C2 = 0o007007007, 0o070070070, 0o700700700  # the bits of one C
R0 = 0o000000777  # the bits of R = 0

Turned = tuple[Word, Word]


def turn_bands(x: Word) -> Turned:
    """At each bit the bits of the other two R. Junk above bit 26."""
    return x << 9 | x >> 18, x << 18 | x >> 9


def other_bands(x: Word, more: Word = 0) -> Word:
    """At each bit those of the other two R, together (and those of ``more``). Junk above bit 26."""
    return either(either(x << 9, x >> 18, x << 18), x >> 9, more)


def turn_stacks(x: Word) -> Turned:
    """At each bit the bits of the other two C. Junk above bit 26 where x has some."""
    return choose(C0, x >> 6, x << 3), choose(C2, x << 6, x >> 3)


def other_stacks(x: Word, more: Word = 0) -> Word:
    """At each bit those of the other two C, together (and those of ``more``). Junk above bit 26 where x has some."""
    return either(*turn_stacks(x), more)


def turn_digits(x: Word) -> Turned:
    """At each bit the bits of the other two D. Junk above bit 26 where x has some."""
    return choose(D0, x >> 2, x << 1), choose(D2, x << 2, x >> 1)


class Axis(NamedTuple):
    """One of the two directions; see the module's docstring for what "row" means along each."""

    number: int
    word: Callable[[int, int, int], int]  # (row inside its band, cell inside its minirow, d) -> word
    turn: Callable[[Word], Turned]  # from a minirow to the other two of its row
    others: Callable[..., Word]  # from a minirow to the other two of its row, together (and with another word)
    band: int  # the bits of band 0
    band_step: int  # shift from band to band
    row_step: int  # shift from minirow to minirow of a row


AXES = (
    Axis(0, lambda r, c, d: 9 * r + 3 * c + d, turn_stacks, other_stacks, R0, 9, 3),
    Axis(1, lambda c, r, d: 9 * r + 3 * c + d, turn_bands, other_bands, C0, 3, 9),
)


def cells() -> list[tuple[int, int, int, int, int]]:
    """List (R, r, C, c, index) of the 81 cells, row by row."""
    places = product(THREE, repeat=4)
    return [(band, r, stack, c, 27 * band + 9 * r + 3 * stack + c) for band, r, stack, c in places]
