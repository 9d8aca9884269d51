"""Awaitable verbs for programs with an event loop; they stop when their task is cancelled.

Each puzzle is solved in a child process, and a separate thread waits for it, so that no engine blocks the loop and
every engine can be stopped. Nothing else in the library uses asyncio.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar, Unpack

from ..engine.registry import BackendLike
from ..engine.workers import IDLE, kill_of
from .results import Result, SolutionCount
from .task import Alone, LimitKeywords, Limits, Problem

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

MOST = IDLE
"""The number of puzzles solved at the same time, each in a process that is kept warm; further puzzles wait."""

PATIENCE = 0.005
"""Seconds between two attempts to stop an engine that is still running."""


async def asolve(
    problem: Problem, backend: BackendLike = "auto", *, unique: bool = False, **limits: Unpack[LimitKeywords]
) -> Result:
    """Find a solution as ``solve`` does, without blocking the event loop.

    If the task is cancelled, the engine's process is killed, and nothing is left behind when the CancelledError
    arrives. POSIX only. At most ``MOST`` puzzles (one for each core, and at least four) are solved at the same time in
    one event loop, so any number may be awaited together; a time limit starts when the puzzle's turn comes.
    """
    alone = _apart(backend, limits)
    return await in_thread(lambda: alone.task(problem).solved(unique))


async def acount(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> SolutionCount:
    """Count solutions as ``count`` does, without blocking the event loop; it can be cancelled like ``asolve``."""
    alone = _apart(backend, limits)
    return await in_thread(lambda: alone.task(problem).counted(limit))


def _apart(backend: BackendLike, limits: LimitKeywords) -> Alone:
    """Return a function that always answers a problem in a child process."""
    return Alone(backend, Limits.of(limits), isolate=True)


_turns: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = weakref.WeakKeyDictionary()


async def in_thread(work: Callable[[], T]) -> T:
    """Wait for a turn, then run work in a separate thread."""
    import asyncio

    loop = asyncio.get_running_loop()
    async with _turns.setdefault(loop, asyncio.Semaphore(MOST)):
        return await _threaded(work)


async def _threaded(work: Callable[[], T]) -> T:
    """Run work in a separate thread; on cancellation, stop its child processes and wait for it to end."""
    import asyncio

    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        """Pass the outcome to the waiting task, unless it no longer waits."""
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        """Do the work, and pass the outcome to the loop."""
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
    """Kill the processes that work for a thread until it ends; a second cancellation does not interrupt this."""
    import asyncio

    while thread.is_alive():
        if thread.ident is not None:
            kill_of([thread.ident])
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(PATIENCE)
