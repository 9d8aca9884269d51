"""The verbs: solve, solutions, count, is_unique, candidates, validate, solve_many, cross_check.

Each takes a puzzle (a Puzzle, a Grid, text in any known format, rows of values, a numpy array) or a bare Model, and
a backend's specification; ``auto`` chooses one by what the model uses. Limits are for the whole job.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine import auto
from ..engine.contract import Feature, Outcome, Reason, Request, Run, Solution, Step
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection, select
from ..engine.road import is_prepared, run
from ..errors import LimitReached, SudokuModelsError, WrongAnswer
from ..model import Domain, Model
from ..puzzle import Grid, Puzzle, Shape, clashes
from .results import Candidates, Count, Result, Solutions, Status, Validation, grid_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..bulk.batches import Batcher
    from .agreement import CrossCheck

Problem = Puzzle | Grid | Model | str | Sequence[Sequence[Any]]
"""What the verbs take: a puzzle, a grid, a model, a text, rows of values, or a numpy array."""

Many = Iterable[Problem] | bytes | Path | Any
"""What ``solve_many`` takes: problems in any container, a file, or a table."""


@dataclass(frozen=True)
class Limits:
    """Limits and choices that all verbs share, by keyword: see ``Request`` for their meaning and units."""

    time_limit: float | None = None
    memory_limit: int | None = None
    seed: int = 0
    workers: int = 1
    trace: Callable[[Step], object] | None = None
    confirm: bool = True

    @classmethod
    def of(cls, keywords: Mapping[str, Any]) -> Limits:
        """Take the keywords of a verb; TypeError, with those that are known, for any other one."""
        for name in keywords:
            known = [field.name for field in fields(cls)]
            if name not in known:
                raise TypeError(
                    f"there is no keyword {name!r} here: {', '.join(known)} are known beside the verb's own"
                )
        return cls(**keywords)

    @property
    def needs(self) -> frozenset[Feature]:
        """The features that a backend must have declared for these."""
        traced = self.trace is not None
        asked = {Feature.SEED: self.seed != 0, Feature.WORKERS: self.workers != 1, Feature.TRACE: traced}
        return frozenset(feature for feature, needed in asked.items() if needed)


def solve(problem: Problem, backend: BackendLike = "auto", *, unique: bool = False, **limits: Any) -> Result:
    """Find a solution; with ``unique`` also tell whether it is the only one.

    Of a model with an objective it is the best one, or the best that a limit left time for: ``objective`` and
    ``bound`` tell which. There ``unique`` raises ValueError.

    Keywords: ``time_limit`` (seconds), ``memory_limit`` (bytes), ``seed``, ``workers``, and ``trace``, which is called
    with every decision of a search (see ``Request``; backtracking tells them). Where an engine is known to lose
    solutions of models like this one, another one confirms "unsatisfiable", "unique" and "best", and
    ``record.confirmed`` says which; with ``confirm=False`` the engine's word is taken.

    Raises FormatError for text that cannot be read, BadOption, BackendMissing and Unsupported for the backend,
    WrongAnswer for an answer that the model contradicts. A limit that is reached gives the status unknown (or
    ``unique`` None).
    """
    task = _Task.of(problem, backend, Limits.of(limits))
    return task.solved(unique)


def solutions(problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Any) -> Solutions:
    """Yield solutions lazily: grids of a puzzle, mappings from name to value of a bare model.

    Of a model with an objective each is better than the one before, and the last one is the best.

    Close what is returned (or use ``with``) to stop early; its ``outcome`` tells whether there are no more.
    """
    task = _Task.of(problem, backend, Limits.of(limits))
    return Solutions(task.run(limit=limit), task.wrapped)


def count(problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Any) -> Count:
    """Count solutions, up to ``limit``. ``exact`` tells whether these are all; a limit in time leaves it False."""
    return _Task.of(problem, backend, Limits.of(limits)).of_all("count").counted(limit)


def is_unique(problem: Problem, backend: BackendLike = "auto", **limits: Any) -> bool:
    """Tell whether there is exactly one solution; LimitReached (with the Result) when a limit came first."""
    result = solve(problem, backend, unique=True, **limits)
    if result.unique is None:
        raise LimitReached(f"uniqueness is not settled: {result.reason}", result)
    return result.unique


def candidates(problem: Problem, backend: BackendLike = "auto", **limits: Any) -> dict[str, Domain]:
    """Return, for each cell, the values that it has in some solution (none at all when there is no solution).

    Cells are those of the board, and the extra cells of its rules; of a bare model the variables. Every solution found
    settles one value a cell; unless it is the only one, each cell is asked for values not met yet. Raises LimitReached,
    with what is known so far, when a limit comes first.
    """
    found = _Task.of(problem, backend, Limits.of(limits)).of_all("candidates").marked()
    if not found.complete:
        raise LimitReached(f"the candidates are not settled: {found.reason}", found.values)
    return found.values


def validate(problem: Problem) -> Validation:
    """Tell whether a partly filled board is legal: which cells clash, in which house."""
    puzzle = as_puzzle(problem)
    return Validation(clashes(puzzle.shape, puzzle.givens))


def solve_many(
    problems: Many,
    backend: BackendLike = "auto",
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    unique: bool = False,
    on_error: str = "raise",
    column: str | None = None,
    **limits: Any,
) -> Iterator[Result | Exception]:
    """Solve puzzle after puzzle, lazily and in order.

    ``jobs`` puzzles are solved at once, each in a child process; or hand in any ``executor``. What a puzzle raises is
    raised in its turn with the number of its row, or yielded in its place with ``on_error="return"``; what the source
    raises comes behind the results of those before. Other keywords as for ``solve``. Classic boards go in batches to a
    backend that takes them; ``auto`` finds one when there are more than a thousand puzzles. ``problems`` may also be an
    array of shape (n, 81), bytes of lines, a ``Path`` or a stream of a file (any format, Parquet and Arrow too, plain,
    gzip or zstd), or a table or a column of pandas, polars or Arrow; ``column`` names a table's column. For arrays in
    return see ``batches``, for tables ``pipelines``.
    """
    from ..bulk.many import Source, mapped, numbered
    from ..formats.problems import problems_of

    if on_error not in ("raise", "return"):
        raise ValueError(f"on_error is {on_error!r}: 'raise' or 'return' is expected")
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}: at least 1 is expected")
    if jobs > 1 and executor is not None:
        raise ValueError("jobs and executor: the executor says how many run at once")
    waiting = problems_of(problems, column)
    source = Source.of(waiting)
    shared = Limits.of(limits)
    if backend != "auto":
        select(backend)  # a backend that is none is an error of the call, not of each row
    work = _Work(backend, unique, shared, on_error, isolate=jobs > 1)
    if jobs == 1 and executor is None and shared == Limits(workers=shared.workers):
        batcher = _batcher(work, waiting)
        if batcher is not None:
            return numbered(batcher.results(source), source)
    return numbered(mapped(work, source, jobs, executor), source)


def _batcher(work: _Work, problems: Iterable[Problem]) -> Batcher | None:
    """Return what solves in batches: for a backend that takes them, or for ``auto`` once there are many problems."""
    from ..bulk.batches import MANY, Batcher

    model = Shape.square(9).model
    if work.backend == "auto":
        selection = auto.batch_backend(model)
        known = len(problems) if isinstance(problems, Sized) else 0
        ready = selection is not None and (known > MANY or is_prepared(model, selection))
        alone = 0 if ready else MANY
    else:
        selection, alone = select(work.backend), 0
    if selection is None or Feature.BATCH not in selection.capabilities.features:
        return None
    return Batcher(selection, work.unique, work.limits.workers, as_puzzle, work, alone, work.backend == "auto")


def cross_check(
    problem: Problem, backends: Iterable[BackendLike] | None = None, *, unique: bool = True, **limits: Any
) -> CrossCheck:
    """Ask several backends (by default all that are installed) and tell whether they agree; see ``agreement``."""
    from .agreement import cross_check as checked

    return checked(problem, backends, unique=unique, **limits)


def solved_apart(problem: Problem, backend: BackendLike, unique: bool, limits: Limits) -> Result:
    """Solve as ``solve`` does, in a child process in any case."""
    return replace(_Task.of(problem, backend, limits), isolate=True).solved(unique)


def counted_apart(problem: Problem, backend: BackendLike, limit: int | None, limits: Limits) -> Count:
    """Count as ``count`` does, in a child process in any case."""
    return replace(_Task.of(problem, backend, limits), isolate=True).counted(limit)


def candidates_of(problem: Problem, backend: BackendLike, limits: Limits, isolate: bool = False) -> Candidates:
    """Tell candidates as far as the limits let them be known; with ``isolate`` in a child process in any case."""
    return replace(_Task.of(problem, backend, limits).of_all("candidates"), isolate=isolate).marked()


def as_puzzle(problem: Problem) -> Puzzle:
    """Return a puzzle given in any of the forms that the verbs take; TypeError for anything else."""
    if isinstance(problem, Puzzle):
        return problem
    if isinstance(problem, SudokuModelsError):
        raise problem  # a row of a table, or a line of a file, that could not be read
    if isinstance(problem, str):
        return Puzzle.parse(problem)
    if isinstance(problem, Grid):
        return Puzzle.of(problem)
    if hasattr(problem, "dtype"):
        array: Any = problem
        return Puzzle.of(Grid.from_numpy(array))
    if isinstance(problem, Sequence):
        return Puzzle.of(Grid.from_rows(problem))
    raise TypeError(f"{type(problem).__name__} is no puzzle: a Puzzle, a Grid, a text, rows or an array is expected")


@dataclass(frozen=True)
class _Work:
    """What ``solve_many`` does with each problem; can be sent to another process."""

    backend: BackendLike
    unique: bool
    limits: Limits
    on_error: str
    isolate: bool

    def __call__(self, problem: Problem) -> Result | Exception:
        try:
            return replace(_Task.of(problem, self.backend, self.limits), isolate=self.isolate).solved(self.unique)
        except Exception as error:
            if self.on_error == "raise":
                raise
            return error


@dataclass
class _Task:
    """A problem in terms of the road: a structure, domains, a backend."""

    model: Model
    domains: Mapping[str, Domain]
    puzzle: Puzzle | None
    selection: Selection
    limits: Limits
    record: Record
    isolate: bool = False

    @classmethod
    def of(cls, problem: Problem, backend: BackendLike, limits: Limits) -> _Task:
        """Read a problem in any of its forms, and choose a backend for it."""
        record = Record()
        watch = record.stopwatch()
        puzzle: Puzzle | None
        domains: Mapping[str, Domain]
        if isinstance(problem, Model):
            puzzle, model, domains = None, problem, {}
        else:
            puzzle = as_puzzle(problem)
            model, domains = puzzle.structure, puzzle.domains
        watch.lap("parse")
        if backend == "auto":
            selection, record.choice = auto.choose(model, limits.needs)
        else:
            selection = select(backend)
        return cls(model, domains, puzzle, selection, limits, record)

    def request(self, limit: int | None) -> Request:
        shared = self.limits
        return Request(self.domains, limit, None, **vars(shared))

    def run(self, limit: int | None) -> Run:
        return run(self.model, self.selection, self.request(limit), self.record, isolate=self.isolate)

    def wrapped(self, solution: Solution) -> Any:
        if self.puzzle is not None:
            return grid_of(self.puzzle, self.judged(solution))
        return dict(zip(self.model.names, solution, strict=True))

    def judged(self, solution: Solution) -> Solution:
        """Return a solution that every rule of the puzzle, by its own sentence, holds to be one; else WrongAnswer."""
        if self.puzzle is not None and self.puzzle.rules:
            broken = self.puzzle.violated(dict(zip(self.model.names, solution, strict=True)))
            if broken:
                raise WrongAnswer(f"a solution of the model breaks the rule {broken[0]}", str(self.selection))
        return solution

    def of_all(self, verb: str) -> _Task:
        """Return the task of a verb that is about all solutions; ValueError when an objective prefers some of them."""
        if self.model.objective:
            raise ValueError(f"{verb} is about all solutions: ask it of model.without_objective()")
        return self

    def solved(self, unique: bool) -> Result:
        """Return a solution, and whether it is the only one where that is asked."""
        if self.model.objective:
            return self.best(unique)
        with self.run(limit=2 if unique else 1) as found:
            first = next(found, None)
            another = first is not None and unique and next(found, None) is not None
            outcome = found.outcome
        return self.result(first, another, outcome, unique)

    def best(self, unique: bool) -> Result:
        """Return the best solution, or the best of those that came before a limit."""
        if unique:
            self.of_all("unique")
        last = None
        with self.run(limit=None) as found:
            while (better := next(found, None)) is not None:
                last = better
            outcome = found.outcome
        assert self.model.objective
        result = self.result(last, False, outcome, False)
        values = result.values
        value = None if values is None else self.model.objective.value(values)
        reason = "" if outcome.complete else str(outcome.reason)
        return replace(result, objective=value, bound=outcome.bound, reason=reason)

    def counted(self, limit: int | None) -> Count:
        """Return how many solutions there are, up to a limit."""
        if limit is not None and limit < 1:
            raise ValueError(f"limit is {limit}: at least 1 is expected")
        with self.run(limit=None if limit is None else limit + 1) as found:
            value = sum(1 for _ in map(self.judged, found))
            outcome = found.outcome
        if limit is not None and value > limit:
            return Count(limit, False, found.record)
        return Count(value, outcome.complete, found.record)

    def result(self, first: Solution | None, another: bool, outcome: Outcome, asked: bool) -> Result:
        """Say what a search for one solution (two with ``asked``) came to."""
        only = False if another else True if outcome.complete else None
        settled = outcome.complete or another or (first is not None and not asked)
        reason = "" if settled else str(outcome.reason)
        if first is None:
            status = Status.UNSATISFIABLE if outcome.complete else Status.UNKNOWN
            clash = clashes(self.puzzle.shape, self.puzzle.givens) if self.puzzle and outcome.complete else ()
            unique = False if asked and outcome.complete else None
            return Result(None, status, unique, self.record, reason, clash)
        grid = grid_of(self.puzzle, self.judged(first)) if self.puzzle else None
        only = only if asked else None
        return Result(grid, Status.SOLVED, only, self.record, reason, (), self.model.names, first)

    def marked(self) -> Candidates:
        """Look for two solutions at once, for often there is one; then for one with each value not met of each cell."""
        deadline = None if self.limits.time_limit is None else time.monotonic() + self.limits.time_limit
        names = self.model.names if self.puzzle is None else self.puzzle.names
        met: dict[str, set[int]] = {name: set() for name in names}
        outcome = self.meet(met, {}, deadline, 2 if Feature.ENUMERATE in self.selection.capabilities.features else 1)
        if outcome.complete or outcome.reason is not Reason.LIMIT:
            return self._marks(met, "" if outcome.complete else str(outcome.reason))
        for name in names:
            while left := tuple(v for v in _domain(self, name) if v not in met[name]):
                outcome = self.meet(met, {name: left}, deadline, 1)
                if not outcome.count and not outcome.complete:
                    return self._marks(met, str(outcome.reason))
                if not outcome.count:
                    break
        return self._marks(met, "")

    def _marks(self, met: Mapping[str, Iterable[int]], stopped: str) -> Candidates:
        values = {name: tuple(sorted(found)) for name, found in met.items()}
        none = not stopped and not any(values.values())
        clash = clashes(self.puzzle.shape, self.puzzle.givens) if self.puzzle and none else ()
        return Candidates(values, not stopped, stopped, self.record, clash)

    def meet(
        self, met: Mapping[str, set[int]], narrow: Mapping[str, Domain], deadline: float | None, limit: int
    ) -> Outcome:
        """Add the values of up to ``limit`` solutions, with further domains, to those that were met."""
        request = replace(self.request(limit), domains={**self.domains, **narrow})
        if deadline is not None:
            request = replace(request, time_limit=max(0.0, deadline - time.monotonic()))
        with run(self.model, self.selection, request, self.record, isolate=self.isolate) as found:
            for solution in map(self.judged, found):
                for x, value in zip(self.model.names, solution, strict=True):
                    if x in met:
                        met[x].add(value)
            return found.outcome


def _domain(task: _Task, name: str) -> Domain:
    narrow, stated = task.domains.get(name), task.model.domains[name]
    return stated if narrow is None else tuple(v for v in narrow if v in stated)
