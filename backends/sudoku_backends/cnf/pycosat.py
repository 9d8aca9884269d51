"""The backend ``pycosat``: PicoSAT by its Python binding.

PicoSAT has no seed and no time limit and cannot be interrupted; only a number of propagations bounds it. So a run is
attempted in process within ``prop_limit`` propagations, and a run that takes more belongs into a child process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Isolate,
    Reason,
    Request,
    Run,
    Search,
    Solution,
)
from sudoku_models.engine.record import Clock, Record
from sudoku_models.errors import BadOption
from sudoku_models.model import AllDifferent, Compare, Constraint, Domain, InDomain, Model, Or, Table

from .options import EncodingOptions

if TYPE_CHECKING:
    from .encode import Problem
    from .native import Native

MOST_ATTEMPTED = 64
"""Requests for more solutions than this are not attempted in process."""


@dataclass(frozen=True)
class PycosatOptions(EncodingOptions):
    """The options of the encoding, and ``prop_limit``: how many propagations an attempt in process may take."""

    prop_limit: int = field(default=2_000_000)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.prop_limit < 2**63:
            raise BadOption(f"prop_limit={self.prop_limit}: a number from 1 to 2^63 - 1 is expected")


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is no clause over candidates, or None."""
    if isinstance(constraint, Or) and not all(isinstance(part, InDomain) for part in constraint.parts):
        return "an Or is a clause only when its parts are domains"
    return None


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large for the direct encoding, or None."""
    from .constraints import too_large

    return too_large(model)


CAPABILITIES = Capabilities(
    kinds=frozenset({AllDifferent, Compare, InDomain, Or, Table}),
    features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.ATTEMPT}),
    requires=("numpy", "pycosat"),
    install="pycosat",
    isolate=Isolate.ALWAYS,
    refuses=refuses,
    refuses_model=refuses_model,
)


class PycosatCompiled:
    """A model ready for PicoSAT. Immutable; any number of threads may run it at once."""

    def __init__(self, model: Model, options: PycosatOptions) -> None:
        from .prepare import Preparation
        from .structure import structure_of

        self.model, self.options = model, options
        structure = structure_of(model)
        self._prepare = Preparation(structure, options)

    def problem(self, domains: Mapping[str, Domain]) -> Problem:
        """Return the model narrowed by ``domains``, as a formula; ValueError when they name an unknown variable."""
        return self._prepare(domains)[0]

    def native_for(self, domains: Mapping[str, Domain]) -> Native:
        """Return the clauses of the model narrowed by ``domains``, as lists, with the maps of their literals."""
        from .native import native_of

        return native_of(self.problem(domains))

    @property
    def native(self) -> Native:
        """A fresh copy of the model's clauses, as lists, with the maps of their literals."""
        return self.native_for({})

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Variables, clauses and literals of the model's formula, before any puzzle; counted, not built."""
        from .sizes import sizes_of
        from .structure import structure_of

        return sizes_of(structure_of(self.model), self.options)

    def run(self, request: Request) -> Run:
        """Search without a bound; nothing stops it between two solutions but the end of the process."""
        record, clock = self._record(), Clock(request.time_limit)
        return Run(self._search(request, record, clock), clock, record)

    def warm_up(self) -> None:
        """Load (or compile) now what later puzzles would have loaded."""
        self._prepare.warm_up()

    def attempt(self, request: Request) -> Run | None:
        """Search within ``prop_limit`` propagations; None when that was not enough, or loading alone takes too long."""
        if request.limit is None or request.limit > MOST_ATTEMPTED:
            return None
        from .attempt import Attempt
        from .search import Kept

        record = self._record()
        kept = Kept.of_request(self.model, request)
        settled = Attempt(self._prepare, kept, request, record, self.options.prop_limit).settle()
        return Run(_settled(*settled), Clock(None), record) if settled else None

    def _record(self) -> Record:
        return Record(backend=BACKEND.name, options=vars(self.options).copy())

    def _search(self, request: Request, record: Record, clock: Clock) -> Search:
        from .search import Enumeration, Kept

        enumeration = Enumeration(self._prepare, Kept.of_request(self.model, request), record)
        for count, solution in enumerate(_limited(enumeration.solutions(request.domains), request.limit), 1):
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
