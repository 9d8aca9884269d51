"""Check many boards of houses in one call: every house has every value, and the givens are kept.

It shares no code with any solver and takes any houses, as a matrix of cell indexes with a row for each house. A kernel
does it; without machine code numpy does, more slowly.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .machine_code.language import Bytes, Ints, Kernels, Shorts, Words
from .machine_code.library import Library, LoadedKernels, NoMachineCode

PORTION = 2048
"""Boards that numpy checks at a time: they stay in the processor's cache."""

LARGEST, MOST_BITS = 64, 30
"""The largest number of values in a house, and the largest for the kernels: they are the bits of a word."""


def holds_many(values: NDArray[np.uint8], houses: Any, givens: NDArray[Any] | None = None) -> NDArray[np.bool_]:
    """Return for each row of ``values`` (n, cells) whether it is a solution.

    ``houses`` (h, k) are the indexes of the cells of each house, which must hold 1 to k once each. ``givens`` (n,
    cells) are kept where they are uint8 values (0: open), or allow what bit v - 1 of a uint16 mask says of value v.
    ValueError when the shapes do not fit each other.
    """
    index = np.ascontiguousarray(houses, dtype=np.int64)
    _check_shapes(values, index, givens)
    good = np.ones(len(values), np.bool_)
    kernels = _kernels() if index.shape[1] <= MOST_BITS else None
    if kernels is not None:
        some = np.ascontiguousarray(values)
        n, cells = some.shape
        bits = np.empty((cells + 2) * SIDE, np.uint32)
        where = index.ctypes.data, *index.shape, bits.ctypes.data, good.ctypes.data
        kernels.houses_hold(some.ctypes.data, n, cells, *where)
        if givens is not None:
            keep = kernels.keep_masks if givens.dtype == np.uint16 else kernels.keep_values
            allowed = np.ascontiguousarray(givens)
            keep(some.ctypes.data, allowed.ctypes.data, n, cells, good.ctypes.data)
        return good
    for start in range(0, len(values), PORTION):
        part = slice(start, start + PORTION)
        _check_by_numpy(values[part], index, None if givens is None else givens[part], good[part])
    return good


def _check_by_numpy(values: NDArray[np.uint8], houses: NDArray[np.int64], givens: Any, good: NDArray[np.bool_]) -> None:
    """Do as the kernels do: clear ``good`` for each row that is not a solution."""
    bits = _bits(houses.shape[1])
    full = np.bitwise_or.reduce(bits)
    good &= (values <= houses.shape[1]).all(axis=1)
    seen = bits[values]
    for house in houses:
        good &= np.bitwise_or.reduce(seen[:, house], axis=1) == full
    if givens is not None:
        kept = seen & givens != 0 if givens.dtype == np.uint16 else (givens == 0) | (givens == values)
        good &= kept.all(axis=1)


def may_be_candidates(masks: NDArray[np.uint16], houses: Any, givens: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each row of ``masks`` (n, cells) whether it passes a necessary test for candidates (not a proof).

    A row is either empty throughout, or within ``givens`` (as for ``holds_many``) with at least one candidate in every
    cell and every value in every house. So if each cell has exactly one, the row is a solution.
    """
    index = np.asarray(houses, dtype=np.int64)
    bits = _bits(index.shape[1])
    full = np.bitwise_or.reduce(bits)
    good = np.ones(len(masks), np.bool_)
    for start in range(0, len(masks), PORTION):
        part = slice(start, start + PORTION)
        some, allowed = np.ascontiguousarray(masks[part].T), np.ascontiguousarray(givens[part].T)
        if allowed.dtype != np.uint16:
            allowed = np.where(allowed == 0, full, (np.uint16(1) << allowed.astype(np.uint16)) >> np.uint16(1))
        filled = np.minimum.reduce(some, axis=0) > 0
        for house in index:
            filled &= np.bitwise_or.reduce(some[house], axis=0) == full
        within, nothing = np.bitwise_or.reduce(some & ~allowed, axis=0) == 0, np.bitwise_or.reduce(some, axis=0) == 0
        good[part] = within & (filled | nothing)
    return good


def _check_shapes(values: NDArray[np.uint8], houses: NDArray[np.int64], givens: NDArray[Any] | None) -> None:
    if values.ndim != 2 or values.dtype != np.uint8:
        raise ValueError(f"values are {values.dtype} of shape {values.shape}: uint8 and (n, cells) are expected")
    cells = values.shape[1]
    if houses.ndim != 2 or not 1 <= houses.shape[1] <= LARGEST:
        raise ValueError(f"houses of shape {houses.shape}: (houses, 1 to {LARGEST} cells) is expected")
    if houses.size and not (houses.min() >= 0 and houses.max() < cells):
        raise ValueError(f"a house names a cell outside 0 to {cells - 1}")
    if givens is None:
        return
    if givens.shape != values.shape or givens.dtype not in (np.uint8, np.uint16):
        raise ValueError(
            f"givens are {givens.dtype} of shape {givens.shape}: uint8 or uint16 and {values.shape} expected"
        )
    if givens.dtype == np.uint16 and houses.shape[1] > 16:
        raise ValueError("candidate masks have 16 bits: houses of 16 cells at most are expected")


def _bits(k: int) -> NDArray[Any]:
    """Return the bit of each possible byte; 0 for a byte that is not a value."""
    bits = np.zeros(256, np.uint16 if k <= 16 else np.uint64)
    bits[1 : k + 1] = np.left_shift(bits.dtype.type(1), np.arange(k, dtype=bits.dtype))
    return bits


KERNELS = Kernels()
SIDE = 32
"""Boards that are checked side by side."""

ENTRIES = {"houses_hold": "miimiimm", "keep_values": "mmiim", "keep_masks": "mmiim"}
LIBRARY = Library("bulk_check", ENTRIES, [Path(__file__)], lambda: KERNELS, vectorise=True)


@cache
def _kernels() -> LoadedKernels | None:
    """Return the kernels as machine code; None where there can be none."""
    try:
        return LIBRARY.load()
    except NoMachineCode:
        return None


@KERNELS.mark
def houses_hold(values: Bytes, n: int, cells: int, houses: Ints, number: int, k: int, bits: Words, good: Bytes) -> None:
    """Clear ``good`` for each of n boards in which a house lacks one of the values 1 to k, or a value is larger.

    ``bits`` has room for SIDE numbers for each cell, and for 2 * SIDE more. The loops over SIDE boards become vectors.
    """
    full, seen, wrong = (1 << k) - 1, cells * SIDE, cells * SIDE + SIDE
    for begin in range(0, n, SIDE):
        for i in range(SIDE):
            bits[wrong + i] = 0
            row = min(begin + i, n - 1) * cells
            for cell in range(cells):
                bits[cell * SIDE + i] = (1 << (values[row + cell] & 31)) >> 1 | (values[row + cell] > k) << 31
        for h in range(number):
            for i in range(SIDE):
                bits[seen + i] = 0
            for j in range(h * k, h * k + k):
                at = houses[j] * SIDE
                for i in range(SIDE):
                    bits[seen + i] |= bits[at + i]
            for i in range(SIDE):
                bits[wrong + i] |= bits[seen + i] ^ full
        for i in range(min(SIDE, n - begin)):
            good[begin + i] &= bits[wrong + i] == 0


@KERNELS.mark
def keep_values(values: Bytes, givens: Bytes, n: int, cells: int, good: Bytes) -> None:
    """Clear ``good`` for each of n grids that has another value where one is given."""
    for row in range(n):
        wrong = 0
        for i in range(row * cells, row * cells + cells):
            wrong |= (givens[i] != 0) & (givens[i] != values[i])
        good[row] &= 1 - wrong


@KERNELS.mark
def keep_masks(values: Bytes, givens: Shorts, n: int, cells: int, good: Bytes) -> None:
    """Clear ``good`` for each of n grids that has a value whose bit (v - 1 for the value v) is not given."""
    for row in range(n):
        wrong = 0
        for i in range(row * cells, row * cells + cells):
            wrong |= (1 << (values[i] & 31)) >> 1 & givens[i] == 0
        good[row] &= 1 - wrong
