"""Pairs of cells that differ: no two pairs have both values in common."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest, ones

from .layout import kernel

# The record: pairs, codes of pairs of values, bits of a cell; for each pair its two cells; then, from the bits of both
# cells, the code. In a row of work lie the pair that has each code (or -1), the marks of codes that were visited, and
# what ``link_pairs`` and ``part_pairs`` write.


@kernel
def are_open(net: Ints, mem: Ints, at: int, record: int) -> int:
    """Return, quickly, whether so few pairs are narrowed, and each so little, that nothing can follow.

    If pairs use up their codes, none of them can have all codes.
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
def given_code(net: Ints, mem: Ints, at: int, record: int, top: int, pair: int, moving: int) -> int:
    """Give a pair a code that no pair has, or (``moving``) that of a pair which can move; 1 if that is possible."""
    bits = net[record + 2]
    codes = record + 3 + 2 * net[record]
    first = mem[at + net[record + 3 + 2 * pair]]
    while first != 0:
        second = mem[at + net[record + 4 + 2 * pair]]
        while second != 0:
            code = net[codes + lowest(first) * bits + lowest(second)]
            found = 0
            if moving == 0:
                found = 1 if mem[top + code] < 0 else 0
            elif mem[top + net[record + 1] + code] == 0:
                mem[top + net[record + 1] + code] = 1
                other = mem[top + code]
                found = given_code(net, mem, at, record, top, other, 0)
                if found == 0:
                    found = given_code(net, mem, at, record, top, other, 1)
            if found:
                mem[top + code] = pair
                return 1
            second &= second - 1
        first &= first - 1
    return 0


@kernel
def given_codes(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Give each pair a different code; 0 if that is impossible."""
    codes = net[record + 1]
    for code in range(codes):
        mem[top + code] = -1
    for pair in range(net[record]):
        if given_code(net, mem, at, record, top, pair, 0) == 0:
            for code in range(codes):
                mem[top + codes + code] = 0
            if given_code(net, mem, at, record, top, pair, 1) == 0:
                return 0
    return 1


@kernel
def link_pairs(net: Ints, mem: Ints, at: int, record: int, top: int, ways: int, words: int) -> int:
    """Mark for each pair the pairs whose codes it could take, and after all of these the pairs that could take its own.

    The number after the last pair represents the codes that no pair has.
    """
    pairs = net[record]
    bits = net[record + 2]
    back = ways + (pairs + 1) * words
    for i in range(2 * (pairs + 1) * words):
        mem[ways + i] = 0
    for pair in range(pairs):
        first = mem[at + net[record + 3 + 2 * pair]]
        while first != 0:
            second = mem[at + net[record + 4 + 2 * pair]]
            while second != 0:
                other = mem[top + net[record + 3 + 2 * pairs + lowest(first) * bits + lowest(second)]]
                if other < 0:
                    other = pairs
                set_bit(mem, ways + pair * words, other)
                set_bit(mem, back + other * words, pair)
                second &= second - 1
            first &= first - 1
    return 1


@kernel
def visit(mem: Ints, ways: int, words: int, left: int, order: int, pair: int) -> int:
    """Visit everything unvisited that can be reached from a pair along ways, and list it: what is finished last comes
    first.

    The length of the list so far is stored in front of it.
    """
    mem[left + (pair >> 5)] &= ~(1 << (pair & 31))
    for w in range(words):
        rest = mem[ways + pair * words + w] & mem[left + w]
        while rest != 0:
            visit(mem, ways, words, left, order, 32 * w + lowest(rest))
            rest = mem[ways + pair * words + w] & mem[left + w]
    mem[order] += 1
    mem[order + mem[order]] = pair
    return 1


@kernel
def leave_all(mem: Ints, left: int, words: int, number: int) -> int:
    """Mark this number of items as unvisited."""
    for w in range(words):
        mem[left + w] = 0
    for i in range(number):
        set_bit(mem, left, i)
    return 1


@kernel
def part_pairs(mem: Ints, pairs: int, ways: int, words: int, top: int) -> int:
    """Number for each pair its part, the pairs that can exchange codes in a circle; return how many parts there are.

    Two visits, the second one against the ways, as Kosaraju and Sharir do (1981). Pairs that can reach a free code are
    in part 0, together with it.
    """
    back = ways + (pairs + 1) * words
    order = top + words
    second = order + pairs + 2
    part = second + pairs + 2
    leave_all(mem, top, words, pairs + 1)
    mem[order] = 0
    for pair in range(pairs):
        if has_bit(mem, top, pair):
            visit(mem, ways, words, top, order, pair)
    leave_all(mem, top, words, pairs + 1)
    mem[second] = 0
    visit(mem, back, words, top, second, pairs)
    number = 0
    done = 0
    i = mem[order]
    while done <= pairs:
        while done < mem[second]:
            done += 1
            mem[part + mem[second + done]] = number
        while i > 0 and has_bit(mem, top, mem[order + i]) == 0:
            i -= 1
        if i == 0:
            return number + 1
        number += 1
        visit(mem, back, words, top, second, mem[order + i])
    return number + 1


@kernel
def set_bit(mem: Ints, place: int, number: int) -> int:
    """Set a bit in a row of words of 32 bits."""
    mem[place + (number >> 5)] |= 1 << (number & 31)
    return 1


@kernel
def has_bit(mem: Ints, place: int, number: int) -> int:
    """Return whether a bit is set in a row of words of 32 bits."""
    return mem[place + (number >> 5)] >> (number & 31) & 1


@kernel
def paired(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Keep the values that are part of some choice of different pairs; 0 if there is none."""
    pairs = net[record]
    bits = net[record + 2]
    words = (pairs >> 5) + 1
    ways = top + 2 * net[record + 1]
    work = ways + 2 * (pairs + 1) * words
    part = work + words + 2 * (pairs + 2)
    if are_open(net, mem, at, record):
        return 1
    if given_codes(net, mem, at, record, top) == 0:
        return 0
    link_pairs(net, mem, at, record, top, ways, words)
    part_pairs(mem, pairs, ways, words, work)
    for pair in range(pairs):
        kept = 0
        along = 0
        first = mem[at + net[record + 3 + 2 * pair]]
        while first != 0:
            second = mem[at + net[record + 4 + 2 * pair]]
            while second != 0:
                other = mem[top + net[record + 3 + 2 * pairs + lowest(first) * bits + lowest(second)]]
                if other < 0 or mem[part + other] == 0 or mem[part + other] == mem[part + pair]:
                    kept |= first & -first
                    along |= second & -second
                second &= second - 1
            first &= first - 1
        mem[at + net[record + 3 + 2 * pair]] = kept
        mem[at + net[record + 4 + 2 * pair]] = along
    return 1
