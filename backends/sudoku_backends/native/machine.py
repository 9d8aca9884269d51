"""The kernel as machine code: compiled once for this processor, kept on disk, loaded and called."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from sudoku_models.engine.machine_code.language import Kernels
from sudoku_models.engine.machine_code.library import Library, LoadedKernels

ENTRIES = {
    "search": "mmmiimii", "count_many": "mmmmmiiiimm", "assemble": "mmmmmmm",
    "automaton_diagram": "mmimmmmmm", "counts_diagram": "mimimmmmmm", "different_diagram": "mimmmmmm",
}  # fmt: skip


def address(array: NDArray[Any]) -> int:
    """Return where the items of an array lie: five times as fast as ``array.ctypes``. The array must be writable.

    The array must live as long as the address is used.
    """
    buffer: Any = array
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer)) if array.size else 0


@lru_cache(maxsize=1)
def library() -> Library:
    """Return the library of kernels."""

    def kernels() -> Kernels:
        from . import kernel  # noqa: F401  # the kernels enter KERNELS
        from .language import KERNELS

        return KERNELS

    return Library("native", ENTRIES, sorted((Path(__file__).parent / "kernel").glob("*.py")), kernels)


@lru_cache(maxsize=1)
def machine() -> LoadedKernels:
    """Return the compiled kernel, loaded from disk if it is there."""
    return library().load()
