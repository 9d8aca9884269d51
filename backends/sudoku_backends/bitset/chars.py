"""Puzzles and grids as bytes: 81 characters, or 81 candidate masks, to a state; a solved state to 81 bytes.

A row of bytes is held as 32-bit little-endian words, `BlockLanes` says where. Reading and writing take whole words and
never touch a byte outside the row.
"""

from __future__ import annotations

from typing import NamedTuple

from .bit_words import Word, also, choose, either, less
from .layout import D0, THREE, cells
from .propagation import State

HIGH, LOW = 0x80808080, 0x7F7F7F7F
ZEROS, DOTS, TOO_LARGE = 0x30303030, 0x2E2E2E2E, 0x76767676  # "0000", "....", and 0x7F - 9 in each byte

CANDIDATES = [0o777, *(1 << v for v in range(9)), *[0o777] * 6]  # of a character or value, by its low four bits


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


def parse(text: State, x: State, packing: BlockLanes) -> tuple[Word]:
    """Write the candidates of 81 characters: 1 to 9 are givens, 0 and the dot are open cells.

    Values 0 to 9 may replace characters. Return a number other than zero when a character is neither
    (the caller ignores this if the row holds values).
    """
    digit = {}
    for band, r, stack, c, k in cells():
        word, shift = packing.place(k)
        digit[band, r, stack, c] = candidates(text[word] >> shift)
    pack(digit, x)
    wrong: Word = 0
    for k in packing.words():
        wrong = wrong | _neither_digit_nor_dot(text[k])
    return (wrong & HIGH,)


def candidates(x: Word) -> Word:
    """Return the mask of the digits that a character or value in the low four bits of a word leaves open."""
    if hasattr(x, "lookup") and x.can_look_up:
        return x.lookup(CANDIDATES)
    n = (x & 15) - 1
    return choose(less(n, 9), 1 << (n & 15), 0o777)


def _neither_digit_nor_dot(word: Word) -> Word:
    """Set the high bit of each byte that is neither a digit nor a dot; the other bits are junk.

    With its high bit out of the way a byte overflows into it when it is too large: above 9, or not zero.
    """
    zero, dot = word ^ ZEROS, word ^ DOTS
    return also((zero & LOW) + TOO_LARGE | zero, (dot & LOW) + LOW, dot)


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
