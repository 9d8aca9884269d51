"""A solver: the buffers of one search at a time, and calls on them. One for each thread."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import driver
from .build import Sizes, compiled, record_of
from .vec import machine

FOREVER = 1 << 60
SETTLED = (driver.LIMIT, driver.EXHAUSTED)


class Solver:
    """Keeps its buffers between calls; not for use by two threads at once."""

    def __init__(self, lanes: int | None = None) -> None:
        """Make a solver for vectors of 4, 8 or 16 lanes (None: as wide as the machine's)."""
        self._run = compiled(lanes)
        self.lanes = machine(lanes).lanes
        sizes = Sizes(self.lanes)
        self.search = np.zeros(1, record_of(driver.SEARCH))
        self._buffers = {name: aligned(size) for name, size in sizes.buffers().items()}
        for name, buffer in self._buffers.items():
            self.search[name] = buffer.ctypes.data
        self.slots = self._buffers["slots"].view(record_of(driver.SLOT))
        self.address = self.search.ctypes.data
        self.reset()

    def reset(self) -> None:
        """Drop what an unfinished search has left."""
        self.slots[:] = 0
        self.slots["next"] = np.arange(1, len(self.slots) + 1)
        for name in ("nfresh", "nready", "nstuck", "nended", "ndone", "live_even", "live_odd", "victim", "free"):
            self.search[name] = 0
        self.search["nfree"] = len(self.slots)


def aligned(size: int) -> Any:
    """Return so many bytes that begin on a cache line; pages are not touched before they are used."""
    raw = np.empty(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]
