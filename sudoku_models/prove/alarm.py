"""A time limit for code that does not check the clock: a rule that takes long to be stated or judged."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .looking import until

LEAST = 0.2
"""Seconds after the limit at which the alarm rings; code that checks the clock ends earlier."""


@contextmanager
def alarm(time_limit: float | None) -> Iterator[None]:
    """Raise LimitReached within the block once ``time_limit`` seconds of wall time have passed.

    Only in the main thread of a process, if the system has such alarms and nothing else uses them: elsewhere this does
    nothing, and only code that checks the clock ends in time.
    """
    if time_limit is None or not _free():
        yield
        return
    look = until(time_limit)

    def ring(number: int, frame: Any) -> None:
        """End the work when time is up."""
        look()
        signal.setitimer(signal.ITIMER_REAL, LEAST)

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, time_limit + LEAST)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _free() -> bool:
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return False
    return signal.getsignal(signal.SIGALRM) is signal.SIG_DFL and signal.getitimer(signal.ITIMER_REAL)[0] == 0
