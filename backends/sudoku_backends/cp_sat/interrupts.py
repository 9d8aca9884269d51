"""Ctrl-C while CP-SAT works in the main thread.

The engine has its own handler (``catch_sigint_signal``). In OR-tools 9.15 it allocates memory to write to its log; if
the signal comes in the middle of an allocation, the program hangs. It is used only if Python cannot wake a thread by a
signal.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

AGAIN = 50
"""Milliseconds after which the engine is asked again to stop: it may not have begun when the signal came."""


def by_engine() -> bool:
    """Return whether the engine itself must handle Ctrl-C in this thread."""
    return threading.current_thread() is threading.main_thread() and not hasattr(select, "poll")


@contextmanager
def stopped_by_ctrl_c(stop: Callable[[], None]) -> Iterator[None]:
    """Have Ctrl-C call ``stop`` in another thread while the main one is in the engine.

    Python raises KeyboardInterrupt when the engine returns. In other threads nothing is done. A wakeup descriptor that
    was set before (``signal.set_wakeup_fd``) is still written to.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(select, "poll"):
        yield
        return
    arrivals, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    before = signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(arrivals, before, stop), name="cp-sat's Ctrl-C", daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)
        os.close(wakeup)  # which ends the listener
        listener.join()
        os.close(arrivals)


def _listen(arrivals: int, before: int, stop: Callable[[], None]) -> None:
    """Read the numbers of signals to the end, pass them on, and stop the engine from the first SIGINT on."""
    poll = select.poll()
    poll.register(arrivals, select.POLLIN)
    struck = False
    while True:
        if poll.poll(AGAIN if struck else None):
            numbers = os.read(arrivals, 64)
            if not numbers:
                return
            struck = struck or signal.SIGINT in numbers
            if before >= 0:
                with suppress(OSError):
                    os.write(before, numbers)
        if struck:
            stop()
