"""The machine: its description (provenance), its state while it measures, and what that says about the figures."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from statistics import fmean
from typing import Any

from ..engine.budget import Budget, OutOfTime
from ..engine.program import Program
from ..engine.registry import Selection
from .rows import Row
from .summary import quantile

EVERY = 0.25
"""Seconds between two readings of the machine's state."""

WORK = 20_000
"""Steps of the fixed piece of work: about a millisecond."""

STEADY = 1.25
"""A note is made if the fixed piece of work takes this many times longer in one tenth of the runs than in another."""

_HEAT = "cpu*/thermal_throttle/*_throttle_count"


def session(backends: Iterable[Selection]) -> dict[str, Any]:
    """Return what is recorded at each start: the time, the command, the machine and the versions."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": list(sys.argv),
        "folder": str(Path.cwd()),
        "host": platform.node(),
        "machine": machine(),
        "versions": versions(backends),
        "commit": commit(),
    }


def machine() -> dict[str, Any]:
    """Return the processor, memory and system of this machine."""
    return {
        "host": platform.node(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "usable": _usable(),
        "memory": _memory(),
        "system": platform.platform(),
        "kernel": f"{platform.system()} {platform.release()}",
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def _usable() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def versions(backends: Iterable[Selection]) -> dict[str, str]:
    """Return the versions of Python, of this package, of the packages that backends need, and of llvmlite if installed.

    SAT encodings and the checks of batches use it automatically.
    """
    backends = tuple(backends)
    modules = {module for selection in backends for module in selection.capabilities.requires}
    names = set(_packages_with(modules))
    found = {"python": platform.python_version(), "implementation": platform.python_implementation()}
    for name in ("sudoku-models", "numpy", "llvmlite", *sorted(names)):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    programs = sorted({program for selection in backends for program in selection.capabilities.programs})
    return found | {program: version for program in programs if (version := _version_of(program))}


def _packages_with(modules: Iterable[str]) -> Iterator[str]:
    """Yield the names of the installed packages that hold some of these modules."""
    # metadata.packages_distributions() takes half a second: it lists every file of every package
    beginnings = [f"\n{module}{end}" for module in modules for end in ("\n", "/", ".")]
    for package in metadata.distributions() if beginnings else ():
        files = f"\n{package.read_text('top_level.txt') or package.read_text('RECORD')}\n"
        if any(beginning in files for beginning in beginnings):
            yield package.name


def _version_of(program: str) -> str:
    """Return the version that a program states, "" if it states none."""
    asked = Program([program, "--version"])
    try:
        with suppress(OutOfTime), Budget(10) as budget:
            match = re.search(rb"\d+(?:\.\d+)+", b"\n".join(asked.lines(budget)))
            return match[0].decode() if match else ""
        return ""
    finally:
        asked.close()  # with all that it has started


def commit() -> str | None:
    """Return the commit of the checkout that contains the package, with "+" for changes since; None outside one."""
    folder, name = Path(__file__).parent, Path(__file__).name

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()

    with suppress(OSError, subprocess.SubprocessError):
        git("ls-files", "--error-unmatch", name)
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "-uno") else "")
    return None


def _cpu() -> str:
    with suppress(OSError):
        if found := re.search(r"^(?:model name|Model|cpu model)\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M):
            return found[1].strip()
    return platform.processor() or platform.machine()


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


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
    with suppress(OSError, IndexError, ValueError):
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]) / _usable()
    return os.getloadavg()[0] / _usable() if hasattr(os, "getloadavg") else None


def _slowed() -> int:
    """Return how often the kernel has throttled the processor for heat, or this process's group for its quota."""
    total = 0
    for path in Path("/sys/devices/system/cpu").glob(_HEAT):
        with suppress(OSError, ValueError):
            total += int(path.read_text())
    with suppress(OSError, IndexError, ValueError):
        total += int(Path("/sys/fs/cgroup/cpu.stat").read_text().partition("nr_throttled")[2].split()[0])
    return total


def conditions(rows: Iterable[Row]) -> list[str]:
    """Return a sentence for each problem of the machines: too many processes, a throttled processor, an uneven
    speed.
    """
    hosts: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        hosts[row.host].append(row)
    return [line for host, own in hosts.items() for line in _faults(f"The machine {host}" if host else "It", own)]


def _faults(machine: str, rows: Sequence[Row]) -> Iterable[str]:
    loads = [row.load for row in rows if row.load is not None]
    if loads and fmean(loads) > 1:
        yield (
            f"{machine} was overloaded while it measured: on average {fmean(loads):.1f} processes wanted to run for "
            "each core. The times are too long and uneven; measure again when nothing else runs."
        )
    slowed = sum(row.throttled for row in rows)
    if slowed:
        yield f"{machine} slowed its processor down (heat, or a quota) at {slowed:,} of {len(rows):,} runs."
    speeds = sorted(row.control for row in rows if row.control)
    low, high = quantile(speeds, 0.1), quantile(speeds, 0.9)
    if speeds and high > STEADY * low:
        yield f"{machine} did not run at an even speed: a fixed piece of work took from {low:.2g} s to {high:.2g} s."
