"""Pairs of cells that differ: no two pairs have both values in common."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest, ones

from .layout import kernel

# The record: pairs, codes of pairs of values, bits of a cell; for each pair its two cells; then, from the bits of both
# cells, the code, or -1 where these values are no pair. In a row of work lie the cell that has each code (or -1), the
# marks of codes that were visited, and the bits of the pairs that can be reached from each pair.


@kernel
def are_open(net: Ints, mem: Ints, at: int, record: int) -> int:
    """Tell, quickly, whether so few pairs are narrowed, and each so little, that nothing can follow.

    Pairs that use up their codes cannot have one among them that has all codes.
    """
    pairs = net[record]
    codes = net[record + 1]
    narrowed = 0
    fewest = codes
    for pair in range(pairs):
        size = ones(mem[at + net[record + 3 + 2 * pair]]) * ones(mem[at + net[record + 4 + 2 * pair]])
        if size < codes:
            narrowed += 1
            fewest = min(fewest, size)
    return 1 if fewest > narrowed else 0


@kernel
def given_code(net: Ints, mem: Ints, at: int, record: int, top: int, pair: int) -> int:
    """Give a pair a code, moving others; 1 where that can be."""
    bits = net[record + 2]
    first = mem[at + net[record + 3 + 2 * pair]]
    while first != 0:
        second = mem[at + net[record + 4 + 2 * pair]]
        while second != 0:
            code = net[record + 3 + 2 * net[record] + lowest(first) * bits + lowest(second)]
            if code >= 0 and mem[top + net[record + 1] + code] == 0:
                mem[top + net[record + 1] + code] = 1
                other = mem[top + code]
                if other < 0 or given_code(net, mem, at, record, top, other):
                    mem[top + code] = pair
                    return 1
            second &= second - 1
        first &= first - 1
    return 0


@kernel
def given_codes(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Give each pair a code of its own; 0 where that cannot be."""
    codes = net[record + 1]
    for code in range(codes):
        mem[top + code] = -1
    for pair in range(net[record]):
        for code in range(codes):
            mem[top + codes + code] = 0
        if given_code(net, mem, at, record, top, pair) == 0:
            return 0
    return 1


@kernel
def link_pairs(net: Ints, mem: Ints, at: int, record: int, top: int, reach: int, words: int) -> int:
    """Mark for each pair the pairs whose codes it could take, and all that these could, in turn.

    The place after the last pair is for a free code: a pair that reaches it can give its own code away.
    """
    pairs = net[record]
    bits = net[record + 2]
    for i in range((pairs + 1) * words):
        mem[reach + i] = 0
    for pair in range(pairs):
        first = mem[at + net[record + 3 + 2 * pair]]
        while first != 0:
            second = mem[at + net[record + 4 + 2 * pair]]
            while second != 0:
                code = net[record + 3 + 2 * pairs + lowest(first) * bits + lowest(second)]
                if code >= 0:
                    set_bit(mem, reach + pair * words, pairs if mem[top + code] < 0 else mem[top + code])
                second &= second - 1
            first &= first - 1
    for through in range(pairs):
        for pair in range(pairs):
            if has_bit(mem, reach + pair * words, through):
                for w in range(words):
                    mem[reach + pair * words + w] |= mem[reach + through * words + w]
    return 1


@kernel
def are_linked(mem: Ints, pairs: int, reach: int, words: int) -> int:
    """Tell whether each pair reaches all pairs: then every code that a pair may have is part of some choice."""
    for pair in range(pairs):
        for w in range(words):
            last = (1 << (pairs & 31)) - 1 if w == pairs >> 5 else (1 << 32) - 1
            if last & ~mem[reach + pair * words + w] != 0:
                return 0
    return 1


@kernel
def set_bit(mem: Ints, place: int, number: int) -> int:
    """Set a bit in a row of words of 32 bits."""
    mem[place + (number >> 5)] |= 1 << (number & 31)
    return 1


@kernel
def has_bit(mem: Ints, place: int, number: int) -> int:
    """Tell whether a bit is set in a row of words of 32 bits."""
    return mem[place + (number >> 5)] >> (number & 31) & 1


@kernel
def paired(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Keep the values that are part of some choice of different pairs; 0 where there is none."""
    pairs = net[record]
    codes = net[record + 1]
    bits = net[record + 2]
    words = (pairs >> 5) + 1
    reach = top + 2 * codes
    if are_open(net, mem, at, record):
        return 1
    if given_codes(net, mem, at, record, top) == 0:
        return 0
    link_pairs(net, mem, at, record, top, reach, words)
    if are_linked(mem, pairs, reach, words):
        return 1
    for pair in range(pairs):
        kept = 0
        along = 0
        first = mem[at + net[record + 3 + 2 * pair]]
        while first != 0:
            second = mem[at + net[record + 4 + 2 * pair]]
            while second != 0:
                code = net[record + 3 + 2 * pairs + lowest(first) * bits + lowest(second)]
                if code >= 0 and stays(mem, top, code, pair, pairs, reach, words):
                    kept |= first & -first
                    along |= second & -second
                second &= second - 1
            first &= first - 1
        mem[at + net[record + 3 + 2 * pair]] = kept
        mem[at + net[record + 4 + 2 * pair]] = along
    return 1


@kernel
def stays(mem: Ints, top: int, code: int, pair: int, pairs: int, reach: int, words: int) -> int:
    """Tell whether a pair may have a code: it has it, nobody has it, or who has it can move on."""
    other = mem[top + code]
    if other < 0 or other == pair:
        return 1
    return has_bit(mem, reach + other * words, pair) | has_bit(mem, reach + other * words, pairs)
