"""What this process is, and a process and everything it started, seen from outside: CPU time, memory, and killing all
of them. Uses /proc on Linux.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

_TICK = 1.0 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


SEEN = Path("/proc/self/stat").exists()
"""Whether this system allows processes to be inspected."""

INSIDE = "SUDOKU_MODELS_CHILD"
"""The environment variable that marks a child process; its value is the pipe that closes with the parent."""

inside = INSIDE in os.environ
"""Whether this process is a child in which engines run: they have no further children."""

on_command_line = False
"""Whether this process is the command line, which must receive signals and owns its output and exit code."""


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes that a process started, and those that they started; nothing without /proc."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def children(pid: int) -> Iterator[int]:
    """Yield the processes that a process started, zombies included; nothing without /proc."""
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                yield from map(int, (task / "children").read_text().split())


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process, its threads, and its children dead or alive, in steps of 10 ms."""
    return sum(map(_cpu, (pid, *descendants(pid))))


def _cpu(pid: int) -> float:
    try:
        # after the name in parentheses: state, then numbers; user and system time, own and of children waited for
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) * _TICK


def memory(pid: int) -> int:
    """Return the resident bytes of a process and everything it started; 0 if the system does not report it."""
    return sum(map(_memory, (pid, *descendants(pid))))


def _memory(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


def memory_by_ps(pid: int) -> int:
    """Return the resident bytes of a process according to ``ps``, without /proc; 0 if it has ended."""
    import subprocess

    printed = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return int(printed) * 1024 if printed.isdigit() else 0


def bound_memory(limit: int | None) -> None:
    """Make the kernel limit this process, and every process it starts, to this number of bytes of private memory."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = hard if limit is None else limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def peak(pid: int) -> int | None:
    """Return the most resident bytes that a process without children has had; None if that is not known."""
    if next(descendants(pid), None) is not None:
        return None
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, IndexError, ValueError):
        return None


def kill(pid: int) -> None:
    """Kill a process of ours and everything it started, also in other sessions.

    The process is stopped first, so that it starts no more; orphans return to it, since it adopts them
    (``adopt_orphans``), and so can be found as long as it exists. The caller waits for it.
    """
    _send(pid, signal.SIGSTOP)
    for _ in range(100):
        below = list(descendants(pid))
        living = [child for child in below if _lives(child)]
        for child in living:
            _send(child, signal.SIGKILL)
        if not living:
            break
    kill_group(pid)
    _send(pid, signal.SIGKILL)


def kill_marked(mark: str) -> None:
    """Kill every process whose environment has this variable (``NAME=value``), even one that left its parent's tree."""
    for _ in range(100):
        living = [pid for pid in _marked(mark.encode()) if _lives(pid)]
        for pid in living:
            _send(pid, signal.SIGKILL)
        if not living:
            return


def _marked(mark: bytes) -> Iterator[int]:
    for folder in Path("/proc").iterdir() if SEEN else ():
        with suppress(OSError):
            if folder.name.isdigit() and mark in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)


def kill_group(pid: int) -> None:
    """Kill the remaining processes of the session that a process led."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def _send(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (on Linux; no effect elsewhere)."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


@contextmanager
def undisturbed() -> Iterator[None]:
    """Within the block, Ctrl-C is deferred to the end of the block; a second Ctrl-C is raised immediately.

    This applies only to the main thread: Python raises nothing in others. If Ctrl-C is ignored, or left to the system,
    nothing changes.
    """
    before: Any = None
    came: list[tuple[int, FrameType | None]] = []

    def hear(*signalled: Any) -> None:
        if came:
            before(*signalled)
        came.append(signalled)

    try:
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            with suppress(ValueError):  # a subinterpreter, which receives no signals
                before = signal.signal(signal.SIGINT, hear)
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
        if came:
            before(*came[-1])
