"""Process many puzzles in order, a bounded number at a time."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any, TypeVar

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

    An executor has at most ``most`` items at a time. An exception from ``items`` is raised after the results of earlier
    items. Raises TypeError immediately for something that is not an executor.
    """
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError(
            f"executor is {type(executor).__name__}: an executor like those of concurrent.futures is expected"
        )
    return _mapped(work, Source.of(items), jobs, executor, most)


def _mapped(
    work: Callable[[A], B], source: Source[A], jobs: int, executor: Executor | None, most: int
) -> Generator[B, None, None]:
    if executor is not None:
        yield from _ahead(work, source, executor, most)
    elif jobs > 1:
        yield from _in_threads(work, source, jobs)
    else:
        yield from map(work, source)
    source.finish()


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


def _alone(work: Callable[[A], B], item: A, _: tuple[str, int]) -> B:
    """Do one piece of work; the number makes it unique for executors that do equal work only once (dask)."""
    return work(item)


def _ahead(work: Callable[[A], B], items: Iterable[A], executor: Executor, most: int) -> Iterator[B]:
    """Submit items ahead of the results; results that are ready are yielded before another item is read."""
    waiting: deque[Future[B]] = deque()
    call = os.urandom(16).hex()
    try:
        for number, item in enumerate(items):
            waiting.append(executor.submit(_alone, work, item, (call, number)))
            while waiting and (len(waiting) >= most or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
