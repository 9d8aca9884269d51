"""A bounded search in process, which gives a certain answer or none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pycosat

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Ending, Reason, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.model import Objective

from ..encoding.encode import Problem
from .improving import improving
from .kept import Kept, Prepare, blocking, describe
from .search import NotSettled, Reloaded, Timed

LOADING = 4e-7
"""Seconds allowed for loading one clause."""

SLOWEST = 1.5e-6
"""Seconds that one propagation may take on average: pigeonholes need about one microsecond, Sudoku 0.04."""

FASTEST = 2e-9
"""The shortest time in seconds of one propagation on any processor: a chain of dependent memory reads."""

PER_CLAUSE, MOST = 100, 10_000_000
"""Propagations allowed for each clause of a large formula, and the highest bound that results from this."""

LONGEST = 1.0
"""Seconds after which improvements are left to a child process."""

SHORT = 2.0
"""Up to this time limit, in seconds, improvements are searched for only in process."""

SAFE = 0.8
"""The share of such a limit that may be planned for."""

_CLOCK = time.thread_time if time.get_clock_info("thread_time").resolution < 1e-6 else time.perf_counter

Settled = tuple[list[Solution], Reason]


class Attempt:
    """One request, tried with a limited number of propagations, which is lowered if the request's time is short."""

    def __init__(
        self, prepare: Prepare, kept: Kept, request: Request, record: Record, prop_limit: int, budget: Budget
    ) -> None:
        self.prepare, self.kept, self.request, self.record = prepare, kept, request, record
        self.watch = record.stopwatch()
        self.prop_limit, self.budget = prop_limit, budget

    def settle(self) -> Settled | None:
        """Return the solutions and how the search ended; None if it did not settle the request."""
        problem = self._problem()
        if self.request.limit == 0:
            return [], Reason.LIMIT
        if problem.impossible:
            return [], Reason.EXHAUSTED
        if problem.decided:
            return self._decided(problem)
        if not self._fits(problem):
            return None
        once = self.kept.everything and self.request.limit != 1
        found = self._loaded_once(problem) if once else self._one_by_one(problem, [])
        self.watch.lap("run")
        return found

    def _problem(self) -> Problem:
        """Encode the request."""
        problem, propagated = self.prepare(self.request.domains)
        describe(self.record, problem, propagated)
        self.watch.lap("encode")
        return problem

    def improving(self, objective: Objective) -> Search:
        """Load the formula for each improvement, with its bound.

        If the time is short, all of it is used here, since a child process would hardly have begun; otherwise the
        search gives up when the improvements take longer than an attempt may.
        """
        limit = self.budget.left
        if limit is not None and limit <= SHORT:
            clock, late = self.budget.part(limit * SAFE), Reason.TIME
        else:
            clock, late = self.budget.part(LONGEST if limit is None else min(LONGEST, limit / 4)), Reason.GAVE_UP
        search = self._improvements(objective, clock, late)
        while True:
            with clock:
                try:
                    found = next(search)
                except StopIteration as stop:
                    return Ending(stop.value.reason, stop.value.bound)
            yield found

    def _improvements(self, objective: Objective, clock: Budget, late: Reason) -> Search:
        """Yield what is found until the clock expires; ``late`` is the reason reported then."""
        problem = self._problem()
        if not (problem.impossible or problem.decided or self._fits(problem)):
            return Ending(Reason.GAVE_UP)
        short = late is Reason.TIME
        ask = Timed(problem.formula, self.prop_limit, clock) if short else Reloaded(problem.formula, self.prop_limit)
        solutions = improving(problem, objective, ask, self.record)
        try:
            return (yield from pulled(_until(clock, solutions), self.request, self.watch))
        except NotSettled:
            return Ending(late)

    def _decided(self, problem: Problem) -> Settled:
        return [self._decoded(problem, [])], Reason.LIMIT if self.request.limit == 1 else Reason.EXHAUSTED

    def _fits(self, problem: Problem) -> bool:
        """Set the bound to fit in half of the time limit; return whether loading, which cannot be interrupted, fits in
        that half and in 2 s.
        """
        clauses, limit = problem.formula.clauses, self.budget.left
        self.prop_limit = max(self.prop_limit, min(PER_CLAUSE * clauses, MOST))
        if limit is not None:
            self.prop_limit = max(1, min(self.prop_limit, int(limit / 2 / SLOWEST)))
        return clauses * LOADING <= (2.0 if limit is None else min(2.0, limit / 2))

    def _decoded(self, problem: Problem, model: list[int]) -> Solution:
        self.watch.lap("run")
        solution = tuple(problem.values(model))
        self.watch.lap("decode")
        return solution

    def _loaded_once(self, problem: Problem) -> Settled | None:
        """Load the formula once and pull solutions.

        PicoSAT's iterator ends in the same way when there is no further solution and at its bound. If it ended in less
        time than that number of propagations takes, the bound was not reached; otherwise that is asked separately.
        """
        found: list[Solution] = []
        models = pycosat.itersolve(problem.formula, vars=problem.formula.variables, prop_limit=self.prop_limit)
        started = _CLOCK()
        for model in models:
            found.append(self._decoded(problem, model))
            if len(found) == self.request.limit:
                return found, Reason.LIMIT
        if _CLOCK() - started < self.prop_limit * FASTEST:
            return found, Reason.EXHAUSTED
        return self._one_by_one(problem, found)

    def _one_by_one(self, problem: Problem, found: list[Solution]) -> Settled | None:
        """Load the formula for each solution, with the previous ones forbidden."""
        blocked: list[list[int]] = []
        while len(found) != self.request.limit:
            blocked += (blocking(problem, self.kept, solution) for solution in found[len(blocked) :])
            clauses = chain(problem.formula, blocked)
            answer: Any = pycosat.solve(clauses, vars=problem.formula.variables, prop_limit=self.prop_limit)
            if answer == "UNKNOWN":
                return None
            if answer == "UNSAT":
                return found, Reason.EXHAUSTED
            found.append(self._decoded(problem, answer))
        return found, Reason.LIMIT


def _until(clock: Budget, solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Yield solutions; raise NotSettled if a further one is wanted after the clock has expired."""
    for solution in solutions:
        yield solution
        if clock.expired:
            raise NotSettled
