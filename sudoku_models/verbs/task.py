"""A task: a problem that has been read, its backend, and the limits of its verb."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, TypedDict

from ..dataclass import dataclass
from ..engine import auto
from ..engine.budget import Budget
from ..engine.contract import Feature, Outcome, Reason, Request, Run, Solution, TraceStep
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection, select
from ..engine.road import Place, needed, place_of, run
from ..engine.switches import Session
from ..errors import SudokuModelsError, meant
from ..model import Domain, InDomain, Model, Or, narrowed_domains
from ..model.domain import integer
from ..puzzle import Grid, Puzzle, clashes
from ..puzzle.puzzle import dark_cells
from .results import Candidates, Result, SolutionCount, Status, marked

Problem = Puzzle | Grid | Model | str | Sequence[Sequence[Any]]
"""What the verbs take: a puzzle, a grid, a model, a text, rows of values, or a numpy array."""


SEVERAL, QUICK = 100, 400
"""Solutions that are looked for before candidates are tested one by one: more of a quick engine for any model."""


MANY = 1_000
"""Solutions to count before the model is looked at for parts that no constraint links."""


class LimitKeywords(TypedDict, total=False):
    """The limits and choices that all verbs share, by keyword; see ``Request`` for their meaning and units.

    ``budget`` is that of a larger job, of which this call is a part: the call ends with it too.
    """

    time_limit: float | None
    memory_limit: int | None
    seed: int
    workers: int
    trace: Callable[[TraceStep], object] | None
    confirm: bool
    budget: Budget | None
    hint: Mapping[Any, int]


BOUNDS = ("time_limit", "memory_limit", "budget")
"""The keywords that bound a whole job, not a single request."""


def begun(limits: Mapping[str, Any]) -> Budget:
    """Return a budget for work that begins now.

    TypeError for an unknown keyword, TypeError or ValueError for a limit that is not a number.
    """
    known = LimitKeywords.__annotations__
    for name in limits:
        if name not in known:
            raise TypeError(
                f"unknown keyword {name!r}: besides its own, each verb takes {', '.join(known)}{meant(name, known)}"
            )
    time_limit, memory_limit, budget = map(limits.get, BOUNDS)
    return Budget(time_limit, memory_limit, budget)


def as_puzzle(problem: Problem) -> Puzzle:
    """Return a puzzle given in any form that the verbs take; raise TypeError for anything else."""
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
    raise TypeError(f"{type(problem).__name__} is not a puzzle: a Puzzle, a Grid, a text, rows or an array is expected")


@dataclass
class Task:
    """A problem as a structure and a backend; ``asked`` has the domains and what the verb's keywords choose."""

    model: Model
    puzzle: Puzzle | None
    selection: Selection
    asked: Request
    record: Record
    budget: Budget
    isolate: bool = False

    @classmethod
    def of(
        cls,
        problem: Problem,
        backend: BackendLike,
        limits: Mapping[str, Any],
        every: bool = False,
        isolate: bool = False,
    ) -> Task:
        """Read a problem in any form, and choose a backend for it; ``every`` means that all solutions are needed.

        A time limit starts here. With ``isolate`` the engine works in a child process.
        """
        record = Record()
        puzzle: Puzzle | None
        domains: Mapping[str, Domain]
        with begun(limits) as budget:
            watch = record.stopwatch()
            if isinstance(problem, Model):
                puzzle, model, domains = None, problem, {}
            else:
                puzzle = as_puzzle(problem)
                model, domains = puzzle.structure, puzzle.domains
            watch.lap("parse")
            asked = Request(domains, **{name: value for name, value in limits.items() if name not in BOUNDS})
            if backend == "auto":
                several = frozenset({Feature.ENUMERATE} if every and not model.objective else ())
                choice = auto.choose(model, several.union(needed(asked)), budget)
                selection, record.chosen = choice.selection, choice.explain
            else:
                selection = select(backend)
            return cls(model, puzzle, selection, asked, record, budget, isolate)

    def run(self, limit: int | None, narrow: Mapping[str, Domain] | None = None) -> Run:
        """Look for up to ``limit`` solutions, with further domains."""
        request = self.asked
        if narrow:
            request = request.but(domains={**request.domains, **narrow}, limit=limit)
        elif limit != request.limit:
            request = request.but(limit=limit)
        return run(self.model, self.selection, request, self.record, isolate=self.isolate, budget=self.budget)

    @property
    def wrapped(self) -> Callable[[Solution], Any]:
        """A function that turns a solution into a grid, or for a bare model into a dict by name."""
        if self.puzzle is None:
            names = self.model.names
            return lambda solution: dict(zip(names, solution, strict=True))
        shape, dark = self.puzzle.shape, dark_cells(self.puzzle.shape, self.puzzle.rules)
        cells = shape.cells
        return lambda solution: Grid(shape, solution[:cells], *dark)  # the cells come first

    def of_all(self, verb: str) -> Task:
        """Return the task of a verb about all solutions; raise ValueError for a model with an objective."""
        if self.model.objective:
            raise ValueError(f"{verb} is about all solutions: use model.without_objective()")
        return self

    def solved(self, unique: bool) -> Result:
        """Return a solution and, if requested, whether it is the only one."""
        if self.model.objective:
            return self.best(unique)
        run = self.run(limit=2 if unique else 1)
        found = run.some(2 if unique else 1)
        return self.result(found[0] if found else None, len(found) > 1, run.outcome, unique)

    def best(self, unique: bool) -> Result:
        """Return the best solution, or the best one found within a limit."""
        if unique:
            self.of_all("uniqueness")
        last = None
        with self.run(limit=None) as found:
            while (better := next(found, None)) is not None:
                last = better
            outcome = found.outcome
        assert self.model.objective
        result = self.result(last, False, outcome, False)
        values = result.values
        value = None if values is None else self.model.objective.value(values)
        reason = outcome.missing
        return replace(result, objective=value, bound=outcome.bound, reason=reason)

    def counted(self, limit: int | None) -> SolutionCount:
        """Return the number of solutions, up to a limit."""
        if limit is not None and integer(limit, "limit") < 1:
            raise ValueError(f"limit is {limit}: at least 1 is expected")
        most = None if limit is None else limit + 1
        outcome = self._all_of(most)
        if limit is not None and outcome.count > limit:
            return SolutionCount(limit, False, outcome.record)
        return SolutionCount(outcome.count, outcome.complete, outcome.record)

    def _all_of(self, limit: int | None) -> Outcome:
        """Return the outcome of a search for all solutions: beyond some, of one for each part of the model."""
        with self.run(limit) as found:
            count, untried = 0, True
            for block in found.blocks():
                count += len(block)
                if untried and count >= MANY:
                    untried = False
                    if len(parts := self._independent()) > 1:
                        return self._by_parts(limit, count, parts, dict(zip(self.model.names, block[0], strict=True)))
            return found.outcome

    def _by_parts(
        self, limit: int | None, known: int, parts: Sequence[Collection[str]], solution: Mapping[str, int]
    ) -> Outcome:
        """Count the solutions of each part, the others being as in one solution, and return the product."""
        total, complete, reason = 1, True, Reason.EXHAUSTED
        for part in parts:
            fixed = {x: (value,) for x, value in solution.items() if x not in part}
            with self.run(limit, fixed) as found:
                total *= sum(map(len, found.blocks()))
                complete, reason = found.outcome.complete, found.outcome.reason
            if not complete or (limit is not None and total >= limit):
                break
        self.record.notes.append(f"counted in {len(parts)} parts that no constraint links")
        if limit is not None and total >= limit:
            return Outcome(limit, False, Reason.LIMIT, None, self.record)
        return Outcome(max(total, known), complete, reason, None, self.record)

    def _independent(self) -> list[set[str]]:
        """Return the sets of open variables that no constraint links; none if a judge has to see all solutions."""
        if self.model.judge is not None:
            return []
        domains = narrowed_domains(self.model.domains, self.asked.domains)
        of = {x: {x} for x, values in domains.items() if len(values) > 1}
        for constraint in self.model.constraints:
            if self.budget.expired:  # the search that goes on says so
                return []
            linked = [of[x] for x in constraint.scope if x in of]
            largest = max(linked, key=len, default=set[str]())
            for part in linked:
                if part is not largest:
                    largest |= part
                    of.update(dict.fromkeys(part, largest))
        return list({id(part): part for part in of.values()}.values())

    def result(self, first: Solution | None, another: bool, outcome: Outcome, asked: bool) -> Result:
        """Return the result of a search for one solution (two with ``asked``)."""
        only = False if another else True if outcome.complete else None
        settled = outcome.complete or another or (first is not None and not asked)
        reason = "" if settled else outcome.missing
        if first is None:
            status = Status(marked(Status.UNSATISFIABLE, self.puzzle)) if outcome.complete else Status.UNKNOWN
            clash = clashes(self.puzzle.shape, self.puzzle.givens) if self.puzzle and outcome.complete else ()
            unique = False if asked and outcome.complete else None
            return Result(None, status, unique, self.record, reason, clash)
        board = self.model.board if self.puzzle is None else self.puzzle.shape
        grid = None if board is None else Grid(board, first[: board.cells], *dark_cells(board, self.model.rules))
        only = only if asked else None
        drawn = self.puzzle is not None and self.puzzle.drawn
        status = Status(marked(Status.SOLVED, self.puzzle, only)) if drawn else Status.SOLVED
        shown = None if self.puzzle is None else len(self.puzzle.names)
        return Result(grid, status, only, self.record, reason, (), self.model.names, first, shown=shown)

    def marked(self) -> Candidates:
        """Look for some solutions first, as there are often few; then for one with each other value of each cell."""
        names = self.model.names if self.puzzle is None else self.puzzle.names
        since = perf_counter()
        with self.run(self._several) as found:
            solutions, outcome = list(found), found.outcome
        if outcome.complete and len(solutions) == 1:  # the cells come first, in the order of their names
            only: dict[str, Domain] = dict(zip(names, zip(solutions[0], strict=True), strict=False))
            return Candidates(only, True, "", self.record, solvable=True)
        met = {name: set[int]() for name in names}
        _enter(met, solutions)
        stopped = outcome.missing
        if outcome.reason is Reason.LIMIT:
            stopped = self._meet_each(met, perf_counter() - since)
        values = {name: tuple(sorted(seen)) for name, seen in met.items()}
        solvable = outcome.count > 0 or (None if stopped else False)
        clash = clashes(self.puzzle.shape, self.puzzle.givens) if self.puzzle and solvable is False else ()
        return Candidates(values, not stopped, stopped, self.record, clash, solvable)

    @property
    def _several(self) -> int:
        """The number of solutions to look for first.

        An engine for batches finds hundreds sooner than it answers some questions, unless it is for classic boards
        alone: then a question takes no longer than a few solutions.
        """
        if Feature.ENUMERATE not in self.selection.capabilities.features:
            return 1
        first: Selection = getattr(self.selection.options, "members", (self.selection,))[0]
        return QUICK if {Feature.BATCH, Feature.ASSUME} <= first.capabilities.features else SEVERAL

    @property
    def _keeps(self) -> bool:
        """Return whether an engine in this process keeps what it learns from one question to the next."""
        keeps = Feature.ASSUME in self.selection.capabilities.features
        return keeps and not self.isolate and place_of(self.selection, self.budget, self.model) is Place.HERE

    def _meet_each(self, met: Mapping[str, set[int]], finding: float) -> str:
        """Ask for the other values of each variable; return why that ended too soon.

        Once it took longer to refute values than to find some (``finding``: seconds so far), an engine that keeps what
        it learns is asked about all the others together: that needs a question for each find, and one refutation.
        """
        refuting, together = 0.0, self._keeps
        for number, name in enumerate(met):
            if together and refuting > finding:
                return self._meet_any(met, [*met][number:])
            while left := tuple(v for v in _domain(self, name) if v not in met[name]):
                since = perf_counter()
                outcome = self._meet(met, {name: left}, 1)
                took = perf_counter() - since
                if outcome.count == 0:
                    if not outcome.complete:
                        return outcome.missing
                    refuting += took
                    break
                finding += took
        return ""

    def _meet_any(self, met: Mapping[str, set[int]], names: Sequence[str]) -> str:
        """Ask for a solution with any value of some variables that none has shown yet, until there is none; return why
        that ended too soon.
        """
        with self.budget, Session(self.model, self.selection) as session:
            while left := {x: rest for x in names if (rest := {*_domain(self, x)} - met[x])}:
                session.add(Or(*(InDomain(x, sorted(rest)) for x, rest in left.items())))
                with session.run(self.asked.but(time_limit=self.budget.left), self.record) as found:
                    _enter(met, found)
                    outcome = found.outcome
                if not outcome.count:
                    return outcome.missing
        return ""

    def _meet(self, met: Mapping[str, set[int]], narrow: Mapping[str, Domain], limit: int) -> Outcome:
        """Find up to ``limit`` solutions, with further domains, and add their values to those found."""
        with self.run(limit, narrow) as found:
            _enter(met, found)
            return found.outcome


def _enter(met: Mapping[str, set[int]], solutions: Iterable[Solution]) -> None:
    """Add the values of solutions to those met."""
    for seen, values in zip(met.values(), zip(*solutions, strict=True), strict=False):  # the cells come first
        seen.update(values)


def _domain(task: Task, name: str) -> Domain:
    narrow, stated = task.asked.domains.get(name), task.model.domains[name]
    return stated if narrow is None else tuple(v for v in narrow if v in stated)
