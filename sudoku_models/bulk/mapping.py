"""Process many puzzles in order, a bounded number at a time."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from ..engine.workers import end_threads
from ..errors import FormatError

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 4
"""The number of items that a worker may have waiting, so that an endless source is not read too far ahead."""


class Source(Iterator[A]):
    """The items of a source. An exception ends them; ``finish`` raises it once the earlier items are answered."""

    def __init__(self, items: Iterable[A]) -> None:
        self._items = iter(items)
        self.error: Exception | None = None

    @classmethod
    def of(cls, items: Iterable[A]) -> Source[A]:
        """Return items as a Source; a Source is returned unchanged."""
        return items if isinstance(items, Source) else cls(items)

    def __next__(self) -> A:
        if self.error is not None:
            raise StopIteration
        try:
            return next(self._items)
        except StopIteration:
            raise
        except Exception as error:
            self.error = error
            raise StopIteration from None

    def finish(self) -> None:
        """Raise the exception that ended the source early, if any."""
        if self.error is not None:
            raise self.error


def mapped(
    work: Callable[[A], B], items: Iterable[A], jobs: int, executor: Executor | None, most: int = 64
) -> Generator[B, None, None]:
    """Yield ``work(item)`` for each item, in order, with ``jobs`` items in progress, or as many as the executor runs.

    An executor gets blocks of items (see ``in_blocks``), at most ``most`` at a time. An exception from ``items`` is
    raised after the results of earlier items. Raises TypeError immediately for something that is not an executor.
    """
    source = Source.of(items)
    if executor is not None:
        return in_blocks(partial(_each, work), source, executor, most)
    return _mapped(work, source, jobs)


def _mapped(work: Callable[[A], B], source: Source[A], jobs: int) -> Generator[B, None, None]:
    yield from _in_threads(work, source, jobs) if jobs > 1 else map(work, source)
    source.finish()


def _each(work: Callable[[A], B], items: list[A], _: int) -> Iterator[B]:
    return map(work, items)


def in_blocks(
    work: Callable[[list[A], int], Iterable[B]], source: Source[A], executor: Executor, most: int = 64, known: int = 0
) -> Generator[B, None, None]:
    """Yield the results of ``work(items, seen)`` for blocks of items of a size that takes an executor ``SECONDS``.

    At most ``most`` blocks are in progress, and those that are ready are yielded before another item is read. ``seen``
    is the number of items known so far: at least ``known``, and those that were read. Raises TypeError immediately for
    something that is not an executor.
    """
    if not hasattr(executor, "submit"):
        raise TypeError(
            f"executor is {type(executor).__name__}: an executor like those of concurrent.futures is expected"
        )
    return _in_blocks(work, source, executor, most, known)


def _in_blocks(
    work: Callable[[list[A], int], Iterable[B]], source: Source[A], executor: Executor, most: int, known: int
) -> Generator[B, None, None]:
    waiting: deque[tuple[int, Future[_Block]]] = deque()
    call, size, seen = os.urandom(16).hex(), 1, 0
    try:
        while True:
            some = _gathered(source, size)
            if some:
                seen += len(some)
                future = executor.submit(_timed, work, some, max(seen, known), (call, seen))
                waiting.append((len(some), future))
            while waiting and (not some or len(waiting) >= most or waiting[0][1].done()):
                n, future = waiting.popleft()
                block = future.result()
                size = max(1, min(LARGEST, 4 * n, int(n * SECONDS / max(block.seconds, 1e-9))))
                yield from block.found
                if block.error is not None:
                    raise block.error
            if not some:
                break
    finally:
        for _, future in waiting:
            future.cancel()
    source.finish()


SECONDS = 0.05
"""The time that an executor should take for a block of items: much longer than handing it over."""

LARGEST = 4_096
"""The largest number of items in a block."""

PAUSE = 0.02
"""The time, in seconds, after which a block is handed over although it is not full."""


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
        for result in results:
            found.append(result)
    except Exception as error:
        return _Block(found, perf_counter() - since, error)
    return _Block(found, perf_counter() - since)


def numbered(results: Generator[Any, None, None], source: Source[Any]) -> Iterator[Any]:
    """Yield results; an error without a place gets the number of its row, from 1.

    The error may be raised or be one of the results. An exception from the source is left unchanged.
    """
    number = 0
    with closing(results):
        while True:
            number += 1
            try:
                result = next(results)
            except StopIteration:
                return
            except (TypeError, ValueError) as error:
                if error is source.error:
                    raise
                raise placed_at(error, number) from error.__cause__
            yield placed_at(result, number) if isinstance(result, Exception) else result


def placed_at(error: Exception, row: int) -> Exception:
    """Return the error of a row, with the row's number if the error is about the input."""
    if isinstance(error, FormatError):
        return _placed(error, row)
    if isinstance(error, (TypeError, ValueError)):
        error.add_note(f"row {row}")
    return error


def _placed(error: FormatError, row: int) -> FormatError:
    """Return a separate error for a row, as an executor may share one result between equal items."""
    return error if error.source else error.at(row=row).with_traceback(error.__traceback__)


def _in_threads(work: Callable[[A], B], items: Iterable[A], jobs: int) -> Iterator[B]:
    """Use threads that wait for child processes; if ended early, no thread and no running engine is left behind."""
    started: list[threading.Thread] = []
    pool = ThreadPoolExecutor(jobs, "solve_many", initializer=lambda: started.append(threading.current_thread()))
    try:
        yield from _ahead(work, items, pool, AHEAD * jobs)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        end_threads(started)


def _ahead(work: Callable[[A], B], items: Iterable[A], pool: ThreadPoolExecutor, most: int) -> Iterator[B]:
    """Submit items ahead of the results; results that are ready are yielded before another item is read."""
    waiting: deque[Future[B]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            while waiting and (len(waiting) >= most or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
