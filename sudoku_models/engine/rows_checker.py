"""Check many solutions, as rows of an array: against the model and its judge, and for repetitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model import AllDifferent, Domain, Judge
from .check import Checker
from .contract import Solution
from .guard import REMEMBERED
from .verdicts import Look, Verdicts

FEW = 16
"""The number of rows judged as a whole at first: splitting a judge pays off only for more rows."""

NARROW, WIDEST = 16, 62
"""The values of houses, from the least to the greatest, are the bits of a short word or of a long one, or are sorted.
"""


class RowsChecker:
    """Checks rows of values, as ``Checker`` does one by one, and remembers a sample, as ``SeenSolutions`` does.

    ``again`` is the fault of a block with a repeated row; which row it is, is not known.
    """

    again = "it was returned before"

    def __init__(self, checker: Checker, domains: Mapping[str, Domain]) -> None:
        self.checker, self.domains, self.names = checker, domains, checker.model.names
        model, index = checker.model, checker.model.index
        self._houses = [[index[x] for x in c.xs] for c in model.constraints if isinstance(c, AllDifferent) and c.xs]
        self._others = [c for c in model.constraints if not (isinstance(c, AllDifferent) and c.xs)]
        allowed = [_narrower(v.domain, domains.get(v.name)) for v in model.variables]
        self._low, self._high = (np.array([ends[i] for ends in allowed], np.int64)[:, None] for i in (0, 1))
        self._listed = [(x, listed) for x, (_, _, listed) in enumerate(allowed) if listed]
        self._factors = np.random.default_rng(len(self.names)).integers(
            1 << 62, size=len(self.names), dtype=np.uint64
        ) * np.uint64(2) + np.uint64(1)
        self._seen: set[int] = set()
        self._mask = 0
        self._ends = [(low, high) for low, high, _ in allowed]
        self._whole, self._left = list[NDArray[Any]](), FEW

    def fault(self, rows: NDArray[Any], look: Look = lambda: None) -> str | None:
        """Return what is wrong with a wrong row of a block (n, variables); None if all are right.

        ``look`` is called before each question to a judge, which may take long; an exception from it ends the check.
        """
        if rows.ndim != 2 or rows.shape[1] < len(self.names) or rows.dtype.kind != "i":
            return f"a block of it is an array {rows.shape} of {rows.dtype}, where rows of whole numbers are expected"
        stated = rows[:, : len(self.names)]
        good = self._good(stated)
        if not good.all():
            row = tuple(stated[int((~good).argmax())].tolist())
            return self.checker.fault(row, self.domains) or "the check of many rows refuses it"
        return self._broken(stated, look) or self._again(stated)

    def remember(self, solutions: Sequence[Solution]) -> None:
        """Remember solutions that were already checked, so that repetitions of them are detected."""
        self._again(np.array(solutions, np.int64).reshape(len(solutions), len(self.names)))

    def parted(self, groups: Sequence[Sequence[str]]) -> bool:
        """Return whether each rule's judge has read the variables of at most one group (and variables outside the
        groups).
        """
        of = {self.checker.model.index[x]: number for number, group in enumerate(groups) for x in group}
        for rows in self._whole:
            self._in_parts(rows, lambda: None)  # the variables that each part reads
        self._whole, self._left = [], 0
        return all(len({of[x] for x in one.columns if x in of}) <= 1 for one in self._verdicts)

    @cached_property
    def _verdicts(self) -> list[Verdicts]:
        """The parts of the judge; there may be thousands."""
        judge = self.checker.model.judge
        return [Verdicts(part, self.names, self._ends) for part in (judge.each() if judge else ())]

    def _good(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return for each row whether it is within the domains and satisfies every constraint."""
        columns = np.ascontiguousarray(rows.T)
        good = np.asarray(((columns >= self._low) & (columns <= self._high)).all(axis=0))
        for x, listed in self._listed:
            good &= np.isin(columns[x], listed)
        if self._houses:
            good &= self._different(columns)
        named = dict(zip(self.names, columns, strict=True))
        for constraint in self._others:
            good &= constraint.holds_many(named) if constraint.scope else constraint.holds({})
        return good

    def _different(self, columns: NDArray[Any]) -> NDArray[Any]:
        """Return for each row whether no house repeats a value: then the sum of its bits equals their union."""
        good = np.ones(columns.shape[1], bool)
        least = int(columns.min(initial=0))
        width = int(columns.max(initial=0)) - least + max(map(len, self._houses)).bit_length()
        if width >= WIDEST:
            for house in self._houses:
                table = np.sort(columns[house], axis=0)
                good &= (table[1:] != table[:-1]).all(axis=0)
            return good
        dtype = np.uint16 if width < NARROW else np.int64  # wide enough for the sum of a house's bits
        bits = np.left_shift(dtype(1), (columns - least).astype(dtype))
        for house in self._houses:
            of_house = bits[house]
            good &= np.bitwise_or.reduce(of_house, axis=0) == np.add.reduce(of_house, axis=0, dtype=dtype)
        return good

    def _broken(self, rows: NDArray[Any], look: Look) -> str | None:
        """Judge every row: the first few as a whole, the others by the parts of the judge, side by side."""
        judge = self.checker.model.judge
        if judge is None:
            return None
        if len(rows) > self._left:
            broken = self._in_parts(rows, look)
        else:
            self._left -= len(rows)
            self._whole.append(rows.copy())
            broken = self._one_by_one(judge, rows, look)
        return None if broken is None else f"it breaks {broken}, though every constraint holds"

    def _one_by_one(self, judge: Judge, rows: NDArray[Any], look: Look) -> str | None:
        for row in rows.tolist():
            look()
            broken = judge.broken(dict(zip(self.names, row, strict=True)))
            if broken is not None:
                return broken
        return None

    def _in_parts(self, rows: NDArray[Any], look: Look) -> str | None:
        found = (verdicts.broken(rows, look) for verdicts in self._verdicts)
        return next((broken for broken in found if broken is not None), None)

    def _again(self, rows: NDArray[Any]) -> str | None:
        """Remember the rows (a sample if there are many) by digests; return whether one is repeated."""
        marks = rows.astype(np.uint64) @ self._factors
        marks ^= marks >> np.uint64(29)
        kept = marks[(marks & np.uint64(self._mask)) == 0].tolist()
        before = len(self._seen)
        self._seen.update(kept)
        if len(self._seen) < before + len(kept):
            return self.again
        while len(self._seen) > REMEMBERED:
            self._mask = 2 * self._mask + 1
            self._seen = {mark for mark in self._seen if not mark & self._mask}
        return None


def _narrower(domain: Domain, asked: Domain | None) -> tuple[int, int, list[int]]:
    """Return the ends of a domain, and its values if there are gaps between them."""
    left = domain if asked is None else tuple(sorted({*domain} & {*asked}))
    if not left:
        return 1, 0, []
    return left[0], left[-1], [] if left[-1] - left[0] + 1 == len(left) else list(left)
