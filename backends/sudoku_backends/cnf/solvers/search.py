"""Enumeration with pycosat: flat in memory, linear in time."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from itertools import chain, islice

import numpy as np
import pycosat

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Solution
from sudoku_models.engine.record import Record
from sudoku_models.model import Domain

from ..encoding.encode import Problem
from ..encoding.formula import Formula
from .kept import Kept, Prepare, blocking, describe

CHUNK = 50
"""Solutions found in one pass before the space is split: pycosat slows down with every solution that it must avoid."""


class NotSettled(Exception):
    """The bound on propagations was reached."""


class Reloaded:
    """PicoSAT as a solver that is asked repeatedly: its binding keeps nothing, so each question loads the whole
    formula.
    """

    def __init__(self, formula: Formula, prop_limit: int = 0) -> None:
        self._formula, self._prop_limit = formula, prop_limit
        self._added: list[list[int]] = []

    def __call__(self, clauses: list[list[int]], variables: int) -> list[int] | None:
        """Add clauses and return a model; None if there is none. Raise NotSettled at the bound (0 for no bound)."""
        self._added += clauses
        answer = pycosat.solve(chain(self._formula, self._added), vars=variables, prop_limit=self._prop_limit)
        if answer == "UNKNOWN":
            raise NotSettled
        return answer if isinstance(answer, list) else None


class Timed(Reloaded):
    """The same with a clock: PicoSAT is started again with a higher bound while there is time for it."""

    def __init__(self, formula: Formula, prop_limit: int, clock: Budget) -> None:
        """Let every question end before the clock, which has a limit, expires."""
        super().__init__(formula, prop_limit)
        self._clock = clock

    def __call__(self, clauses: list[list[int]], variables: int) -> list[int] | None:
        """Add clauses and return a model; None if there is none. Raise NotSettled if time is up."""
        while True:
            started = time.perf_counter()
            try:
                return super().__call__(clauses, variables)
            except NotSettled:
                clauses = []
                # the next search may take this many times as long
                growth = (self._clock.left or 0.0) / (time.perf_counter() - started)
                if growth < 2:
                    raise
                self._prop_limit = int(self._prop_limit * min(growth, 10) * 0.9)


class Enumeration:
    """The solutions of a problem, one for each choice of the kept variables.

    After ``CHUNK`` solutions the space is split by the values of an open kept variable, and each part is searched with
    its known solutions forbidden. So no more than ``CHUNK`` solutions for each level are remembered.
    """

    def __init__(self, prepare: Prepare, kept: Kept, record: Record) -> None:
        self._prepare, self._kept, self._record = prepare, kept, record
        self._watch = record.stopwatch()

    def solutions(self, domains: Mapping[str, Domain]) -> Iterator[Solution]:
        """Yield every solution within ``domains``."""
        yield from self._search(dict(domains), [])

    def _search(self, domains: dict[str, Domain], known: list[Solution]) -> Iterator[Solution]:
        watch = self._watch
        watch.restart()
        problem, propagated = self._prepare(domains)
        watch.lap("encode")
        if not self._record.sizes:
            describe(self._record, problem, propagated)
        found = known[:]
        with closing(self._chunk(problem, known)) as models:
            for model in islice(models, CHUNK):
                watch.lap("run")
                solution = tuple(problem.values(model))
                watch.lap("decode")
                found.append(solution)
                yield solution
                watch.restart()
            watch.lap("run")
        if len(found) - len(known) == CHUNK:
            yield from self._split(problem, domains, found)

    def _chunk(self, problem: Problem, known: list[Solution]) -> Generator[list[int], None, None]:
        """Yield models of the formula that differ from each other and from known ones on the kept variables."""
        if problem.impossible or (problem.decided and known):
            return
        if problem.decided:
            yield []
            return
        blocked = [blocking(problem, self._kept, solution) for solution in known]
        if self._kept.everything:
            yield from pycosat.itersolve(chain(problem.formula, blocked), vars=problem.formula.variables)
            return
        while isinstance(model := pycosat.solve(chain(problem.formula, blocked), vars=problem.formula.variables), list):
            yield model
            blocked.append(blocking(problem, self._kept, problem.values(model)))

    def _split(self, problem: Problem, domains: dict[str, Domain], found: list[Solution]) -> Iterator[Solution]:
        cell, name, values = self._branch(problem, domains)
        for value in values:
            known = [solution for solution in found if solution[cell] == value]
            yield from self._search({**domains, name: (value,)}, known)

    def _branch(self, problem: Problem, domains: Mapping[str, Domain]) -> tuple[int, str, list[int]]:
        """Choose the kept variable with the fewest values left; return its position, its name and those values.

        The problem's candidates alone do not show this: without reduction they include every stated value.
        """
        space, reduced = problem.structure.space, problem.reduced
        counts = np.bincount(reduced.cell, minlength=len(space.names))
        for name, narrow in domains.items():
            counts[space.index[name]] = min(counts[space.index[name]], len(narrow))
        cell = min(self._kept.positions, key=lambda position: counts[position] if counts[position] > 1 else np.inf)
        name = space.names[cell]
        values: list[int] = space.table[reduced.column[reduced.cell == cell]].tolist()
        return cell, name, [value for value in values if value in domains.get(name, values)]
