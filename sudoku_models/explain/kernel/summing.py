"""Sums of products: which values are part of a choice with an allowed sum."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest

from .layout import WORD, kernel


@kernel
def moved(mem: Ints, to: int, source: int, words: int, far: int, by: int) -> int:
    """Add to a set of numbers, in words of bits, another set with each number increased by a distance."""
    for w in range(far, words):
        bits = mem[source + w - far] << by
        if by > 0 and w > far:
            bits |= mem[source + w - far - 1] >> (WORD - by)
        mem[to + w] |= bits & ((1 << WORD) - 1)
    return 1


@kernel
def meets(mem: Ints, wanted: int, source: int, words: int, far: int, by: int) -> int:
    """Return whether a set of numbers, each increased by a distance, has one in common with another set."""
    for w in range(far, words):
        bits = mem[source + w - far] << by
        if by > 0 and w > far:
            bits |= mem[source + w - far - 1] >> (WORD - by)
        if bits & ((1 << WORD) - 1) & mem[wanted + w] != 0:
            return 1
    return 0


@kernel
def moved_back(mem: Ints, to: int, source: int, words: int, far: int, by: int) -> int:
    """Add to a set of numbers another set with each number decreased by a distance."""
    for w in range(words - far):
        bits = mem[source + w + far] >> by
        if by > 0 and w + far + 1 < words:
            bits |= mem[source + w + far + 1] << (WORD - by)
        mem[to + w] |= bits & ((1 << WORD) - 1)
    return 1


@kernel
def distances(net: Ints, mem: Ints, n: int, at: int, moves: int, stride: int, top: int) -> int:
    """Write the least and the greatest distance of each cell's values; return by how much sums may differ."""
    span = 0
    for i in range(n):
        rest = mem[at + i]
        least = 1 << 40
        most = 0
        while rest != 0:
            move = moves + i * stride + 2 * lowest(rest)
            rest &= rest - 1
            far = net[move] * WORD + net[move + 1]
            least = min(least, far)
            most = max(most, far)
        mem[top + i] = least
        span += most - least
    return span


@kernel
def window(net: Ints, words: int, from_: int, least: int) -> int:
    """Return the numbers from ``least`` on in a set of numbers, as one word."""
    w = 0
    while least >= WORD:
        least -= WORD
        w += 1
    if w >= words:
        return 0
    found = net[from_ + w] >> least
    if least > 0 and w + 1 < words:
        found |= net[from_ + w + 1] << (WORD - least) & ((1 << WORD) - 1)
    return found


@kernel
def summed_closely(net: Ints, mem: Ints, n: int, at: int, record: int, top: int) -> int:
    """Do what ``summed`` does for sums that differ by less than a word, from the least distances at ``top``."""
    stride = 2 * net[record + 1]
    moves = record + 2 + net[record]
    least = 0
    ahead = 1
    for i in range(n):
        least += mem[top + i]
        mem[top + n + i] = ahead
        rest = mem[at + i]
        reached = 0
        while rest != 0:
            move = moves + i * stride + 2 * lowest(rest)
            rest &= rest - 1
            reached |= ahead << (net[move] * WORD + net[move + 1] - mem[top + i])
        ahead = reached
    wanted = window(net, net[record], record + 2, least) & ahead
    for i in range(n - 1, -1, -1):
        kept = 0
        before = 0
        rest = mem[at + i]
        while rest != 0:
            move = moves + i * stride + 2 * lowest(rest)
            far = net[move] * WORD + net[move + 1] - mem[top + i]
            some = wanted >> far & mem[top + n + i]
            if some != 0:
                kept |= rest & -rest
                before |= some
            rest &= rest - 1
        if kept == 0:
            return 0
        mem[at + i] = kept
        wanted = before
    return 1


@kernel
def summed(net: Ints, mem: Ints, n: int, at: int, record: int, top: int) -> int:
    """Keep the values that are part of a choice with an allowed sum, using the sets of reachable sums."""
    words = net[record]
    stride = 2 * net[record + 1]
    moves = record + 2 + words
    if distances(net, mem, n, at, moves, stride, top) < WORD:
        return summed_closely(net, mem, n, at, record, top)
    for i in range((n + 1) * words):
        mem[top + i] = 0
    mem[top] = 1
    for i in range(n):
        rest = mem[at + i]
        while rest != 0:
            move = moves + i * stride + 2 * lowest(rest)
            rest &= rest - 1
            moved(mem, top + (i + 1) * words, top + i * words, words, net[move], net[move + 1])
    wanted = top + (n + 1) * words
    before = wanted + words
    for w in range(words):
        mem[wanted + w] = net[record + 2 + w]
    for i in range(n - 1, -1, -1):
        kept = 0
        for w in range(words):
            mem[before + w] = 0
        rest = mem[at + i]
        while rest != 0:
            bit = lowest(rest)
            move = moves + i * stride + 2 * bit
            rest &= rest - 1
            if meets(mem, wanted, top + i * words, words, net[move], net[move + 1]):
                kept |= 1 << bit
                moved_back(mem, before, wanted, words, net[move], net[move + 1])
        if kept == 0:
            return 0
        mem[at + i] = kept
        for w in range(words):
            mem[wanted + w] = mem[before + w]
    return 1
