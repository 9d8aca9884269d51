"""Java, the jars, and the memory that a process of Java may have."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

from sudoku_models.errors import BackendMissing

PACKAGE = "pycsp3"
PROGRAM = "java"
INSTALL = "pip install 'sudoku-models[java]', and Java 11 or newer (apt install default-jre-headless)"

PLAIN = ("-XX:+UseSerialGC", "-Xshare:auto")
"""Flags with which a process of Java starts quickly and does not occupy other cores."""

LEAN = ("-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=64m")
"""Flags for what it reserves besides its heap, if memory is limited."""

BESIDE = 320 << 20
"""Bytes of address space that a process of Java then needs besides its heap."""

LEAST = 16 << 20
"""Bytes of the smallest heap."""


def jar(pattern: str) -> str:
    """Return the path of a jar within the package; raise BackendMissing if there is none."""
    spec = find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        found = sorted(Path(folder, "solvers").glob(pattern))
        if found:
            return str(found[-1])
    raise BackendMissing(f"the package {PACKAGE} has no {pattern} among its solvers: {INSTALL}")


def command(memory_limit: int | None) -> list[str]:
    """Return Java with its flags. ``memory_limit`` is in bytes of address space, which the system may limit already."""
    most = least_of(memory_limit, _allowed())
    heap = () if most is None else (*LEAN, f"-Xmx{max(LEAST, most - BESIDE) >> 10}k")
    return [shutil.which(PROGRAM) or PROGRAM, *PLAIN, *heap]


def least_of(one: int | None, other: int | None) -> int | None:
    """Return the smaller of two limits; None means no limit."""
    limits = [limit for limit in (one, other) if limit is not None]
    return min(limits, default=None)


def _allowed() -> int | None:
    """Return the bytes of address space that this process and its children may have."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit
