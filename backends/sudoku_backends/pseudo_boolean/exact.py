"""The backend ``exact``: Exact, a solver of pseudo-Boolean problems that learns by cutting planes, by its package.

Its numbers are of any size. A search pauses by itself from time to time, at the same places each time; between the
pauses no signal is handled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Feature, Isolate, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.exports.zero_one import CAPABILITIES, ZeroOne, refuses_model
from sudoku_models.model import Model

from . import CompiledColumns

if TYPE_CHECKING:
    from .exact_engine import ExactEngine

RATIOS = {"mixed": "0.5", "top-down": "0"}
"""The share of the work on an objective that is spent on bounds from below."""


@dataclass(frozen=True)
class ExactOptions:
    """``optimise``: objectives from both sides in turn, or only from solution to better solution."""

    optimise: str = field(default="mixed", metadata={"choices": tuple(RATIOS)})


class Exact(BackendBase):
    """The backend ``exact``."""

    name = "exact"
    Options = ExactOptions
    capabilities = Capabilities(
        kinds=CAPABILITIES.kinds,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("exact",),
        install="sudoku-models[exact]",
        deaf=True,
        isolate=Isolate.IF_LIMITED,  # it looks at its clock only where it pauses
        refuses=CAPABILITIES.refuses,
        refuses_model=refuses_model,
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
        return self._engine(self.whole, 0, Budget()).solver

    def _engine(self, form: ZeroOne, seed: int, clock: Budget) -> ExactEngine:
        from .exact_engine import ExactEngine

        return ExactEngine(form, RATIOS[self.options.optimise], seed, clock)

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """State the columns and rows to a solver, and yield what it finds."""
        watch = record.stopwatch()
        form = self.form(request.domains)
        record.sizes |= {"variables": len(form.meanings), "constraints": len(form.rows)}
        engine = self._engine(form, request.seed, clock)
        watch.lap("encode")
        if self.model.objective:
            solutions = self._improving(form, engine, record)
        else:
            solutions = self.enumerated(form, engine, request)
        return (yield from pulled(solutions, request, watch))

    def _improving(self, form: ZeroOne, engine: ExactEngine, record: Record) -> Iterator[Solution]:
        """Yield solutions, each better than the one before; the engine's objective is the model's."""
        while (ones := engine.ask()) is not None:
            record.bound = engine.bound()
            yield self.read(form, ones)
            if not engine.improve():
                return
