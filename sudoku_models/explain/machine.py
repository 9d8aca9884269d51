"""The kernels of the ladder, compiled (llvmlite, extra ``fast``) and kept on disk."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.machine_code.language import Kernels
    from ..engine.machine_code.library import Library, LoadedKernels

ENTRIES = {
    "find_able": "mm", "read_all": "mmi", "trials": "mmi", "sweep": "mmi", "closed": "mmii", "queue_users": "mmi",
    "supposed": "mmiiiii",
}  # fmt: skip


@lru_cache(maxsize=1)
def library() -> Library | None:
    """Return the library of kernels; None if llvmlite is absent or cannot be loaded."""
    if find_spec("llvmlite") is None:
        return None
    try:
        from ..engine.machine_code.library import Library
    except Exception:  # various errors: llvmlite without its own library
        return None
    return Library("ladder", ENTRIES, sorted((Path(__file__).parent / "kernel").glob("*.py")), _kernels)


def _kernels() -> Kernels:
    from . import kernel  # noqa: F401  # the kernels enter KERNELS
    from .kernel.layout import KERNELS

    return KERNELS


@lru_cache(maxsize=1)
def machine() -> LoadedKernels | None:
    """Return the compiled kernels, loaded from disk if they are there; None without llvmlite."""
    found = library()
    return None if found is None else found.load()


def is_ready() -> bool:
    """Return whether the kernels are loaded, or compiled on disk."""
    if machine.cache_info().currsize:
        return machine() is not None
    found = library()
    return found is not None and found.is_kept
