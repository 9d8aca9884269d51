"""One request at work on one model: the number of solutions wanted decides how the engine is run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.budget import Budget, GaveUp, OutOfTime
from sudoku_models.engine.contract import Ending, Projection, Reason, Request, Search, Solution
from sudoku_models.engine.pulling import streamed
from sudoku_models.errors import Unsupported

from .interrupts import by_engine, stopped_by_ctrl_c

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from .backend import CompiledCpSat

EARLY = 0.1
"""Seconds, or a quarter of the limit if that is more, by which the engine may stop before its limit."""

INLINE = 2
"""Up to this many solutions are collected in the caller's thread; more come from a thread of their own."""


def invalid(model: cp_model.CpModel) -> Exception:
    """Return the error for a model that the engine refuses: if no reason is given, its numbers are too large."""
    reason = model.validate()
    if reason:
        return ValueError(f"CP-SAT finds the model invalid: {reason}")
    return Unsupported("cp-sat: the numbers of the model are too large for the engine, which computes in 64 bits")


class CpSatTask:
    """One request at work on one model.

    Its loops are not ``pulled``: how a search ended is the engine's status, which follows the last solution, and which
    solutions are wanted is decided in its callback, so that the engine stops with the last of them.
    """

    def __init__(self, compiled: CompiledCpSat, model: cp_model.CpModel, request: Request, clock: Budget) -> None:
        self.compiled, self.model, self.request, self.clock = compiled, model, request, clock
        self.projection = Projection(compiled.model, request.keep)
        self._met: set[Solution] = set()
        self.indexes = [compiled.base.variables[name].index for name in compiled.model.names]
        self.solver = self._solver()

    def _solver(self) -> cp_model.CpSolver:
        from ortools.sat.python import cp_model

        solver, options = cp_model.CpSolver(), self.compiled.options
        parameters = solver.parameters
        parameters.num_workers = max(self.request.workers, options.workers)
        parameters.random_seed = self.request.seed % (1 << 31)
        if self.request.seed:  # a seed alone rarely changes the search: let presolve or some branches depend on it
            parameters.permute_variable_randomly = options.presolve
            parameters.random_branches_ratio = 0.0 if options.presolve else 0.1
        parameters.cp_model_presolve = options.presolve
        parameters.linearization_level = options.linearization
        parameters.catch_sigint_signal = by_engine()
        if self.request.patience is not None:
            parameters.max_deterministic_time = self.request.patience * 1e-6
        if self.clock.left is not None:
            parameters.max_time_in_seconds = self.clock.left
        if self.request.limit != 1 and not self.compiled.model.objective:
            parameters.enumerate_all_solutions = True
            parameters.num_workers = 1
        return solver

    def search(self) -> Search:
        """Search in the way that suits the number of solutions wanted."""
        if self.request.limit == 1:
            return (yield from self.first())
        if self.request.limit is not None and self.request.limit <= INLINE:
            return (yield from self.collected())
        return (yield from self.streamed())

    def solution(self, values: Any) -> Solution:
        """Return the values of the stated variables, in the model's order, given the engine's values."""
        return tuple([values[i] for i in self.indexes])

    def wanted(self, solution: Solution) -> bool:
        """Return whether a solution that the engine found is to be passed on.

        With linearization=2 the engine leaves literals of a minimum or maximum open, and reports a solution twice.
        """
        if self.compiled.options.linearization == 2:
            if solution in self._met:
                return False
            self._met.add(solution)
        return self.projection.new(solution)

    def ending(self, status: Any) -> Ending:
        """Read the engine's status. UNKNOWN without a limit means that it swallowed a Ctrl-C: raise it again."""
        from ortools.sat.python import cp_model

        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            assumed = status == cp_model.INFEASIBLE and self.model.proto.assumptions
            failed = self.solver.sufficient_assumptions_for_infeasibility() if assumed else ()
            return Ending(Reason.EXHAUSTED, failed=tuple(failed))
        if status == cp_model.MODEL_INVALID:
            raise invalid(self.model)
        if self._out_of_time():
            return Ending(Reason.TIME)
        if self.request.patience is not None:
            raise GaveUp
        raise KeyboardInterrupt

    def _out_of_time(self) -> bool:
        """Return whether the limit ended the search: the engine stops early if its next step might exceed the limit.

        On a busy machine that can be long before it. The question arises only if the engine handles Ctrl-C itself.
        """
        left, limit = self.clock.left, self.clock.seconds
        if left is None or limit is None:
            return False
        return not by_engine() or left <= max(EARLY, limit / 4)

    def first(self) -> Search:
        """Find one solution in this thread."""
        from ortools.sat.python import cp_model

        with stopped_by_ctrl_c(self.solver.stop_search):
            status = self.solver.solve(self.model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return self.ending(status)
        yield self.solution(self.solver.response_proto.solution)
        return Ending(Reason.LIMIT)

    def collected(self) -> Search:
        """Collect a few solutions in this thread."""
        found: list[Solution] = []

        def take(solution: Solution) -> bool:
            found.append(solution)
            return len(found) == self.request.limit

        with stopped_by_ctrl_c(self.solver.stop_search):
            status = self.solver.solve(self.model, self._listener(take))
        yield from found
        return Ending(Reason.LIMIT) if len(found) == self.request.limit else self.ending(status)

    def streamed(self) -> Search:
        """Let a thread search, a few solutions ahead of the consumer."""
        self.solver.parameters.catch_sigint_signal = False
        self.solver.parameters.max_time_in_seconds = float("inf")
        status: list[Any] = []

        def work(take: Callable[[Solution], bool]) -> None:
            status.append(self.solver.solve(self.model, self._listener(take)))

        try:
            with closing(streamed("cp-sat", work, self.solver.stop_search, self.clock)) as found:
                for count, solution in enumerate(found, 1):
                    yield solution
                    if count == self.request.limit:
                        return Ending(Reason.LIMIT)
            return self.ending(status[0])
        except OutOfTime:
            return Ending(Reason.TIME)

    def _listener(self, take: Callable[[Solution], bool]) -> cp_model.CpSolverSolutionCallback:
        """Return a callback that passes each new kept solution to ``take`` and stops when that says so."""
        from ortools.sat.python import cp_model

        task = self

        class Listener(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                solution = task.solution(self.response_proto.solution)
                if task.wanted(solution) and take(solution):
                    self.stop_search()

        return Listener()
