"""Solve many problems with ``solve_many``: lazily, and in batches if a backend takes them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from ..engine.batch import run_batch
from ..engine.budget import Budget
from ..engine.record import Record
from ..engine.registry import BackendLike
from ..errors import SudokuModelsError
from ..formats.reading import problems_of
from ..model import Model
from ..puzzle import Grid, clashes
from ..verbs.results import Result, Status
from ..verbs.task import LimitKeywords, Problem, as_puzzle
from .mapping import LARGEST, MOST, check_workers, mapped, placed_at, pool
from .questions import Solving
from .rows import MANY, NINE, Rows

if TYPE_CHECKING:
    from concurrent.futures import Executor

Many = Iterable[Problem] | bytes | Path | Any
"""The argument of ``solve_many``: problems in any container, a file, or a table."""

CHUNK = 1_024
"""The largest number of puzzles that are answered here together."""

AHEAD = 4
"""The number of blocks that a thread may have waiting."""


class ManyKeywords(LimitKeywords, total=False):
    """The keywords of ``solve_many`` and ``asolve_many``, for type checkers and editors."""

    jobs: int
    unique: bool
    column: str | None


class SolveManyKeywords(ManyKeywords, total=False):
    """The keywords of ``solve_many``."""

    executor: Executor | None
    progress: bool


@overload
def solve_many(
    problems: Many,
    backend: BackendLike = "auto",
    *,
    on_error: Literal["raise"] = "raise",
    **keywords: Unpack[SolveManyKeywords],
) -> Iterator[Result]: ...


@overload
def solve_many(
    problems: Many, backend: BackendLike = "auto", *, on_error: Literal["return"], **keywords: Unpack[SolveManyKeywords]
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
    progress: bool = False,
    **limits: Unpack[LimitKeywords],
) -> Iterator[Result | Exception]:
    """Solve many puzzles, lazily and in order.

    ``jobs`` puzzles are solved at the same time, each in a child process; or blocks of puzzles by any ``executor``. An
    exception for a puzzle is raised in its turn with the number of its row, or yielded in its place with
    ``on_error="return"``; an exception from the source is raised after the results of earlier puzzles. Other keywords
    are those of ``solve``.
    Classic boards go in batches to a backend that takes them; ``auto`` looks for one if there are more than a thousand
    puzzles. ``problems`` may also be an array of shape (n, 81), bytes of lines, a ``Path`` or a stream of a file (any
    format, also Parquet and Arrow; plain, gzip or zstd), or a table or a column of pandas, polars or Arrow; ``column``
    names a table's column. ``progress`` shows a progress bar, also in notebooks. To get arrays instead, see
    ``solve_arrays``; for tables, see ``solve_frame``.
    """
    if on_error not in ("raise", "return"):
        raise ValueError(f"on_error is {on_error!r}: 'raise' or 'return' is expected")
    check_workers(jobs, executor)
    verb = Solving(backend, limits, unique, jobs=jobs)
    waiting = problems_of(problems, column)
    known = len(waiting) if isinstance(waiting, Sized) else 0
    found = _results(verb, waiting, executor, known, on_error == "return")
    if not progress:
        return found
    from ..display.progress import tracked

    return tracked(found, "solving", known or None)


def _results(
    verb: Solving, problems: Iterable[Any], executor: Executor | None, known: int, kept: bool
) -> Generator[Result | Exception, None, None]:
    """Yield the result of each problem; an exception, with its row, is one of them if it is ``kept``, or raised."""
    batching = verb.batching
    singly = MANY if verb.backend == "auto" and known <= MANY else 0
    largest = CHUNK if batching else 1
    job = Budget(within=verb.limits.get("budget"))
    with pool(verb.jobs, executor, job) as workers:
        if workers is not None:
            singly, largest = 0, LARGEST
            verb = verb if executor else replace(verb, limits={**verb.limits, "budget": job})
        most = AHEAD * verb.jobs if executor is None else MOST
        work = partial(solved, verb, None)
        found = mapped(work, problems, workers, most=most, largest=largest, singly=singly, known=known)
        for row, result in enumerate(found, 1):
            if isinstance(result, Exception):
                result = placed_at(result, row)
                if not kept:
                    raise result from result.__cause__
            yield result


def solved(
    verb: Solving, other: Callable[[Any], Any] | None, problems: list[Any], seen: int
) -> Iterable[Result | Exception]:
    """Return the results of some problems: classic boards in a batch if there are enough, all others one by one.

    An exception is the result of its problem. ``other`` says what becomes of a problem that is not in a batch, if it is
    not to be solved here.
    """
    one = other or partial(_alone, verb)
    selection = verb.engine(seen)
    if selection is None:
        return map(one, problems)
    rows = Rows.of(problems, _board)
    if len(rows.others) == len(rows):
        return map(one, problems)
    batch = run_batch(NINE.model, selection, rows.values, *verb._asked(selection, 2 if verb.unique else 1))
    answers = Answered(rows.values, batch.values, batch.count, verb.unique, batch.record)
    if not rows.others:
        return answers
    return (one(problems[row]) if row in rows.others else found for row, found in enumerate(answers))


def _alone(verb: Solving, problem: Any) -> Result | Exception:
    try:
        return verb.task(problem).solved(verb.unique)
    except Exception as error:
        return error


def _board(problem: Any) -> Any:
    """Return a problem as a puzzle, or as it is; its error is raised again, in its turn, when it is solved alone."""
    try:
        return problem if isinstance(problem, Model) else as_puzzle(problem)
    except (SudokuModelsError, ValueError, TypeError):
        return problem


@dataclass(frozen=True)
class Answered:
    """The results of a block of boards (n, 81), which go to another process as arrays.

    ``values`` (n, 81) are the first solutions, and ``count`` the numbers of solutions, up to 2 if ``unique``.
    """

    boards: Any
    values: Any
    count: Any
    unique: bool
    record: Record

    def __iter__(self) -> Iterator[Result]:
        names = NINE.model.names
        for row, (count, values) in enumerate(zip(self.count.tolist(), self.values.tolist(), strict=True)):
            unique = count == 1 if self.unique else None
            if count:
                found = tuple(values)
                grid = Grid(NINE, found)
                yield Result(grid, Status.SOLVED, unique, self.record, names=names, solution=found, shown=len(found))
            else:
                clash = clashes(NINE, tuple([value or None for value in self.boards[row].tolist()]))
                yield Result(None, Status.UNSATISFIABLE, unique, self.record, clashes=clash)
