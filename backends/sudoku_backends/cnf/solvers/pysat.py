"""The backend ``pysat``: SAT solvers by the package python-sat, each loaded once for a run and kept.

A run searches in slices of conflicts (see ``oracle``), so that limits hold and Ctrl-C is handled in process. Glucose
checks its bounds only where it restarts, which may be a second later: it is attempted in process, and what takes longer
belongs in a child process. CaDiCaL lets no other thread run during a slice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
)
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.errors import Unsupported
from sudoku_models.model import Domain, Model

from ..encoding.options import EncodingOptions
from .compiled import KINDS, CompiledFormula, export_dimacs, refuses, refuses_model
from .of_pysat import SOLVERS

if TYPE_CHECKING:
    from ..encoding.encode import Problem
    from .growing import PysatAssuming
    from .oracle import Oracle

FEATURES = frozenset(
    {
        Feature.ENUMERATE,
        Feature.PROVE,
        Feature.OBJECTIVE,
        Feature.ASSUME,
        Feature.SEED,
    }
)
"""What all solvers can do."""

LARGEST_ATTEMPTED = 1_000_000
"""Formulas of more clauses than this are not attempted in process: loading them takes long."""


@dataclass(frozen=True)
class PysatOptions(EncodingOptions):
    """The options of the encoding, and ``solver``.

    ``minisat22`` is quickest on boards of usual size; ``glucose4`` writes proofs; ``cadical153`` writes proofs too and
    is the strongest on the hardest boards.
    """

    solver: str = field(default="minisat22", metadata={"choices": tuple(SOLVERS)})


class PysatBackend(BackendBase):
    """The package python-sat behind the contract."""

    name = "pysat"
    Options = PysatOptions

    def capabilities_with(self, options: PysatOptions) -> Capabilities:
        """Return what a solver can do."""
        solver = SOLVERS[options.solver]
        features = {Feature.TIME_LIMIT if solver.punctual else Feature.PATIENCE}
        return Capabilities(
            kinds=KINDS,
            features=FEATURES | frozenset(features | ({Feature.PROOF} if solver.proves else set())),
            requires=("numpy", "pysat"),
            install="sudoku-models[sat]",
            isolate=Isolate.NEVER if solver.punctual else Isolate.ALWAYS,
            refuses=refuses,
            refuses_model=refuses_model,
            exports={"dimacs": export_dimacs},
            chosen_with="solver=cadical153",
        )

    def compile(self, model: Model, options: PysatOptions | None = None) -> PysatCompiled:
        """Compile a model that the capabilities accept."""
        return PysatCompiled(model, options or PysatOptions())


BACKEND = PysatBackend()


class PysatCompiled(CompiledFormula):
    """A model ready for a solver of PySAT. Immutable; any number of threads may run it at the same time."""

    label = "pysat"
    options: PysatOptions

    def proof(self, domains: Mapping[str, Domain] | None = None) -> list[str]:
        """Return a DRUP proof that the model, narrowed by ``domains``, has no solution: lines to be checked.

        It refers to the clauses of ``native_for(domains)``, which are what the export ``dimacs`` writes. Raise
        Unsupported if the solver writes no proofs, and ValueError if there is a solution.
        """
        from .oracle import proof_of

        if not SOLVERS[self.options.solver].proves:
            able = ", ".join(name for name, solver in SOLVERS.items() if solver.proves)
            raise Unsupported(f"pysat: {self.options.solver} writes no proofs: {able} do")
        return proof_of(SOLVERS[self.options.solver], self.problem(domains or {}).formula)

    def assume(self) -> PysatAssuming:
        """Begin with this model, in one solver that is kept."""
        from .growing import PysatAssuming

        return PysatAssuming(self.model, self.options)

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Load the formula, and yield what the solver finds; with patience, within one slice of conflicts for each
        solution.
        """
        from .asking import solutions_of
        from .oracle import OutOfBudget

        once = request.patience is not None
        if once and self.asks_for_many(request):
            raise GaveUp
        watch = record.stopwatch()
        problem = self.stated(request.domains, record)
        watch.lap("encode")
        if problem.impossible:
            return Ending(Reason.EXHAUSTED)
        if once and problem.formula.clauses > LARGEST_ATTEMPTED:
            raise GaveUp
        oracle = self._oracle(problem, request, clock, once)
        watch.lap("encode")
        try:
            found = solutions_of(self.model, problem, request, oracle.ask, record)
            return (yield from pulled(found, request, watch))
        except OutOfBudget:
            raise GaveUp from None
        finally:
            record.sizes |= oracle.counters()
            oracle.close()

    def _oracle(self, problem: Problem, request: Request, clock: Budget, once: bool) -> Oracle:
        from .oracle import Oracle, preferred

        oracle = Oracle(SOLVERS[self.options.solver], problem.formula, clock, once)
        if request.seed:
            oracle.prefer(preferred(problem, request.seed))
        return oracle
