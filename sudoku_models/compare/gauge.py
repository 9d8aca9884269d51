"""The speed and the load of the machine during a comparison: a fixed piece of work, timed between the runs."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

EVERY = 0.25
"""Seconds between two readings."""

WORK = 20_000
"""Steps of the fixed piece of work: about a millisecond."""

_HEAT = "cpu*/thermal_throttle/*_throttle_count"


class Gauge:
    """Reads the state of the machine at intervals; a reading serves all runs that begin before the next one."""

    def __init__(self) -> None:
        self._read = 0.0
        self._last: dict[str, Any] = {}
        self._slowed = _slowed()

    def reading(self) -> dict[str, Any]:
        """Return the columns ``control``, ``load`` and ``throttled`` for a row that begins now, see ``Row``."""
        if not self._last or time.monotonic() - self._read >= EVERY:
            slowed = _slowed()
            self._last = {"control": timed_work(), "load": load(), "throttled": slowed > self._slowed}
            self._read, self._slowed = time.monotonic(), slowed
        return self._last


def timed_work() -> float:
    """Return the wall seconds for the fixed piece of work: twice as many mean half the speed."""
    start, total = time.perf_counter(), 0
    for i in range(WORK):
        total ^= i * i
    return time.perf_counter() - start


def load() -> float | None:
    """Return how many processes want to run for each usable core, including this one; None if unknown.

    On Linux this is the present number, on other systems the average of the last minute.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, IndexError, ValueError):
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]) / cores
    return os.getloadavg()[0] / cores if hasattr(os, "getloadavg") else None


def _slowed() -> int:
    """Return how often the kernel has throttled the processor for heat, or this process's group for its quota."""
    total = 0
    for path in Path("/sys/devices/system/cpu").glob(_HEAT):
        with suppress(OSError, ValueError):
            total += int(path.read_text())
    with suppress(OSError, IndexError, ValueError):
        total += int(Path("/sys/fs/cgroup/cpu.stat").read_text().partition("nr_throttled")[2].split()[0])
    return total
