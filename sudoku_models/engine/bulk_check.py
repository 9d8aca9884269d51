"""Check many full grids in one call: every house has every value, and the givens are kept.

It shares no code with any solver and takes any houses, as a matrix of cell indexes with a row for each house. With
numba it takes some 40 ns for a classic grid; without, numpy does the same work more slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kept_kernel import kept_kernel

BLOCK = 256
"""Grids that are transposed and checked side by side: their columns fit the fastest cache."""

PORTION = 2048
"""Grids that go through both tests before the next ones: they stay in the processor's cache."""

LARGEST = 64
"""The largest number of values in a house: they are the bits of a word."""

Kernel = Callable[[Any, Any, Any, Any, Any], None]


def check_grids(grids: Any, names: Sequence[str], k: int) -> None:
    """Check that ``grids`` is an array of boards with a cell for each name and k values: see
    ``CompiledBatch.run_many``.

    Raises TypeError if it is not a numpy array, and ValueError for another type or shape. An invalid value, or a mask
    with bits beyond the values, is reported with its row and cell.
    """
    if not isinstance(grids, np.ndarray) or isinstance(grids, np.ma.MaskedArray):
        raise TypeError(f"{type(grids).__name__} is not an array of boards: a plain numpy array is expected")
    if grids.ndim != 2 or grids.shape[1] != len(names) or grids.dtype not in (np.uint8, np.uint16):
        wanted = f"uint8 (values, 0 open) or uint16 (masks) of shape (n, {len(names)}) is expected"
        raise ValueError(f"an array of {grids.dtype} and shape {grids.shape}: {wanted}")
    masks = grids.dtype == np.uint16
    if masks and k > 16:
        raise ValueError(f"masks have 16 bits, and there are {k} values")
    largest = (1 << k) - 1 if masks else k
    if grids.size and int(grids.max()) > largest:
        row, cell = np.argwhere(grids > largest)[0].tolist()
        found = int(grids[row, cell])
        what = f"the mask {found:#x} has bits beyond the {k} values" if masks else f"{found} is not a value: 0 to {k}"
        raise ValueError(f"row {row}, {names[cell]}: {what}{'' if masks else ' (0 open) is expected'}")


def holds_many(values: NDArray[np.uint8], houses: Any, givens: NDArray[Any] | None = None) -> NDArray[np.bool_]:
    """Return for each row of ``values`` (n, cells) whether it is a solution.

    ``houses`` (h, k) are the indexes of the cells of each house, which must hold 1 to k once each. ``givens`` (n,
    cells) are kept where they are uint8 values (0: open), or allow what bit v - 1 of a uint16 mask says of value v.
    ValueError when the shapes do not fit each other.
    """
    index = np.ascontiguousarray(houses, dtype=np.int64)
    _check_shapes(values, index, givens)
    k = index.shape[1]
    bits = _bits(k)
    good = np.ones(len(values), np.bool_)
    full = np.bitwise_or.reduce(bits)
    houses_hold, keeps = _kernels()
    for start in range(0, len(values), PORTION):
        part = slice(start, start + PORTION)
        some = np.ascontiguousarray(values[part])
        if some.size and some.max() > k:
            good[part] &= (some <= k).all(axis=1)
        houses_hold(some, index, bits, full, good[part])
        if givens is not None:
            keeps(some, np.ascontiguousarray(givens[part]), bits, givens.dtype == np.uint16, good[part])
    return good


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


@cache
def _kernels() -> tuple[Kernel, Kernel]:
    """Return the two tests, of houses and of givens. Each clears the rows that fail in its last argument."""
    try:
        import numba  # noqa: F401
    except Exception:  # absent, or unfit for this numpy, which numba reports by various errors
        return _houses_hold_numpy, _keeps_numpy
    return kept_kernel(_houses_hold, nogil=True), kept_kernel(_keeps, nogil=True)


def _houses_hold(values: Any, houses: Any, bits: Any, full: Any, good: Any) -> None:
    # a byte above the largest value has an arbitrary bit: it is found separately
    n, cells = values.shape
    k = houses.shape[1]
    column, columns = np.zeros(BLOCK, np.uint8), np.zeros((cells, BLOCK), bits.dtype)
    seen, fits = np.zeros(BLOCK, bits.dtype), np.zeros(BLOCK, bits.dtype)
    for start in range(0, n, BLOCK):
        some = values[start : start + BLOCK]  # the compiler cannot exclude that start + i is negative
        for cell in range(cells):
            for i in range(some.shape[0]):
                column[i] = some[i, cell]
            if bits.itemsize == 2:  # by shifts, not by the table: they are vectorised
                for i in range(BLOCK):
                    columns[cell, i] = np.uint16((np.uint32(1) << np.uint32(column[i] & 31)) >> np.uint32(1))
            else:
                for i in range(BLOCK):
                    columns[cell, i] = bits[column[i]]
        fits[:] = full
        for h in range(houses.shape[0]):
            seen[:] = 0
            for j in range(0, k - 2, 3):  # by threes: fewer loads and stores of ``seen``
                a, b, c = houses[h, j], houses[h, j + 1], houses[h, j + 2]
                for i in range(BLOCK):
                    seen[i] |= columns[a, i] | columns[b, i] | columns[c, i]
            for j in range(k - k % 3, k):
                a = houses[h, j]
                for i in range(BLOCK):
                    seen[i] |= columns[a, i]
            for i in range(BLOCK):
                fits[i] &= seen[i]
        for i in range(some.shape[0]):
            good[start + i] &= fits[i] == full


def _keeps(values: Any, givens: Any, bits: Any, masks: Any, good: Any) -> None:
    n, cells = values.shape
    flat, given = values.reshape(-1), givens.reshape(-1)
    step = cells * BLOCK
    for start in range(0, n * cells, step):  # long loops over slices: shorter ones are not vectorised
        row, allowed = flat[start : start + step], given[start : start + step]
        wrong = False
        if masks:
            for i in range(row.size):
                wrong |= bits[row[i]] & allowed[i] == 0
        else:
            for i in range(row.size):
                wrong |= (allowed[i] != 0) & (allowed[i] != row[i])
        if wrong:  # somewhere in the block
            for i in range(row.size):
                kept = bits[row[i]] & allowed[i] != 0 if masks else allowed[i] == 0 or allowed[i] == row[i]
                good[start // cells + i // cells] &= kept


def _houses_hold_numpy(values: Any, houses: Any, bits: Any, full: Any, good: Any) -> None:
    for start in range(0, len(values), 4096):
        part = bits[values[start : start + 4096]]
        for house in houses:
            good[start : start + 4096] &= np.bitwise_or.reduce(part[:, house], axis=1) == full


def _keeps_numpy(values: Any, givens: Any, bits: Any, masks: Any, good: Any) -> None:
    kept = bits[values] & givens != 0 if masks else (givens == 0) | (givens == values)
    good &= kept.all(axis=1)
