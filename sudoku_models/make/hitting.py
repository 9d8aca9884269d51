"""A smallest set that hits all known sets: a linear model with an objective."""

from __future__ import annotations

import time
from collections.abc import Iterable

from ..errors import LimitReached
from ..model import Linear, Model, Objective, Variable
from ..verbs.results import Status
from ..verbs.solving import solve

Members = frozenset[int]

ENGINE = "cp-sat:linearization=2"
"""An engine with a linear relaxation settles in hundredths of a second what takes minutes without it."""


class SmallestHitting:
    """Sets of numbers from 0 to ``size`` - 1 that are to be hit; ``bound`` is the least number of members needed.

    ``time_limit`` (seconds) covers all questions together.
    """

    def __init__(self, size: int, sets: Iterable[Members] = (), time_limit: float | None = None) -> None:
        self.sets, self.bound = list(sets), 0
        self._names = tuple(f"x{i}" for i in range(size))
        self._deadline = None if time_limit is None else time.monotonic() + time_limit

    def next(self) -> Members:
        """Return a smallest set that hits all sets; LimitReached if time is up."""
        left = None if self._deadline is None else self._deadline - time.monotonic()
        if left is not None and left <= 0:
            raise LimitReached("the fewest clues are not known: time limit")
        hit = [Linear([1] * len(found), [self._names[i] for i in sorted(found)], ">=", 1) for found in self.sets]
        variables = [Variable(name, (0, 1)) for name in self._names]
        model = Model(variables, hit, Objective("minimize", [1] * len(self._names), self._names))
        result = solve(model, ENGINE, time_limit=left)
        if result.bound is not None:
            self.bound = max(self.bound, int(result.bound))
        if result.status is not Status.SOLVED or result.values is None or result.objective != result.bound:
            raise LimitReached("the fewest clues are not known: time limit")
        return frozenset(i for i, name in enumerate(self._names) if result.values[name])
