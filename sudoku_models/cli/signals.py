"""Signals that end the program: none is lost, and a second one ends it whatever it is doing.

The first signal raises KeyboardInterrupt in the main thread, so that everything is closed on the way out. Python drops
an exception where none can be raised: in a finalizer it says so, and a thread sends the signal again; in the comparison
of keys it does not, and a signal that arrives just before the main thread starts to wait for a lock does not wake that
thread. So the thread ends the program if it has not begun to end within some seconds.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

TWICE = 0.25
"""Seconds within which a repeated signal is ignored: it may be sent both to a group and to each of its processes."""

LOOK = 0.1
"""Seconds between two looks at whether a signal was dropped."""

PATIENCE = 5.0
"""Seconds after which a program that has not begun to end is ended."""


class _State:
    """The first signal's exit code (128 plus its number; 0: none) and time, and whether it was dropped, or handled."""

    code = 0
    since = 0.0
    dropped = False
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
    if os.name == "posix":
        arrivals, wakeup = os.pipe()
        os.set_blocking(wakeup, False)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(arrivals,), name="signals", daemon=True).start()


def code() -> int:
    """Return the exit code of the received signal, or 0 if there was none."""
    return _State.code


def heard() -> None:
    """Mark an interruption as handled: the program is now ending, and only a second signal stops it earlier."""
    _State.heard = True


def over() -> None:
    """Mark the work as finished: from now on a signal ends the program immediately."""
    _State.over = _State.heard = True


def leave_nothing() -> None:
    """Kill the engines' processes and remove the files that are half written, if any."""
    workers = sys.modules.get("sudoku_models.engine.workers")
    if workers and hasattr(workers, "kill_all"):  # the module may just be imported
        workers.kill_all()
    for part in [*getattr(sys.modules.get("sudoku_models.formats.target"), "unfinished", ())]:
        with suppress(OSError):
            part.unlink()


def _watch(arrivals: int) -> None:
    """Wait for a signal; send it again while it is dropped, and end a program that does not heed it."""
    while (number := os.read(arrivals, 1)[0]) not in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        pass  # as an alarm, which ends nothing
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        time.sleep(LOOK)
        if _State.dropped:
            _State.dropped = False
            signal.pthread_kill(threading.main_thread().ident or 0, number)
    if not _State.heard:
        _end(128 + number)


def _interrupt(signum: int, frame: FrameType | None) -> None:
    now = time.monotonic()
    if _State.code and now - _State.since < TWICE:
        return
    if _State.code or _State.over:
        _end(128 + signum)
    _State.code, _State.since = 128 + signum, now
    raise KeyboardInterrupt


def _end(code: int) -> None:
    leave_nothing()
    os._exit(code)


def _lost(unraisable: UnraisableHookArgs) -> None:
    """Do not report a dropped interruption, and forget it: it is sent again."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _State.code, _State.dropped = 0, True
    else:
        sys.__unraisablehook__(unraisable)
