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

from . import ZeroOneProgram

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


def load(program: ZeroOneProgram) -> Any:
    """Return a ``Highs`` with a program."""
    engine: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    engine.silent()
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = program.width, len(program.rows)
    lp.col_cost_ = np.array([program.costs.get(i, 0) for i in range(program.width)], dtype=float)
    lp.col_lower_, lp.col_upper_ = np.zeros(program.width), np.ones(program.width)
    lp.row_lower_ = np.array([row.low for row in program.rows], dtype=float)
    lp.row_upper_ = np.array([row.high for row in program.rows], dtype=float)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(row.terms) for row in program.rows)])
    lp.a_matrix_.index_ = np.array([i for row in program.rows for i in row.terms], dtype=np.int32)
    lp.a_matrix_.value_ = np.array([w for row in program.rows for w in row.terms.values()], dtype=float)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * program.width
    lp.offset_ = program.offset
    lp.sense_ = highspy.ObjSense.kMaximize if program.maximize else highspy.ObjSense.kMinimize
    engine.passModel(lp)
    return engine


class LoadedProgram:
    """A program in HiGHS, asked repeatedly."""

    def __init__(self, program: ZeroOneProgram, seed: int, clock: Budget) -> None:
        self.program, self._clock = program, clock
        self._engine = load(program)
        self._engine.changeObjectiveOffset(0.0)  # it may be beyond what floating point holds: see ``improving``
        settings = {"threads": 1, "mip_rel_gap": 0.0, "mip_abs_gap": 1e-6, "random_seed": seed % SEEDS}
        for name, value in settings.items():
            self._engine.setOptionValue(name, value)

    def begin(self, closed: Sequence[int]) -> None:
        """Set some columns to 0, open the others, and forget what was forbidden."""
        width, rows = self.program.width, len(self.program.rows)
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
        stop = threading.Event()

        def report(bound: float) -> None:
            if math.isfinite(bound) and abs(bound) < LARGEST:
                whole = math.floor(bound + HAIR) if self.program.maximize else math.ceil(bound - HAIR)
                on_bound(whole + self.program.offset)

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
        if not self.program.width:
            return [] if all(row.low <= 0 <= row.high for row in self.program.rows) else None
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
