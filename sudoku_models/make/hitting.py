"""A smallest set that hits all known sets: a linear model with an objective."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.budget import Budget
from ..errors import LimitReached
from ..model import Linear, Model, Objective, Variable
from ..verbs.results import Status
from ..verbs.solving import solve

Members = frozenset[int]

ENGINE = "cp-sat:linearization=2"
"""An engine with a linear relaxation settles in hundredths of a second what takes minutes without it."""


class SmallestHitting:
    """Sets of numbers from 0 to ``size`` - 1 that are to be hit; ``bound`` is the least number of members needed.

    The ``budget`` covers all questions together.
    """

    def __init__(self, size: int, sets: Iterable[Members], budget: Budget) -> None:
        self.sets, self.bound = list(sets), 0
        self._names = tuple(f"x{i}" for i in range(size))
        self._budget = budget

    def next(self) -> Members:
        """Return a smallest set that hits all sets; LimitReached if time is up."""
        if self._budget.expired:
            raise LimitReached("the fewest clues are not known: time limit")
        hit = [Linear([1] * len(found), [self._names[i] for i in sorted(found)], ">=", 1) for found in self.sets]
        variables = [Variable(name, (0, 1)) for name in self._names]
        model = Model(variables, hit, Objective("minimize", [1] * len(self._names), self._names))
        result = solve(model, ENGINE, budget=self._budget)
        if result.bound is not None:
            self.bound = max(self.bound, int(result.bound))
        if result.status is not Status.SOLVED or result.values is None or result.objective != result.bound:
            raise LimitReached("the fewest clues are not known: time limit")
        values = result.values
        return frozenset(i for i, name in enumerate(self._names) if values[name])
