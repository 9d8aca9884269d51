"""Many problems for programs that run an event loop: ``asolve_many``."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Coroutine, Iterable, Sized
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from ..engine.registry import BackendLike
from ..formats.problems import problems_of
from ..verbs.asynchronous import asolve, in_thread
from ..verbs.results import Result
from ..verbs.task import LimitKeywords, Problem
from .mapping import Source, placed_at
from .solving_many import Many
from .where import Where

if TYPE_CHECKING:
    import asyncio

Solve = Callable[[Any], Coroutine[Any, Any, Result]]


@overload
def asolve_many(
    problems: Many | AsyncIterable[Problem],
    backend: BackendLike = "auto",
    *,
    jobs: int = 2,
    unique: bool = False,
    on_error: Literal["raise"] = "raise",
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> AsyncIterator[Result]: ...


@overload
def asolve_many(
    problems: Many | AsyncIterable[Problem],
    backend: BackendLike = "auto",
    *,
    jobs: int = 2,
    unique: bool = False,
    on_error: Literal["return"],
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> AsyncIterator[Result | Exception]: ...


async def asolve_many(
    problems: Many | AsyncIterable[Problem],
    backend: BackendLike = "auto",
    *,
    jobs: int = 2,
    unique: bool = False,
    on_error: str = "raise",
    column: str | None = None,
    **limits: Unpack[LimitKeywords],
) -> AsyncIterator[Result | Exception]:
    """Yield the result of each problem, in order, solving ``jobs`` problems at the same time.

    ``problems`` are those of ``solve_many``, or come from an asynchronous source. An exception for a puzzle is raised
    in its turn with the number of its row, or yielded in its place with ``on_error="return"``; an exception from the
    source is raised after the results of earlier problems. A result does not wait for the next problem. When the
    iterator is closed or cancelled, all running engines are stopped. Classic boards from a source that is not
    asynchronous go in batches to a backend that takes them, as in ``solve_many``; a batch takes milliseconds, and
    cannot be interrupted.
    """
    if on_error not in ("raise", "return"):
        raise ValueError(f"on_error is {on_error!r}: 'raise' or 'return' is expected")
    Where(backend, limits, jobs)  # which refuses what is an error of the call
    where, row = Where(backend, limits, by_block=True), 0

    def solve(problem: Any) -> Coroutine[Any, Any, Result]:
        """Solve one problem in a child process."""
        return asolve(problem, backend, unique=unique, **limits)

    if isinstance(problems, AsyncIterable) or where.engine is None:
        found = _apart(_each(problems, column), jobs, solve)
    else:
        found = _in_batches(where, problems_of(problems, column), jobs, unique, solve)
    try:
        async for result in found:
            row += 1
            if isinstance(result, Exception):
                result = placed_at(result, row)
                if on_error == "raise":
                    raise result from result.__cause__
            yield result
    finally:
        await found.aclose()


async def _apart(problems: AsyncIterator[Problem], jobs: int, solve: Solve) -> AsyncGenerator[Result | Exception, None]:
    """Yield the result or exception of each problem, solved in a child process; then raise the source's exception."""
    work = _Ahead(problems, jobs, solve)
    try:
        while (task := await work.begun.get()) is not None:
            yield await _ended(task, work)
        if work.error is not None:
            raise work.error
    finally:
        await work.stop()


async def _in_batches(
    where: Where, problems: Iterable[Any], jobs: int, unique: bool, solve: Solve
) -> AsyncGenerator[Result | Exception, None]:
    """Yield the same, with classic boards in batches, which are answered in a thread and cannot be interrupted.

    The source is read no further ahead than in ``solve_many``.
    """
    from .solving_arrays import CHUNK, answered_chunk

    known = len(problems) if isinstance(problems, Sized) else 0
    source, size, seen = Source.of(problems), 1, where.alone(known)
    async for result in _apart(_awaited(islice(source, seen)), jobs, solve):
        yield result
    seen = max(seen, known)
    while chunk := list(islice(source, size)):
        seen += len(chunk)
        selection = where.batches(seen)
        found: list[Any] = [_Waiting(problem) for problem in chunk]
        if selection is not None:
            found = await in_thread(partial(list, answered_chunk(where, selection, chunk, unique, _Waiting)))
        for waits, group in groupby(found, lambda result: isinstance(result, _Waiting)):
            if not waits:
                for result in group:
                    yield result
                continue
            async for result in _apart(_awaited([waiting.problem for waiting in group]), jobs, solve):
                yield result
        size = min(2 * size, CHUNK)
    source.finish()


@dataclass(frozen=True)
class _Waiting:
    """A problem that is not a classic board."""

    problem: Any


class _Ahead:
    """The problems being solved, in order. One task reads the source, as far ahead as there is room.

    ``begun`` holds a task for each problem, then None; ``error`` is the source's exception.
    """

    def __init__(self, problems: AsyncIterator[Problem], jobs: int, start: Solve) -> None:
        import asyncio

        self.room = asyncio.Semaphore(jobs)
        self.begun: asyncio.Queue[asyncio.Task[Result] | None] = asyncio.Queue()
        self.error: BaseException | None = None
        self._waiting: set[asyncio.Task[Result]] = set()
        self._reader = asyncio.create_task(self._read(problems, start))

    async def _read(self, problems: AsyncIterator[Problem], start: Solve) -> None:
        import asyncio

        try:
            await self.room.acquire()
            async for problem in problems:
                task = asyncio.create_task(start(problem))
                self._waiting.add(task)
                self.begun.put_nowait(task)
                await self.room.acquire()
        except BaseException as error:  # also of a source that waited for what was cancelled
            self.error = error
            if not isinstance(error, Exception):
                raise
        finally:
            self.begun.put_nowait(None)

    def answered(self, task: asyncio.Task[Result]) -> None:
        """Make room for another problem."""
        self._waiting.discard(task)
        self.room.release()

    async def stop(self) -> None:
        """Stop reading, then stop all running tasks."""
        import asyncio

        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        for task in self._waiting:
            task.cancel()
        await asyncio.gather(*self._waiting, return_exceptions=True)


async def _ended(task: asyncio.Task[Result], work: _Ahead) -> Result | Exception:
    """Wait for a task, return its result or its exception, and make room for another problem."""
    try:
        return await task
    except Exception as error:
        return error
    finally:
        work.answered(task)


def _each(problems: Many | AsyncIterable[Problem], column: str | None) -> AsyncIterator[Problem]:
    if isinstance(problems, AsyncIterable):
        if column is not None:
            raise TypeError(f"column is {column!r}, but {type(problems).__name__} is not a table and has no columns")
        return aiter(problems)
    return _awaited(problems_of(problems, column))


async def _awaited(problems: Iterable[Problem]) -> AsyncIterator[Problem]:
    for problem in problems:
        yield problem
