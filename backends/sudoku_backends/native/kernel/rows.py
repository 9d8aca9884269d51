"""Stating sums and houses: their records in the pool, and the rows that become the columns of a network.

Sums follow each other: the operator, the bound, the number of variables, these, and their coefficients. A list of
houses is their number, and for each the number of its variables, and these. A row is a kind, the place of its record,
its priority, whether it is idempotent, the number of its variables, and these.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Floats, Ints, Layout, after, bits, ones
from sudoku_models.lowering import house_sums
from sudoku_models.lowering.house_sums import FEWEST_CAGES, common, implied

from .changes import watch
from .layout import CLIQUE_BITS, EQUAL, HOUSE, LINEAR, LOCKED, MOST_BITS, WORD, Net, kernel

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
    sums: Ints, end: int, start: Ints, peers: Ints, words: int, done: Ints, pool: Ints, rows: Ints, grown: Grown
) -> int:
    """State the sums before a place; ``done`` has room for as many numbers as one has variables."""
    at = 0
    while at < end:
        n = sums[at + 2]
        record = grown.pool
        pool[record] = sums[at]
        pool[record + 1] = sums[at + 1]
        grown.pool += 3
        pool[record + 2] = add_groups(sums, at, start, peers, words, done, pool, grown)
        add_row(rows, grown, LINEAR, record, 1, sums, at + 3, n)
        at += 3 + 2 * n
    return 1


@kernel
def add_groups(sums: Ints, at: int, start: Ints, peers: Ints, words: int, done: Ints, pool: Ints, grown: Grown) -> int:
    """Add the variables of a sum to its record, in groups of one coefficient that differ; return how many groups."""
    n = sums[at + 2]
    groups = 0
    for i in range(n):
        done[i] = 0
    for i in range(n):
        if not done[i]:
            begin = grown.pool
            pool[begin] = sums[at + 3 + n + i]
            grown.pool += 2
            x = sums[at + 3 + i]
            alone = common(peers, x * words, peers, x * words, words) == 0
            for j in range(i, i + 1 if alone else n):
                x = sums[at + 3 + j]
                same_coefficient = sums[at + 3 + n + j] == pool[begin]
                if not done[j] and same_coefficient and fits_in(pool, begin + 2, grown.pool, x, start, peers, words):
                    pool[grown.pool] = x
                    grown.pool += 1
                    done[j] = 1
            pool[begin + 1] = grown.pool - begin - 2
            groups += 1
    return groups


@kernel
def fits_in(pool: Ints, first: int, end: int, x: int, start: Ints, peers: Ints, words: int) -> int:
    """Return whether a variable differs from all of a group, and the tables of sums have all their values."""
    for i in range(first, end):
        y = pool[i]
        if not peers[x * words + y // WORD] >> (y % WORD) & 1 or (start[x] | start[y]) >= TOO_HIGH:
            return 0
    return 1


# ---------------------------------------------------------------- houses


@kernel
def state_houses(houses: Ints, start: Ints, pool: Ints, rows: Ints, grown: Grown) -> int:
    """State the houses as HOUSE and LOCKED, except pairs with spare values."""
    at = 1
    for _ in range(houses[0]):
        n = houses[at]
        union = values_of(houses, at, start)
        full = ones(union) == n
        if n > 2 or (full and n == 2):
            record = grown.pool
            pool[record] = n
            pool[record + 1] = union
            pool[record + 2] = full
            for i in range(n):
                pool[record + 3 + i] = houses[at + 1 + i]
            grown.pool += 3 + n
            add_row(rows, grown, HOUSE, record, 0 if full else 1, houses, at + 1, n)
            add_row(rows, grown, LOCKED, record, 1, houses, at + 1, n)
        at += 1 + n
    return 1


@kernel
def values_of(houses: Ints, at: int, start: Ints) -> int:
    """Return the values that the variables of a house can have, together."""
    union = 0
    for i in range(at + 1, at + 1 + houses[at]):
        union |= start[houses[i]]
    return union


# ---------------------------------------------------------------- sums that houses imply


@kernel
def imply_sums(houses: Ints, sums: Ints, end: int, start: Ints, words: int, work: Ints, out: Ints) -> int:
    """Write the sums that houses and sums imply from ``out[1]`` to before ``out[0]``; return their number.

    Those of one variable narrow its domain instead.
    """
    cages = after(work, 1 + houses[0] * (1 + words))
    list_known(houses, sums, end, start, words, work, cages)
    whole = after(cages, 1 + cages[0] * (1 + words))
    crossing = after(whole, words)
    found = after(crossing, 1 + cages[0])
    number = implied(work, cages, words, whole, crossing, found) if cages[0] >= FEWEST_CAGES else 0
    out[0] = 1
    for i in range(number):
        add_implied(after(found, i * (1 + 2 * words)), words, start, out)
    return number


@kernel
def list_known(houses: Ints, sums: Ints, end: int, start: Ints, words: int, known: Ints, cages: Ints) -> int:
    """List the houses with as many values as variables, and the cages, as ``implied`` reads them."""
    at = 1
    for _ in range(houses[0]):
        union = values_of(houses, at, start)
        if ones(union) == houses[at]:
            total = 0
            for bit in bits(union):
                total += bit
            add_set(known, total, words, houses, at + 1, houses[at])
        at += 1 + houses[at]
    at = 0
    while at < end:
        if is_cage(sums, at):
            add_set(cages, sums[at + 1], words, sums, at + 3, sums[at + 2])
        at += 3 + 2 * sums[at + 2]
    return 1


@kernel
def is_cage(sums: Ints, at: int) -> int:
    """Return whether a sum says that variables without coefficients equal a number."""
    n = sums[at + 2]
    for i in range(at + 3 + n, at + 3 + 2 * n):
        if sums[i] != 1:
            return 0
    return sums[at] == EQUAL


@kernel
def add_set(known: Ints, total: int, words: int, xs: Ints, first: int, n: int) -> int:
    """Add a sum with the set of its variables to a list."""
    at = 1 + known[0] * (1 + words)
    known[0] += 1
    known[at] = total
    for i in range(first, first + n):
        known[at + 1 + xs[i] // WORD] |= 1 << (xs[i] % WORD)
    return 1


@kernel
def add_implied(found: Ints, words: int, start: Ints, out: Ints) -> int:
    """Add a sum that ``implied`` found to others, or let it narrow the domain of its only variable."""
    first = out[0] + 3
    n = left = 0
    for w in range(2 * words):
        for bit in bits(found[1 + w]):
            out[first + n] = bit + w % words * WORD
            n += 1
            left += w < words
    total = found[0] if left else -found[0]
    if n == 1:
        start[out[first]] &= 1 << total if 0 <= total < MOST_BITS else 0
        return 1
    for i in range(n):
        out[first + n + i] = 1 if i < left or left == 0 else -1
    out[first - 3] = EQUAL
    out[first - 2] = total
    out[first - 1] = n
    out[0] = first + 2 * n
    return 1
