"""What a run takes and may leave behind: CPU time, memory, threads, processes. On Linux all of it is visible, elsewhere
only threads and CPU time.
"""

from __future__ import annotations

import os
import threading
import time

from ..engine import tree, workers
from .subject import Kind, NotApplicable

LINUX = tree.SEEN

PATIENCE = 60.0
"""Seconds within which ended processes must be gone, even on a busy machine."""


def children(pid: int | None = None) -> set[int]:
    """Return the processes that a process (default: this one) has started, zombies included."""
    return set(tree.children(pid or os.getpid()))


def left_behind(threads: set[threading.Thread], processes: set[int]) -> str:
    """Return what exists beyond the given threads and processes, after time for it to end; "" for nothing."""
    workers.close_idle()
    deadline = time.monotonic() + PATIENCE
    while True:
        extra = [*(t.name for t in set(threading.enumerate()) - threads), *map(str, children() - processes)]
        if not extra or time.monotonic() > deadline:
            return ", ".join(extra)
        time.sleep(0.02)


def cpu_time() -> float:
    """Return the seconds of CPU time that this process and its children have taken, as far as the system reports it.

    Children that have ended are included, once they were waited for.
    """
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system + sum(map(tree.cpu, children()))


def memory() -> int:
    """Return the resident bytes of this process and its children; NotApplicable where the system does not tell."""
    if not LINUX:
        raise NotApplicable(Kind.PLATFORM, "the memory of a process is read from /proc")
    return tree.memory(os.getpid())
