"""Sums that houses imply ("innies and outies"): over the cells of one to four houses that cages leave, or exceed.

A house with as many variables as values has a known sum. If cages cover all but a few of its cells, the sum of those
cells is known too; if some cages extend beyond it, the sum of the remaining cells minus that of the cells outside is
known. The same applies to several houses without a common cell. These sums hold in every solution, and an engine that
treats houses and cages one by one does not see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import itemgetter, or_
from typing import NamedTuple

from ..model import AllDifferent, Constraint, InDomain, Linear, Model

NAME = "house-sums"
FEWEST_CAGES = 4
MOST_HOUSES = 4
MOST_LEFT = 6
"""The most cells in a sum without cells outside; longer sums say little."""
MOST_BOTH = 5
"""The most cells in a sum, inside and outside together."""
MOST_OUTSIDE = 4


class Region(NamedTuple):
    """Some variables, as the bits of a number, and their sum in every solution."""

    whole: int
    total: int


class Implied(NamedTuple):
    """The sum of the variables ``left`` minus that of those ``outside``, both as bits, is ``total``."""

    left: int
    outside: int
    total: int


Crossing = tuple[int, int, int]
"""A cage that crosses the border of a region: how many of its cells are outside, its cells, its sum."""


def house_sums(model: Model) -> list[Constraint]:
    """Return the sums that the houses and cages of a model imply; sums of one variable are returned as domains."""
    index = model.index
    sums = [c for c in model.constraints if isinstance(c, Linear) and c.op == "==" and set(c.coeffs) == {1}]
    cages = [Region(sum([1 << index[x] for x in c.xs]), c.k) for c in sums if len(set(c.xs)) == len(c.xs)]
    if len(cages) < FEWEST_CAGES:
        return []
    houses = _houses(model, dict(cages))
    return [_constraint(found, model.names) for found in implied_sums(houses, cages)]


def _houses(model: Model, totals: Mapping[int, int]) -> list[Region]:
    """Return the houses whose sum is known: a single cage, or as many cells as values."""
    found = []
    for c in model.constraints:
        if isinstance(c, AllDifferent):
            whole = sum([1 << model.index[x] for x in c.xs])
            values: set[int] = set().union(*{model.domains[x] for x in c.xs})
            if whole in totals:
                found.append(Region(whole, totals[whole]))
            elif len(values) == len(c.xs):
                found.append(Region(whole, sum(values)))
    return found


def _constraint(found: Implied, names: Sequence[str]) -> Constraint:
    left, outside = ([names[i] for i in bits_in(bits)] for bits in (found.left, found.outside))
    if not left and not outside:
        return InDomain(names[0], ())
    if len(left) + len(outside) == 1:
        return InDomain((left or outside)[0], (found.total if left else -found.total,))
    return Linear([1] * len(left) + [-1] * len(outside), [*left, *outside], "==", found.total)


def implied_sums(houses: Sequence[Region], cages: Iterable[Region]) -> Iterator[Implied]:
    """Yield the sums that regions and cages imply, each once; an empty sum if they contradict each other."""
    largest = max((house.whole.bit_count() for house in houses), default=0)
    listed = sorted(cages, key=lambda cage: -cage.whole.bit_count())
    seen = {(cage.whole, 0) for cage in listed}
    small = [(*cage, _reach(cage)) for cage in listed if cage.whole.bit_count() < largest]
    beside = ~reduce(or_, [cells for cells, _, _ in small], 0)
    for region in _regions(tuple(houses)):
        if (region.whole & beside).bit_count() > MOST_LEFT:
            continue
        inside, crossing, left = _touching(region, small)
        if left.bit_count() > MOST_LEFT:
            continue
        for found in (inside, _crossed(region.whole, inside, crossing)) if crossing else (inside,):
            is_new = found.left != region.whole and (found.left, found.outside) not in seen
            most = MOST_BOTH if found.outside else MOST_LEFT
            if is_new and found.left.bit_count() + found.outside.bit_count() <= most:
                seen.add((found.left, found.outside))
                if found.left or found.outside or found.total:
                    yield found


def _reach(cage: Region) -> int:
    """Return how many cells of a cage may lie outside a region: at most half of them."""
    return min(MOST_OUTSIDE, cage.whole.bit_count() // 2)


def _touching(region: Region, cages: Iterable[tuple[int, int, int]]) -> tuple[Implied, list[Crossing], int]:
    """Cover a region by disjoint cages inside it; return what is left of it.

    A cage is its cells, its sum, and how many of its cells may lie outside. The cages that cross the border with no
    more than these follow, those with the fewest such cells first; then the cells in no cage of either kind.
    """
    (whole, total), beyond, covered, touched = region, ~region.whole, 0, 0
    crossing: list[Crossing] = []
    for cells, cage_total, reach in cages:
        if not cells & whole:
            continue
        if not cells & beyond:
            touched |= cells
            if not cells & covered:
                covered |= cells
                total -= cage_total
        elif (number := (cells & beyond).bit_count()) <= reach:
            touched |= cells
            crossing.append((number, cells, cage_total))
    crossing.sort(key=itemgetter(0))
    return Implied(whole & ~covered, 0, total), crossing, whole & ~touched


def _crossed(whole: int, inside: Implied, crossing: Iterable[Crossing]) -> Implied:
    """Cover what the cages inside leave of a region by cages that cross its border."""
    left, outside, total = inside
    covered = whole & ~left
    for _, cells, cage_total in crossing:
        further = outside | cells & ~whole
        if not cells & covered and further.bit_count() <= MOST_OUTSIDE:
            covered |= cells
            outside = further
            total -= cage_total
    return Implied(whole & ~covered, outside, total)


@lru_cache(maxsize=64)
def _regions(houses: tuple[Region, ...]) -> tuple[Region, ...]:
    """Return runs of one to four houses without a common cell: the same ones for all puzzles on a board."""
    return tuple(_disjoint_runs(houses))


def _disjoint_runs(houses: Sequence[Region]) -> Iterator[Region]:
    for span in range(1, MOST_HOUSES + 1):
        for i in range(len(houses) - span + 1):
            whole = total = 0
            for house in houses[i : i + span]:
                if whole & house.whole:
                    break
                whole |= house.whole
                total += house.total
            else:
                yield Region(whole, total)


def bits_in(mask: int) -> Iterator[int]:
    """Yield the indexes of the set bits of a mask, from the lowest."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
