"""The constraint over all variables that stops the engine.

The engine is compiled code that holds the interpreter lock and checks no signal between two solutions. A constraint in
Python lets other threads run, lets Ctrl-C through, and can read the clock.
"""

from __future__ import annotations

from typing import Any

from constraint import Constraint as EngineConstraint

from sudoku_models.engine.budget import Budget, Meter

_WORK = 1 << 12


class Found(Exception):
    """Raised when an engine that would go on to all solutions has its first one: see ``FirstWatch.first``."""


class ClockConstraint(Meter, EngineConstraint):  # type: ignore[misc]
    """Always holds; counts its calls (one for each node that the other constraints let pass) and reads the clock.

    It must be the last constraint of a problem. A node costs about as much as there are variables, so the clock is
    read at every node of a large problem and at every fiftieth of a 9x9 board.
    """

    def __init__(self, clock: Budget, variables: int) -> None:
        super().__init__(clock, _WORK // max(1, variables))

    def __call__(self, variables: Any, domains: Any, assignments: Any, forwardcheck: Any = False) -> bool:
        """Count a node; raise OutOfTime if the limit is reached."""
        self.tick()
        return True

    def preProcess(self, variables: Any, domains: Any, constraints: Any, vconstraints: Any) -> None:  # noqa: N802
        """Stay installed: the engine would remove a constraint over a single variable."""

    def reset(self) -> None:
        """Prepare for another search with the same clock."""


class FirstWatch(ClockConstraint):
    """For an engine that collects all solutions: keeps the ``first`` one and raises Found, in every thread."""

    def __init__(self, clock: Budget, variables: int) -> None:
        super().__init__(clock, variables)
        self.first: dict[int, int] | None = None
        self._variables = variables

    def reset(self) -> None:
        """Forget the first solution."""
        self.first = None

    def __call__(self, variables: Any, domains: Any, assignments: dict[int, int], forwardcheck: Any = False) -> bool:
        """Raise Found if there is a solution already or this is one."""
        if self.first is None and len(assignments) == self._variables:
            self.first = dict(assignments)
        if self.first is not None:
            raise Found
        return super().__call__(variables, domains, assignments, forwardcheck)
