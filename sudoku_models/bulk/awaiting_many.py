"""Many problems for programs that run an event loop: ``asolve_many``."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Coroutine, Sized
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Literal, Unpack, overload

from ..engine.registry import BackendLike
from ..formats.reading import problems_of
from ..verbs.asynchronous import asolve, in_thread
from ..verbs.results import Result
from ..verbs.task import LimitKeywords, Problem
from .mapping import check_workers, placed_at, until_error
from .questions import Solving
from .solving_many import CHUNK, Many, ManyKeywords, solved

Solve = Callable[[Any], Coroutine[Any, Any, Result | Exception]]


@overload
def asolve_many(
    problems: Many | AsyncIterable[Problem],
    backend: BackendLike = "auto",
    *,
    on_error: Literal["raise"] = "raise",
    **keywords: Unpack[ManyKeywords],
) -> AsyncIterator[Result]: ...


@overload
def asolve_many(
    problems: Many | AsyncIterable[Problem],
    backend: BackendLike = "auto",
    *,
    on_error: Literal["return"],
    **keywords: Unpack[ManyKeywords],
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
    check_workers(jobs, None)
    verb, room, row = Solving(backend, limits, unique), asyncio.Semaphore(jobs), 0

    async def solve(problem: Any) -> Result | Exception:
        """Solve one problem in a child process; an exception is its result."""
        try:
            async with room:
                return await asolve(problem, backend, unique=unique, **limits)
        except Exception as error:
            return error

    found = _in_order(_slots(problems, column, verb), solve, jobs)
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


@dataclass(frozen=True)
class _Waiting:
    """A problem that is to be solved alone."""

    problem: Any


Slot = Result | Exception | _Waiting


async def _slots(problems: Any, column: str | None, verb: Solving) -> AsyncGenerator[list[Slot], None]:
    """Yield problems to be solved alone and the results of batches, which are answered in a thread; in order.

    A source that is not asynchronous is read no further ahead than in ``solve_many``.
    """
    if isinstance(problems, AsyncIterable):
        if column is not None:
            raise TypeError(f"column is {column!r}, but {type(problems).__name__} is not a table and has no columns")
        async for problem in problems:
            yield [_Waiting(problem)]
        return
    waiting = problems_of(problems, column)
    known, seen, size = len(waiting) if isinstance(waiting, Sized) else 0, 0, 1
    errors: list[Exception] = []
    source = until_error(waiting, errors)
    while chunk := list(islice(source, size)):
        seen += len(chunk)
        if verb.engine(max(seen, known)) is None:
            yield list(map(_Waiting, chunk))
            continue
        yield await in_thread(partial(_listed, verb, chunk, max(seen, known)))
        size = min(2 * size, CHUNK)
    for error in errors:
        raise error


def _listed(verb: Solving, chunk: list[Any], seen: int) -> list[Slot]:
    return list(solved(verb, _Waiting, chunk, seen))


async def _in_order(
    slots: AsyncGenerator[list[Slot], None], solve: Solve, jobs: int
) -> AsyncGenerator[Result | Exception, None]:
    """Yield results in order, each as soon as it is there, while the next slots are awaited; then raise their error."""
    waiting: deque[Result | Exception | asyncio.Task[Result | Exception]] = deque()
    reader: asyncio.Task[list[Slot]] | None = None
    error: BaseException | None = None
    try:
        while True:
            while waiting and not (isinstance(head := waiting[0], asyncio.Task) and not head.done()):
                waiting.popleft()
                yield head.result() if isinstance(head, asyncio.Task) else head
            if reader is None and error is None and len(waiting) < jobs:
                reader = asyncio.ensure_future(anext(slots))
            pending = {task for task in (reader, *[*waiting][:1]) if isinstance(task, asyncio.Task)}
            if not pending:
                break
            await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            if reader is not None and reader.done():
                error = asyncio.CancelledError() if reader.cancelled() else reader.exception()
                for slot in () if error else reader.result():
                    waiting.append(asyncio.create_task(solve(slot.problem)) if isinstance(slot, _Waiting) else slot)
                reader = None
        if not isinstance(error, StopAsyncIteration | None):
            raise error
    finally:
        tasks = [task for task in (reader, *waiting) if isinstance(task, asyncio.Task)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await slots.aclose()
