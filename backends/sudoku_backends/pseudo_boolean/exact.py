"""The backend ``exact``: Exact, a solver of pseudo-Boolean problems that learns by cutting planes, by its package.

Its numbers are of any size. A search pauses by itself from time to time, at the same places each time; between the
pauses no signal is handled.
"""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import Feature, Isolate, Request, Solution
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.record import Record
from sudoku_models.exports.zero_one import CAPABILITIES, PAIRS, WIDEST, ColumnRow, ZeroOne
from sudoku_models.model import Compare, Model

from . import CompiledColumns, column_name

RATIOS = {"mixed": "0.5", "top-down": "0"}
"""The share of the work on an objective that is spent on bounds from below."""


@dataclass(frozen=True)
class ExactOptions:
    """``optimise``: objectives from both sides in turn, or only from solution to better solution."""

    optimise: str = field(default="mixed", metadata={"choices": tuple(RATIOS)})


class Exact(BackendBase):
    name = "exact"
    Options = ExactOptions
    capabilities = replace(
        CAPABILITIES,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("exact",),
        install="sudoku-models[exact]",
        isolate=Isolate.ALWAYS,  # it looks at its clock only where it pauses, and handles no signals while it works
        numbers=Numbers(values=WIDEST, pairs={Compare: PAIRS}),
    )

    def compile(self, model: Model, options: ExactOptions) -> CompiledExact:
        """State a model that the capabilities accept."""
        return CompiledExact(model, options)


BACKEND = Exact()


class CompiledExact(CompiledColumns):
    """A model for Exact. Each run states it to its own solver."""

    label = "exact"
    options: ExactOptions

    @property
    def native(self) -> Any:
        """A fresh ``exact.Exact`` with the model; its variables have the names that the export ``opb`` writes."""
        return self.engine(self.whole, Request(), Budget()).solver

    def engine(self, form: ZeroOne, request: Request, clock: Budget) -> ExactEngine:
        return ExactEngine(form, RATIOS[self.options.optimise], request.seed, clock)

    def improving(self, form: ZeroOne, engine: ExactEngine, record: Record) -> Iterator[Solution]:
        """Yield solutions, each better than the one before; the engine's objective is the model's."""
        while (ones := engine.ask()) is not None:
            record.bound = engine.bound()
            yield self.read(form, ones)
            if not engine.improve():
                return


# ---- the engine at work

SEEDS = 1 << 32

ALL_SOLUTIONS = (("inp-purelits", "0"), ("inp-dombreaklim", "0"))
"""Options with which no solution is dropped in favour of another one that is as good."""


TAKEN = (signal.SIGINT, signal.SIGTERM, signal.SIGXCPU)
"""Signals whose handlers the engine replaces, and keeps, whenever a solver is made."""


@contextmanager
def signals_kept() -> Iterator[None]:
    """Restore the previous handlers of signals, in whichever thread this is."""
    system = ctypes.CDLL(None)
    actions = {number: ctypes.create_string_buffer(1024) for number in TAKEN}  # more than any system's sigaction
    for number, action in actions.items():
        system.sigaction(int(number), None, action)
    try:
        yield
    finally:
        for number, action in actions.items():
            system.sigaction(int(number), action, None)


class ExactEngine:
    """A solver with columns, rows and an objective, asked repeatedly."""

    def __init__(self, form: ZeroOne, ratio: str, seed: int, clock: Budget) -> None:
        """``ratio`` is the share of the work on an objective that is spent on bounds."""
        options = [("seed", str(1 + seed % SEEDS)), ("opt-ratio", ratio), *ALL_SOLUTIONS]
        import exact

        with signals_kept():
            self.solver: Any = exact.Exact(options)
        self._clock, self._goal = clock, form.goal
        self._names = [column_name(column) for column in range(len(form.meanings))]
        for name in self._names:
            self.solver.addVariable(name, 0, 1)
        for row in form.rows:
            self.add(row)
        if self._goal and form.objective:
            self._terms = self._named({column: factor for column, factor in self._goal.terms.items() if factor})
            self.solver.setObjective(self._terms, form.objective.minimizes, self._goal.constant)

    def add(self, row: ColumnRow) -> None:
        """Demand one more row."""
        low, high = row.op in (">=", "=="), row.op in ("<=", "==")
        self.solver.addConstraint(self._named(row.terms), low, row.bound, high, row.bound)

    def ask(self) -> list[int] | None:
        """Return the columns that are 1 in a solution; None if there is none. Raise OutOfTime."""
        while not self._clock.expired:
            left = self._clock.left
            found = self.solver.runOnce(0 if left is None else max(left, 0.001))
            if found == "SAT":
                values = self.solver.getLastSolutionFor(self._names)
                return [column for column, value in enumerate(values) if value]
            if found == "UNSAT":
                return None
            if found not in ("PAUSED", "TIMEOUT"):
                raise RuntimeError(f"Exact ended with {found}")
        raise OutOfTime

    def bound(self) -> int:
        """Return the best bound of the objective proved so far: no solution is better."""
        return int(self.solver.getDualBound())

    def improve(self) -> bool:
        """Demand better than the last solution found; return False if all solutions are equally good."""
        if self._terms:
            self.solver.boundObjByLastSol()
        return bool(self._terms)

    def _named(self, terms: dict[int, int]) -> list[tuple[int, str]]:
        return [(factor, self._names[column]) for column, factor in terms.items()]
