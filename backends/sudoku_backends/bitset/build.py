"""Compile the driver for a width: bind constants and kernels to its names, and keep the compiled code on disk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from types import FunctionType
from typing import Any

import numpy as np
from numba import int64, njit

from . import chars, driver, propagation, records, vec
from .cache import CodeCache
from .layout import WORDS
from .split import DEPTH
from .split import split as split_state
from .vec import ColumnsAt, Lanes, RowsAt, Width, kernel

TEXT, MASKS = 81, 162  # bytes of a puzzle
SPARE = 192  # bytes that nobody reads
CALLED = {"run"}  # functions that are not inlined
_LOCK = Lock()


@dataclass(frozen=True)
class Sizes:
    """Bytes and counts that follow from the number of lanes."""

    lanes: int

    @property
    def line(self) -> int:
        """A vector, which is a row of a block."""
        return 4 * self.lanes

    @property
    def short(self) -> int:
        """A row of a store: an odd number of vectors, or the rows would share cache sets."""
        return 9 * self.line

    @property
    def block(self) -> int:
        """A block of lanes."""
        return WORDS * self.line

    @property
    def stack(self) -> int:
        """From stack to stack: a state, filled up to whole vectors. The stacks lie side by side, level by level."""
        return 128

    @property
    def level(self) -> int:
        """From level to level of the stacks: an odd number of cache lines, or the levels would share cache sets."""
        return self.slots * self.stack + 64

    @property
    def slots(self) -> int:
        """The most searches at a time; see `driver`."""
        return 16 * self.lanes

    def buffers(self) -> dict[str, int]:
        """Bytes of each buffer."""
        store = WORDS * self.short
        lanes = self.lanes
        return {
            "blocks": driver.BLOCKS * self.block,
            "fresh": store,
            "stuck": store,
            "done": store,
            "spare": SPARE,
            "slots": 8 * len(records.SLOT) * self.slots,
            "stacks": self.level * (DEPTH + 1),
            "table": 8 * lanes,
            "ended": 16 * lanes,
            "retired": 8 * lanes,
            "ready": 8 * (self.slots + lanes),
        }

    def constants(self) -> dict[str, int]:
        """Return the names of `driver` that are numbers."""
        few = max(1, self.lanes * 5 // 16)
        every = (1 << self.lanes) - 1
        return {
            "LANES": self.lanes, "EVERY_LANE": every, "FEW": few, "LINE": self.line, "SHORT": self.short,
            "BLOCK": self.block, "LEVEL": self.level, "STACK": self.stack,
            "SLOTS": self.slots, "SLOT_BYTES": 8 * len(records.SLOT),
        }  # fmt: skip


def kernels(width: Width) -> dict[str, Any]:
    """Return the names of `driver` that are kernels over vectors, except those that move states."""
    sizes = Sizes(width.lanes)
    text, masks = chars.BlockLanes(TEXT, width.lanes), chars.BlockLanes(MASKS, width.lanes)
    columns = ColumnsAt(tuple(range(0, 4 * WORDS, width.bytes)))
    block, loose = RowsAt(sizes.line), RowsAt(sizes.short, loose=True)

    def split(x: Any, later: Any, first: Any) -> None:
        split_state(x, later, first)
        later.store()

    def fetch(source: Any, x: Any) -> None:
        source.load()
        for k in range(WORDS):
            x[k] = source[k]

    def parse(source: Any, x: Any) -> Any:
        return chars.parse(source.load(), x, text)

    def parse_masks(source: Any, x: Any) -> None:
        chars.parse_masks(source.load(), x, masks)

    def render(x: Any, target: Any) -> None:
        chars.render(x, target, text)
        target.store()

    return {
        "propagate": kernel("propagate", width, propagation.propagate, block),
        "split": kernel("split", width, split, loose, columns, loose),
        "fetch": kernel("fetch", width, fetch, columns, loose),
        "parse": kernel("parse", width, parse, ColumnsAt(tuple(text.offsets)), loose),
        "parse_masks": kernel("parse_masks", width, parse_masks, ColumnsAt(tuple(masks.offsets)), loose),
        "render": kernel("render", width, render, loose, ColumnsAt(tuple(text.offsets))),
    }


def moves(width: Width) -> dict[str, Any]:
    """Return the names of `driver` that move states between blocks and stores, if the machine can compress."""
    if not width.avx512:
        return {}
    sizes = Sizes(width.lanes)
    block, loose = RowsAt(sizes.line), RowsAt(sizes.short, loose=True)
    return {
        "take": kernel("take", width, vec.take, block, loose, Lanes()),
        "give": kernel("give", width, vec.give, loose, block, Lanes()),
        "exchange": kernel("exchange", width, vec.exchange, block, loose, Lanes(), loose, Lanes()),
        "note": kernel("note", width, vec.note, block, loose, Lanes()),
    }


def primitives() -> dict[str, Any]:
    """Return the names of `driver` that are single instructions."""
    names = ("lowest", "ones", "prefetch", "peek32", "poke8", "poke32", "poke64")
    at = {"search_at": vec.record_at(record_of(records.SEARCH)), "slot_at": vec.record_at(record_of(records.SLOT))}
    return {name: getattr(vec, name) for name in names} | at


def record_of(names: list[str]) -> Any:
    """Return numpy's type of a record of 64-bit numbers."""
    return np.dtype([(name, np.int64) for name in names])


def bind(width: Width) -> dict[str, Any]:
    """Return the names of `driver` bound for a width, its functions ready to be compiled."""
    names: dict[str, Any] = {**vars(driver), **Sizes(width.lanes).constants()}
    for name, function in vars(driver).items():
        if isinstance(function, FunctionType) and function.__name__ == name:
            names[name] = njit(nogil=True, forceinline=name not in CALLED)(FunctionType(function.__code__, names, name))
    names |= {name: names[f"{name}_each"] for name in ("take", "give", "exchange", "note")}
    names |= primitives() | kernels(width) | moves(width)
    return names


@lru_cache
def compiled(lanes: int | None = None) -> Any:
    """Return `driver.run` compiled for this machine, or loaded from disk where it is kept.

    The first call that finds no code on disk compiles it, and says so through `logging`.
    """
    with _LOCK:
        width = vec.machine(lanes)
        entry = bind(width)["run"]
        cache = CodeCache(f"bitset-{width.lanes}-{'avx512' if width.avx512 else 'plain'}")
        cache.compile(entry, (int64,) * entry.py_func.__code__.co_argcount)
        return entry
