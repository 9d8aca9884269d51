"""The kernels of the ladder, compiled (llvmlite, extra ``fast``) and kept on disk."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..engine.machine_code.language import Kernels
from ..engine.machine_code.library import Library, LoadedKernels

ENTRIES = {
    "bases": "mm", "left_by": "mmi", "walk": "mmii", "sweep": "mmi", "closed": "mmii", "all_closed": "mmi",
    "queue_users": "mmi",
}  # fmt: skip


def _kernels() -> Kernels:
    from . import kernel  # noqa: F401  # the kernels enter KERNELS
    from .kernel.layout import KERNELS

    return KERNELS


LIBRARY = Library("ladder", ENTRIES, sorted((Path(__file__).parent / "kernel").glob("*.py")), _kernels)


@lru_cache(maxsize=1)
def machine() -> LoadedKernels:
    """Return the compiled kernels, loaded from disk if they are there. Raises NoMachineCode where there are none."""
    return LIBRARY.load()


def is_ready() -> bool:
    """Return whether the kernels are loaded, or compiled on disk."""
    return LIBRARY.is_kept
