"""HiGHS at work. This module alone imports the engine."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.pulling import streamed
from sudoku_models.errors import Unsupported
from sudoku_models.exports.zero_one import ColumnRow, ColumnSum

from . import HighsForm

try:
    import highspy
except ImportError as error:
    if "ortools" not in sys.modules:
        raise
    raise Unsupported(
        "HiGHS cannot be loaded in a process that has loaded OR-tools: solve() runs it in another"
    ) from error

LARGEST = float(2**50)
"""Beyond this a bound, which is a floating-point number, is not exact."""

HAIR = 1e-6
"""The tolerance for a bound that ought to be an integer."""

SEEDS = 1 << 31

AGAIN = (("presolve", "off", "choose"), ("mip_heuristic_effort", 0.0, 0.05))
"""Options, each with another and the usual value, with which a model that ended in a "Solve error" is tried again."""


def load(form: HighsForm) -> Any:
    """Return a ``Highs`` with a program."""
    engine: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    engine.silent()
    lp, width, goal = highspy.HighsLp(), len(form.meanings), form.goal or ColumnSum()
    ends = np.array([_ends(row) for row in form.rows], dtype=float).reshape(-1, 2)
    lp.num_col_, lp.num_row_ = width, len(form.rows)
    lp.col_cost_ = np.array([goal.terms.get(i, 0) for i in range(width)], dtype=float)
    lp.col_lower_, lp.col_upper_ = np.zeros(width), np.ones(width)
    lp.row_lower_, lp.row_upper_ = ends[:, 0], ends[:, 1]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(row.terms) for row in form.rows)])
    lp.a_matrix_.index_ = np.array([i for row in form.rows for i in row.terms], dtype=np.int32)
    lp.a_matrix_.value_ = np.array([w for row in form.rows for w in row.terms.values()], dtype=float)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * width
    lp.offset_ = goal.constant
    lp.sense_ = highspy.ObjSense.kMaximize if maximizes(form) else highspy.ObjSense.kMinimize
    engine.passModel(lp)
    return engine


def maximizes(form: HighsForm) -> bool:
    """Return whether a program has an objective that is to be maximised."""
    return form.objective is not None and not form.objective.minimizes


def _ends(row: ColumnRow) -> tuple[float, float]:
    """Return the least and the greatest sum of a row; a bound that is far beyond all sums comes nearer to them."""
    least = sum(min(weight, 0) for weight in row.terms.values()) - 2
    most = sum(max(weight, 0) for weight in row.terms.values()) + 2
    bound = max(least, min(row.bound, most))
    return (-math.inf if row.op == "<=" else bound), (math.inf if row.op == ">=" else bound)


class LoadedProgram:
    """A program in HiGHS, asked repeatedly."""

    def __init__(self, form: HighsForm, seed: int, clock: Budget, log: bool = False) -> None:
        """``log``: let the engine write what it does to the error stream."""
        self.form, self._clock = form, clock
        self._engine = load(form)
        if log:
            self._engine.setOptionValue("output_flag", True)
            self._engine.setOptionValue("log_to_console", False)
            self._engine.cbLogging += lambda event: print(event.message, end="", file=sys.stderr, flush=True)
        self._engine.changeObjectiveOffset(0.0)  # it may be beyond what floating point holds: see ``improving``
        settings = {"threads": 1, "mip_rel_gap": 0.0, "mip_abs_gap": 1e-6, "random_seed": seed % SEEDS}
        for name, value in settings.items():
            self._engine.setOptionValue(name, value)

    def begin(self, closed: Sequence[int]) -> None:
        """Set some columns to 0, open the others, and forget what was forbidden."""
        width, rows = len(self.form.meanings), len(self.form.rows)
        highest = np.ones(width)
        highest[list(closed)] = 0
        self._engine.changeColsBounds(width, np.arange(width, dtype=np.int32), np.zeros(width), highest)
        added = np.arange(rows, self._engine.getNumRow(), dtype=np.int32)
        if len(added):
            self._engine.deleteRows(len(added), added)

    def improving(self, on_bound: Callable[[int], None]) -> Generator[list[float], None, None]:
        """Yield the values of the columns in solutions as a thread finds them, a best one last. Raise OutOfTime.

        ``on_bound`` is called in that thread with each bound as the engine proves it. This method may be called once on
        a solver.
        """
        stop, goal, down = threading.Event(), self.form.goal or ColumnSum(), maximizes(self.form)

        def report(bound: float) -> None:
            if math.isfinite(bound) and abs(bound) < LARGEST:
                whole = math.floor(bound + HAIR) if down else math.ceil(bound - HAIR)
                on_bound(whole + goal.constant)

        def work(take: Callable[[list[float]], bool]) -> None:
            """Solve, passing on each improving solution; the best comes last."""
            self._listen(take, report, stop)
            best = self.solve()
            if best:  # with no columns at all nothing was run
                report(self._engine.getInfo().mip_dual_bound)
            if best is not None:
                take(best)

        yield from streamed("highs", work, stop.set, self._clock)

    def _listen(
        self, take: Callable[[list[float]], bool], report: Callable[[float], None], stop: threading.Event
    ) -> None:
        """Set the engine's callbacks: for an improving solution, and for the regular question whether to stop."""
        engine = self._engine

        def look(event: Any) -> None:
            report(event.data_out.mip_dual_bound)
            if stop.is_set():
                event.interrupt()

        def improved(event: Any) -> None:
            look(event)
            if take(list(event.data_out.mip_solution)):
                stop.set()

        engine.cbMipImprovingSolution += improved
        engine.cbMipInterrupt += look
        for moment in (engine.cbSimplexInterrupt, engine.cbIpmInterrupt):
            moment += lambda event: event.interrupt(stop.is_set())

    def solve(self) -> list[float] | None:
        """Return the values of the columns in a best solution; None if there is none. Raise OutOfTime."""
        if not self.form.meanings:
            return []  # and no row: a contradiction has a column
        status = self._run()
        for name, value, usual in AGAIN:
            if status == highspy.HighsModelStatus.kSolveError:
                self._engine.clearSolver()
                self._engine.setOptionValue(name, value)
                status = self._run()
                self._engine.setOptionValue(name, usual)
        if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
            return None
        if status in (highspy.HighsModelStatus.kTimeLimit, highspy.HighsModelStatus.kInterrupt):
            raise OutOfTime
        if status != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(f"HiGHS ended with {self._engine.modelStatusToString(status)}")
        values: list[float] = list(self._engine.getSolution().col_value)
        return values

    def _run(self) -> Any:
        """Let the engine work within the limit; return its status. Raise OutOfTime if the limit is reached first."""
        if self._clock.expired:
            raise OutOfTime
        if self._clock.left is not None:
            self._engine.setOptionValue("time_limit", self._engine.getRunTime() + self._clock.left)
        self._engine.run()
        return self._engine.getModelStatus()

    def forbid(self, columns: Sequence[int]) -> None:
        """Add a row that says that not all of these columns are 1."""
        count = len(columns)
        self._engine.addRow(-math.inf, count - 1, count, np.array(columns, dtype=np.int32), np.ones(count))
