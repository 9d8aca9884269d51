"""The kernels of this engine, as machine code or, where a system forbids that, as plain Python."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from sudoku_models.engine.machine_code.language import Kernels
from sudoku_models.engine.machine_code.library import Library, LoadedKernels, NoMachineCode, address

ENTRIES = {
    "search": "mmmiimii", "count_many": "mmmmmiiiimm", "watch": "mmmiimmm",
    "read_automaton": "mmimmmm", "read_different": "mimmmm", "finished": "mmmmimm",
}  # fmt: skip


def _kernels() -> Kernels:
    from . import kernel  # noqa: F401  # the kernels enter KERNELS
    from .kernel.layout import KERNELS

    return KERNELS


LIBRARY = Library("native", ENTRIES, sorted((Path(__file__).parent / "kernel").glob("*.py")), _kernels)


@lru_cache(maxsize=1)
def machine() -> LoadedKernels:
    """Return the kernels, which take addresses and integers. Raises NoMachineCode without llvmlite."""
    return LIBRARY.load_or_plain()


__all__ = ["LIBRARY", "NoMachineCode", "address", "machine"]
