"""Awaitable verbs for programs with an event loop; they stop when their task is cancelled.

Each puzzle is solved in a child process, and a separate thread waits for it, so that no engine blocks the loop and
every engine can be stopped. Nothing else in the library uses asyncio.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar, Unpack

from ..engine.budget import Budget
from ..engine.registry import BackendLike
from ..engine.workers import IDLE
from .results import Result, SolutionCount
from .task import LimitKeywords, Problem, Task

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

MOST = IDLE
"""The number of puzzles solved at the same time, each in a process that is kept warm; further puzzles wait."""


async def asolve(
    problem: Problem, backend: BackendLike = "auto", *, unique: bool = False, **limits: Unpack[LimitKeywords]
) -> Result:
    """Find a solution as ``solve`` does, without blocking the event loop.

    If the task is cancelled, the engine's process is killed, and nothing is left behind when the CancelledError
    arrives. POSIX only. At most ``MOST`` puzzles (one for each core, and at least four) are solved at the same time in
    one event loop, so any number may be awaited together; a time limit starts when the puzzle's turn comes.
    """
    return await _answered(problem, backend, limits, lambda task: task.solved(unique))


async def acount(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> SolutionCount:
    """Count solutions as ``count`` does, without blocking the event loop; it can be cancelled like ``asolve``."""
    return await _answered(problem, backend, limits, lambda task: task.counted(limit))


_turns: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = weakref.WeakKeyDictionary()


async def _answered(problem: Problem, backend: BackendLike, limits: LimitKeywords, question: Callable[[Task], T]) -> T:
    """Ask a question about a problem, always in a child process."""
    job = Budget(within=limits.get("budget"))
    asked: LimitKeywords = {**limits, "budget": job}
    return await in_thread(lambda: question(Task.of(problem, backend, asked, isolate=True)), job)


async def in_thread(work: Callable[[], T], job: Budget | None = None) -> T:
    """Wait for a turn, then do work in a separate thread; on cancellation, cancel its job and wait for the end."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    loop = asyncio.get_running_loop()
    async with _turns.setdefault(loop, asyncio.Semaphore(MOST)):
        with ThreadPoolExecutor(1, "asolve") as thread:
            working = loop.run_in_executor(thread, work)
            try:
                return await asyncio.shield(working)
            except asyncio.CancelledError:
                if job is not None:
                    job.cancel()
                while not working.done():  # a second cancellation does not interrupt this
                    with suppress(asyncio.CancelledError):
                        await asyncio.wait([working])
                raise
