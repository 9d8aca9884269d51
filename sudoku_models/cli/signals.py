"""Signals that end the program: none is lost, and a second one ends it whatever it is doing.

The first signal raises KeyboardInterrupt in the main thread, so that everything is closed on the way out. Python drops
an exception where none can be raised (in a finalizer, in the comparison of keys). So a timer raises it again until it
is being handled, or until ``heard`` has been called. A signal that arrives just before the main thread starts to wait
for a lock does not wake that thread, so another thread does.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

TWICE = 0.25
"""Seconds within which a repeated signal is ignored: it may be sent both to a group and to each of its processes."""

AGAIN = 0.1
"""Seconds after which an interruption that was not handled is raised again."""

MOST = 100
"""The number of times that the main thread is woken for one signal."""


class _State:
    """The number of signals, the first one's exit code (128 plus its number) and time, and whether it was handled."""

    calls = 0
    code = 0
    since = 0.0
    heard = False
    over = False


def listen() -> None:
    """Handle Ctrl-C, SIGTERM and SIGHUP from now on, except those that the program inherited as ignored (nohup)."""
    signal.signal(signal.SIGINT, _interrupt)
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    sys.unraisablehook = _lost
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _remind)
        arrivals, wakeup = os.pipe()
        os.set_blocking(wakeup, False)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        threading.Thread(target=_wake, args=(arrivals, threading.get_ident()), name="signals", daemon=True).start()


def code() -> int:
    """Return the exit code of the received signal, or 0 if there was none."""
    return _State.code


def heard() -> None:
    """Mark an interruption as handled: the program is now ending, and only a second signal stops it earlier."""
    _State.heard = True


def over() -> None:
    """Mark the work as finished: from now on a signal ends the program immediately."""
    _State.over = _State.heard = True


def kill_children() -> None:
    """Kill the engines' processes, if any."""
    workers = sys.modules.get("sudoku_models.engine.workers")
    if workers:
        workers.kill_all()


def _wake(arrivals: int, main: int) -> None:
    """Wake the main thread if it is still waiting after a signal."""
    arrived = 0
    while numbers := os.read(arrivals, 64):
        arrived += sum(number != signal.SIGALRM for number in numbers)
        for _ in range(MOST):
            if _State.calls >= arrived or _State.over:
                break
            time.sleep(AGAIN / 2)
            signal.pthread_kill(main, signal.SIGALRM)
        arrived = min(arrived, _State.calls)  # two at once may have been one call


def _interrupt(signum: int, frame: FrameType | None) -> None:
    now = time.monotonic()
    _State.calls += 1
    if _State.code and now - _State.since < TWICE:
        return
    if _State.code or _State.over:
        kill_children()
        os._exit(128 + signum)
    _State.code, _State.since = 128 + signum, now
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
    raise KeyboardInterrupt


def _remind(signum: int, frame: FrameType | None) -> None:
    """Raise the interruption again, unless it was handled or is being handled now."""
    if _State.heard:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    elif _State.code and not _is_handled(sys.exc_info()[1]):
        raise KeyboardInterrupt


def _is_handled(error: BaseException | None) -> bool:
    """Return whether the exception being handled was caused by an interruption."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _lost(unraisable: UnraisableHookArgs) -> None:
    """Do not report a dropped interruption, as it is raised again."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
