"""Loops that adapters share: over an engine that yields solutions, and over one that works in a thread."""

from __future__ import annotations

import atexit
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, TypeVar

from .budget import Budget, Interruption, OutOfTime
from .contract import Ending, Reason, Request, Search, Solution, Wanted
from .record import Stopwatch

T = TypeVar("T")
R = TypeVar("R")


AHEAD = 64
"""The number of items by which a thread may be ahead of the consumer."""


def pulled(
    solutions: Iterable[Solution], request: Request, watch: Stopwatch, wanted: Wanted = lambda _: True
) -> Search:
    """Yield as many wanted solutions as the request asks for, timed as the run; ``wanted`` selects solutions.

    OutOfTime, OutOfMemory and GaveUp from the engine end it.
    """
    if request.limit == 0:
        return Ending(Reason.LIMIT)
    count = 0
    try:
        for solution in solutions:
            if wanted(solution):
                watch.lap("run")
                yield solution
                watch.restart()
                count += 1
                if count == request.limit:
                    return Ending(Reason.LIMIT)
        ending = Ending(Reason.EXHAUSTED)
    except Interruption as stop:
        ending = Ending.at(stop)
    watch.lap("run")
    return ending


def until(check: Callable[[], object], solutions: Iterable[Solution]) -> Iterator[Solution]:
    """Yield solutions, and call ``check`` before the engine searches for each; an exception from it ends the loop."""
    check()
    for solution in solutions:
        yield solution
        check()


def streamed(
    name: str, work: Callable[[Callable[[T], bool]], R], stop: Callable[[], object], clock: Budget
) -> Generator[T, None, R]:
    """Run ``work`` in a thread, yield the items that it produces, and return its result.

    ``work(put)`` runs the engine: ``put`` adds an item, waits while AHEAD items are undelivered, and returns True if no
    more are wanted. ``stop`` asks the engine to end; it is called repeatedly until the thread has ended, which is
    always the case when this generator, or the program, ends. Raises what the work raises, and OutOfTime if the clock
    expires first.
    """
    gone, found = threading.Event(), queue.Queue[Any](AHEAD)

    def job() -> None:
        try:
            _put(found, ("end", work(lambda item: _put(found, ("item", item), gone))), gone)
        except Exception as error:
            _put(found, ("error", error), gone)

    def end() -> None:
        gone.set()
        _join(thread, stop)

    thread = threading.Thread(target=job, name=name, daemon=True)
    thread.start()
    atexit.register(end)  # later the thread could not end, nor could an engine be left in the middle of its work
    try:
        while True:
            try:
                kind, content = found.get(timeout=clock.left)
            except queue.Empty:
                raise OutOfTime from None
            if kind == "error":
                raise content
            if kind == "end":
                return content  # type: ignore[no-any-return]
            yield content
    finally:
        atexit.unregister(end)
        end()


def _put(found: queue.Queue[Any], item: Any, gone: threading.Event) -> bool:
    """Put an item when there is room; return True if the consumer has gone."""
    while not gone.is_set():
        try:
            found.put(item, timeout=0.05)
            return False
        except queue.Full:
            continue
    return True


def _join(thread: threading.Thread, stop: Callable[[], object]) -> None:
    """Stop a thread and wait for its end; a Ctrl-C in the meantime is raised afterwards."""
    struck: KeyboardInterrupt | None = None
    while thread.is_alive():
        try:
            stop()
            thread.join(0.01)
        except KeyboardInterrupt as error:
            struck = error
    if struck:
        raise struck
