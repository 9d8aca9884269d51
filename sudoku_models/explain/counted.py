"""Counts of the cells that have certain values: exactly what is possible, computed from two numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model import Count, Domain
from ..model.constraint import OPERATORS
from .atoms import Masks, Narrowed, bits

MOST_COUNTED = 61
"""With more cells the allowed numbers must be stated, and without a gap; otherwise a number is a bit of a word."""


@dataclass(frozen=True)
class CountedAtom:
    """The count of the cells, without the last place if that has the count, that have a value of ``wanted`` (a mask).

    ``right`` are the allowed counts, as bits: for each bit of the last cell if it has the count, or under None if a
    number was stated. What is possible depends only on how many cells certainly count and how many may.
    """

    wanted: int
    right: Mapping[int | None, int]

    @property
    def is_stated(self) -> bool:
        """Return whether the count was stated, and is not the value of a cell."""
        return None in self.right

    def revise(self, masks: Masks, strong: bool) -> Narrowed:
        """Keep the values with which the count is allowed."""
        if not all(masks):
            return None
        counted = masks if self.is_stated else masks[:-1]
        sure = sum(not mask & ~self.wanted for mask in counted)
        may = sum(bool(mask & self.wanted) for mask in counted)
        reached = (1 << may + 1) - (1 << sure)
        kept = [bit for bit in (() if self.is_stated else bits(masks[-1])) if self.right.get(bit, 0) & reached]
        numbers = self.right.get(None, 0)
        for bit in kept:
            numbers |= self.right[bit]
        numbers &= reached
        if not numbers:
            return None
        more, fewer = numbers >> sure + 1, numbers & (1 << may) - 1
        found = [self._left(mask, more, fewer) for mask in counted]
        return found if self.is_stated else [*found, sum(1 << bit for bit in kept)]

    def _left(self, mask: int, more: int, fewer: int) -> int:
        inside, outside = mask & self.wanted, mask & ~self.wanted
        if not inside or not outside:
            return mask
        return (inside if more else 0) | (outside if fewer else 0)


def counted(c: Count, domains: Mapping[str, Domain], low: int) -> CountedAtom | None:
    """Return a count over its scope; None if a variable occurs twice, and for most counts of many cells."""
    twice = len(set(c.scope)) < len(c.xs) + isinstance(c.y, str)
    many = len(c.xs) > MOST_COUNTED and (isinstance(c.y, str) or c.op == "!=")
    if twice or many or (isinstance(c.y, str) and c.scope[-1] != c.y):
        return None

    def right(number: int) -> int:
        return sum(1 << found for found in range(len(c.xs) + 1) if OPERATORS[c.op](found, number))

    wanted = sum(1 << value - low for value in c.values if value >= low)
    if isinstance(c.y, str):
        return CountedAtom(wanted, {value - low: right(value) for value in domains[c.y]})
    return CountedAtom(wanted, {None: right(c.y)})
