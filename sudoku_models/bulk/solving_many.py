"""Solve many problems with ``solve_many``: lazily, and in batches if a backend takes them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sized
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from ..engine.registry import BackendLike
from ..formats.problems import problems_of
from ..verbs.results import Result
from ..verbs.task import Alone, LimitKeywords, Problem
from .mapping import Source, in_blocks, numbered
from .where import Where

if TYPE_CHECKING:
    from concurrent.futures import Executor

Many = Iterable[Problem] | bytes | Path | Any
"""The argument of ``solve_many``: problems in any container, a file, or a table."""


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
    progress: bool = False,
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
    on_error: Literal["return"],
    column: str | None = None,
    progress: bool = False,
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
    progress: bool = False,
    **limits: Unpack[LimitKeywords],
) -> Iterator[Result | Exception]:
    """Solve many puzzles, lazily and in order.

    ``jobs`` puzzles are solved at the same time, each in a child process; or blocks of
    puzzles by any ``executor``. An exception for a
    puzzle is raised in its turn with the number of its row, or yielded in its place with ``on_error="return"``; an
    exception from the source is raised after the results of earlier puzzles. Other keywords are those of ``solve``.
    Classic boards go in batches to a backend that takes them; ``auto`` looks for one if there are more than a thousand
    puzzles. ``problems`` may also be an array of shape (n, 81), bytes of lines, a ``Path`` or a stream of a file (any
    format, also Parquet and Arrow; plain, gzip or zstd), or a table or a column of pandas, polars or Arrow; ``column``
    names a table's column. ``progress`` shows a progress bar, also in notebooks. To get arrays instead, see
    ``solve_arrays``; for tables, see ``solve_frame``.
    """
    if on_error not in ("raise", "return"):
        raise ValueError(f"on_error is {on_error!r}: 'raise' or 'return' is expected")
    where = Where(backend, limits, jobs, executor)
    waiting = problems_of(problems, column)
    source, one = Source.of(waiting), partial(_solved, where.row, unique, on_error)
    known = len(waiting) if isinstance(waiting, Sized) else 0
    if executor is not None:
        from .solving_arrays import solved_block

        work = partial(solved_block, replace(where, executor=None, by_block=True), unique)
        solved: Any = in_blocks(work, source, executor, known=known)
        found = numbered(solved if on_error == "return" else _raised(solved), source)
    elif where.engine is None:
        found = numbered(where.each(one, source), source)
    else:
        from .solving_arrays import results

        found = numbered(results(where, source, unique, one, known), source)
    if not progress:
        return found
    from ..display.progress import tracked

    return tracked(found, "solving", known or None)


def _raised(results: Iterable[Result | Exception]) -> Generator[Result, None, None]:
    """Yield results; raise the first exception among them."""
    for result in results:
        if isinstance(result, Exception):
            raise result
        yield result


def _solved(alone: Alone, unique: bool, on_error: str, problem: Problem) -> Result | Exception:
    """Solve one of many problems; raise its exception, or return it as the answer."""
    try:
        return alone.task(problem).solved(unique)
    except Exception as error:
        if on_error == "raise":
            raise
        return error
