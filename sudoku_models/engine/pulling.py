"""The loop of an adapter whose engine yields solutions one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from .contract import Ending, Reason, Request, Search, Solution
from .record import OutOfTime, Stopwatch


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
