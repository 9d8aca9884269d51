"""The kernels of classic boards, as machine code if llvmlite is installed (extra ``fast``), otherwise as plain
Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from ...engine.machine_code.language import Kernels
from ...engine.machine_code.library import Library, NoMachineCode
from .literals import table

FILES = (
    "basics", "chains", "cycles", "direct", "exclusion", "inner", "literals", "many_paths", "nesting", "rounds",
    "rungs", "se", "sets", "singles", "size", "techniques", "trees", "wings",
)  # fmt: skip
ENTRIES = {
    "all_sets": "mmiimm",
    "drop_marked": "mmmmi",
    "fails_nested": "mmiimmm",
    "fails_in_rounds": "mmiimm",
    "level_rows": "mmimmmmmmm",
    "mark_cycles": "mmiimm",
    "mark_excluded_triples": "mmmm",
    "mark_refuted": "mmiimm",
    "mark_singles": "mmm",
    "mark_technique": "mmimmm",
    "nested_size": "mmiiimmm",
    "placing_size": "mmiim",
    "rung_path": "mmimmmm",
    "se_path": "mmmimmmm",
    "se_rows": "mmimmmmmmm",
    "shortest_cycle": "mmiimm",
    "size_path": "mmimmmm",
    "size_rows": "mmimmmmmm",
    "strong_rounds": "mmiim",
    "tree_size": "mmiiim",
    "weak_rounds": "mmiim",
}
"""Kernels that are called from outside, with their parameters: m means memory, i an integer."""


def kernels() -> Kernels:
    """Import and return all kernels."""
    from . import basics, inner, many_paths, nesting, se, size  # noqa: F401

    return basics.KERNELS


class KernelMachine:
    """Runs kernels by name. ``compiled`` says whether they are machine code; the results are the same."""

    compiled = False

    def __init__(self) -> None:
        self._kernels = kernels()
        self.board = self.memory(table())

    def memory(self, numbers: Iterable[int]) -> Any:
        """Return memory that contains the given numbers."""
        return list(numbers)

    def empty(self, size: int) -> Any:
        """Return memory filled with zeros."""
        return [0] * size

    def run(self, name: str, *arguments: Any) -> int:
        """Run a kernel on the board's tables, then memory and numbers."""
        return int(self._kernels[name](self.board, *arguments))


class MachineCode(KernelMachine):
    """Runs kernels as machine code: memory is an array of int64."""

    compiled = True

    def __init__(self) -> None:
        self._loaded = LIBRARY.load()
        self.board = self.memory(table())

    def memory(self, numbers: Iterable[int]) -> Any:
        """Return memory that contains the given numbers."""
        import numpy as np

        return np.array(numbers, np.int64)

    def empty(self, size: int) -> Any:
        """Return memory filled with zeros."""
        import numpy as np

        return np.zeros(size, np.int64)

    def run(self, name: str, *arguments: Any) -> int:
        """Run a kernel on the board's tables, then memory and numbers."""
        plain = (a if isinstance(a, int) else a.ctypes.data for a in (self.board, *arguments))
        return getattr(self._loaded, name)(*plain)  # type: ignore[no-any-return]


LIBRARY = Library("classic", ENTRIES, [Path(__file__).with_name(f"{name}.py") for name in FILES], kernels)


@cache
def plain_machine() -> KernelMachine:
    """Return the machine that runs kernels as plain Python."""
    return KernelMachine()


@cache
def machine() -> KernelMachine:
    """Return the fastest machine: compiled if possible, which takes some seconds the first time."""
    try:
        return MachineCode()
    except NoMachineCode:
        return plain_machine()


def is_ready() -> bool:
    """Return whether the kernels are loaded, or compiled on disk."""
    return bool(machine.cache_info().currsize) or LIBRARY.is_kept
