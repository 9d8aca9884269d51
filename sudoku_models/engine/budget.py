"""What a job may spend: time, memory, and whether it is still wanted; and the bounds on such numbers."""

from __future__ import annotations

import os
import sys
import threading
import time
from numbers import Real

LONGEST = 1e9
"""A limit of more seconds than this (thirty years, or infinity) counts as no limit."""

LEAST_MEMORY = 16 << 20
"""Bytes that an engine's process needs in any case. A lower limit is a mistake, such as megabytes given as bytes."""

MOST_MEMORY = sys.maxsize >> 1
"""Bytes: the system counts to no more than twice this number, and the kernel's limit is set somewhat above the
request's.
"""

MOST_WORKERS = 10_000
"""Threads: more than any machine can use, and the most that CP-SAT accepts."""


class Interruption(Exception):
    """What ends a search from inside and is no failure."""


class OutOfTime(Interruption):
    """The time of a budget is spent, or its job was cancelled: raised to leave the loops of an engine."""


class OutOfMemory(Interruption):
    """The engine ended without an answer, and its memory was limited."""


class GaveUp(Interruption):
    """The engine ended before it had searched everything."""


_counting = threading.Lock()


def _forked() -> None:
    """Renew the lock: a thread that held it does not exist in a fork."""
    global _counting
    _counting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class Budget:
    """The time and memory of one job, made where the job begins and handed down to every question inside it.

    ``seconds`` of wall time, ``memory`` in bytes for each process that an engine runs in; None: no limit. Time passes
    only inside ``with budget:`` (which may be nested), so that a consumer's pauses do not count. A budget made
    ``within`` another one is a share of it: it ends with the whole, its time is the whole's too, and cancelling the
    whole cancels it. Raises TypeError or ValueError for a time limit that is not a number of at least 0.
    """

    __slots__ = ("_cancelled", "_depth", "_since", "_spent", "memory", "seconds", "within")

    def __init__(self, seconds: float | None = None, memory: int | None = None, within: Budget | None = None) -> None:
        if seconds is not None:
            if not isinstance(seconds, Real):
                raise TypeError(f"time_limit is {seconds!r}: a number of seconds is expected")
            if not seconds >= 0:
                raise ValueError(f"time_limit is {seconds}: seconds, at least 0, are expected")
            if seconds > LONGEST:
                seconds = None
        if within is not None and within.memory is not None:
            memory = within.memory if memory is None else min(memory, within.memory)
        self.seconds, self.within = seconds, within
        self.memory: int | None = memory
        self._cancelled, self._depth, self._since, self._spent = False, 0, 0.0, 0.0

    def start(self) -> Budget:
        """Let time pass, until ``stop`` is called as often as this; return the budget."""
        if self.within is not None:
            self.within.start()
        if self.seconds is not None:
            with _counting:  # several threads may work for one job
                if not self._depth:
                    self._since = time.perf_counter()
                self._depth += 1
        return self

    def stop(self, *_: object) -> None:
        """Let time pause, unless it was started more than once."""
        if self.seconds is not None:
            with _counting:
                self._depth -= 1
                if not self._depth:
                    self._spent += time.perf_counter() - self._since
        if self.within is not None:
            self.within.stop()

    __enter__, __exit__ = start, stop

    @property
    def left(self) -> float | None:
        """Seconds left, never below 0 and 0 if the job was cancelled; None without a limit."""
        if self._cancelled:
            return 0.0
        whole = None if self.within is None else self.within.left
        if self.seconds is None:
            return whole
        running = time.perf_counter() - self._since if self._depth else 0.0
        mine = max(0.0, self.seconds - self._spent - running)
        return mine if whole is None else min(mine, whole)

    @property
    def expired(self) -> bool:
        """Return whether the time is spent, or the job was cancelled."""
        return self.left == 0.0

    @property
    def cancelled(self) -> bool:
        """Return whether the job, or one that it is part of, was cancelled."""
        return self._cancelled or (self.within is not None and self.within.cancelled)

    def cancel(self) -> None:
        """End the job as soon as it looks at its budget; may be called from any thread."""
        self._cancelled = True

    def check(self) -> None:
        """Raise OutOfTime if the time is spent, or the job was cancelled."""
        if self.left == 0.0:
            raise OutOfTime

    def __reduce__(self) -> tuple[type[Budget], tuple[float | None, int | None]]:
        """Send what is left to another process, where cancelling this one has no effect."""
        return Budget, (self.left, self.memory)

    def part(self, seconds: float | None = None, memory: int | None = None) -> Budget:
        """Return a share of this budget with further limits of its own."""
        return Budget(seconds, memory, self)


class Meter:
    """Counts the nodes of a search and checks its budget at the first node and at every ``every``-th one after it.

    With a ``patience`` the search gives up after that number of nodes and of calls of ``check``.
    """

    def __init__(self, clock: Budget, every: int, patience: int = 0) -> None:
        self.nodes = 0
        self.check = self._look if patience else clock.check
        self._clock, self._left, self._patient = clock, patience, bool(patience)
        self._every = max(1, every)
        self._next = 1

    def tick(self) -> None:
        """Count a node; raise OutOfTime if a check is due and the limit is reached, GaveUp if the patience is over."""
        self.nodes += 1
        if self.nodes >= self._next:
            self._next = self.nodes + self._every
            self.check()
        if self._patient:
            self._look()

    def _look(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise GaveUp
        self._clock.check()


def memory_fault(size: float) -> str:
    """Return what is wrong with a memory limit in bytes, as words that follow "it is"; empty if nothing is."""
    if size > MOST_MEMORY:
        return f"more than the {MOST_MEMORY >> 40:,}T ({MOST_MEMORY} bytes) that can be set as a memory limit"
    if size < LEAST_MEMORY:
        least = f"at least {LEAST_MEMORY} ({LEAST_MEMORY >> 20}M) is expected, as an engine's process alone takes that"
        return f"{int(size):,} byte{'' if size == 1 else 's'}: {least}"
    return ""


def check_number(name: str, value: int) -> None:
    """Raise ValueError if a number in a request is out of bounds; ``name`` is its field in ``Request``."""
    if name == "memory_limit":
        fault = memory_fault(value)
        if fault:
            raise ValueError(f"memory_limit is {fault}")
        return
    least = 0 if name == "seed" else 1
    if value < least:
        raise ValueError(f"{name} is {value}: at least {least} is expected")
    if name == "workers" and value > MOST_WORKERS:
        raise ValueError(f"workers is more than {MOST_WORKERS:,}, the most threads that may be asked for")
