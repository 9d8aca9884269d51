"""Many puzzles, a bounded number of them at a time, in order."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TypeVar

from .engine.isolation import kill_of

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 4
"""How many items a worker may have waiting, so that an endless source is read no further than needed."""


def mapped(
    work: Callable[[A], B], items: Iterable[A], jobs: int, executor: Executor | None, most: int = 64
) -> Iterator[B]:
    """Yield ``work(item)`` for each item, in order; ``jobs`` at once, or as many as the executor runs.

    An executor has at most ``most`` items at a time.
    """
    if executor is not None:
        yield from _ahead(work, items, executor, most)
    elif jobs > 1:
        yield from _in_threads(work, items, jobs)
    else:
        yield from map(work, items)


def _in_threads(work: Callable[[A], B], items: Iterable[A], jobs: int) -> Iterator[B]:
    """Let threads wait for child processes; ended early, no thread and no engine at work is left behind."""
    started: list[threading.Thread] = []
    pool = ThreadPoolExecutor(jobs, "solve_many", initializer=lambda: started.append(threading.current_thread()))
    try:
        yield from _ahead(work, items, pool, AHEAD * jobs)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        while left := [thread for thread in started if thread.is_alive()]:
            kill_of([thread.ident for thread in left if thread.ident])
            left[0].join(0.02)


def _ahead(work: Callable[[A], B], items: Iterable[A], executor: Executor, most: int) -> Iterator[B]:
    """Submit items ahead of the results; what is ready is yielded before a further item is asked for."""
    waiting: deque[Future[B]] = deque()
    try:
        for item in items:
            waiting.append(executor.submit(work, item))
            while waiting and (len(waiting) >= most or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
