"""What makes the candidates of one node consistent, by its kind."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest

from .houses import house_exactly, house_singles
from .joining import joined
from .layout import (
    ATOMS,
    BASE,
    DIAGRAM,
    DOM,
    EITHER,
    FULL,
    HOUSE,
    JOINED,
    KIND,
    MEMBERS,
    PERMUTED,
    RECORD,
    SCRATCH,
    START,
    SUM,
    WIDTH,
    WORD,
    kernel,
)  # fmt: skip
from .permuting import permuted


@kernel
def diagram(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Keep the values on paths from the first node of a diagram to its last one."""
    length = net[record]
    nodes = net[record + 1]
    place = record + 2
    begin = place + length
    edges = begin + length + 1
    good = top + nodes
    left = good + nodes
    for i in range(2 * nodes):
        mem[top + i] = 0
    mem[top] = 1
    for i in range(length):
        mask = mem[at + net[place + i]]
        for e in range(net[begin + i], net[begin + i + 1]):
            if mem[top + net[edges + 3 * e]] and net[edges + 3 * e + 2] & mask != 0:
                mem[top + net[edges + 3 * e + 1]] = 1
    if mem[top + nodes - 1] == 0:
        return 0
    mem[good + nodes - 1] = 1
    for i in range(length - 1, -1, -1):
        mask = mem[at + net[place + i]]
        kept = 0
        for e in range(net[begin + i], net[begin + i + 1]):
            if mem[top + net[edges + 3 * e]] and mem[good + net[edges + 3 * e + 1]]:
                both = net[edges + 3 * e + 2] & mask
                if both != 0:
                    kept |= both
                    mem[good + net[edges + 3 * e]] = 1
        mem[left + i] = kept
    for i in range(length):
        mem[at + net[place + i]] &= mem[left + i]
        if mem[at + net[place + i]] == 0:
            return 0
    return 1


@kernel
def moved(mem: Ints, to: int, source: int, words: int, far: int, by: int) -> int:
    """Add to a set of numbers, in words of bits, another one in which each is larger by a distance."""
    for w in range(far, words):
        bits = mem[source + w - far] << by
        if by > 0 and w > far:
            bits |= mem[source + w - far - 1] >> (WORD - by)
        mem[to + w] |= bits & ((1 << WORD) - 1)
    return 1


@kernel
def meets(mem: Ints, wanted: int, source: int, words: int, far: int, by: int) -> int:
    """Tell whether a set of numbers, each of them larger by a distance, has one in common with another."""
    for w in range(far, words):
        bits = mem[source + w - far] << by
        if by > 0 and w > far:
            bits |= mem[source + w - far - 1] >> (WORD - by)
        if bits & ((1 << WORD) - 1) & mem[wanted + w] != 0:
            return 1
    return 0


@kernel
def moved_back(mem: Ints, to: int, source: int, words: int, far: int, by: int) -> int:
    """Add to a set of numbers another one in which each is smaller by a distance."""
    for w in range(words - far):
        bits = mem[source + w + far] >> by
        if by > 0 and w + far + 1 < words:
            bits |= mem[source + w + far + 1] << (WORD - by)
        mem[to + w] |= bits & ((1 << WORD) - 1)
    return 1


@kernel
def summed(net: Ints, mem: Ints, n: int, at: int, record: int, top: int) -> int:
    """Keep the values that are part of a choice with a right sum, by the sets of sums that are reached."""
    words = net[record]
    stride = 2 * net[record + 1]
    moves = record + 2 + words
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


@kernel
def either(net: Ints, mem: Ints, n: int, at: int, record: int, top: int) -> int:
    """Keep what at least one of the parts leaves."""
    own = top + n
    for i in range(n):
        mem[top + i] = 0
    some = 0
    part = record + 1
    for _p in range(net[record]):
        width = net[part + 1]
        for i in range(width):
            mem[own + i] = mem[at + net[part + 2 + i]]
        if revise(net, mem, net[part], own, own + width, 1):
            some = 1
            for i in range(n):
                mem[own + width + i] = mem[at + i]
            for i in range(width):
                mem[own + width + net[part + 2 + i]] = mem[own + i]
            for i in range(n):
                mem[top + i] |= mem[own + width + i]
        part += 2 + width
    for i in range(n):
        mem[at + i] = mem[top + i]
    return some


@kernel
def known(net: Ints, mem: Ints, node: int, n: int, at: int, total: int) -> int:
    """Return where the end of following a group from more candidates is kept, a good beginning; -1 where nowhere."""
    if node >= net[ATOMS]:
        return -1
    base = net[net[BASE] + node]
    inside = mem[base]
    for i in range(n):
        if mem[at + i] & ~mem[base + 2 + i] != 0:
            inside = 0
    if inside:
        return base + 2 + n
    return base + 2 + n + total if mem[base + 1] else -1


@kernel
def group_begun(net: Ints, mem: Ints, node: int, n: int, at: int, record: int, top: int) -> int:
    """Write the candidates of a group and which are new since what is known of it; 0 where a variable has none left."""
    total = n + net[record + 1]
    begin = known(net, mem, node, n, at, total)
    for i in range(total):
        mem[top + i] = mem[at + i] if i < n else net[record + 2 + i - n]
        mem[top + total + i] = 1
        if begin >= 0:
            mem[top + i] &= mem[begin + i]
            mem[top + total + i] = 1 if mem[top + i] != mem[begin + i] else 0
            if mem[top + i] == 0:
                return 0
    return 1


@kernel
def part_kept(net: Ints, mem: Ints, part: int, own: int, top: int, when: int, now: int) -> int:
    """Take over what is left in a part, and note when; 1 where that is less than before, -1 where nothing is left."""
    changed = 0
    for i in range(net[part + 1]):
        v = net[part + 2 + i]
        if mem[own + i] & mem[top + v] != mem[top + v]:
            mem[top + v] &= mem[own + i]
            if mem[top + v] == 0:
                return -1
            mem[when + v] = now
            changed = 1
    return changed


@kernel
def grouped(net: Ints, mem: Ints, node: int, n: int, at: int, record: int, top: int) -> int:
    """Follow the parts, which share hidden variables, until nothing changes. Their end is at ``top``."""
    hidden = net[record + 1]
    parts = net[record + 2 + hidden]
    when = top + n + hidden
    last = when + n + hidden
    own = last + parts
    if group_begun(net, mem, node, n, at, record, top) == 0:
        return 0
    for p in range(parts):
        mem[last + p] = 0
    now = 1
    again = 1
    while again:
        again = 0
        part = record + 3 + hidden
        for p in range(parts):
            width = net[part + 1]
            due = 0
            for i in range(width):
                v = net[part + 2 + i]
                mem[own + i] = mem[top + v]
                if mem[when + v] > mem[last + p]:
                    due = 1
            if due:
                mem[last + p] = now
                if revise(net, mem, net[part], own, own + width, 1) == 0:
                    return 0
                now += 1
                changed = part_kept(net, mem, part, own, top, when, now)
                if changed < 0:
                    return 0
                again |= changed
            part += 2 + width
    for i in range(n):
        mem[at + i] = mem[top + i]
    return 1


@kernel
def revise(net: Ints, mem: Ints, node: int, at: int, top: int, strong: int) -> int:
    """Narrow the masks at a place to what a node leaves; 0 where nothing is left. Above ``top`` is room for work."""
    kind = net[net[KIND] + node]
    record = net[net[RECORD] + node]
    n = net[net[WIDTH] + node]
    for i in range(n):
        if mem[at + i] == 0:
            return 0
    if kind == HOUSE:
        if strong:
            return house_exactly(mem, n, at, top)
        return house_singles(mem, n, at, net[record], net[record + 1])
    if kind == DIAGRAM:
        return diagram(net, mem, at, record, top)
    if kind == SUM:
        return summed(net, mem, n, at, record, top)
    if kind == EITHER:
        return either(net, mem, n, at, record, top)
    if kind == JOINED:
        return joined(net, mem, n, at, record, top)
    if kind == PERMUTED:
        return permuted(net, mem, at, record, top)
    return grouped(net, mem, node, n, at, record, top)


@kernel
def keep_base(net: Ints, mem: Ints, atom: int, n: int, at: int, to: int) -> int:
    """Follow a group from some candidates and keep where it ends; tell whether it does not fail."""
    record = net[net[RECORD] + atom]
    top = at + n
    for i in range(n):
        if mem[at + i] == 0:
            return 0
    if grouped(net, mem, atom, n, at, record, top) == 0:
        return 0
    for i in range(n + net[record + 1]):
        mem[to + i] = mem[top + i]
    return 1


@kernel
def bases(net: Ints, mem: Ints) -> int:
    """Follow every group from the candidates at present, and once from all, so that less has to be followed later.

    In mem: whether either is known, the candidates, and for both what was left of all variables.
    """
    scratch = net[SCRATCH]
    for a in range(net[ATOMS]):
        base = net[net[BASE] + a]
        if base:
            start = net[net[START] + a]
            n = net[net[START] + a + 1] - start
            total = n + net[net[net[RECORD] + a] + 1]
            if mem[base + 1] == 0:
                for i in range(n):
                    mem[scratch + i] = net[net[FULL] + net[net[MEMBERS] + start + i]]
                mem[base + 1] = keep_base(net, mem, a, n, scratch, base + 2 + n + total)
            same = mem[base]
            for i in range(n):
                mem[scratch + i] = mem[net[DOM] + net[net[MEMBERS] + start + i]]
                if mem[scratch + i] != mem[base + 2 + i]:
                    same = 0
            if same == 0:
                mem[base] = keep_base(net, mem, a, n, scratch, base + 2 + n)
                for i in range(n):
                    mem[base + 2 + i] = mem[net[DOM] + net[net[MEMBERS] + start + i]]
    return 1


__all__ = ["house_exactly", "house_singles", "revise"]
