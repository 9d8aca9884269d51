"""The backend ``highs``: linear programs over 0 and 1, by HiGHS.

HiGHS and OR-tools cannot be loaded in one process, so every run belongs into a child process.
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import CompiledBase, HouseSumsBackend, HouseSumsOptions
from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import Feature, Isolate, Quirk, Request, Search, Solution, wanted_of
from sudoku_models.engine.numbers import Numbers, measured, sums_of
from sudoku_models.engine.pulling import pulled, streamed
from sudoku_models.engine.record import Record
from sudoku_models.errors import Unsupported
from sudoku_models.exports.zero_one import CAPABILITIES, PAIRS, WIDEST, ColumnRow, ColumnSum, EngineForm
from sudoku_models.lazy import Loaded
from sudoku_models.model import Compare, Count, Domain, Linear, Model, Objective, narrowed_domains

if TYPE_CHECKING:
    import highspy
    import numpy as np
else:
    highspy, np = Loaded("highspy"), Loaded("numpy")

SPREAD = 200_000
"""The largest range of a sum: rows hold up to a tolerance of 1e-6, relative to such numbers."""

NUMBERS = Numbers(values=WIDEST, pairs={Compare: PAIRS}, spreads=dict.fromkeys((Linear, Count, Objective), SPREAD))
"""Offsets do not matter: the least value of each variable is taken out of the rows."""

NEAR = 1_000
"""Sums whose range is no larger are far from any tolerance."""


def _wide_sums(model: Model) -> bool:
    return any(measured(stated, model.domains)[1] > NEAR for stated in sums_of(model))


QUIRKS = (
    Quirk(
        "floating point",
        "rows hold up to a tolerance, so that from 10^11 on solutions are lost, and from 10^14 on optima are wrong",
        "HiGHS 1.11 to 1.15 (older ones crash on objectives)",
        "the least value of each variable is taken out of the rows, a sum may vary by 200,000, and what is wide is"
        " confirmed",
        _wide_sums,
    ),
)


class HighsForm(EngineForm):
    """The columns and rows of a model: a program over 0 and 1."""

    def highs(self) -> Any:
        """Return the program as a live ``highspy.Highs``; raise Unsupported in a process that has loaded OR-tools."""
        return load(self)

    def closed(self, domains: Mapping[str, Domain]) -> list[int]:
        """Return the columns that narrower domains set to 0."""
        left = {name: frozenset(values) for name, values in domains.items()}
        return [c for name in left for value, c in self.columns[name].items() if value not in left[name]]


@dataclass(frozen=True)
class HighsOptions(HouseSumsOptions):
    """``house_sums`` as in other backends; with ``log`` the engine writes what it does to the error stream."""

    log: bool = False


class Highs(HouseSumsBackend):
    name = "highs"
    Options = HighsOptions
    capabilities = replace(
        CAPABILITIES,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("highspy", "numpy"),
        install="sudoku-models[highs]",
        conflicts=("ortools",),
        isolate=Isolate.ALWAYS,
        numbers=NUMBERS,
        quirks=QUIRKS,
        adds=("house-sums",),
        log="log=true",
    )

    def compile(self, model: Model, options: HighsOptions) -> CompiledProgram:
        """State a model that the capabilities accept."""
        return CompiledProgram(model, options)


BACKEND = Highs()


Part = tuple[Mapping[str, Domain], list[Solution]]
"""A part of the space, and the solutions known in it."""


class CompiledProgram(CompiledBase):
    """A model as a linear program. A run imports the engine, which fails next to OR-tools: it belongs in a child
    process.
    """

    label = "highs"

    options: HighsOptions

    def __init__(self, model: Model, options: HighsOptions) -> None:
        super().__init__(model, options)
        self._form = HighsForm(model)

    @property
    def native(self) -> HighsForm:
        """A fresh program as plain data; its method ``highs`` turns it into a live ``highspy.Highs``."""
        return HighsForm(self.model)

    def of_variable(self, name: str) -> dict[int, int]:
        """Return the columns of a variable by value: exactly one is 1."""
        return dict(self._form.columns[name])

    def of_value(self, name: str, value: int) -> int:
        """Return the column that is 1 exactly when a variable has a value."""
        return self._form.columns[name][value]

    def values_in(self, answer: Any) -> dict[str, int]:
        """Return the values by name in a ``HighsSolution``, or in the values of all columns."""
        values = getattr(answer, "col_value", answer)
        return self._form.values(column for column, x in enumerate(values) if x > 0.5)

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield all solutions, or those on the way to the best."""
        watch, form = record.stopwatch(), self._form
        record.sizes |= {"variables": len(form.meanings), "constraints": len(form.rows)}
        solver = LoadedProgram(form, request.seed, clock, self.options.log)
        watch.lap("encode")
        if self.model.objective is None:
            return (yield from pulled(self._enumerated(solver, request), request, watch))
        with closing(self._on_the_way(solver, request, record)) as found:
            return (yield from pulled(found, request, watch, wanted_of(self.model, None)))

    def _read(self, values: Sequence[float]) -> Solution:
        found = self.values_in(values)
        return tuple([found[name] for name in self.model.names])

    def _on_the_way(self, solver: LoadedProgram, request: Request, record: Record) -> Generator[Solution, None, None]:
        """Solve once; yield the improving solutions as the engine reports them, then the best one."""
        solver.begin(self._form.closed(request.domains))
        with closing(solver.improving(partial(setattr, record, "bound"))) as found:
            yield from map(self._read, found)

    def _enumerated(self, solver: LoadedProgram, request: Request) -> Iterator[Solution]:
        """Yield the solutions, one for each choice of the kept variables.

        After each solution the part where it was found is split by the values of a kept variable, so that few known
        ones are left in each part: every row that forbids one makes the program harder.
        """
        kept = self.model.names if request.keep is None else tuple(dict.fromkeys(request.keep))
        waiting: list[Part] = [(narrowed_domains(self.model.domains, request.domains), [])]
        while waiting:
            domains, known = waiting.pop()
            solver.begin(self._form.closed(domains))
            for solution in known:
                solver.forbid([self._form.columns[x][solution[self.model.index[x]]] for x in kept])
            values = solver.solve()
            if values is not None:
                known.append(self._read(values))
                yield known[-1]
                waiting += self._split(domains, known, kept)

    def _split(self, domains: Mapping[str, Domain], known: list[Solution], kept: Sequence[str]) -> Iterator[Part]:
        """Yield the parts by the values of the kept variable with the fewest; none if all are decided."""
        open_ones = [name for name in kept if len(domains[name]) > 1]
        if open_ones:
            name = min(open_ones, key=lambda x: len(domains[x]))
            at = self.model.index[name]
            for value in domains[name]:
                yield {**domains, name: (value,)}, [s for s in known if s[at] == value]


# ---------------------------------------------------------------- the engine at work

LARGEST = float(2**50)
"""Beyond this a bound, which is a floating-point number, is not exact."""

HAIR = 1e-6
"""The tolerance for a bound that ought to be an integer."""

SEEDS = 1 << 31

ENUMERATION = 1 << 16
"""The rule of the presolve with which HiGHS 1.15 calls some programs infeasible that are not."""

AGAIN = (("presolve", "off", "choose"), ("mip_heuristic_effort", 0.0, 0.05))
"""Options, each with another and the usual value, with which a model that ended in a "Solve error" is tried again."""


def load(form: HighsForm) -> Any:
    """Return a ``Highs`` with a program."""
    try:
        engine: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    except ImportError as error:
        if "ortools" not in sys.modules:
            raise
        reason = "HiGHS cannot be loaded in a process that has loaded OR-tools: solve() runs it in another"
        raise Unsupported(reason) from error
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
        settings["presolve_rule_off"] = ENUMERATION
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
