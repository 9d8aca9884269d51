"""Sums over what cages leave of a house or stick out of it ("innies and outies"), also of two or three houses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .draft import Draft, Sum, bits_in

FEWEST_CAGES = 4
MOST_LEFT = 6
MOST_BOTH = 5
MOST_OUTSIDE = 4


class Region(NamedTuple):
    """Some variables and their sum in every solution."""

    xs: frozenset[int]
    total: int


def sums_of_houses(draft: Draft) -> int:
    """Add a sum for each region whose cages cover all but a few cells; return how many."""
    if len(draft.cages) < FEWEST_CAGES:
        return 0
    houses = _full_houses(draft)
    largest = max((len(house.xs) for house in houses), default=0)
    at: dict[int, list[Region]] = {}
    for xs, total in draft.cages.items():
        if len(xs) < largest:
            for x in xs:
                at.setdefault(x, []).append(Region(xs, total))
    known, done = set(draft.cages), 0
    for region in _regions(houses):
        touching = list(dict.fromkeys(cage for x in sorted(region.xs) for cage in at.get(x, ())))
        for outside in (False, True):
            done += _add(draft, known, *_left(region, touching, outside))
    return done


def _full_houses(draft: Draft) -> list[Region]:
    found = []
    for xs, _ in draft.houses:
        union = 0
        for x in xs:
            union |= draft.start[x]
        whole = frozenset(xs)
        if whole in draft.cages:
            found.append(Region(whole, draft.cages[whole]))
        elif union.bit_count() == len(xs):
            found.append(Region(whole, sum(b + draft.base for b in bits_in(union))))
    return found


def _regions(houses: list[Region]) -> Iterator[Region]:
    yield from houses
    for span in (2, 3):
        for i in range(len(houses) - span + 1):
            run = houses[i : i + span]
            whole = frozenset().union(*(house.xs for house in run))
            if len(whole) == sum(len(house.xs) for house in run):
                yield Region(whole, sum(house.total for house in run))


def _left(region: Region, touching: list[Region], outside: bool) -> tuple[set[int], set[int], int, bool]:
    """Cover a region by cages; return the cells left, those outside, the difference of their sums, whether any did."""
    covered: set[int] = set()
    out: set[int] = set()
    left, total = set(region.xs), region.total
    for xs, k in sorted(touching, key=lambda cage: (len(cage.xs - region.xs), -len(cage.xs))):
        beyond = xs - region.xs
        if xs & covered or (beyond and not outside) or len(out | beyond) > MOST_OUTSIDE or 2 * len(beyond) > len(xs):
            continue
        covered |= xs
        left -= xs
        out |= beyond
        total -= k
    return left, out, total, bool(covered)


def _add(draft: Draft, known: set[frozenset[int]], left: set[int], out: set[int], total: int, some: bool) -> int:
    """Add the sum of the cells left, less that of those outside, if it is short and new."""
    if not some or len(left) + len(out) > (MOST_BOTH if out else MOST_LEFT):
        return 0
    if not out:
        if frozenset(left) in known:
            return 0
        known.add(frozenset(left))
    if not left and not out:
        if total:
            draft.never()
        return 0
    if left:
        terms = {**dict.fromkeys(sorted(left), 1), **dict.fromkeys(sorted(out), -1)}
    else:
        terms, total = dict.fromkeys(sorted(out), 1), -total
    if len(terms) == 1:
        (x,) = terms
        draft.among(x, draft.mask((total,)))
    else:
        draft.sums.append(Sum(terms, "==", total))
    return 1
