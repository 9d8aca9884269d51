"""The backend ``pysat``: solvers of the package python-sat, each loaded once for a search and kept; and refuters.

A search runs in slices of a number of conflicts. Between two slices other threads can run, Ctrl-C is handled and
the clock is read; what the solver has learned stays. The size of a slice depends on the formula alone unless time is
running out, so that the same question has the same answer on every machine. Glucose checks its bounds only where it
restarts, which may be a second later, and CaDiCaL lets no other thread run during a slice: both are attempted in
process, and what takes longer belongs in a child process, where CaDiCaL's slices grow.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import BackendBase
from sudoku_models.engine.budget import Budget, GaveUp, OutOfTime
from sudoku_models.engine.contract import Capabilities, Feature, Isolate, Request, Search
from sudoku_models.engine.pulling import streamed
from sudoku_models.engine.record import Record
from sudoku_models.engine.refutation import Cnf, Lemma
from sudoku_models.errors import Unsupported
from sudoku_models.model import Domain, Model

from .compiled import CLAUSES, CompiledFormula, EncodingOptions

if TYPE_CHECKING:
    from .formula import Formula
    from .search import AssumingFormula, Stated


@dataclass(frozen=True)
class SatSolver:
    """What is known of a solver of PySAT. ``name`` is its name there.

    ``releases``: other threads can run while it solves, if an interrupt is announced to it. ``punctual``: it stops at
    once at a bound of conflicts; otherwise only where it restarts, which may be a second later. ``proves``: it writes a
    proof.
    """

    name: str
    releases: bool
    punctual: bool
    proves: bool

    @property
    def interruptible(self) -> bool:
        """Whether a search in this process can be stopped at any time."""
        return self.releases and self.punctual


SOLVERS = {
    "minisat22": SatSolver("minisat22", releases=True, punctual=True, proves=False),
    "glucose4": SatSolver("glucose4", releases=True, punctual=False, proves=True),
    "cadical153": SatSolver("cadical153", releases=False, punctual=True, proves=True),
}

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
        """Return what the chosen solver can do: what cannot be interrupted is tried with patience, then in a child."""
        solver = SOLVERS[options.solver]
        can = {
            Feature.PROOF: solver.proves,
            Feature.TIME_LIMIT: solver.punctual,
            Feature.PATIENCE: not solver.interruptible,
        }
        more = {Feature.ASSUME, Feature.SEED, Feature.HINT, *(feature for feature, has in can.items() if has)}
        return replace(
            CLAUSES,
            features=CLAUSES.features | more,
            requires=("numpy", "pysat"),
            install="sudoku-models[sat]",
            isolate=Isolate.NEVER if solver.interruptible else Isolate.ALWAYS,
            chosen_with="solver=cadical153",
        )

    def compile(self, model: Model, options: PysatOptions | None = None) -> PysatCompiled:
        return PysatCompiled(model, options or PysatOptions())


BACKEND = PysatBackend()


class PysatCompiled(CompiledFormula):
    """A model ready for a solver of PySAT. Immutable; any number of threads may run it at the same time."""

    label = "pysat"
    options: PysatOptions

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Load the formula, and yield what the solver finds; with patience, within one slice of conflicts for each
        solution.
        """
        from .search import search

        once, solver = request.patience is not None, SOLVERS[self.options.solver]
        if once and self.asks_for_many(request):
            raise GaveUp

        def load(formula: Formula, stated: Stated) -> Oracle:
            if once and formula.clauses > LARGEST_ATTEMPTED:
                raise GaveUp
            oracle = Oracle(solver, formula, budget, once, grows=not solver.releases)
            oracle.prefer(stated.preferred(request, self.model.index))
            return oracle

        return (yield from search(self, request, record, load))

    def assume(self) -> AssumingFormula:
        from .search import AssumingFormula

        solver = SOLVERS[self.options.solver]
        return AssumingFormula(self.model, self.options, lambda formula: Oracle(solver, formula, Budget()))

    def proof(self, domains: Mapping[str, Domain] | None = None) -> list[str]:
        """Return a DRUP proof that the model, narrowed by ``domains``, has no solution: lines to be checked.

        It refers to the clauses of ``native_for(domains)``, which are what the export ``dimacs`` writes. Raise
        Unsupported if the solver writes no proofs, and ValueError if there is a solution.
        """
        solver, formula = SOLVERS[self.options.solver], self.problem(domains or {}).formula
        if not solver.proves:
            able = ", ".join(name for name, solver in SOLVERS.items() if solver.proves)
            raise Unsupported(f"pysat: {self.options.solver} writes no proofs: {able} do")
        oracle = Oracle(solver, formula, Budget(), proof=True)
        try:
            if oracle.solve() is not None:
                raise ValueError("there is a solution, so there is no proof that there is none")
            lines = oracle.proof()
        finally:
            oracle.close()
        return lines if lines and lines[-1].split() == ["0"] else [*lines, "0"]


# ---------------------------------------------------------------- a solver that is kept

WORK = 200_000_000
"""Literals of a formula times conflicts of a slice: about a tenth of a second."""

LEAST, MOST = 100, 5_000
"""The fewest and the most conflicts of a slice."""


class Oracle:
    """A solver with a formula, which the caller must close. It may be used by one thread at a time.

    ``clock`` and ``once`` may be changed later.
    """

    def __init__(
        self,
        solver: SatSolver,
        formula: Formula,
        clock: Budget,
        once: bool = False,
        proof: bool = False,
        grows: bool = False,
    ) -> None:
        """Load a formula; ``once`` allows no more than one slice for each question, ``proof`` records what is learned.

        ``grows``: each slice is twice as long as the one before, for a search in a process of its own.
        """
        from pysat.solvers import Solver

        self.clock, self._solver, self.once, self._grows = clock, solver, once, grows
        self._literals = formula.sizes["literals"]
        self._engine: Any = Solver(solver.name, bootstrap_with=formula, with_proof=proof)

    def add(self, clause: Sequence[int]) -> None:
        self._literals += len(clause)
        self._engine.add_clause(clause)

    def prefer(self, literals: Sequence[int]) -> None:
        """Let the search try these literals first."""
        if literals:
            self._engine.set_phases(literals)

    def solve(self, assumptions: Sequence[int] = ()) -> list[int] | None:
        """Return a model in which the assumptions are true; None if there is none.

        Raise OutOfTime if the clock has expired, GaveUp if ``once`` is set and one slice was not enough.
        """
        conflicts = max(LEAST, min(MOST, WORK // max(1, self._literals)))
        while not self.clock.expired:
            begun = time.monotonic()
            self._engine.conf_budget(conflicts)
            answer = self._sliced(list(assumptions))
            if answer is not None:
                model: list[int] | None = self._engine.get_model() if answer else None
                return model
            if self.once:
                raise GaveUp
            if self._grows:
                conflicts = self._longer(conflicts, time.monotonic() - begun)
        raise OutOfTime

    def _longer(self, conflicts: int, seconds: float) -> int:
        """Return the conflicts of the next slice: twice as many, if these fit into the time that is left.

        CaDiCaL begins each slice in the mode in which it refutes; it finds most solutions in the other one, which only
        a long slice reaches.
        """
        left = self.clock.left
        fitting = 2 * conflicts if left is None else int(conflicts * left / max(seconds, 1e-3))
        return max(LEAST, min(2 * conflicts, fitting))

    def _sliced(self, assumptions: list[int]) -> bool | None:
        if self._solver.releases:
            answer: bool | None = self._engine.solve_limited(assumptions, expect_interrupt=True)
            return answer
        return _off_the_main_thread(lambda: self._engine.solve_limited(assumptions))

    def failed(self) -> list[int]:
        """Return some of the assumptions that contradict the clauses, after a solve that found nothing."""
        found: list[int] = self._engine.get_core() or []
        return found

    def proof(self) -> list[str]:
        """Return the lines of a DRUP proof, after a solve that found nothing; requires the argument ``proof``."""
        lines: list[str] = self._engine.get_proof()
        return lines

    def counters(self) -> dict[str, int]:
        """Return the numbers of conflicts, decisions, propagations and restarts so far."""
        return dict(self._engine.accum_stats() or {})

    def close(self) -> None:
        """Free the solver's memory once.

        PySAT frees the memory first and only then forgets it. A signal handled in between would leave the destructor to
        free it again, which crashes. Here the solver forgets first, and a copy without a destructor frees the memory.
        """
        inner = self._engine.solver
        copy = SimpleNamespace(**vars(inner))
        vars(inner).update(dict.fromkeys(vars(inner)))
        type(inner).delete(copy)


def _off_the_main_thread(call: Callable[[], bool | None]) -> bool | None:
    """Call something that, on the main thread, would answer Ctrl-C by a jump out of the middle of its work."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    try:
        next(streamed("pysat", lambda _: call(), bool, Budget()))
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    raise AssertionError("a call yields nothing")


# ---------------------------------------------------------------- refuters: solvers that write a proof as they go


@dataclass(frozen=True)
class PysatRefuter:
    """A solver of PySAT as a refuter; ``solver`` is its name there."""

    solver: str
    requires: tuple[str, ...] = ("pysat",)
    programs: tuple[str, ...] = ()
    install: str = "pip install 'sudoku-models[sat]'"

    def refute(self, cnf: Cnf, clock: Budget) -> Sequence[Lemma] | None:
        """Return lemmas without hints, the empty clause last; None if the formula is satisfiable."""
        formula = _formula(cnf)
        if not all(map(len, formula)):
            return [Lemma(cnf.clauses + 1, ())]
        oracle = Oracle(SOLVERS[self.solver], formula, clock, proof=True)
        try:
            return list(_lemmas(oracle.proof(), cnf.clauses)) if oracle.solve() is None else None
        finally:
            oracle.close()


def _formula(cnf: Cnf) -> Formula:
    """Return a formula in the arrays that the solvers read."""
    import numpy as np

    from .formula import NONE, Formula

    numbers = np.array(cnf.numbers, np.int32)
    lengths = np.diff(np.flatnonzero(numbers == 0), prepend=-1) - 1
    return Formula(cnf.variables, NONE, NONE, numbers[numbers != 0], lengths.astype(np.int32))


def _lemmas(lines: Sequence[str], known: int) -> Iterator[Lemma]:
    """Read the lines of a proof; deletions are left out, which does not affect the lemmas."""
    added = (tuple(map(int, line.split()[:-1])) for line in lines if not line.startswith("d"))
    for number, clause in enumerate((key for key, _ in groupby(added)), known + 1):
        yield Lemma(number, clause)
        if not clause:
            return
    yield Lemma(known + len(lines) + 1, ())


GLUCOSE = PysatRefuter("glucose4")
CADICAL = PysatRefuter("cadical153")
