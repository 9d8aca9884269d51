"""The kernels of this engine, as machine code or, where a system forbids that, as plain Python."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from sudoku_models.engine.machine_code.language import Ints, Kernels
from sudoku_models.engine.machine_code.library import Library, LoadedKernels, NoMachineCode, address
from sudoku_models.lowering import house_sums

ENTRIES = {
    "search": "mmmiimii", "count_many": "mmmmmiiiimm", "laid_out": "mmim",
    "imply_sums": "mmimimm", "state_sums": "mimmimmmm", "state_houses": "mmmmm",
    "read_automaton": "mmimmmm", "read_different": "mimmmm", "finished": "mmmmimm",
}  # fmt: skip


def _kernels() -> Kernels:
    from . import kernel  # noqa: F401  # the kernels enter KERNELS
    from .kernel.layout import KERNELS

    return KERNELS


def _settings() -> Any:
    from sudoku_models.engine.machine_code.compiler import Settings

    return Settings(names={"Ints": Ints})  # which ``house_sums`` has by another name


SOURCES = [*sorted((Path(__file__).parent / "kernel").glob("*.py")), Path(house_sums.__file__)]
LIBRARY = Library("native", ENTRIES, SOURCES, _kernels, _settings)


@lru_cache(maxsize=1)
def machine() -> LoadedKernels:
    """Return the kernels, which take addresses and integers. Raises NoMachineCode without llvmlite."""
    return LIBRARY.load_or_plain()


__all__ = ["LIBRARY", "NoMachineCode", "address", "machine"]
