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


def house_sums(model: Model) -> list[Constraint]:
    """Return the sums that the houses and cages of a model imply; sums of one variable are returned as domains."""
    index = model.index
    cages = [_cage(c, index) for c in model.constraints if isinstance(c, Linear) and is_cage(c)]
    if len(cages) < FEWEST_CAGES:
        return []
    houses = _houses(model, dict(cages))
    return [_constraint(found, model.names) for found in implied_sums(houses, cages)]


def is_cage(c: Linear) -> bool:
    """Return whether a constraint is the sum of some variables, each once."""
    return c.op == "==" and set(c.coeffs) == {1} and len(set(c.xs)) == len(c.xs)


def _cage(c: Linear, index: Mapping[str, int]) -> Region:
    return Region(sum([1 << index[x] for x in c.xs]), c.k)


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
    small = [(cage, _reach(cage)) for cage in listed if cage.whole.bit_count() < largest]
    beside = ~reduce(or_, [cage.whole for cage, _ in small], 0)
    for region in _regions(tuple(houses)):
        if (region.whole & beside).bit_count() > MOST_LEFT:
            continue
        inside, crossing, left = _touching(region.whole, small)
        if left.bit_count() > MOST_LEFT:
            continue
        for several in ((), crossing) if crossing else ((),):
            found = _left(region, inside, several)
            if found and _is_short(found) and (found.left, found.outside) not in seen:
                seen.add((found.left, found.outside))
                if found.left or found.outside or found.total:
                    yield found


def _reach(cage: Region) -> int:
    """Return how many cells of a cage may lie outside a region: at most half of them."""
    return min(MOST_OUTSIDE, cage.whole.bit_count() // 2)


def _touching(whole: int, cages: Iterable[tuple[Region, int]]) -> tuple[list[Region], list[Region], int]:
    """Return the cages inside a region, those that cross its border but not too far, and the cells in no cage."""
    inside, crossing, left = list[Region](), list[tuple[int, Region]](), whole
    for cage, reach in cages:
        cells = cage[0]
        if not cells & whole:
            continue
        beyond = (cells & ~whole).bit_count()
        if not beyond:
            inside.append(cage)
            left &= ~cells
        elif beyond <= reach:
            crossing.append((beyond, cage))
            left &= ~cells
    crossing.sort(key=itemgetter(0))
    return inside, [cage for _, cage in crossing], left


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


def _left(region: Region, inside: Iterable[Region], crossing: Iterable[Region]) -> Implied | None:
    """Cover a region by cages without a common cell, those inside first; None if there is no cage."""
    covered, outside, total = 0, 0, region.total
    for cells, sum_of_cells in inside:
        if not cells & covered:
            covered |= cells
            total -= sum_of_cells
    for cells, sum_of_cells in crossing:
        beyond = outside | cells & ~region.whole
        if not cells & covered and beyond.bit_count() <= MOST_OUTSIDE:
            covered |= cells
            outside = beyond
            total -= sum_of_cells
    return Implied(region.whole & ~covered, outside, total) if covered else None


def _is_short(found: Implied) -> bool:
    left, outside = found.left.bit_count(), found.outside.bit_count()
    return left + outside <= (MOST_BOTH if outside else MOST_LEFT)


def bits_in(mask: int) -> Iterator[int]:
    """Yield the indexes of the set bits of a mask, from the lowest."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
