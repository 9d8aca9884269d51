"""End a long check by the clock, or by an alarm, and process long texts while checking it."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import FormatError, LimitReached

Look = Callable[[], None]
"""Checks the clock; an exception from it ends the work."""

SLICE = 1 << 20
"""Characters of a text, or literals of a formula, between two checks of the clock."""

LEAST = 0.2
"""Seconds after the limit at which the alarm rings; code that checks the clock ends earlier."""

_ROW = re.compile(r"[^\n]+")
_SPACE = re.compile(r"\s")


def never() -> None:
    """Do nothing: there is no time limit."""


class Deadline:
    """A moment ``time_limit`` seconds from now, after which a call raises LimitReached. ``None`` never comes.

    The message says what was ``undone``; this may be changed as the work goes on.
    This is not the Budget of the engines: the check of a certificate loads none of them.
    """

    def __init__(self, time_limit: float | None, undone: str = "the certificate was not read") -> None:
        if time_limit is not None and not time_limit >= 0:
            raise ValueError(f"time_limit is {time_limit}: seconds, at least 0, are expected")
        self.undone, self._limit, self._start = undone, time_limit, time.monotonic()

    def __call__(self) -> None:
        if self.left == 0:
            raise LimitReached(f"{self.undone} within {self._limit} s", None)

    @property
    def left(self) -> float | None:
        """The seconds until then; None without a limit."""
        return None if self._limit is None else max(0.0, self._limit - (time.monotonic() - self._start))


@contextmanager
def alarm(time_limit: float | None) -> Iterator[None]:
    """Raise LimitReached within the block once ``time_limit`` seconds of wall time have passed.

    Only in the main thread of a process, if the system has such alarms and nothing else uses them: elsewhere this does
    nothing, and only code that checks the clock ends in time.
    """
    if time_limit is None or not _free():
        yield
        return
    look = Deadline(time_limit)

    def ring(number: int, frame: Any) -> None:
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


@contextmanager
def bounded() -> Iterator[None]:
    """Raise one clear error if a certificate needs more memory than is available."""
    try:
        yield
    except MemoryError:
        raise FormatError("the certificate needs more memory than is available") from None


def rows(text: str, look: Look) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each non-empty line, checking the clock on the way."""
    number, seen, looked = 1, 0, 0
    for row in _ROW.finditer(text):
        if row.start() > looked + SLICE:
            look()
            looked = row.start()
        number += text.count("\n", seen, row.start())
        seen = row.end()
        yield number, row[0]


class Pace:
    """Checks the clock whenever a slice of work is done, counted in literals."""

    def __init__(self, look: Look, slice_: int = 200_000) -> None:
        self._look, self._slice, self._left = look, slice_, slice_

    def spend(self, work: int) -> None:
        """Record how much work was done."""
        self._left -= work
        if self._left < 0:
            self._left = self._slice
            self._look()


def words(text: str, look: Look) -> Iterator[list[str]]:
    """Yield the words of a text, many at a time, checking the clock on the way."""
    at = 0
    while at < len(text):
        look()
        space = _SPACE.search(text, at + SLICE)
        end = space.start() if space else len(text)
        yield text[at:end].split()
        at = end
