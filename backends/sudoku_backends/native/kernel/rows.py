"""Stating sums and houses: their records in the pool, and the rows that become the columns of a network.

Sums follow each other: the operator, the bound, the number of variables, these, and their coefficients. A list of
houses begins with their number; each has a place for its sum, its number of variables, and these. A row is a kind, the
place of its record, its priority, whether it is idempotent, its number of variables, and these.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Floats, Ints, Layout, after, bits, ones
from sudoku_models.lowering import house_sums
from sudoku_models.lowering.house_sums import CELLS, FEWEST_CAGES, MOST_OUTSIDE, UNKNOWN, implied, same

from .changes import watch
from .layout import CLIQUE_BITS, EQUAL, HOUSE, LINEAR, LOCKED, MOST_BITS, STATED, WORD, Net, kernel

for shared in house_sums.KERNELS:
    kernel(shared)

TOO_HIGH = 1 << CLIQUE_BITS
"""The least mask that has a value too high for the tables of sums."""


class Grown(Layout):
    """What a list of rows and the pool have grown to."""

    pool: int
    rows: int
    count: int
    longest: int  # record
    cliques: int  # 1 if a sum has a group of different variables


@kernel
def add_row(rows: Ints, grown: Grown, kind: int, record: int, priority: int, xs: Ints, first: int, n: int) -> int:
    """Add a row for a record that ends the pool."""
    at = grown.rows
    rows[at] = kind
    rows[at + 1] = record
    rows[at + 2] = priority
    rows[at + 3] = 0
    rows[at + 4] = n
    for i in range(n):
        rows[at + 5 + i] = xs[first + i]
    grown.rows = at + 5 + n
    grown.count += 1
    grown.longest = max(grown.longest, grown.pool - record)
    return 1


@kernel
def laid_out(net: Net, rows: Ints, count: int, weight: Floats) -> int:
    """Write rows into the columns of a network, list the rows of each variable, and write its weight; see ``watch``."""
    at = end = 0
    for p in range(count):
        net.kinds[p] = rows[at]
        net.records[p] = rows[at + 1]
        net.priorities[p] = rows[at + 2]
        net.idempotent[p] = rows[at + 3]
        net.scope_at[p] = end
        n = rows[at + 4]
        for i in range(n):
            net.scopes[end + i] = rows[at + 5 + i]
        end += n
        at += 5 + n
    net.scope_at[count] = end
    return watch(net, weight)


# ---------------------------------------------------------------- sums


@kernel
def state_sums(
    sums: Ints, end: int, start: Ints, peers: Ints, words: int, work: Ints, pool: Ints, rows: Ints, grown: Grown
) -> int:
    """State the sums before a place; ``work`` has room for three numbers for each variable of one."""
    at = 0
    while at < end:
        n = sums[at + 2]
        if sums[at] != STATED:
            record = grown.pool
            pool[record] = sums[at]
            pool[record + 1] = sums[at + 1]
            pool[record + 2] = 0
            grown.pool += 3
            groups = grouped(sums, at, start, peers, words, work, after(work, n), after(work, 2 * n))
            add_groups(sums, at, groups, work, after(work, n), after(work, 2 * n), pool, grown)
            add_row(rows, grown, LINEAR, record, 1, sums, at + 3, n)
        at += 3 + 2 * n
    return 1


@kernel
def grouped(sums: Ints, at: int, start: Ints, peers: Ints, words: int, order: Ints, group: Ints, near: Ints) -> int:
    """Cut the variables of each coefficient into groups that are all different; return the number of groups.

    ``order`` gets the terms in the order in which they joined groups, ``group`` the number of each term's group. A
    variable with values too high for the tables is a group of its own.
    """
    n = sums[at + 2]
    done = groups = 0
    for i in range(n):
        group[i] = -1
    for i in range(n):
        if group[i] < 0:
            first = done
            for j in range(i, n):
                if sums[at + 3 + n + j] == sums[at + 3 + n + i]:
                    near[j] = neighbours(sums, at, j, start, peers, words)
                    k = done
                    while k > first and near[order[k - 1]] < near[j]:
                        order[k] = order[k - 1]
                        k -= 1
                    order[k] = j
                    done += 1
            begin = groups
            for k in range(first, done):
                j = order[k]
                group[j] = groups
                if near[j] >= 0:
                    group[j] = fitting(sums, at, j, peers, words, order, group, first, k, begin, groups)
                groups = max(groups, group[j] + 1)
    return groups


@kernel
def neighbours(sums: Ints, at: int, j: int, start: Ints, peers: Ints, words: int) -> int:
    """Return how many variables with the same coefficient differ from that of a term; -1 if its values are too high."""
    n = sums[at + 2]
    x = sums[at + 3 + j]
    if start[x] >= TOO_HIGH:
        return -1
    found = 0
    for i in range(n):
        y = sums[at + 3 + i]
        if sums[at + 3 + n + i] == sums[at + 3 + n + j] and start[y] < TOO_HIGH:
            found += differ(peers, words, x, y)
    return found


@kernel
def differ(peers: Ints, words: int, x: int, y: int) -> int:
    """Return whether two variables are known to differ."""
    return peers[x * words + y // WORD] >> (y % WORD) & 1


@kernel
def fitting(
    sums: Ints, at: int, j: int, peers: Ints, words: int, order: Ints, group: Ints, first: int, last: int,
    begin: int, groups: int,
) -> int:  # fmt: skip
    """Return the largest group from ``begin`` on all of whose variables differ from that of a term, or a new one."""
    best = groups
    most = 0
    for g in range(begin, groups):
        size = 0
        for k in range(first, last):
            if group[order[k]] == g:
                if differ(peers, words, sums[at + 3 + j], sums[at + 3 + order[k]]):
                    size += 1
                else:
                    size -= last
        if size > most:
            most = size
            best = g
    return best


@kernel
def add_groups(sums: Ints, at: int, groups: int, order: Ints, group: Ints, size: Ints, pool: Ints, grown: Grown) -> int:
    """Add the groups of several variables to a record, then the other variables, those of one coefficient together."""
    n = sums[at + 2]
    count = grown.pool - 1
    for g in range(groups):
        size[g] = 0
    for j in range(n):
        size[group[j]] += 1
    for g in range(groups + 1):
        begin = 0
        for k in range(n):
            j = order[k]
            coefficient = sums[at + 3 + n + j]
            if (group[j] == g and size[g] > 1) if g < groups else size[group[j]] == 1:
                if begin == 0 or pool[begin] != coefficient:
                    begin = grown.pool
                    pool[begin] = coefficient
                    pool[begin + 1] = 0
                    pool[begin + 2] = g < groups
                    grown.pool += 3
                    grown.cliques |= g < groups
                    pool[count] += 1
                pool[begin + 1] += 1
                pool[grown.pool] = sums[at + 3 + j]
                grown.pool += 1
    return 1


# ---------------------------------------------------------------- houses


@kernel
def state_houses(houses: Ints, sums: Ints, end: int, start: Ints, pool: Ints, rows: Ints, grown: Grown) -> int:
    """State the houses that are worth it, each once as HOUSE and LOCKED: with spare values, those with more than two
    variables that are not a sum.
    """
    at = 1
    for _ in range(houses[0]):
        n = houses[at + 1]
        union = values_of(houses, at, start)
        full = ones(union) == n
        if n > 1 and (full or (n > 2 and not is_sum(houses, at, sums, end))) and not is_repeated(houses, at):
            record = grown.pool
            pool[record] = n
            pool[record + 1] = union
            pool[record + 2] = full
            for i in range(n):
                pool[record + 3 + i] = houses[at + 2 + i]
            grown.pool += 3 + n
            add_row(rows, grown, HOUSE, record, 0 if full else 1, houses, at + 2, n)
            add_row(rows, grown, LOCKED, record, 1, houses, at + 2, n)
        at += 2 + n
    return 1


@kernel
def values_of(houses: Ints, at: int, start: Ints) -> int:
    """Return the values that the variables of a house can have, together."""
    union = 0
    for i in range(at + 2, at + 2 + houses[at + 1]):
        union |= start[houses[i]]
    return union


@kernel
def is_repeated(houses: Ints, at: int) -> int:
    """Return whether a house is also listed before."""
    other = 1
    while other < at:
        if same(houses, other + 1, houses, at + 1, 1 + houses[at + 1]):
            return 1
        other += 2 + houses[other + 1]
    return 0


@kernel
def is_sum(houses: Ints, at: int, sums: Ints, end: int) -> int:
    """Return whether the variables of a house are those of a sum that is known."""
    n = houses[at + 1]
    other = 0
    while other < end:
        if sums[other] == EQUAL and sums[other + 2] == n:
            inside = 0
            for i in range(other + 3, other + 3 + n):
                for j in range(at + 2, at + 2 + n):
                    inside += sums[i] == houses[j]
            if inside == n:
                return 1
        other += 3 + 2 * sums[other + 2]
    return 0


# ---------------------------------------------------------------- sums that houses imply


@kernel
def imply_sums(houses: Ints, sums: Ints, end: int, start: Ints, variables: int, work: Ints, out: Ints) -> int:
    """Write the sums that houses and sums imply as ``implied`` does; return their number.

    Those of one variable narrow its domain instead. The houses are overwritten.
    """
    size = cages_of(sums, end, work)
    out[0] = 1
    if work[0] < FEWEST_CAGES:
        return 0
    at = 1
    for _ in range(houses[0]):
        union = values_of(houses, at, start)
        houses[at] = UNKNOWN
        if ones(union) == houses[at + 1]:
            houses[at] = 0
            for bit in bits(union):
                houses[at] += bit
        at += 2 + houses[at + 1]
    cells = after(work, size)
    links = after(cells, 3 * variables)
    region = after(links, 3 * size)
    touching = after(region, CELLS + variables + MOST_OUTSIDE)
    found = implied(houses, work, cells, links, region, touching, out)
    narrow_single(out, start)
    return found


@kernel
def cages_of(sums: Ints, end: int, cages: Ints) -> int:
    """List the sums of variables that equal a number, those of most variables first; return the length of the list."""
    largest = 0
    at = 0
    while at < end:
        largest = max(largest, sums[at + 2])
        at += 3 + 2 * sums[at + 2]
    last = 1
    for size in range(largest, 0, -1):
        at = 0
        while at < end:
            n = sums[at + 2]
            if n == size and is_cage(sums, at):
                cages[0] += 1
                for i in range(2 + n):
                    cages[last + i] = sums[at + 1 + i]
                last += 2 + n
            at += 3 + 2 * n
    return last


@kernel
def is_cage(sums: Ints, at: int) -> int:
    """Return whether a sum says that variables without coefficients equal a number."""
    n = sums[at + 2]
    for i in range(at + 3 + n, at + 3 + 2 * n):
        if sums[i] != 1:
            return 0
    return sums[at] == EQUAL or sums[at] == STATED


@kernel
def narrow_single(out: Ints, start: Ints) -> int:
    """Let the sums of one variable narrow its domain, and take them out."""
    at = end = 1
    while at < out[0]:
        following = at + 3 + 2 * out[at + 2]
        if out[at + 2] == 1:
            total = out[at + 1]
            start[out[at + 3]] &= 1 << total if 0 <= total < MOST_BITS else 0
        else:
            for i in range(at, following):
                out[end] = out[i]
                end += 1
        at = following
    out[0] = end
    return 1
