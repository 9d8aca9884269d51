"""A limit of time for what looks at no clock itself: a rule that takes long to be stated, or to be judged."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .looking import until

LEAST = 0.2
"""Seconds after the limit at which the clock is looked at for those who do not: all others are quicker."""


@contextmanager
def alarm(time_limit: float | None) -> Iterator[None]:
    """Raise LimitReached within the block once ``time_limit`` seconds of wall time are over.

    Only in the main thread of a process, where the system has such alarms and nobody else uses them: elsewhere this
    does nothing, and only what looks at the clock ends in time.
    """
    if time_limit is None or not _free():
        yield
        return
    look = until(time_limit)

    def ring(number: int, frame: Any) -> None:
        """End the work when the time is over."""
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
