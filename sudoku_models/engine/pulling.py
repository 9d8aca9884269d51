"""What adapters share: loops over an engine that yields solutions, and over one that works in a thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .contract import Ending, Reason, Request, Search, Solution
from .record import Clock, OutOfTime, Stopwatch

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 64
"""How many items a thread may be ahead of the consumer."""


def pulled(solutions: Iterator[Solution], request: Request, watch: Stopwatch) -> Search:
    """Yield as many solutions as are wanted, timed as the run; OutOfTime from the engine ends it."""
    try:
        for count, solution in enumerate(solutions, 1):
            watch.lap("run")
            yield solution
            watch.restart()
            if count == request.limit:
                return Ending(Reason.LIMIT)
        watch.lap("run")
        return Ending(Reason.EXHAUSTED)
    except OutOfTime:
        watch.lap("run")
        return Ending(Reason.TIME)


def streamed(
    name: str, work: Callable[[Callable[[T], bool]], R], stop: Callable[[], object], clock: Clock
) -> Generator[T, None, R]:
    """Let a thread work, yield the items that it hands over, as it does, and return what the work comes to.

    ``work(put)`` is the engine at work: ``put`` takes an item, waits while AHEAD are undelivered, and returns True when
    no more are wanted. ``stop`` asks the engine to end; it is called again and again until the thread has ended, which
    it has whenever this ends. Raises what the work raises, and OutOfTime when the clock expires first.
    """
    gone, found = threading.Event(), queue.Queue[Any](AHEAD)

    def job() -> None:
        try:
            _put(found, _Last(work(lambda item: _put(found, item, gone))), gone)
        except Exception as error:
            _put(found, _Raised(error), gone)

    thread = threading.Thread(target=job, name=name, daemon=True)
    thread.start()
    try:
        while True:
            try:
                item = found.get(timeout=clock.left)
            except queue.Empty:
                raise OutOfTime from None
            if isinstance(item, _Raised):
                raise item.error
            if isinstance(item, _Last):
                return item.result  # type: ignore[no-any-return]
            yield item
    finally:
        gone.set()
        _join(thread, stop)


@dataclass(frozen=True)
class _Last(Generic[R]):
    result: R


@dataclass(frozen=True)
class _Raised:
    error: Exception


def _put(found: queue.Queue[Any], item: Any, gone: threading.Event) -> bool:
    """Put an item when there is room; return True when the consumer has gone."""
    while not gone.is_set():
        try:
            found.put(item, timeout=0.05)
            return False
        except queue.Full:
            continue
    return True


def _join(thread: threading.Thread, stop: Callable[[], object]) -> None:
    """Stop a thread and wait for its end; a Ctrl-C meanwhile is raised afterwards."""
    struck: KeyboardInterrupt | None = None
    while thread.is_alive():
        try:
            stop()
            thread.join(0.01)
        except KeyboardInterrupt as error:
            struck = error
    if struck:
        raise struck
