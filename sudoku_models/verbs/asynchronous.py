"""The verbs for programs that run an event loop: awaited, and stopped when their task is cancelled.

Each puzzle is solved in a child process, which a thread of its own waits for, so that no engine holds up the loop and
every engine can be stopped. Nothing else of the library uses asyncio.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, overload

from ..bulk.mapping import placed_at
from ..bulk.where import Alone, Where
from ..engine.process import IDLE, kill_of
from ..engine.registry import BackendLike
from ..formats.problems import problems_of
from .results import Count, Result
from .solving import Many
from .task import LimitKeywords, Limits, Problem

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

MOST = IDLE
"""How many puzzles are at work at once, each in a process that is kept warm; those beyond wait their turn."""

PATIENCE = 0.005
"""Seconds between two attempts to stop an engine that has not stopped yet."""


async def asolve(
    problem: Problem, backend: BackendLike = "auto", *, unique: bool = False, **limits: Unpack[LimitKeywords]
) -> Result:
    """Find a solution as ``solve`` does, while the event loop goes on.

    Cancelled, the engine's process is killed, and nothing is left behind when the CancelledError arrives. POSIX only.
    At most ``MOST`` (one for each core, and at least four) are at work at once in one event loop, so that any number
    may be awaited together; a limit of time begins when its turn has come.
    """
    alone = _apart(backend, limits)
    return await _in_thread(lambda: alone.task(problem).solved(unique))


async def acount(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> Count:
    """Count solutions as ``count`` does, while the event loop goes on; cancelled as ``asolve`` is."""
    alone = _apart(backend, limits)
    return await _in_thread(lambda: alone.task(problem).counted(limit))


def _apart(backend: BackendLike, limits: LimitKeywords) -> Alone:
    """Return what answers a problem in a child process in any case."""
    return Alone(backend, Limits.of(limits), isolate=True)


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
    """Yield the result of each problem, in order, with ``jobs`` at work at once.

    ``problems`` are what ``solve_many`` takes, or come from an asynchronous source. What a puzzle raises is raised in
    its turn with the number of its row, or yielded in its place with ``on_error="return"``; what the source raises
    comes behind the results of those before. A result does not wait for the next problem to come. Closed or cancelled,
    all engines at work are stopped.
    """
    if on_error not in ("raise", "return"):
        raise ValueError(f"on_error is {on_error!r}: 'raise' or 'return' is expected")
    Where(backend, limits, jobs)  # which refuses what is an error of the call
    work = _Ahead(_each(problems, column), jobs, lambda problem: asolve(problem, backend, unique=unique, **limits))
    row = 0
    try:
        while (task := await work.begun.get()) is not None:
            yield await _ended(task, row := row + 1, on_error, work)
        if work.error is not None:
            raise work.error
    finally:
        await work.stop()


class _Ahead:
    """Problems at work, in order. One task reads the source, as far ahead as there is room.

    ``begun`` has a task for each problem, then None; ``error`` is what the source raised.
    """

    def __init__(
        self, problems: AsyncIterator[Problem], jobs: int, start: Callable[[Problem], Coroutine[Any, Any, Result]]
    ) -> None:
        import asyncio

        self.room = asyncio.Semaphore(jobs)
        self.begun: asyncio.Queue[asyncio.Task[Result] | None] = asyncio.Queue()
        self.error: BaseException | None = None
        self._waiting: set[asyncio.Task[Result]] = set()
        self._reader = asyncio.create_task(self._read(problems, start))

    async def _read(
        self, problems: AsyncIterator[Problem], start: Callable[[Problem], Coroutine[Any, Any, Result]]
    ) -> None:
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
        """Make room for another one."""
        self._waiting.discard(task)
        self.room.release()

    async def stop(self) -> None:
        """Stop the reading, then all that is at work."""
        import asyncio

        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        for task in self._waiting:
            task.cancel()
        await asyncio.gather(*self._waiting, return_exceptions=True)


async def _ended(task: asyncio.Task[Result], row: int, on_error: str, work: _Ahead) -> Result | Exception:
    """Return the result of a task when it is there, and make room for another one."""
    try:
        result = await task
    except Exception as error:
        work.answered(task)
        if on_error == "raise":
            raise placed_at(error, row) from error.__cause__
        return placed_at(error, row)
    work.answered(task)
    return result


def _each(problems: Many | AsyncIterable[Problem], column: str | None) -> AsyncIterator[Problem]:
    if isinstance(problems, AsyncIterable):
        if column is not None:
            raise TypeError(f"column is {column!r}, but {type(problems).__name__} is not a table and has no columns")
        return aiter(problems)
    return _awaited(problems_of(problems, column))


async def _awaited(problems: Iterable[Problem]) -> AsyncIterator[Problem]:
    for problem in problems:
        yield problem


_turns: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = weakref.WeakKeyDictionary()


async def _in_thread(work: Callable[[], T]) -> T:
    """Wait for a turn, then run work in a thread of its own."""
    import asyncio

    loop = asyncio.get_running_loop()
    async with _turns.setdefault(loop, asyncio.Semaphore(MOST)):
        return await _threaded(work)


async def _threaded(work: Callable[[], T]) -> T:
    """Run work in a thread of its own; cancelled, stop the children that work for it, and wait for its end."""
    import asyncio

    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        """Hand the outcome over to who waits, unless nobody does any more."""
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        """Work, and tell the loop what came of it."""
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, error)

    thread = threading.Thread(target=run, name="asolve", daemon=True)
    thread.start()
    try:
        return await done
    except asyncio.CancelledError:
        await _stopped(thread)
        raise
    finally:
        thread.join()  # which has nothing left to do


async def _stopped(thread: threading.Thread) -> None:
    """Kill what works for a thread until it ends; a second cancellation does not get in the way."""
    import asyncio

    while thread.is_alive():
        if thread.ident is not None:
            kill_of([thread.ident])
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(PATIENCE)
