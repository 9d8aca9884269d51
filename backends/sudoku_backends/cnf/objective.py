"""Objectives as clauses: a cost over the open candidates, and bounds on it.

A bound is stated by running totals if there are few of them, otherwise by binary numbers. Both define auxiliary
literals once. A bound then needs a few more clauses, and so does each lower bound, so that a solver that is kept can
use under the next bound what it learned under the first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sudoku_models.model import Objective

Group = tuple[tuple[int, int], ...]
"""The literals of one cell, exactly one of which is true, each with its cost; the cheapest costs 0."""


@dataclass(frozen=True)
class Cost:
    """The cost of an assignment beyond ``least``, the part common to all: the sum over the groups of their true
    literals.

    A cost is the objective's value, or its negation if the objective is to be maximised.
    """

    objective: Objective
    least: int
    groups: tuple[Group, ...]

    @classmethod
    def over(
        cls, objective: Objective, candidates: Mapping[str, Sequence[tuple[int, int]]], fixed: Mapping[str, int]
    ) -> Cost:
        """Read an objective as a cost over the open variables, whose values are given in pairs with their literals."""
        sign = 1 if objective.minimizes else -1
        least, groups = sign * objective.constant, []
        for x, c in objective.terms.items():
            if x in fixed:
                least += sign * c * fixed[x]
                continue
            costs = [(literal, sign * c * value) for literal, value in candidates[x]]
            cheapest = min(cost for _, cost in costs)
            least += cheapest
            groups.append(tuple((literal, cost - cheapest) for literal, cost in costs))
        return cls(objective, least, tuple(group for group in groups if any(cost for _, cost in group)))

    @property
    def bound(self) -> int:
        """The value of the objective that no solution improves on."""
        return self.least if self.objective.minimizes else -self.least

    def spent(self, model: list[int]) -> int:
        """Return the cost, beyond the least, of a model of the formula (its signed literals in order)."""
        return sum(cost for group in self.groups for literal, cost in group if model[literal - 1] > 0)


Clause = list[int]

LARGEST = 150_000
"""The largest number of clauses for which running totals are written out."""


class Totals(ABC):
    """``clauses`` define auxiliary literals from ``taken + 1`` up to ``variables``."""

    def __init__(self, taken: int) -> None:
        self.variables = taken
        self.clauses: list[Clause] = []

    def fresh(self) -> int:
        """Return a new literal."""
        self.variables += 1
        return self.variables

    @abstractmethod
    def at_most(self, most: int) -> list[Clause]:
        """Return the clauses that keep the cost at ``most`` or below; those of higher bounds may be kept."""


def totals_of(groups: Sequence[Group], most: int, taken: int) -> Totals:
    """Choose an encoding for bounds of ``most`` or less; the first ``taken`` literals are in use."""
    ordered = sorted(groups, key=lambda group: max(cost for _, cost in group))
    return RunningTotals(ordered, most, taken) if _size(ordered, most) <= LARGEST else Adders(ordered, taken)


def _size(groups: Sequence[Group], most: int) -> int:
    """Count the clauses of running totals; stop once there are too many."""
    sums, clauses = {0}, 0
    for group in groups:
        clauses += len(sums) * len(group)
        if clauses > LARGEST:
            break
        sums = {total + cost for total in sums for _, cost in group if total + cost <= most}
    return clauses


class RunningTotals(Totals):
    """One literal for each sum that the first groups may reach, for one more group at each step.

    A group's true literal leads from each sum to another; a unit clause forbids a sum. Unit propagation removes every
    candidate that costs more than what is left.
    """

    def __init__(self, groups: Sequence[Group], most: int, taken: int) -> None:
        super().__init__(taken)
        self._layers: list[dict[int, int]] = []
        before: dict[int, int] = {0: 0}
        for group in groups:
            before = self._layer(before, group, most)
            self._layers.append(before)

    def _layer(self, before: dict[int, int], group: Group, most: int) -> dict[int, int]:
        """Lead from each sum before a group (its literal; 0 for one that always holds) to the sums after it."""
        after: dict[int, int] = {}
        for total, literal in before.items():
            condition = [-literal] if literal else []
            for candidate, cost in group:
                reached = total + cost
                if reached > most:
                    self.clauses.append([*condition, -candidate])
                    continue
                if reached not in after:
                    after[reached] = self.fresh()
                self.clauses.append([*condition, -candidate, after[reached]])
        return after

    def at_most(self, most: int) -> list[Clause]:
        """Forbid every sum above the bound, and forget it."""
        found = []
        for layer in self._layers:
            above = [total for total in layer if total > most]
            found += [[-layer.pop(total)] for total in above]
        return found


class Adders(Totals):
    """The cost as a binary number, by full adders; a bound is a comparison with it.

    After Een and Sorensson, "Translating pseudo-Boolean constraints into SAT" (2006), section 5.2.
    """

    def __init__(self, groups: Sequence[Group], taken: int) -> None:
        super().__init__(taken)
        buckets: list[list[int]] = []
        for group in groups:
            self._read(group, buckets)
        self._digits: list[int] = []
        while len(self._digits) < len(buckets):
            self._digits.append(self._reduced(buckets, len(self._digits)))

    def _read(self, group: Group, buckets: list[list[int]]) -> None:
        """Put the binary digits of a group's cost into the buckets of their places."""
        for place in range(max(cost for _, cost in group).bit_length()):
            having = [literal for literal, cost in group if cost >> place & 1]
            if not having:
                continue
            digit = having[0] if len(having) == 1 else self.fresh()
            if len(having) > 1:
                self.clauses += [[-literal, digit] for literal in having]
                self.clauses.append([-digit, *having])
            _put(buckets, place, digit)

    def _reduced(self, buckets: list[list[int]], place: int) -> int:
        """Add up the digits of a place until one is left, carrying to the next place; return 0 if there was none."""
        bucket = buckets[place]
        while len(bucket) > 1:
            taken = [bucket.pop(0) for _ in range(min(3, len(bucket)))]
            total, carry = self.fresh(), self.fresh()
            self._define(taken, total, carry)
            bucket.append(total)
            _put(buckets, place + 1, carry)
        return bucket[0] if bucket else 0

    def _define(self, digits: Sequence[int], total: int, carry: int) -> None:
        """State ``2 * carry + total == sum of two or three digits``, row by row of the truth table."""
        for row in range(1 << len(digits)):
            wrong = [-digit if row >> i & 1 else digit for i, digit in enumerate(digits)]
            count = row.bit_count()
            self.clauses.append([*wrong, total if count & 1 else -total])
            self.clauses.append([*wrong, carry if count > 1 else -carry])

    def at_most(self, most: int) -> list[Clause]:
        """Compare digit by digit: where the bound has a 0 and the cost a 1, a higher digit of the cost is less."""
        if most >= 1 << len(self._digits):
            return []
        found = []
        for place, digit in enumerate(self._digits):
            if digit and not most >> place & 1:
                higher = range(place + 1, len(self._digits))
                less = [-self._digits[p] for p in higher if most >> p & 1 and self._digits[p]]
                certain = any(most >> p & 1 and not self._digits[p] for p in higher)
                found += [] if certain else [[-digit, *less]]
        return found


def _put(buckets: list[list[int]], place: int, literal: int) -> None:
    while len(buckets) <= place:
        buckets.append([])
    buckets[place].append(literal)
