"""What needs the engine: its constraints for the model's, and the constraint over all variables that stops it.

None of the engine's string constraints is used: it would run them as Python code. The engine is compiled code that
holds the interpreter lock and checks no signal between two solutions. A constraint in Python lets other threads run,
lets Ctrl-C through, and can read the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import constraint as engine
from constraint import Constraint as EngineConstraint

from sudoku_models.engine.budget import Budget, Meter
from sudoku_models.model import OPERATORS, AllDifferent, Compare, Constraint, Domain, Linear


def unary(constraint: Constraint, values: Domain) -> Domain:
    """Return the values of its one variable that a constraint allows."""
    name = constraint.scope[0]
    return tuple(v for v in values if constraint.holds({name: v}))


def maker(constraint: Constraint) -> Callable[[], Any]:
    """Return a maker of the engine's constraint, over the scope of two or more variables, for one run.

    A constraint that the engine does not change while it runs is made once and shared by all runs and threads; the sums
    keep bounds of the domains they met and are made anew. The engine has no sum with !=.
    """
    match constraint:
        case Linear(coeffs=coeffs, xs=xs, op=op, k=k) if op in SUMS:
            kind, shift = SUMS[op]
            factors = [sum(c for c, y in zip(coeffs, xs, strict=True) if y == x) for x in constraint.scope]
            return partial(kind, k + shift, None if set(factors) == {1} else factors)
        case AllDifferent():
            shared = engine.AllDifferentConstraint()
        case Compare(op=op, c=c):
            holds = OPERATORS[op]
            shared = engine.FunctionConstraint(lambda x, y: bool(holds(x, y + c)))
        case _:
            scope = constraint.scope
            shared = engine.FunctionConstraint(lambda *row: constraint.holds(dict(zip(scope, row, strict=True))))
    return lambda: shared


def _guarded(kind: type) -> type:
    """Return a sum that leaves the domains alone once one is empty, for which the engine's own raises ValueError."""

    class Sum(kind):  # type: ignore[misc]
        def preProcess(self, variables: Any, domains: Any, constraints: Any, vconstraints: Any) -> None:  # noqa: N802
            if all(domains[x] for x in variables):
                super().preProcess(variables, domains, constraints, vconstraints)

    return Sum


_EXACT, _MOST, _LEAST = map(_guarded, (engine.ExactSumConstraint, engine.MaxSumConstraint, engine.MinSumConstraint))
SUMS: Mapping[str, tuple[type, int]] = {
    "==": (_EXACT, 0),
    "<=": (_MOST, 0),
    "<": (_MOST, -1),
    ">=": (_LEAST, 0),
    ">": (_LEAST, 1),
}
"""The engine's sum for each comparison, and what is added to the number."""


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
