"""A solver of PySAT that is kept: loaded once, then asked repeatedly.

A search runs in slices of a fixed number of conflicts. Between two slices other threads can run, Ctrl-C is handled and
the clock is read; what the solver has learned stays. The size of a slice depends on the formula alone, so that the same
question has the same answer on every machine.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from itertools import groupby
from operator import itemgetter
from random import Random
from types import SimpleNamespace
from typing import Any

from pysat.solvers import Solver as Engine

from sudoku_models.engine.budget import Budget, OutOfTime

from ..encoding.encode import Problem
from ..encoding.formula import Formula
from .of_pysat import SatSolver

WORK = 200_000_000
"""Literals of a formula times conflicts of a slice: about a tenth of a second."""

LEAST, MOST = 100, 5_000
"""The fewest and the most conflicts of a slice."""


class OutOfBudget(Exception):
    """One slice was not enough, and no more was allowed."""


class Oracle:
    """A solver with a formula, which the caller must close. It may be used by one thread at a time."""

    def __init__(
        self, solver: SatSolver, formula: Formula, clock: Budget, once: bool = False, proof: bool = False
    ) -> None:
        """Load a formula; ``once`` allows no more than one slice for each question, ``proof`` records what is learned.

        ``clock`` and ``once`` may be changed later.
        """
        self.clock, self._solver, self.once = clock, solver, once
        self._literals = formula.literals
        self._engine: Any = Engine(solver.name, bootstrap_with=formula, with_proof=proof)

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause that is not empty."""
        self._literals += len(clause)
        self._engine.add_clause(clause)

    def ask(self, clauses: Sequence[Sequence[int]], variables: int) -> list[int] | None:
        """Add clauses, none of them empty, and return a model; None if there is none."""
        for clause in clauses:
            self.add(clause)
        return self.model() if self.solve() else None

    def prefer(self, literals: Sequence[int]) -> None:
        """Let the search try these literals first."""
        self._engine.set_phases(literals)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Return whether the clauses and the assumptions can be true together.

        Raise OutOfTime if the clock has expired, OutOfBudget if ``once`` is set and one slice was not enough.
        """
        conflicts = max(LEAST, min(MOST, WORK // max(1, self._literals)))
        while not self.clock.expired:
            self._engine.conf_budget(conflicts)
            answer = self._sliced(list(assumptions))
            if answer is not None:
                return answer
            if self.once:
                raise OutOfBudget
        raise OutOfTime

    def _sliced(self, assumptions: list[int]) -> bool | None:
        if self._solver.releases:
            answer: bool | None = self._engine.solve_limited(assumptions, expect_interrupt=True)
            return answer
        return _off_the_main_thread(lambda: self._engine.solve_limited(assumptions))

    def model(self) -> list[int]:
        """Return the true literals, in the order of the variables, after a solve that returned True."""
        found: list[int] = self._engine.get_model()
        return found

    def core(self) -> list[int]:
        """Return some of the assumptions that contradict the clauses, after a solve that returned False."""
        found: list[int] = self._engine.get_core() or []
        return found

    def proof(self) -> list[str]:
        """Return the lines of a DRUP proof, after a solve that returned False; requires the argument ``proof``."""
        lines: list[str] = self._engine.get_proof()
        return lines

    def counters(self) -> dict[str, int]:
        """Return the numbers of conflicts, decisions, propagations and restarts so far."""
        return dict(self._engine.accum_stats() or {})

    def close(self) -> None:
        """Free the solver's memory."""
        _free(self._engine)


def _free(engine: Any) -> None:
    """Free a solver's memory once.

    PySAT frees the memory first and only then forgets it. A signal handled in between would leave the destructor to
    free it again, which crashes. Here the solver forgets first, and a copy without a destructor frees the memory.
    """
    inner = engine.solver
    copy = SimpleNamespace(**vars(inner))
    vars(inner).update(dict.fromkeys(vars(inner)))
    type(inner).delete(copy)


def _off_the_main_thread(call: Callable[[], bool | None]) -> bool | None:
    """Call something that, on the main thread, would answer Ctrl-C by a jump out of the middle of its work."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    future: Future[bool | None] = Future()
    thread = threading.Thread(target=_fulfil, args=(future, call), name="pysat")
    thread.start()
    try:
        return future.result()
    finally:
        _joined(thread)


def _fulfil(future: Future[bool | None], call: Callable[[], bool | None]) -> None:
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)


def _joined(thread: threading.Thread) -> None:
    """Wait for a thread to end, even if exceptions occur meanwhile: what it works on must not be closed before."""
    while thread.is_alive():
        try:
            thread.join()
        except KeyboardInterrupt:
            continue


def preferred(problem: Problem, seed: int) -> list[int]:
    """Return one candidate of each open cell, chosen at random, and the negations of the others."""
    groups = groupby(enumerate(problem.reduced.cell.tolist(), 1), key=itemgetter(1))
    return one_of_each(([literal for literal, _ in group] for _, group in groups), seed)


def one_of_each(groups: Iterable[Sequence[int]], seed: int) -> list[int]:
    """Return a literal of each group, chosen at random, and the negations of the others."""
    rng, found = Random(seed), []
    for literals in groups:
        chosen = rng.choice(literals)
        found += [literal if literal == chosen else -literal for literal in literals]
    return found


def proof_of(solver: SatSolver, formula: Formula) -> list[str]:
    """Return the lines of a DRUP proof that a formula is unsatisfiable; raise ValueError if it is satisfiable."""
    engine: Any = Engine(solver.name, bootstrap_with=formula, with_proof=True)
    try:
        if _off_the_main_thread(engine.solve):
            raise ValueError("there is a solution, so there is no proof that there is none")
        lines: list[str] = engine.get_proof()
        return lines if lines and lines[-1].split() == ["0"] else [*lines, "0"]
    finally:
        _free(engine)
