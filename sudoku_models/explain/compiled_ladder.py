"""The kernels of the ladder, as machine code or as plain Python, and the memory on which they work."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.machine_code.flat import flat
from ..engine.machine_code.language import Kernels, place_of
from ..engine.machine_code.library import Library, LoadedKernels
from .atom_arrays import Packed, laid_out
from .atoms import bits
from .kernel import layout

ENTRIES = {"walk": "mmii", "examined": "mmii", "round_of": "mmiii", "follow": "mmiii", "sweep": "mmi"}


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


AT_WORK: ContextVar[tuple[Packed, Callable[[], object]]] = ContextVar("AT_WORK")
"""The problem of the kernel that runs as plain Python, and what looks at the clock: it may raise LimitReached."""


@lru_cache(maxsize=1)
def plain_kernels() -> dict[str, Callable[..., Any]]:
    """Return the kernels as plain Python, in which each node that is made consistent is a look at the clock."""
    found = flat(_kernels())
    revise = found["revise"]

    def looking(net: Any, mem: Any, node: int, at: int, top: int) -> int:
        AT_WORK.get()[1]()
        return int(revise(net, mem, node, at, top))

    def loosely(net: Any, mem: Any, n: int, at: int, record: int) -> int:
        left = AT_WORK.get()[0].loose[net[record]].revise([mem[i] for i in range(at, at + n)])
        for i, mask in enumerate(left or ()):
            mem[at + i] = mask
        return int(left is not None)

    found.update(revise=looking, loosely=loosely)
    return found


class Memory:
    """The memory of one walk: ``memory["dom"]`` is an array, if it is the name of a section, otherwise a number."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self._kind = object if packed.is_wide else np.int64
        self._words = laid_out(layout.Mem, packed.sections, self._kind)
        self._sections = {}
        for name, size in packed.sections.items():
            place = self._words[place_of(layout.Mem, name)]
            self._sections[name] = self._words[place : place + size]
        self.dom = int(self._words[place_of(layout.Mem, "dom")])
        self._flat = [words if packed.is_wide else memoryview(words) for words in (packed.net, self._words)]
        self._addresses = packed.net.ctypes.data, self._words.ctypes.data
        self._is_same = all(bit == to for bit, to in packed.bit_of.items())
        self.back = {to: bit for bit, to in packed.bit_of.items()}
        self["use"] = 1
        self._closed_for: Any = None

    def __getitem__(self, name: str) -> Any:
        return self._sections[name] if name in self._sections else self._words[place_of(layout.Mem, name)]

    def __setitem__(self, name: str, value: Any) -> None:
        if name in self._sections:
            self._sections[name][:] = value
        else:
            self._words[place_of(layout.Mem, name)] = value

    def begin(self, masks: Any) -> Any:
        """Write the candidates that a kernel starts from; return where they lie. Nothing is queued or begun."""
        self["dom"] = masks
        for name in ("flags", "is_touched", "queued", "at", "choosing", "found", "since"):
            self[name] = 0
        return self["dom"]

    def keep_closed(self, masks: Any) -> None:
        """Forget what candidates left that were followed to the end, unless it was from these masks or wider ones."""
        if self._closed_for is None or (masks & ~self._closed_for).any():
            self["is_closed"] = 0
        self._closed_for = masks

    def queue(self, atoms: Collection[int]) -> None:
        """Queue atoms, which are looked at first."""
        queued = list(atoms)
        self["queue"][: len(queued)] = queued
        self["flags"][queued] = 1
        self["queued"] = len(queued)

    def theirs(self, masks: Sequence[int]) -> Any:
        """Return the ladder's masks as the kernels'."""
        bit_of = self.packed.bit_of
        own = masks if self._is_same else [sum(1 << bit_of[b] for b in bits(mask)) for mask in masks]
        return np.array(own, self._kind)

    def own(self, masks: Any) -> tuple[int, ...]:
        """Return the kernels' masks as the ladder's."""
        if self._is_same:
            return tuple(masks.tolist())
        return tuple(sum(1 << self.back[b] for b in bits(mask)) for mask in masks.tolist())

    def by_atoms(self, before: Any, left: Any) -> dict[int, frozenset[tuple[int, int]]]:
        """Return the candidates that each atom removes: ``left`` is what it leaves of its cells, -1 if all."""
        packed = self.packed
        gone, found = before[packed.members] & ~left, {}
        for a in sorted(set(np.searchsorted(packed.starts, np.flatnonzero(gone), "right").tolist())):
            part = slice(packed.starts[a - 1], packed.starts[a])
            pairs = zip(packed.members[part].tolist(), gone[part].tolist(), strict=True)
            found[a - 1] = frozenset([(c, self.back[b]) for c, mask in pairs if mask for b in bits(mask)])
        return found

    def compiled(self, kernel: str, *more: int) -> int:
        """Call a kernel as machine code; NoMachineCode where there is none."""
        return int(getattr(machine(), kernel)(*self._addresses, *more))

    def plain(self, kernel: str, look: Callable[[], object], *more: int) -> int:
        """Call a kernel as plain Python; what ``look`` raises ends it."""
        token = AT_WORK.set((self.packed, look))
        try:
            return int(plain_kernels()[kernel](*self._flat, *more))
        finally:
            AT_WORK.reset(token)
