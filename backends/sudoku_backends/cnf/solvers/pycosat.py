"""The backend ``pycosat``: PicoSAT by its Python binding.

PicoSAT has no seed and no time limit and cannot be interrupted; only a number of propagations bounds it. So a run is
attempted in process within ``prop_limit`` propagations, and a run that takes more belongs in a child process.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.budget import Budget, GaveUp
from sudoku_models.engine.contract import (
    Capabilities,
    Ending,
    Feature,
    Isolate,
    Reason,
    Request,
    Search,
    Solution,
)
from sudoku_models.engine.record import Record
from sudoku_models.errors import BadOption
from sudoku_models.model import Model

from ..encoding.options import EncodingOptions
from .compiled import KINDS, CompiledFormula, export_dimacs, refuses, refuses_model


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
    capabilities = Capabilities(
        kinds=KINDS,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.PATIENCE}),
        requires=("numpy", "pycosat"),
        install="pycosat",
        isolate=Isolate.ALWAYS,
        refuses=refuses,
        refuses_model=refuses_model,
        exports={"dimacs": export_dimacs},
    )

    def capabilities_with(self, options: PycosatOptions) -> Capabilities:
        """Return the capabilities; with ``hard=pass`` every search is short, so that it needs no process of its own."""
        return _PASSING if options.hard == "pass" else self.capabilities

    def compile(self, model: Model, options: PycosatOptions | None = None) -> PycosatCompiled:
        """Compile a model that the capabilities accept."""
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

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Search; with patience, or the option ``hard=pass``, within ``prop_limit`` propagations.

        Without, only the end of the process stops it between two solutions. This is not ``pulled``: the enumeration
        states formulas again during the search, and measures that time itself.
        """
        if request.patience is not None or self.options.hard == "pass":
            return (yield from self._attempt(request, clock, record))
        for count, solution in enumerate(_limited(self._solutions(request, record), request.limit), 1):
            yield solution
            if count == request.limit:
                return Ending(Reason.LIMIT)
            if clock.expired:
                return Ending(Reason.TIME)
        return Ending(Reason.LIMIT if request.limit == 0 else Reason.EXHAUSTED)

    def _attempt(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield what is certain after a bounded search; give up if that, or loading alone, takes too long."""
        if self.asks_for_many(request):
            raise GaveUp
        from .attempt import Attempt
        from .kept import Kept

        kept, most = Kept.of_request(self.model, request), self.options.prop_limit
        most = most if request.patience is None else min(most, request.patience)
        attempt = Attempt(self._prepare, kept, request, record, most, clock)
        if self.model.objective:
            return (yield from attempt.improving(self.model.objective))
        found = attempt.settle()
        if found is None:
            raise GaveUp
        yield from found[0]
        return Ending(found[1])

    def _solutions(self, request: Request, record: Record) -> Iterator[Solution]:
        """Enumerate, or improve if there is an objective."""
        from .kept import Kept
        from .search import Enumeration, Reloaded

        if self.model.objective is None:
            return Enumeration(self._prepare, Kept.of_request(self.model, request), record).solutions(request.domains)
        from .improving import improving

        problem = self.stated(request.domains, record)
        return improving(problem, self.model.objective, Reloaded(problem.formula), record)


def _limited(solutions: Iterator[Solution], limit: int | None) -> Iterator[Solution]:
    return iter(()) if limit == 0 else solutions
