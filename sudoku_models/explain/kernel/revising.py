"""Make the candidates of one node consistent, depending on its kind."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints

from .cells_counted import right_number
from .distinct_cells import house_exactly
from .joining import joined
from .layout import (
    ATOMS,
    BASE,
    COUNTED,
    DIAGRAM,
    DOM,
    EITHER,
    FULL,
    HOUSE,
    JOINED,
    KIND,
    MEMBERS,
    PAIRED,
    PERMUTED,
    RECORD,
    SCRATCH,
    START,
    SUM,
    WIDTH,
    kernel,
)  # fmt: skip
from .pairing import paired
from .permuting import permuted
from .summing import summed


@kernel
def leads(net: Ints, mem: Ints, at: int, record: int, top: int, layer: int, node: int) -> int:
    """Return whether a node leads to the end of a diagram, and record the supported values from it on.

    At ``top`` is the first layer from which on all values are known to be supported: nothing more is searched there.
    Then come the supported values of each layer, and for each node 1 if it leads nowhere and 2 if it leads to the end.
    """
    length = net[record]
    if layer == length:
        return 1
    mark = top + 1 + length + node
    if mem[mark] > 0:
        return mem[mark] - 1
    mask = mem[at + net[record + 2 + layer]]
    begin = record + 3 + 2 * length + node
    e = net[begin]
    end = net[begin + 1]
    found = 0
    while e < end:
        both = net[record + 2 * e + 1] & mask
        news = both & ~mem[top + 1 + layer]
        wanted = news != 0 or (both != 0 and (found == 0 or mem[top] > layer + 1))
        if wanted and leads(net, mem, at, record, top, layer + 1, net[record + 2 * e]):
            found = 1
            mem[top + 1 + layer] |= both
            if mem[top + 1 + layer] == mask and mem[top] == layer + 1:
                mem[top] = layer
            if mem[top] <= layer:
                e = end
        e += 1
    mem[mark] = 1 + found
    return found


@kernel
def diagram(net: Ints, mem: Ints, at: int, record: int, top: int) -> int:
    """Keep the values on paths from the first node of a diagram to its last one.

    After the search with early cut-off of Cheng and Yap (2010), which finds one path for each value and no more.
    """
    length = net[record]
    mem[top] = length
    for i in range(length + net[record + 1]):
        mem[top + 1 + i] = 0
    if leads(net, mem, at, record, top, 0, 0) == 0:
        return 0
    for i in range(length):
        mem[at + net[record + 2 + i]] &= mem[top + 1 + i]
        if mem[at + net[record + 2 + i]] == 0:
            return 0
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
        if revise(net, mem, net[part], own, own + width):
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
    """Return where the fixpoint of a group from more candidates is kept, as a starting point; -1 if there is none."""
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
    """Write the candidates of a group and which are new since the kept fixpoint; 0 if a variable has none left."""
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
    """Copy what is left in a part, and record when; 1 if that is less than before, -1 if nothing is left."""
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
    """Apply the parts, which share hidden variables, until nothing changes. Their fixpoint is at ``top``."""
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
                if revise(net, mem, net[part], own, own + width) == 0:
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
def revise(net: Ints, mem: Ints, node: int, at: int, top: int) -> int:
    """Narrow the masks at a place to what a node leaves; 0 if nothing is left. Above ``top`` is work space."""
    kind = net[net[KIND] + node]
    record = net[net[RECORD] + node]
    n = net[net[WIDTH] + node]
    for i in range(n):
        if mem[at + i] == 0:
            return 0
    if kind == HOUSE:
        return house_exactly(mem, n, at, top)
    if kind == DIAGRAM:
        return diagram(net, mem, at, record, top)
    if kind == SUM:
        return summed(net, mem, n, at, record, top)
    if kind == COUNTED:
        return right_number(net, mem, n, at, record)
    if kind == PAIRED:
        return paired(net, mem, at, record, top)
    if kind == EITHER:
        return either(net, mem, n, at, record, top)
    if kind == JOINED:
        return joined(net, mem, n, at, record, top)
    if kind == PERMUTED:
        return permuted(net, mem, at, record, top)
    return grouped(net, mem, node, n, at, record, top)


@kernel
def keep_base(net: Ints, mem: Ints, atom: int, n: int, at: int, to: int) -> int:
    """Find the fixpoint of a group from some candidates and keep it; return whether it does not fail."""
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
    """Keep the fixpoint of every group from the present candidates, and once from all, to save work later.

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
