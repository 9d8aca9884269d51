"""Signals that end the program: each is heard, none is lost, and a second one ends it whatever it is doing.

The first one raises KeyboardInterrupt in the main thread, so that everything is closed on the way out. Python drops an
exception that comes where none can be raised (in a finalizer, in the comparison of keys). So a timer goes on raising it
until somebody has heard it: until it is being handled, or what is left to do was said to be a part of ending. And a
signal that comes just before the main thread begins to wait for a lock does not wake it: a thread does that.
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
"""Seconds in which a signal may come again without being meant so: it is sent to a group, and to each of it."""

AGAIN = 0.1
"""Seconds after which an interruption that nobody heard is raised once more."""

MOST = 100
"""How often the main thread is woken for one signal."""


class _State:
    """How many signals came, the exit code of the first one (128 and its number), when, and whether it was heard."""

    calls = 0
    code = 0
    since = 0.0
    heard = False
    over = False


def listen() -> None:
    """Hear Ctrl-C, SIGTERM and SIGHUP from now on, but for those that the program was started to ignore (by nohup)."""
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
    """Return the exit code of the signal that came, 0 when none did."""
    return _State.code


def heard() -> None:
    """Say that an interruption was heard: what is done from here on is a part of ending, and only a second ends it."""
    _State.heard = True


def over() -> None:
    """Say that the work is over: a signal ends the program at once."""
    _State.over = _State.heard = True


def kill_children() -> None:
    """Kill the engines' processes, if there are any."""
    process = sys.modules.get("sudoku_models.engine.process")
    if process:
        process.kill_all()


def _wake(arrivals: int, main: int) -> None:
    """Wake the main thread when a signal has come and it goes on waiting."""
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
    """Raise the interruption again, unless it was heard or is on its way out just now."""
    if _State.heard:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    elif _State.code and not _is_handled(sys.exc_info()[1]):
        raise KeyboardInterrupt


def _is_handled(error: BaseException | None) -> bool:
    """Tell whether an interruption is behind the exception that is being handled."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _lost(unraisable: UnraisableHookArgs) -> None:
    """Say nothing of an interruption that was dropped: it comes again."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
