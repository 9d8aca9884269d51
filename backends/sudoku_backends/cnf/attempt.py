"""A bounded search in process, with an answer that is certain or none."""

from __future__ import annotations

import time
from itertools import chain
from typing import Any

import pycosat

from sudoku_models.engine.contract import Reason, Request, Solution
from sudoku_models.engine.record import Record

from .encode import Problem
from .kept import Kept, Prepare, blocking, describe

LOADING = 4e-7
"""Seconds that one clause may take to be loaded."""

SLOWEST = 1.5e-6
"""Seconds that one propagation may take on average: pigeonholes need about one microsecond, Sudoku 0.04."""

FASTEST = 2e-9
"""Seconds that one propagation takes at the very least on any processor: a chain of dependent reads of memory."""

PER_CLAUSE, MOST = 100, 10_000_000
"""Propagations allowed for each clause of a large formula, and the most that this may raise the bound to."""

_CLOCK = time.thread_time if time.get_clock_info("thread_time").resolution < 1e-6 else time.perf_counter

Settled = tuple[list[Solution], Reason]


class Attempt:
    """One request, tried within a number of propagations, which is lowered where the request's time is short."""

    def __init__(self, prepare: Prepare, kept: Kept, request: Request, record: Record, prop_limit: int) -> None:
        self.prepare, self.kept, self.request, self.record = prepare, kept, request, record
        self.watch = record.stopwatch()
        self.prop_limit = prop_limit

    def settle(self) -> Settled | None:
        """Return the solutions and how the search ended; None when it was not settled."""
        problem, propagated = self.prepare(self.request.domains)
        describe(self.record, problem, propagated)
        self.watch.lap("encode")
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

    def _decided(self, problem: Problem) -> Settled:
        return [self._decoded(problem, [])], Reason.LIMIT if self.request.limit == 1 else Reason.EXHAUSTED

    def _fits(self, problem: Problem) -> bool:
        """Set the bound, to half of the time limit. Loading cannot be interrupted: it must fit well in, and in 2 s."""
        clauses, limit = problem.formula.clauses, self.request.time_limit
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

        PicoSAT's iterator ends in the same way without a further solution and at its bound. When it ended sooner than
        so many propagations can be made, the bound was not reached; otherwise that is asked apart.
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
        """Load the formula for each solution, with those before it forbidden."""
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
