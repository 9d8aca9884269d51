"""The verbs for programs that run an event loop: awaited, and stopped when their task is cancelled.

Each puzzle is solved in a child process, which a thread of its own waits for, so that no engine holds up the loop and
every engine can be stopped. Nothing else of the library uses asyncio.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar, Unpack

from ..engine.process import IDLE, kill_of
from ..engine.registry import BackendLike
from .results import Count, Result
from .task import Alone, LimitKeywords, Limits, Problem

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
    return await in_thread(lambda: alone.task(problem).solved(unique))


async def acount(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> Count:
    """Count solutions as ``count`` does, while the event loop goes on; cancelled as ``asolve`` is."""
    alone = _apart(backend, limits)
    return await in_thread(lambda: alone.task(problem).counted(limit))


def _apart(backend: BackendLike, limits: LimitKeywords) -> Alone:
    """Return what answers a problem in a child process in any case."""
    return Alone(backend, Limits.of(limits), isolate=True)


_turns: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = weakref.WeakKeyDictionary()


async def in_thread(work: Callable[[], T]) -> T:
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
