"""Sums over the cells that cages leave of houses, or have outside of them, as ``sudoku_models.lowering`` finds them."""

from __future__ import annotations

from functools import lru_cache

from sudoku_models.lowering.house_sums import FEWEST_CAGES, Implied, Region, bits_in, implied_sums

from .draft import Draft, Sum
from .frame import union_of


def sums_of_houses(draft: Draft) -> int:
    """Add the sums that houses and cages imply; return their number."""
    if len(draft.cages) < FEWEST_CAGES:
        return 0
    cages = {sum([1 << x for x in xs]): total for xs, total in draft.cages.items()}
    found = list(implied_sums(_houses(draft, cages), [Region(*cage) for cage in cages.items()]))
    for implied in found:
        _add(draft, implied)
    return len(found)


def _houses(draft: Draft, cages: dict[int, int]) -> list[Region]:
    """Return the houses whose sum is known."""
    found = []
    known = draft.unions()
    for number, house in enumerate(draft.houses):
        total = cages.get(house.whole)
        if total is None:
            union = known[number] if number < len(known) else union_of(house, draft.start)
            if union.bit_count() != len(house.xs):
                continue
            total = _total(union, draft.base)
        found.append(Region(house.whole, total))
    return found


@lru_cache(maxsize=256)
def _total(values: int, base: int) -> int:
    """Return the sum of the values of a mask."""
    return sum([bit + base for bit in bits_in(values)])


def _add(draft: Draft, implied: Implied) -> None:
    left, outside, total = [*bits_in(implied.left)], [*bits_in(implied.outside)], implied.total
    if not left and not outside:
        draft.never()
        return
    if not left:
        left, outside, total = outside, [], -total
    if len(left) == 1 and not outside:
        draft.among(left[0], draft.mask((total,)))
    else:
        draft.sums.append(Sum({**dict.fromkeys(left, 1), **dict.fromkeys(outside, -1)}, "==", total))
