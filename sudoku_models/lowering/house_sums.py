"""Sums that houses imply ("innies and outies"): over the cells of one to four houses that cages leave, or exceed.

A house with as many variables as values has a known sum. If cages cover all but a few of its cells, the sum of those
cells is known too; if some cages extend beyond it, the sum of the remaining cells minus that of the cells outside is
known. The same applies to several houses without a common cell. These sums hold in every solution, and an engine that
treats houses and cages one by one does not see them.

The functions from ``implied`` on are kernels: ``native`` has them as machine code, and they run here as they are. Lists
of houses and cages begin with their number; each has its sum, the number of its variables, and these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Protocol

from ..model import AllDifferent, Constraint, InDomain, Linear, Model

NAME = "house-sums"
FEWEST_CAGES = 4
MOST_HOUSES = 4
MOST_LEFT = 6
"""The most cells in a sum without cells outside; longer sums say little."""
MOST_BOTH = 5
"""The most cells in a sum, inside and outside together."""
MOST_OUTSIDE = 4
LONGEST = 3 + 2 * MOST_LEFT
"""The most numbers in the record of a sum: 0 (==), the sum, its length, the variables, their coefficients."""
UNKNOWN = 1 << 62
"""The sum of a house that has more values than variables."""


class Ints(Protocol):
    """A list, or an array in machine code."""

    def __getitem__(self, i: int, /) -> int: ...
    def __setitem__(self, i: int, x: int, /) -> None: ...


def house_sums(model: Model) -> list[Constraint]:
    """Return the sums that the houses and cages of a model imply; sums of one variable are returned as domains."""
    index, domains = model.index, model.domains
    sums = [c for c in model.constraints if isinstance(c, Linear) and c.op == "==" and set(c.coeffs) == {1}]
    cages = sorted([(c.k, c.xs) for c in sums if len(set(c.xs)) == len(c.xs)], key=lambda cage: -len(cage[1]))
    if len(cages) < FEWEST_CAGES:
        return []
    houses = [
        (sum(values) if len(values) == len(c.xs) else UNKNOWN, c.xs)
        for c in model.constraints
        if isinstance(c, AllDifferent)
        for values in [set().union(*{domains[x] for x in c.xs})]
    ]
    listed, out = _listed(cages, index), [0] * most_implied(len(houses))
    cells, links, region, touching = [[0] * size for size in sizes_for(len(listed), len(index))]
    implied(_listed(houses, index), listed, cells, links, region, touching, out)
    return list(_constraints(out, model.names))


def _listed(known: Sequence[tuple[int, Sequence[str]]], index: Mapping[str, int]) -> list[int]:
    """Return sums with their variables as the kernels read them."""
    return [len(known), *chain.from_iterable((total, len(xs), *[index[x] for x in xs]) for total, xs in known)]


def _constraints(out: Sequence[int], names: Sequence[str]) -> Iterator[Constraint]:
    at = 1
    while at < out[0]:
        _, total, n = out[at : at + 3]
        xs = [names[x] for x in out[at + 3 : at + 3 + n]]
        if n > 1:
            yield Linear(out[at + 3 + n : at + 3 + 2 * n], xs, "==", total)
        else:
            yield InDomain(xs[0], (total,)) if xs else InDomain(names[0], ())
        at += 3 + 2 * n


def bits_in(mask: int) -> Iterator[int]:
    """Yield the indexes of the set bits of a mask, from the lowest."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


# ---------------------------------------------------------------- kernels

# By variable, in ``cells``.
REGION = 0  # the last region that it is in
COVERED = 1  # the last region for which a cage covers it
LATEST = 2  # its last place in a cage

# By place in the list of cages, in ``links``; the last where a cage begins.
BEFORE = 0  # the place of the same variable in an earlier cage, or 0
OWNER = 1  # where its cage begins
WITHIN = 2  # how many variables of the cage are in the region

# Numbers at the beginning of ``region``; its variables follow, then those outside of it that cages cover.
NUMBER = 0
TOTAL = 1  # the sum of what is not covered, minus that of what is outside
SIZE = 2
LEFT = 3  # how many variables are not covered
OUTSIDE = 4
CELLS = 5

PLACE = 32  # bits for the place of a cage that crosses the border; above them, how many of its cells are outside


def sizes_for(cages: int, variables: int) -> tuple[int, int, int, int]:
    """Return the lengths of the memory of ``implied`` for a list of cages of some length, from ``cells`` on."""
    return 3 * variables, 3 * cages, CELLS + variables + MOST_OUTSIDE, cages


def most_implied(houses: int) -> int:
    """Return how long the records of all sums that a number of houses imply can be."""
    return 1 + (2 * MOST_HOUSES * houses + 1) * LONGEST


def implied(houses: Ints, cages: Ints, cells: Ints, links: Ints, region: Ints, touching: Ints, out: Ints) -> int:
    """Write the sums that houses and cages imply, each once, from ``out[1]`` to before ``out[0]``; return their number.

    The largest cages come first. An empty sum says that they contradict each other. Other memory is all zero.
    """
    linked(cages, cells, links)
    largest = known(houses, cages, cells, links, region)
    found = 0
    out[0] = 1
    for span in range(1, MOST_HOUSES + 1):
        at = 1
        for _ in range(houses[0] - span + 1):
            if entered(houses, at, span, cells, links, region, touching):
                covered(largest, cages, cells, links, region, touching)
                found += noted(cages, cells, links, region, out)
                if crossed(cages, cells, region, touching):
                    found += noted(cages, cells, links, region, out)
            at += 2 + houses[at + 1]
    return found


def linked(cages: Ints, cells: Ints, links: Ints) -> int:
    """Sort the variables of each cage, and link the places of each variable."""
    at = 1
    for _ in range(cages[0]):
        first = at + 2
        end = first + cages[at + 1]
        for p in range(first, end):
            x = cages[p]
            inserted(cages, first, p, x)
            links[3 * p + BEFORE] = cells[3 * x + LATEST]
            links[3 * p + OWNER] = at
            cells[3 * x + LATEST] = p
        at = end
    return 1


def known(houses: Ints, cages: Ints, cells: Ints, links: Ints, region: Ints) -> int:
    """Keep the houses whose sum is known, perhaps as that of a cage; return the size of the largest.

    A cage of that size covers nothing. A smaller one that is a house covers it: the house is not kept.
    """
    largest = 0
    at = 1
    for _ in range(houses[0]):
        cage = cage_of(houses, at, cages, cells, links, region)
        if cage:
            houses[at] = cages[cage]
        if houses[at] != UNKNOWN:
            largest = max(largest, houses[at + 1])
        at += 2 + houses[at + 1]
    kept = 0
    end = at = 1
    for _ in range(houses[0]):
        following = at + 2 + houses[at + 1]
        small = houses[at + 1] < largest and cage_of(houses, at, cages, cells, links, region)
        if houses[at] != UNKNOWN and not small:
            kept += 1
            for i in range(at, following):
                houses[end] = houses[i]
                end += 1
        at = following
    houses[0] = kept
    return largest


def cage_of(houses: Ints, at: int, cages: Ints, cells: Ints, links: Ints, region: Ints) -> int:
    """Return where a cage with the cells of a house begins, 0 if there is none."""
    size = houses[at + 1]
    region[NUMBER] += 1
    for i in range(at + 2, at + 2 + size):
        cells[3 * houses[i] + REGION] = region[NUMBER]
    p = cells[3 * houses[at + 2] + LATEST] if size else 0
    while p:
        cage = links[3 * p + OWNER]
        if cages[cage + 1] == size:
            inside = 0
            for i in range(cage + 2, cage + 2 + size):
                inside += cells[3 * cages[i] + REGION] == region[NUMBER]
            if inside == size:
                return cage
        p = links[3 * p + BEFORE]
    return 0


def inserted(xs: Ints, first: int, end: int, x: int) -> int:
    """Insert a number into sorted ones."""
    while end > first and xs[end - 1] > x:
        xs[end] = xs[end - 1]
        end -= 1
    xs[end] = x
    return 1


def entered(houses: Ints, at: int, span: int, cells: Ints, links: Ints, region: Ints, touching: Ints) -> int:
    """Enter some houses, one after the other, as a region, and list the cages that touch it.

    Return 0 if they overlap, or if more cells than a sum may have are in no cage.
    """
    number = region[NUMBER] + 1
    region[NUMBER] = number
    region[TOTAL] = region[OUTSIDE] = touching[0] = 0
    end = CELLS
    room = MOST_LEFT
    for _ in range(span):
        region[TOTAL] += houses[at]
        for i in range(at + 2, at + 2 + houses[at + 1]):
            x = houses[i]
            room -= cells[3 * x + LATEST] == 0
            if cells[3 * x + REGION] == number or room < 0:
                return 0
            cells[3 * x + REGION] = number
            region[end] = x
            end += 1
        at += 2 + houses[at + 1]
    region[SIZE] = region[LEFT] = end - CELLS
    for i in range(CELLS, end):
        p = cells[3 * region[i] + LATEST]
        while p:
            cage = links[3 * p + OWNER]
            if links[3 * cage + WITHIN] == 0:
                touching[0] += 1
                inserted(touching, 1, touching[0], cage)
            links[3 * cage + WITHIN] += 1
            p = links[3 * p + BEFORE]
    return 1


def covered(largest: int, cages: Ints, cells: Ints, links: Ints, region: Ints, touching: Ints) -> int:
    """Cover a region by disjoint cages inside it; of those that touch it, list only those that may cross its border.

    At most half of the cells of a cage may lie outside. Those with the fewest such cells come first.
    """
    crossing = 0
    for i in range(1, touching[0] + 1):
        cage = touching[i]
        size = cages[cage + 1]
        beyond = size - links[3 * cage + WITHIN]
        links[3 * cage + WITHIN] = 0
        if size < largest and 2 * beyond <= size:
            if beyond == 0:
                take(cage, cages, cells, region)
            elif beyond <= MOST_OUTSIDE:
                crossing += 1
                inserted(touching, 1, crossing, beyond << PLACE | cage)
    touching[0] = crossing
    return 1


def crossed(cages: Ints, cells: Ints, region: Ints, touching: Ints) -> int:
    """Cover more by cages that cross the border; return how many did."""
    done = 0
    for i in range(1, touching[0] + 1):
        if region[OUTSIDE] + (touching[i] >> PLACE) <= MOST_OUTSIDE:
            done += take(touching[i] & ((1 << PLACE) - 1), cages, cells, region)
    return done


def take(cage: int, cages: Ints, cells: Ints, region: Ints) -> int:
    """Cover the cells of a cage, if none of them is covered; return whether it did."""
    end = cage + 2 + cages[cage + 1]
    number = region[NUMBER]
    for p in range(cage + 2, end):
        if cells[3 * cages[p] + COVERED] == number:
            return 0
    outside = region[OUTSIDE]
    for p in range(cage + 2, end):
        x = cages[p]
        cells[3 * x + COVERED] = number
        if cells[3 * x + REGION] != number:
            region[CELLS + region[SIZE] + outside] = x
            outside += 1
    region[LEFT] -= end - cage - 2 - outside + region[OUTSIDE]
    region[OUTSIDE] = outside
    region[TOTAL] -= cages[cage]
    return 1


def noted(cages: Ints, cells: Ints, links: Ints, region: Ints, out: Ints) -> int:
    """Write the sum of what is not covered minus that of what is outside; return 0 if it is long or not new."""
    left = region[LEFT]
    outside = region[OUTSIDE]
    n = left + outside
    if left == region[SIZE] or n > (MOST_BOTH if outside else MOST_LEFT) or (n == 0 and region[TOTAL] == 0):
        return 0
    first = out[0] + 3
    k = first
    for i in range(CELLS, CELLS + region[SIZE]):
        x = region[i]
        if cells[3 * x + COVERED] != region[NUMBER]:
            inserted(out, first, k, x)
            k += 1
    for i in range(outside):
        inserted(out, first + left, first + left + i, region[CELLS + region[SIZE] + i])
    for i in range(n):
        out[first + n + i] = 1 if i < left or left == 0 else -1
    out[first - 3] = 0
    out[first - 2] = region[TOTAL] if left else -region[TOTAL]
    out[first - 1] = n
    if is_known(cages, cells, links, out, left == n or left == 0):
        return 0
    out[0] = first + 2 * n
    return 1


def is_known(cages: Ints, cells: Ints, links: Ints, out: Ints, plain: int) -> int:
    """Return whether the sum behind those that are written is one of them, or, if it is ``plain``, a cage."""
    last = out[0]
    n = out[last + 2]
    at = 1
    while at < last:
        m = out[at + 2]
        if n == m and same(out, at + 1, out, last + 1, 2 + 2 * n):
            return 1
        at += 3 + 2 * m
    p = cells[3 * out[last + 3] + LATEST] if n and plain else 0
    while p:
        cage = links[3 * p + OWNER]
        if cages[cage + 1] == n and same(cages, cage, out, last + 1, 2 + n):
            return 1
        p = links[3 * p + BEFORE]
    return 0


def same(xs: Ints, i: int, ys: Ints, j: int, n: int) -> int:
    """Return whether ``n`` numbers from two places on are the same."""
    for k in range(n):
        if xs[i + k] != ys[j + k]:
            return 0
    return 1


KERNELS = (implied, linked, inserted, known, cage_of, entered, covered, crossed, take, noted, is_known, same)
