"""The origin of a comparison's rows: machine, software, command."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from ..engine.budget import Budget, OutOfTime
from ..engine.program import Program
from ..engine.registry import Selection


def session(backends: Iterable[Selection], command: Iterable[str] | None = None) -> dict[str, Any]:
    """Return what is recorded at each start: the time, the command, the machine and the versions."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": list(sys.argv if command is None else command),
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
        "usable": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory": _memory(),
        "system": platform.platform(),
        "kernel": f"{platform.system()} {platform.release()}",
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def versions(backends: Iterable[Selection]) -> dict[str, str]:
    """Return the versions of Python, of this package, of the packages that backends need, and of llvmlite if installed.

    SAT encodings and the checks of batches use it automatically.
    """
    backends = tuple(backends)
    modules = {module for selection in backends for module in selection.capabilities.requires}
    names = {name for module in modules for name in _distributions().get(module, ())}
    found = {"python": platform.python_version(), "implementation": platform.python_implementation()}
    for name in ("sudoku-models", "numpy", "llvmlite", *sorted(names)):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    programs = sorted({program for selection in backends for program in selection.capabilities.programs})
    return found | {program: version for program in programs if (version := _version_of(program))}


def _version_of(program: str) -> str:
    """Return the version that a program states, "" if it states none."""
    asked = Program([program, "--version"], "", None)
    try:
        with suppress(OutOfTime), Budget(10) as budget:
            match = re.search(rb"\d+(?:\.\d+)+", b"\n".join(asked.lines(budget)))
            return match[0].decode() if match else ""
        return ""
    finally:
        asked.close()


@lru_cache(maxsize=1)
def _distributions() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


def commit() -> str | None:
    """Return the commit of the checkout that contains the package, with "+" for changes since; None outside one."""
    folder = Path(__file__).parent
    with suppress(OSError, subprocess.SubprocessError):
        found = _git(folder, "rev-parse", "HEAD")
        tracked = _git(folder, "ls-files", "--error-unmatch", Path(__file__).name)
        return found + ("+" if _git(folder, "status", "--porcelain", "-uno") else "") if tracked else None
    return None


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()


def _cpu() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model", "cpu model"):
                return value.strip()
    return platform.processor() or platform.machine()


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None
