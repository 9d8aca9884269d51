"""What a run takes and may leave behind: CPU time, memory, threads, processes. On Linux all of it is visible, elsewhere
only threads and CPU time.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from ..engine import workers
from .subject import Kind, NotApplicable

LINUX = sys.platform.startswith("linux")

PATIENCE = 60.0
"""Seconds within which ended processes must be gone, even on a busy machine."""


def children(pid: int | None = None) -> set[int]:
    """Return the processes that a process (default: this one) has started, zombies included."""
    tasks = Path(f"/proc/{pid or os.getpid()}/task")
    found: set[int] = set()
    for task in tasks.iterdir() if LINUX else ():
        try:
            found.update(map(int, (task / "children").read_text().split()))
        except OSError:
            continue
    return found


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
    total = time.process_time() + ended.children_user + ended.children_system
    for pid in children():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return total


def memory() -> int:
    """Return the resident bytes of this process and its children; NotApplicable where the system does not tell."""
    if not LINUX:
        raise NotApplicable(Kind.PLATFORM, "the memory of a process is read from /proc")
    page = os.sysconf("SC_PAGE_SIZE")
    return sum(_pages(pid) for pid in (os.getpid(), *children())) * page


def _pages(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
