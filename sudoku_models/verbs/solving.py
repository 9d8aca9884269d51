"""The verbs: solve, solutions, count, is_unique, candidates, validate, solve_many, cross_check.

Each takes a puzzle (a Puzzle, a Grid, text in any known format, rows of values, a numpy array) or a bare Model, and
a backend's specification; ``auto`` chooses one by what the model uses. Limits are for the whole job.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from ..engine import auto
from ..engine.place import takes_batches
from ..engine.registry import BackendLike, select
from ..errors import LimitReached
from ..model import Domain
from ..puzzle import Shape, clashes
from .results import Candidates, Count, Result, Solutions, Validation
from .task import LimitKeywords, Limits, Problem, Task, as_puzzle

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..bulk.batches import Batcher
    from .agreement import CrossCheck

__all__ = [
    "Limits",
    "Many",
    "Problem",
    "as_puzzle",
    "candidates",
    "candidates_of",
    "count",
    "counted_apart",
    "cross_check",
    "is_unique",
    "solutions",
    "solve",
    "solve_many",
    "solved_apart",
    "validate",
]

Many = Iterable[Problem] | bytes | Path | Any
"""What ``solve_many`` takes: problems in any container, a file, or a table."""


def solve(
    problem: Problem, backend: BackendLike = "auto", *, unique: bool = False, **limits: Unpack[LimitKeywords]
) -> Result:
    """Find a solution; with ``unique`` also tell whether it is the only one.

    Of a model with an objective it is the best one, or the best that a limit left time for: ``objective`` and
    ``bound`` tell which. There ``unique`` raises ValueError.

    Keywords: ``time_limit`` (seconds), ``memory_limit`` (bytes), ``seed``, ``workers``, and ``trace``, which is called
    with every decision of a search (see ``Request``; backtracking tells them). Raises FormatError for text that cannot
    be read, BadOption, BackendMissing and Unsupported for the backend, WrongAnswer for an answer that the model
    contradicts. A limit that is reached gives the status unknown (or ``unique`` None); it is for all that is done here,
    from the reading of the problem on. Of several solutions the same call with the same versions installed gives the
    same one, whatever was solved before, as far as the backend promises it (see ``seed``; no limit of time).

    Where an engine is known to lose solutions of models like this one, another one confirms "unsatisfiable", "unique"
    and "best", and ``record.confirmed`` says which; with ``confirm=False`` the engine's word is taken.
    """
    task = Task.of(problem, backend, Limits.of(limits))
    return task.solved(unique)


def solutions(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> Solutions:
    """Yield solutions lazily: grids of a puzzle, mappings from name to value of a bare model.

    Of a model with an objective each is better than the one before, and the last one is the best.

    Close what is returned (or use ``with``) to stop early; its ``outcome`` tells whether there are no more.
    """
    task = Task.of(problem, backend, Limits.of(limits))
    return Solutions(task.run(limit=limit), task.wrapped)


def count(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> Count:
    """Count solutions, up to ``limit``. ``exact`` tells whether these are all; a limit in time leaves it False.

    Each is checked, and WrongAnswer raised for one that an engine returns twice. Beyond 65,536 solutions a sample of
    them is remembered for that: a single repetition among n solutions is noticed with a chance of 65,536 / 2n or more.
    """
    return Task.of(problem, backend, Limits.of(limits)).of_all("count").counted(limit)


def is_unique(problem: Problem, backend: BackendLike = "auto", **limits: Unpack[LimitKeywords]) -> bool:
    """Tell whether there is exactly one solution; LimitReached (with the Result) when a limit came first."""
    result = solve(problem, backend, unique=True, **limits)
    if result.unique is None:
        raise LimitReached(f"uniqueness is not settled: {result.reason}", result)
    return result.unique


def candidates(problem: Problem, backend: BackendLike = "auto", **limits: Unpack[LimitKeywords]) -> dict[str, Domain]:
    """Return, for each cell, the values that it has in some solution (none at all when there is no solution).

    Cells are those of the board, and the extra cells of its rules; of a bare model the variables. Every solution found
    settles one value a cell; unless it is the only one, each cell is asked for values not met yet. Raises LimitReached,
    with what is known so far, when a limit comes first.
    """
    found = Task.of(problem, backend, Limits.of(limits)).of_all("candidates").marked()
    if not found.complete:
        raise LimitReached(f"the candidates are not settled: {found.reason}", found.values)
    return found.values


def validate(problem: Problem) -> Validation:
    """Tell whether a partly filled board is legal: which cells clash, in which house."""
    puzzle = as_puzzle(problem)
    return Validation(clashes(puzzle.shape, puzzle.givens))


@overload
def solve_many(
    problems: Many,
    backend: BackendLike = "auto",
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    unique: bool = False,
    on_error: Literal["raise"] = "raise",
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> Iterator[Result]: ...


@overload
def solve_many(
    problems: Many,
    backend: BackendLike = "auto",
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    unique: bool = False,
    on_error: str,
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> Iterator[Result | Exception]: ...


def solve_many(
    problems: Many,
    backend: BackendLike = "auto",
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    unique: bool = False,
    on_error: str = "raise",
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
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

    if work.backend == "auto":
        selection = auto.batch_backend(Shape.square(9).model)
        known = len(problems) if isinstance(problems, Sized) else 0
        ready = selection is not None and known > MANY
        alone = 0 if ready else MANY
    else:
        selection, alone = select(work.backend), 0
    if selection is None or not takes_batches(selection):
        return None
    return Batcher(selection, work.unique, work.limits.workers, as_puzzle, work, alone, work.backend == "auto")


def cross_check(
    problem: Problem, backends: Iterable[BackendLike] | None = None, *, unique: bool = True, **choices: Any
) -> CrossCheck:
    """Ask several backends (by default all that are installed) and tell whether they agree; see ``agreement``.

    Each works in a child process, unless ``isolate=False`` says otherwise. Other keywords as for ``solve``.
    """
    from .agreement import cross_check as checked

    return checked(problem, backends, unique=unique, **choices)


def solved_apart(problem: Problem, backend: BackendLike, unique: bool, limits: Limits) -> Result:
    """Solve as ``solve`` does, in a child process in any case."""
    return replace(Task.of(problem, backend, limits), isolate=True).solved(unique)


def counted_apart(problem: Problem, backend: BackendLike, limit: int | None, limits: Limits) -> Count:
    """Count as ``count`` does, in a child process in any case."""
    return replace(Task.of(problem, backend, limits), isolate=True).counted(limit)


def candidates_of(problem: Problem, backend: BackendLike, limits: Limits, isolate: bool = False) -> Candidates:
    """Tell candidates as far as the limits let them be known; with ``isolate`` in a child process in any case."""
    return replace(Task.of(problem, backend, limits).of_all("candidates"), isolate=isolate).marked()


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
            return replace(Task.of(problem, self.backend, self.limits), isolate=self.isolate).solved(self.unique)
        except Exception as error:
            if self.on_error == "raise":
                raise
            return error
