"""The one way of workers: blocks of items by threads or any executor, in order, a bounded number at a time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..engine.budget import Budget
from ..errors import FormatError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

A = TypeVar("A")
B = TypeVar("B")

SECONDS = 0.05
"""The time that an executor should take for a block of items: much longer than handing it over."""

LARGEST = 4_096
"""The largest number of items in a block."""

PAUSE = 0.02
"""The time, in seconds, after which a block is handed over although it is not full."""

MOST = 64
"""The number of blocks that an executor may have waiting, so that an endless source is not read too far ahead."""


def until_error(items: Iterable[A], errors: list[Exception]) -> Iterator[A]:
    """Yield items; an exception ends them, and is to be raised once the earlier items are answered."""
    try:
        for item in items:  # noqa: UP028  which would close the caller's generator
            yield item
    except Exception as error:
        errors.append(error)


@contextmanager
def pool(jobs: int, executor: Executor | None, job: Budget) -> Iterator[Executor | None]:
    """Yield the executor, or a pool of threads for several jobs; None if the work is to be done here.

    What the threads do is a part of the ``job``, which is cancelled at the end: no thread and no running engine is left
    behind.
    """
    if executor is not None or jobs == 1:
        yield executor
        return
    from concurrent.futures import ThreadPoolExecutor

    threads = ThreadPoolExecutor(jobs, "solve_many")
    try:
        yield threads
    finally:
        job.cancel()
        threads.shutdown(cancel_futures=True)


def check_workers(jobs: int, executor: object) -> None:
    """Raise TypeError for something that is not an executor, and ValueError if ``jobs`` is given too."""
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError(
            f"executor is {type(executor).__name__}: an executor like those of concurrent.futures is expected"
        )
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}: at least 1 is expected")
    if jobs > 1 and executor is not None:
        raise ValueError("jobs and executor cannot be combined: the executor sets the number of jobs")


def mapped(
    work: Callable[[list[A], int], Iterable[B]],
    items: Iterable[A],
    executor: Executor | None = None,
    *,
    most: int = MOST,
    largest: int = LARGEST,
    singly: int = 0,
    known: int = 0,
) -> Generator[B, None, None]:
    """Yield the results of ``work(items, seen)`` for blocks of items, in order.

    An executor gets blocks that take it ``SECONDS``, ``most`` at a time, and what is ready is yielded before another
    item is read; without one, blocks grow after ``singly`` items, and are answered here. ``seen`` is the number of
    items known so far: at least ``known``, and those that were read. An exception from the items is raised after the
    results of earlier ones.
    """
    size, seen, errors = 1, 0, list[Exception]()
    source = until_error(items, errors)
    if executor is not None:
        yield from _submitted(work, source, executor, most, largest, known)
    else:
        while some := list(islice(source, size)):
            seen += len(some)
            yield from work(some, max(seen, known))
            size = 1 if seen < singly else min(2 * size, largest)
    for error in errors:
        raise error


def _submitted(
    work: Callable[[list[A], int], Iterable[B]],
    source: Iterator[A],
    executor: Executor,
    most: int,
    largest: int,
    known: int,
) -> Generator[B, None, None]:
    waiting: deque[tuple[int, Future[_Block]]] = deque()
    call, size, seen = os.urandom(16).hex(), 1, 0
    try:
        while True:
            some = _gathered(source, size)
            if some:
                seen += len(some)
                waiting.append((len(some), executor.submit(_timed, work, some, max(seen, known), (call, seen))))
            while waiting and (not some or len(waiting) >= most or waiting[0][1].done()):
                n, future = waiting.popleft()
                block = future.result()
                size = max(1, min(largest, 4 * n, int(n * SECONDS / max(block.seconds, 1e-9))))
                yield from block.found
                if block.error is not None:
                    raise block.error
            if not some:
                return
    finally:
        for _, future in waiting:
            future.cancel()


def _gathered(items: Iterator[A], size: int) -> list[A]:
    """Return the next items, up to ``size``; fewer if they come slowly."""
    found, since = list(islice(items, 1)), perf_counter()
    while found and len(found) < size and perf_counter() - since < PAUSE and (more := list(islice(items, 1))):
        found += more
    return found


class _Block(NamedTuple):
    """The results of a block of items, the time that they took, and the exception that ended them."""

    found: Any
    seconds: float
    error: Exception | None = None


def _timed(work: Callable[[list[A], int], Iterable[B]], items: list[A], seen: int, _: tuple[str, int]) -> _Block:
    """Do the work of a block; the last argument makes it unique for executors that do equal work only once (dask)."""
    since, found = perf_counter(), list[B]()
    try:
        results = work(items, seen)
        if not isinstance(results, Iterator):
            return _Block(results, perf_counter() - since)  # which is smaller than its elements
        found.extend(results)
    except Exception as error:
        return _Block(found, perf_counter() - since, error)
    return _Block(found, perf_counter() - since)


def placed_at(error: Exception, row: int) -> Exception:
    """Return the error of a row, with the row's number if the error is about the input.

    A FormatError becomes a separate one, as an executor may share one result between equal items.
    """
    if isinstance(error, FormatError):
        return error if error.source else error.at(row=row).with_traceback(error.__traceback__)
    if isinstance(error, (TypeError, ValueError)):
        error.add_note(f"row {row}")
    return error
