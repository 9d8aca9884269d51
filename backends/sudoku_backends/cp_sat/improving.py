"""A request with an objective: the engine's improving solutions as it finds them, and its bound as it proves it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Improving, Request, Search, Solution
from sudoku_models.engine.record import Record
from sudoku_models.model import Objective

from .task import CpSatTask

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from .backend import CompiledCpSat

LARGEST = float(1 << 50)
"""Beyond this a bound, which the engine reports as a floating-point number, is not exact."""

HAIR = 1e-6
"""The tolerance for a bound that ought to be an integer."""


class ImprovingTask(CpSatTask):
    """One request at work on one model with an objective."""

    def __init__(
        self,
        compiled: CompiledCpSat,
        model: cp_model.CpModel,
        request: Request,
        clock: Budget,
        objective: Objective,
        record: Record,
    ) -> None:
        super().__init__(compiled, model, request, clock)
        self.objective, self.record = objective, record
        self._improving = Improving(compiled.model)
        self.solver.best_bound_callback = self.bounded

    def search(self) -> Search:
        """Find one solution in this thread; stream several, so that each is available before the next is found."""
        if self.request.limit == 1:
            return (yield from self.collected())
        return (yield from self.streamed())

    def wanted(self, solution: Solution) -> bool:
        """Return whether a solution is better than the last one."""
        return self._improving.new(solution)

    def bounded(self, bound: float) -> None:
        """Record what the engine has proved, as the integer that it amounts to."""
        if abs(bound) < LARGEST:
            self.record.bound = math.ceil(bound - HAIR) if self.objective.minimizes else math.floor(bound + HAIR)
