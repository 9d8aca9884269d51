"""How many Latin squares there are, of up to 9 rows: a second oracle, which counts by classes of graphs.

The upper k rows of a square of n rows say which values each column has met: a graph of columns and values in which
each has k neighbours. The lower rows are a filling of the graph of all other pairs. So the number of squares is a sum
over graphs with k = n // 2 of the fillings of both; graphs that differ only in the names of columns and values count
alike, and are met once, by the least of their names. This is the way of B. D. McKay and E. Rogoyski ("Latin squares of
order 10", 1995). Nothing here uses a model, a rule, a solver or any other part of the library; numba is imported with
this module.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Rows = NDArray[Any]
"""A graph: for each column the values that it has met, as bits; or an array of such."""

MOST = 9


def latin_squares(n: int) -> int:
    """Return the number of Latin squares of n rows, from 1 to 9; seconds up to 7, minutes for 9.

    ValueError for other n.
    """
    if not 1 <= n <= MOST:
        raise ValueError(f"Latin squares are counted for 1 to {MOST} rows, not for {n}")
    upper = n // 2
    if upper == 0:
        return 1
    classes = Classes.of_matchings(n)
    for _ in range(upper - 1):
        classes = classes.extended()
    others = classes.others()
    orders = factorial(upper) * factorial(n - upper)
    squares = zip(classes.sizes(), classes.fillings, others, strict=True)
    return orders * sum(size * int(above) * int(below) for size, above, below in squares)


class Classes:
    """The graphs of n columns and n values with k neighbours each, one of each class of equal ones.

    ``fillings`` says of each into how many sets of k rows it falls apart, whatever the order of the rows;
    ``symmetries`` by how many changes of names it stays the same.
    """

    def __init__(self, n: int, k: int, table: Rows, graphs: Rows, symmetries: Rows, fillings: Rows) -> None:
        self.n, self.k, self.table, self.graphs = n, k, table, graphs
        self.symmetries, self.fillings = symmetries, fillings

    @classmethod
    def of_matchings(cls, n: int) -> Classes:
        """Return the one class of graphs in which each has one neighbour."""
        one = np.array([[1 << c for c in range(n)]], np.int64)
        table = np.full((2, 3), -1, np.int64)
        return cls(n, 1, table, one, np.array([factorial(n)]), np.ones(1, np.int64))

    def extended(self) -> Classes:
        """Return the classes with one more neighbour each."""
        bits = 12
        while True:
            table = np.full((1 << bits, 3), -1, np.int64)
            graphs = np.zeros((1 << bits - 1, self.n), np.int64)
            symmetries = np.zeros(1 << bits - 1, np.int64)
            count = found_classes(self.n, self.graphs, table, graphs, symmetries)
            if count >= 0:
                break
            bits += 2
        graphs, symmetries = graphs[:count], symmetries[:count]
        fillings = split(self.n, self.k, graphs, self.table, self.fillings)
        return Classes(self.n, self.k + 1, table, graphs, symmetries, fillings)

    def sizes(self) -> list[int]:
        """Return how many graphs each class has."""
        return [factorial(self.n) ** 2 // int(count) for count in self.symmetries]

    def others(self) -> Rows:
        """Return of each class the fillings of the graph of all other pairs."""
        rest = (1 << self.n) - 1 - self.graphs
        count = looked_up if self.n == 2 * self.k else split
        found: Rows = count(self.n, self.k, rest, self.table, self.fillings)
        return found


@njit(cache=True)
def mixed(x):  # type: ignore[no-untyped-def]
    """Return another number for each number (the last step of splitmix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(cache=True)
def coloured(n, rows, values, columns):  # type: ignore[no-untyped-def]
    """Tell values and columns apart by what they meet, again and again; return how many kinds of values there are."""
    kinds = 0
    while True:
        for c in range(n):
            total = np.uint64(0)
            for v in range(n):
                if rows[c] >> v & 1:
                    total += mixed(values[v])
            columns[c] = mixed(columns[c] + mixed(total))
        for v in range(n):
            total = np.uint64(0)
            for c in range(n):
                if rows[c] >> v & 1:
                    total += mixed(columns[c])
            values[v] = mixed(values[v] + mixed(total))
        found = 0
        for v in range(n):
            new = 1
            for w in range(v):
                if values[w] == values[v]:
                    new = 0
                    break
            found += new
        if found in (kinds, n):
            return found
        kinds = found


@njit(cache=True)
def chosen(n, values):  # type: ignore[no-untyped-def]
    """Return the values of the smallest kind that has several, as bits; of kinds of one size that of least colour."""
    best = 0
    least = np.uint64(0)
    size = n + 1
    for v in range(n):
        alike = 0
        count = 0
        for w in range(n):
            if values[w] == values[v]:
                alike |= 1 << w
                count += 1
        if count > 1 and (count < size or (count == size and values[v] < least)):
            best, size, least = alike, count, values[v]
    return best


@njit(cache=True)
def named(n, rows, values, picked, count, key):  # type: ignore[no-untyped-def]
    """Write a graph with new names of its values, and its columns in order.

    First come the values that were picked, in turn, then the others in the order of their colours: so two ways of
    picking never give the same names, and the ways to the least key are as many as the symmetries.
    """
    place = np.zeros(n, np.int64)
    for v in range(n):
        place[v] = count
    for k in range(count):
        place[picked[k]] = k
    for v in range(n):
        for w in range(n):
            if place[v] >= count and place[w] >= count and values[w] < values[v]:
                place[v] += 1
    for c in range(n):
        mask = 0
        for v in range(n):
            if rows[c] >> v & 1:
                mask |= 1 << place[v]
        at = c
        while at > 0 and key[at - 1] > mask:
            key[at] = key[at - 1]
            at -= 1
        key[at] = mask


@njit(cache=True)
def compared(n, one, other):  # type: ignore[no-untyped-def]
    """Return -1, 0 or 1 as one key is less than the other, the same, or greater."""
    for c in range(n):
        if one[c] != other[c]:
            return -1 if one[c] < other[c] else 1
    return 0


@njit(cache=True)
def least_names(n, rows, best):  # type: ignore[no-untyped-def]
    """Write the least key of a graph under all renamings that its colours leave open; return its symmetries."""
    values = np.zeros((n + 1, n), np.uint64)
    columns = np.zeros((n + 1, n), np.uint64)
    left = np.zeros(n + 1, np.int64)
    key = np.zeros(n, np.int64)
    picked = np.zeros(n, np.int64)
    times = 0
    depth = 0
    fresh = True
    while depth >= 0:
        if fresh and coloured(n, rows, values[depth], columns[depth]) == n:
            named(n, rows, values[depth], picked, depth, key)
            order = compared(n, key, best) if times else -1
            if order < 0:
                best[:] = key
                times = 1
            elif order == 0:
                times += 1
            depth -= 1
            fresh = False
            continue
        if fresh:
            left[depth] = chosen(n, values[depth])
        if left[depth] == 0:
            depth -= 1
            fresh = False
            continue
        bit = left[depth] & -left[depth]
        left[depth] ^= bit
        values[depth + 1] = values[depth]
        columns[depth + 1] = columns[depth]
        for v in range(n):
            if bit >> v & 1:
                picked[depth] = v
                values[depth + 1, v] = mixed(values[depth, v] + np.uint64(1))
        depth += 1
        fresh = True
    run = 1
    for c in range(1, n):
        run = run + 1 if best[c] == best[c - 1] else 1
        times *= run
    return times


@njit(cache=True)
def packed(n, key, bits):  # type: ignore[no-untyped-def]
    """Return a key as two numbers of at most 63 bits, and where a table of 2 ** bits rows is first asked for it."""
    high = np.int64(0)
    low = np.int64(0)
    for c in range(n):
        if c < 7:
            high = high << n | key[c]
        else:
            low = low << n | key[c]
    start = mixed(np.uint64(high) + mixed(np.uint64(low))) >> np.uint64(64 - bits)
    return high, low, np.int64(start)


@njit(cache=True)
def looked_for(n, key, table):  # type: ignore[no-untyped-def]
    """Return the row of a table that has a key, or the empty one where it belongs."""
    bits = 0
    while 1 << bits < len(table):
        bits += 1
    high, low, at = packed(n, key, bits)
    while table[at, 2] >= 0 and (table[at, 0] != high or table[at, 1] != low):
        at = (at + 1) & (len(table) - 1)
    table[at, 0], table[at, 1] = high, low
    return at


@njit(cache=True)
def next_matching(n, rows, picked, used, left, at):  # type: ignore[no-untyped-def]
    """Go on to the next way to give each column a value of its own; ``at`` is the column to go on with, -1 ends."""
    while at >= 0:
        if left[at] == 0:
            at -= 1
            continue
        bit = left[at] & -left[at]
        left[at] ^= bit
        picked[at] = bit
        if at == n - 1:
            return at
        used[at + 1] = used[at] | bit
        at += 1
        left[at] = rows[at] & ~used[at]
    return at


@njit(cache=True)
def found_classes(n, graphs, table, made, symmetries):  # type: ignore[no-untyped-def]
    """Add a matching to each graph in every way; note each class that is met. Return how many; -1 without room."""
    everything = (1 << n) - 1
    rows, larger, key = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    picked, used, left = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    count = 0
    for g in range(len(graphs)):
        for c in range(n):
            rows[c] = everything & ~graphs[g, c]
        used[0] = 0
        left[0] = rows[0]
        at = next_matching(n, rows, picked, used, left, 0)
        while at >= 0:
            for c in range(n):
                larger[c] = graphs[g, c] | picked[c]
            times = least_names(n, larger, key)
            row = looked_for(n, key, table)
            if table[row, 2] < 0:
                if count == len(made):
                    return -1
                table[row, 2] = count
                made[count] = key
                symmetries[count] = times
                count += 1
            at = next_matching(n, rows, picked, used, left, at)
    return count


@njit(cache=True)
def split(n, k, graphs, table, fillings):  # type: ignore[no-untyped-def]
    """Return the fillings of graphs with k + 1 neighbours: by the row in which the first column has its least value."""
    found = np.zeros(len(graphs), np.int64)
    rest, key = np.zeros(n, np.int64), np.zeros(n, np.int64)
    picked, used, left = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for g in range(len(graphs)):
        used[0] = 0
        left[0] = graphs[g, 0] & -graphs[g, 0]
        at = next_matching(n, graphs[g], picked, used, left, 0)
        while at >= 0:
            if k == 1:
                found[g] += 1
            else:
                for c in range(n):
                    rest[c] = graphs[g, c] & ~picked[c]
                least_names(n, rest, key)
                found[g] += fillings[table[looked_for(n, key, table), 2]]
            at = next_matching(n, graphs[g], picked, used, left, at)
    return found


@njit(cache=True)
def looked_up(n, k, graphs, table, fillings):  # type: ignore[no-untyped-def]
    """Return the fillings of graphs of the classes of the table."""
    found = np.ones(len(graphs), np.int64)
    key = np.zeros(n, np.int64)
    for g in range(len(graphs)):
        if k > 1:
            least_names(n, graphs[g], key)
            found[g] = fillings[table[looked_for(n, key, table), 2]]
    return found
