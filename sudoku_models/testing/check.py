"""A check of the suite, with a limit: one that takes too long, or too much memory, is cut off and named."""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..engine.contract import Feature
from ..model import Model
from .processes import LINUX
from .subject import NotApplicable, Subject

MEMORY = 4 << 30
"""The most bytes by which the memory of this process may grow in a check (on Linux)."""


Models = Callable[[], Iterable[Model]]


@dataclass(frozen=True)
class Check:
    """A named check; calling it runs it on a subject. An exception says what is wrong.

    It applies to a backend that declares ``features`` and accepts at least one of the ``models``, if there are any.

    After ``subject.limit`` seconds the check is cut off: AssertionError with its name. If the engine does not even let
    an exception through (it works without returning to Python, or catches everything), the process ends a little later
    and prints where it was to ``terminal``, the number of an open file (default: standard error).
    """

    name: str
    function: Callable[[Subject], None]
    features: tuple[Feature, ...] = ()
    models: Models | None = None

    def refusal(self, subject: Subject) -> NotApplicable | None:
        """Return why the check does not apply to a backend, by what that declares; None if it does."""
        try:
            subject.needs(*self.features)
            next(subject.taken(self.models()), None) if self.models else None
        except NotApplicable as reason:
            return reason
        return None

    def __call__(self, subject: Subject, terminal: int | None = None) -> None:
        """Run the check; NotApplicable if it does not apply."""
        if refusal := self.refusal(subject):
            raise refusal
        with _limited(f"the check {self.name} of {subject.selection}", subject.limit, terminal), _less_memory():
            self.function(subject)


def check(*features: Feature, on: Models | None = None) -> Callable[[Callable[[Subject], None]], Check]:
    """Make a check of a function, named after it, for backends with these features that accept a model of ``on``."""
    models = cache(lambda: tuple(on())) if on else None  # many backends are asked whether they accept them
    return lambda function: Check(function.__name__, function, features, models)


class _CutOff(BaseException):
    """The limit of a check is reached: no Exception, for adapters may catch those."""


@contextmanager
def _limited(what: str, seconds: float, terminal: int | None) -> Iterator[None]:
    """Raise AssertionError in what runs inside, in the main thread, when it has taken too long."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    reached = False

    def cut_off(signum: int, frame: object) -> None:
        nonlocal reached
        reached = True
        raise _CutOff

    before = signal.signal(signal.SIGALRM, cut_off)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)  # again and again: an adapter may swallow the first exception
    faulthandler.dump_traceback_later(1.2 * seconds + 5, exit=True, file=terminal or sys.__stderr__ or 2)
    try:
        yield
    except (_CutOff, Exception):
        if not reached:
            raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()
    if reached:
        raise AssertionError(f"{what} was cut off after {seconds:g} s")


@contextmanager
def _less_memory() -> Iterator[None]:
    """Let what takes much more memory than this process has now raise MemoryError, before the machine swaps."""
    if not LINUX:
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    most = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize() + MEMORY
    if before[0] == resource.RLIM_INFINITY or before[0] > most:
        resource.setrlimit(resource.RLIMIT_DATA, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
