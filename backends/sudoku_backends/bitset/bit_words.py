"""Operations on 32-bit words: one expression for ints, numpy uint32 arrays and vectors of lanes.

The rules of the solver are written with these and with ``| & ^ ~ << >> + -`` only, so that the same text runs on a
single int (to understand and to test), on an array of words, and as vector code (`vec.Vec`, whose operators emit
instructions). Words have 27 bits; the bits above them are junk that the last step of a rule masks away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Word = Any
"""An int, a numpy uint32 array, or a `vec.Vec`."""

ONES = 0xFFFFFFFF


def ternary(rule: Callable[[Word, Word, Word], Word]) -> Callable[[Word, Word, Word], Word]:
    """Mark a bitwise function of three words: one instruction where the machine has ternary logic.

    Its truth table is read off by calling it on the three words 11110000, 11001100 and 10101010.
    """
    table = rule(0xF0, 0xCC, 0xAA) & 0xFF

    def apply(a: Word, b: Word, c: Word) -> Word:
        for word in (a, b, c):
            if hasattr(word, "ternary"):
                return word.ternary(rule, table, a, b, c)
        return rule(a, b, c)

    apply.__name__, apply.__doc__ = rule.__name__, rule.__doc__
    return apply


@ternary
def either(a: Word, b: Word, c: Word) -> Word:
    """Bits in at least one."""
    return a | b | c


@ternary
def neither(a: Word, b: Word, c: Word) -> Word:
    """Bits in none."""
    return ~(a | b | c)


@ternary
def every(a: Word, b: Word, c: Word) -> Word:
    """Bits in all three."""
    return a & b & c


@ternary
def twice(a: Word, b: Word, c: Word) -> Word:
    """Bits in two or three: the carry of a full adder."""
    return a & b | c & (a | b)


@ternary
def odd(a: Word, b: Word, c: Word) -> Word:
    """Bits in one or three: the sum of a full adder."""
    return a ^ b ^ c


@ternary
def choose(a: Word, b: Word, c: Word) -> Word:
    """Bits of b where a is set, otherwise of c. (Without ``~a``, which overflows for a constant beside numpy words.)"""
    return c ^ a & (b ^ c)


@ternary
def without(a: Word, b: Word, c: Word) -> Word:
    """Bits of a in neither b nor c."""
    return a & ~(b | c)


@ternary
def also(a: Word, b: Word, c: Word) -> Word:
    """Bits of a that are also in b or c."""
    return a & (b | c)


@ternary
def unless(a: Word, b: Word, c: Word) -> Word:
    """Bits of a, except those in both b and c."""
    return a & ~(b & c)


@ternary
def and_both(a: Word, b: Word, c: Word) -> Word:
    """Bits of a, and those in both b and c."""
    return a | b & c


@ternary
def differ(a: Word, b: Word, c: Word) -> Word:
    """Bits of a, and those in which b and c differ."""
    return a | b ^ c


@ternary
def left(a: Word, b: Word, c: Word) -> Word:
    """Bits of a, and those of b that are not in c."""
    return a | b & ~c


def nonzero(x: Word) -> Word:
    """All ones where the word is not zero, else zero."""
    return x.nonzero() if hasattr(x, "ternary") else (x != 0) * ONES


def less(x: Word, y: Word) -> Word:
    """All ones where x < y (unsigned), else zero."""
    return x.less(y) if hasattr(x, "ternary") else (x < y) * ONES


def count(x: Word) -> Word:
    """How many bits are set in each word."""
    if hasattr(x, "ternary"):
        return x.count()
    if isinstance(x, int):
        return x.bit_count()
    x = x - (x >> 1 & 0x55555555)
    x = (x & 0x33333333) + (x >> 2 & 0x33333333)
    x = x + (x >> 4) & 0x0F0F0F0F
    return (x + (x >> 8) + (x >> 16) + (x >> 24)) & 63


def lowest_bit(x: Word) -> Word:
    """The lowest set bit of each word; zero for zero."""
    return x & (~x + 1)
