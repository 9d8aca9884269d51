"""The search as machine code: compiled once for this processor, kept on disk, loaded and called."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from sudoku_models.engine.machine_code.language import Kernels
from sudoku_models.engine.machine_code.library import Library, LoadedKernels

ENTRIES = {
    "load": "mmi",
    "propagate": "m",
    "emit_empty": "mi",
    "search": "mi",
    "extend": "mmi",
    "written": "mmm",
    "prepare": "m",
    "derive": "mmi",
}


def _kernels() -> Kernels:
    from . import deriving, learning, loading  # noqa: F401  # the kernels enter KERNELS
    from .layout import KERNELS

    return KERNELS


SOURCES = [Path(__file__).with_name(f"{name}.py") for name in ("kernel", "layout", "learning", "loading", "deriving")]
LIBRARY = Library("cdcl", ENTRIES, SOURCES, _kernels)


@lru_cache(maxsize=1)
def machine() -> LoadedKernels:
    """Return the search, which takes addresses and integers. Raises NoMachineCode without llvmlite."""
    return LIBRARY.load_or_plain()
