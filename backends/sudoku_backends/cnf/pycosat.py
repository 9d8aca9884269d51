"""The backend ``pycosat``: PicoSAT by its Python binding.

PicoSAT has no seed and no time limit and cannot be interrupted; only a number of propagations bounds it. So a run is
attempted in process within ``prop_limit`` propagations, and a run that takes more belongs into a child process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
from sudoku_models.errors import BadOption
from sudoku_models.model import AllDifferent, Compare, Domain, InDomain, Model, Table

from .options import EncodingOptions

if TYPE_CHECKING:
    from .encode import Problem
    from .native import Native
    from .search import Kept

MOST_ATTEMPTED = 64
"""Requests for more solutions than this are not attempted in process."""

LOADING = 4e-7
"""Seconds that one clause may take to be written and loaded."""

PROPAGATION = 1e-9
"""Seconds that one propagation takes at the very least on any processor: a few dependent reads of memory."""


@dataclass(frozen=True)
class PycosatOptions(EncodingOptions):
    """The options of the encoding, and ``prop_limit``: how many propagations an attempt in process may take."""

    prop_limit: int = field(default=1_000_000)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.prop_limit < 2**63:
            raise BadOption(f"prop_limit={self.prop_limit}: a number from 1 to 2^63 - 1 is expected")


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large for the direct encoding, or None."""
    from .constraints import too_large

    return too_large(model)


CAPABILITIES = Capabilities(
    kinds=frozenset({AllDifferent, Compare, InDomain, Table}),
    features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.ATTEMPT}),
    requires=("numpy", "pycosat"),
    install="pycosat",
    isolate=Isolate.ALWAYS,
    refuses_model=refuses_model,
)


class PycosatCompiled:
    """A model ready for PicoSAT. Immutable; any number of threads may run it at once."""

    def __init__(self, model: Model, options: PycosatOptions) -> None:
        from .sizes import sizes_of
        from .structure import structure_of

        self.model, self.options = model, options
        self._structure = structure_of(model)
        self._sizes = sizes_of(self._structure, options)

    def problem(self, domains: Mapping[str, Domain]) -> Problem:
        """Return the model narrowed by ``domains``, as a formula; ValueError when they name an unknown variable."""
        from .prepare import prepare

        return prepare(self._structure, domains, self.options)

    def native_for(self, domains: Mapping[str, Domain]) -> Native:
        """Return the clauses of the model narrowed by ``domains``, as lists, with the maps of their literals."""
        from .native import native_of

        return native_of(self.problem(domains))

    @property
    def native(self) -> Native:
        """A fresh copy of the model's clauses, as lists, with the maps of their literals."""
        return self.native_for({})

    @property
    def sizes(self) -> Mapping[str, int]:
        """Variables, clauses and literals of the model's formula, before any puzzle; counted, not built."""
        return self._sizes

    def run(self, request: Request) -> Run:
        """Search without a bound; nothing stops it between two solutions but the end of the process."""
        record, clock = self._record(), Clock(request.time_limit)
        return Run(self._search(request, record, clock), clock, record)

    def attempt(self, request: Request) -> Run | None:
        """Search within ``prop_limit`` propagations; None when that was not enough, or loading alone takes too long."""
        if request.limit is None or request.limit > MOST_ATTEMPTED:
            return None
        record = self._record()
        settled = _Attempt(self, request, record).settle()
        return Run(_settled(*settled), Clock(None), record) if settled else None

    def _record(self) -> Record:
        return Record(backend=BACKEND.name, options=vars(self.options).copy())

    def _search(self, request: Request, record: Record, clock: Clock) -> Search:
        from .search import Enumeration

        enumeration = Enumeration(self.problem, _kept(self.model, request), record)
        for count, solution in enumerate(_limited(enumeration.solutions(request.domains), request.limit), 1):
            if count == 1 and enumeration.first:
                record.sizes = _sizes(enumeration.first)
            yield solution
            if count == request.limit:
                return Ending(Reason.LIMIT)
            if clock.expired:
                return Ending(Reason.TIME)
        return Ending(Reason.LIMIT if request.limit == 0 else Reason.EXHAUSTED)


def _limited(solutions: Iterator[Solution], limit: int | None) -> Iterator[Solution]:
    return iter(()) if limit == 0 else solutions


def _settled(solutions: list[Solution], reason: Reason) -> Search:
    yield from solutions
    return Ending(reason)


def _kept(model: Model, request: Request) -> Kept:
    from .search import Kept

    projection = Projection(model, request.keep)
    return Kept(projection.positions, projection.positions == tuple(range(len(model.names))))


def _sizes(problem: Problem) -> dict[str, int]:
    formula = problem.formula
    return {"variables": formula.variables, "clauses": formula.clauses, "literals": formula.literals}


class _Attempt:
    """A bounded search in process for one request."""

    def __init__(self, compiled: PycosatCompiled, request: Request, record: Record) -> None:
        self.kept = _kept(compiled.model, request)
        self.request, self.record, self.compiled = request, record, compiled
        self.watch = record.stopwatch()
        self.prop_limit = compiled.options.prop_limit

    def settle(self) -> tuple[list[Solution], Reason] | None:
        """Return the solutions and how the search ended; None when it was not settled."""
        problem = self.compiled.problem(self.request.domains)
        self.record.sizes = _sizes(problem)
        self.watch.lap("encode")
        if self.request.limit == 0:
            return [], Reason.LIMIT
        if problem.impossible:
            return [], Reason.EXHAUSTED
        if self._too_long(problem):
            return None
        found = self._several(problem) if self.kept.everything else self._one_by_one(problem)
        self.watch.lap("run")
        return found

    def _too_long(self, problem: Problem) -> bool:
        """Loading cannot be interrupted either: it must fit well into the time limit, and into two seconds."""
        limit = self.request.time_limit
        return problem.formula.clauses * LOADING > (2.0 if limit is None else min(2.0, limit / 2))

    def _decoded(self, problem: Problem, model: list[int]) -> Solution:
        self.watch.lap("run")
        solution = self.kept.of(problem.values(model))
        self.watch.lap("decode")
        return solution

    def _several(self, problem: Problem) -> tuple[list[Solution], Reason] | None:
        """Load the formula once and pull solutions.

        PicoSAT's iterator ends in the same way without a further solution and at its limit. When it ended sooner than
        so many propagations can be made, the limit was not reached; otherwise that is asked apart.
        """
        import pycosat

        found: list[Solution] = []
        started = time.perf_counter()
        variables = problem.formula.variables
        for model in pycosat.itersolve(problem.formula, vars=variables, prop_limit=self.prop_limit):
            found.append(self._decoded(problem, model))
            if len(found) == self.request.limit:
                return found, Reason.LIMIT
        if time.perf_counter() - started < self.prop_limit * PROPAGATION:
            return found, Reason.EXHAUSTED
        return self._one_by_one(problem, found)

    def _one_by_one(
        self, problem: Problem, known: list[Solution] | None = None
    ) -> tuple[list[Solution], Reason] | None:
        """Load the formula for each solution, with those before it forbidden."""
        from itertools import chain

        import pycosat

        from .search import blocking

        found = list(known or ())
        blocked = [blocking(problem, self.kept, solution) for solution in found]
        while len(found) != self.request.limit:
            clauses = chain(problem.formula, blocked)
            answer: Any = pycosat.solve(clauses, vars=problem.formula.variables, prop_limit=self.prop_limit)
            if answer == "UNKNOWN":
                return None
            if answer == "UNSAT":
                return found, Reason.EXHAUSTED
            found.append(self._decoded(problem, answer))
            blocked.append(blocking(problem, self.kept, found[-1]))
        return found, Reason.LIMIT


def export_dimacs(compiled: PycosatCompiled, domains: Mapping[str, Domain]) -> Iterator[str]:
    """Yield the lines of the reduced formula in DIMACS CNF, with the map in comment lines."""
    from .dimacs import export

    return export(compiled.problem(domains))


class PycosatBackend:
    """PicoSAT behind the contract."""

    name = "pycosat"
    Options = PycosatOptions
    capabilities = CAPABILITIES
    exports: Mapping[str, Callable[[PycosatCompiled, Mapping[str, Domain]], Iterator[str]]] = {"dimacs": export_dimacs}

    def capabilities_with(self, options: PycosatOptions) -> Capabilities:
        """Return what the backend can do; it is the same with all options."""
        return self.capabilities

    def compile(self, model: Model, options: PycosatOptions | None = None) -> PycosatCompiled:
        """Compile a model that the capabilities accept."""
        return PycosatCompiled(model, options or PycosatOptions())


BACKEND = PycosatBackend()
