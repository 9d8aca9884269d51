"""The backend: capabilities, compiled models and runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Isolate,
    Projection,
    Reason,
    Request,
    Run,
    Search,
    Solution,
)
from sudoku_models.engine.record import Clock, Record
from sudoku_models.model import Model

from .program import KINDS, Program, closed, program_of, refuses, refuses_model

if TYPE_CHECKING:
    from .engine import Solver


@dataclass(frozen=True)
class HighsOptions:
    """There are none."""


class Highs:
    """The backend ``highs``."""

    name = "highs"
    Options: type = HighsOptions
    capabilities = Capabilities(
        kinds=KINDS,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT}),
        requires=("highspy", "numpy"),
        install="sudoku-models[highs]",
        isolate=Isolate.ALWAYS,
        refuses=refuses,
        refuses_model=refuses_model,
    )

    def capabilities_with(self, options: HighsOptions) -> Capabilities:
        """The same for all options."""
        return self.capabilities

    def compile(self, model: Model, options: HighsOptions) -> CompiledProgram:
        """State a model that the capabilities accept."""
        return CompiledProgram(model)


BACKEND = Highs()


class CompiledProgram:
    """A model as a linear program. A run imports the engine, which fails beside OR-tools: it belongs into a child."""

    def __init__(self, model: Model) -> None:
        self.model, self._program = model, program_of(model)

    @property
    def native(self) -> Program:
        """A fresh program as plain data; its method ``highs`` makes a live ``highspy.Highs`` of it."""
        return program_of(self.model)

    def run(self, request: Request) -> Run:
        """Start a search; the work begins when the first solution is pulled."""
        clock, record = Clock(request.time_limit), Record(backend=BACKEND.name, seed=request.seed)
        return Run(self._search(request, clock, record), clock, record)

    def _search(self, request: Request, clock: Clock, record: Record) -> Search:
        from .engine import OutOfTime, Solver

        watch, program = record.stopwatch(), self._program
        record.sizes |= {"variables": program.width, "constraints": len(program.rows)}
        solver = Solver(program, closed(program, request.domains), request.seed, clock)
        watch.lap("encode")
        solutions = self._improving(solver, record) if self.model.objective else self._all(solver, request)
        try:
            for count, solution in enumerate(solutions, 1):
                watch.lap("run")
                yield solution
                watch.restart()
                if count == request.limit:
                    return Ending(Reason.LIMIT)
            watch.lap("run")
            return Ending(Reason.EXHAUSTED)
        except OutOfTime:
            watch.lap("run")
            return Ending(Reason.TIME)

    def _all(self, solver: Solver, request: Request) -> Iterator[Solution]:
        """Solve again and again, each time with what was found forbidden."""
        kept = {self.model.names[p] for p in Projection(self.model, request.keep).positions}
        while (values := solver.solve()) is not None:
            yield self._read(values)
            columns = enumerate(zip(self._program.columns, values, strict=False))
            solver.forbid(i for i, ((name, _), x) in columns if x > 0.5 and name in kept)

    def _improving(self, solver: Solver, record: Record) -> Iterator[Solution]:
        """Solve once; yield the solutions on the way, which the engine hands over, then the best one."""
        from .engine import OutOfTime

        objective, best, late = self.model.objective, None, None
        assert objective
        try:
            last = solver.solve()
        except OutOfTime as error:
            last, late = None, error
        record.bound = solver.bound()
        for values in [*solver.found, *([] if last is None else [last])]:
            solution = self._read(values)
            value = objective.value(dict(zip(self.model.names, solution, strict=True)))
            if objective.improves(value, best):
                best = value
                yield solution
        if late:
            raise late

    def _read(self, values: list[float]) -> Solution:
        found = self._program.decode(values)
        return tuple([found[name] for name in self.model.names])
