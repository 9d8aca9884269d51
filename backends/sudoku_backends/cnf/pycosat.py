"""The backend ``pycosat``: PicoSAT by its Python binding.

PicoSAT has no seed and no time limit and cannot be interrupted; only a number of propagations bounds it. So a run is
attempted in process within ``prop_limit`` propagations, and a run that takes more belongs in a child process. Its
binding keeps nothing between two questions: each loads the formula, with what was added to it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.budget import Budget, GaveUp, OutOfTime
from sudoku_models.engine.contract import Capabilities, Feature, Isolate, Request, Search
from sudoku_models.engine.record import Record
from sudoku_models.errors import BadOption
from sudoku_models.model import Model

from .compiled import CLAUSES, CompiledFormula, EncodingOptions, Reloaded

if TYPE_CHECKING:
    from .formula import Formula
    from .search import Stated


@dataclass(frozen=True)
class PycosatOptions(EncodingOptions):
    """The options of the encoding, and ``prop_limit``: the number of propagations that an attempt in process may take.

    ``hard`` decides about a puzzle that takes more: it is searched further in a child process, or given up (``pass``),
    so that another engine continues.
    """

    prop_limit: int = field(default=2_000_000)
    hard: str = field(default="search", metadata={"choices": ("search", "pass"), "gives_up": ("pass",)})

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.prop_limit < 2**63:
            raise BadOption(f"prop_limit={self.prop_limit}: a number from 1 to 2^63 - 1 is expected")


class PycosatBackend(BackendBase):
    """PicoSAT behind the contract."""

    name = "pycosat"
    Options = PycosatOptions
    capabilities = replace(
        CLAUSES,
        features=CLAUSES.features | {Feature.PATIENCE},
        requires=("numpy", "pycosat"),
        install="pycosat",
        isolate=Isolate.ALWAYS,
        chosen_with="hard=pass" if find_spec("pysat") else "",  # CaDiCaL, which comes next, is stronger on hard boards
    )

    def capabilities_with(self, options: PycosatOptions) -> Capabilities:
        """Return the capabilities; with ``hard=pass`` every search is short, so that it needs no process of its own."""
        return _PASSING if options.hard == "pass" else self.capabilities

    def compile(self, model: Model, options: PycosatOptions | None = None) -> PycosatCompiled:
        return PycosatCompiled(model, options or PycosatOptions())


_PASSING = replace(
    PycosatBackend.capabilities,
    features=PycosatBackend.capabilities.features | {Feature.TIME_LIMIT},
    isolate=Isolate.NEVER,
)

BACKEND = PycosatBackend()


class PycosatCompiled(CompiledFormula):
    """A model ready for PicoSAT. Immutable; any number of threads may run it at the same time."""

    label = "pycosat"
    options: PycosatOptions

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Search; with patience, or the option ``hard=pass``, within ``prop_limit`` propagations for each question."""
        from .search import kept_of, search

        kept = kept_of(self.model, request)
        everything = not self.model.objective and len(kept) == len(self.model.names)
        patience = self.options.prop_limit if self.options.hard == "pass" else None
        if request.patience is not None:
            patience = min(self.options.prop_limit, request.patience)

        def load(formula: Formula, stated: Stated) -> PicoSat:
            most = 0 if patience is None else bounded(formula.clauses, patience, budget)
            return PicoSat(formula, budget, most, everything and request.limit != 1)

        if patience is not None and self.asks_for_many(request):
            raise GaveUp
        return (yield from search(self, request, record, load))


# ---------------------------------------------------------------- the solver, and how long it may work

LOADING = 4e-7
"""Seconds allowed for loading one clause."""

SLOWEST = 1.5e-6
"""Seconds that one propagation may take on average: pigeonholes need about one microsecond, Sudoku 0.04."""

FASTEST = 2e-9
"""The shortest time in seconds of one propagation on any processor: a chain of dependent memory reads."""

PER_CLAUSE, MOST = 100, 10_000_000
"""Propagations allowed for each clause of a large formula, and the highest bound that results from this."""

_CLOCK = time.thread_time if time.get_clock_info("thread_time").resolution < 1e-6 else time.perf_counter


def bounded(clauses: int, most: int, budget: Budget) -> int:
    """Return a bound on propagations that fits in half of the time left; GaveUp if loading, which cannot be
    interrupted, does not fit in that half and in 2 s.
    """
    most, left = max(most, min(PER_CLAUSE * clauses, MOST)), budget.left
    if clauses * LOADING > (2.0 if left is None else min(2.0, left / 2)):
        raise GaveUp
    return most if left is None else max(1, min(most, int(left / 2 / SLOWEST)))


class PicoSat(Reloaded):
    """PicoSAT with a formula that grows. ``most``: propagations for each question (0: no bound).

    ``everything``: each clause that is added after a model forbids that model alone, so that PicoSAT's own iterator,
    which loads the formula once, goes on to the next one.
    """

    def __init__(self, formula: Formula, clock: Budget, most: int = 0, everything: bool = False) -> None:
        super().__init__(formula)
        self._clock, self._most, self._everything = clock, most, everything
        self._models: Iterator[list[int]] | None = None
        self._started = 0.0

    def add(self, clause: Sequence[int]) -> None:
        if self._most or not self._everything:  # otherwise the iterator alone goes on to the end
            super().add(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> list[int] | None:
        """Return a model; None if there is none. GaveUp at the bound, OutOfTime if the clock has expired."""
        import pycosat

        if self._clock.expired:
            raise OutOfTime
        if self._everything:
            if self._models is None:
                self._started = _CLOCK()
                self._models = iter(pycosat.itersolve(self.clauses(), vars=self.variables, prop_limit=self._most))
            model = next(self._models, None)
            if model is not None or self._is_certain():
                return model
            self._everything = False
        clauses = chain(self.clauses(), ([literal] for literal in assumptions))
        answer: Any = pycosat.solve(clauses, vars=self.variables, prop_limit=self._most)
        if answer == "UNKNOWN":
            raise GaveUp
        return answer if isinstance(answer, list) else None

    def _is_certain(self) -> bool:
        """Return whether the iterator ended because there is no further model.

        It ends in the same way at its bound. If it ended in less time than that number of propagations takes, the bound
        was not reached; otherwise that is asked separately.
        """
        return not self._most or _CLOCK() - self._started < self._most * FASTEST

    def close(self) -> None:
        self._models = None
