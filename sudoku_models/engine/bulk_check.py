"""Check many full grids in one call: every house has every value, and the givens are kept.

It shares no code with any solver and takes any houses, as a matrix of cell indexes with a row for each house. The
kernels do it for as many grids side by side as vectors have lanes; without machine code numpy does, more slowly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .machine_code.language import LANES, Bytes, Ints, Kernels, Shorts, Words, lanes, peek32, put, transpose, vector
from .machine_code.library import Library, LoadedKernels, NoMachineCode, machine

PORTION = 2048
"""Grids that go through both tests before the next ones: they stay in the processor's cache."""

LARGEST = 64
"""The largest number of values in a house: they are the bits of a word."""


def check_grids(grids: Any, names: Sequence[str], k: int) -> None:
    """Check that ``grids`` is an array of boards with a cell for each name and k values: see
    ``CompiledWithRows``.

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
    good = np.ones(len(values), np.bool_)
    n, k = index.shape
    kernels = _kernels() if k <= MOST_BITS and values.shape[1] >= 4 else None
    for start in range(0, len(values), PORTION):
        part = slice(start, start + PORTION)
        some = np.ascontiguousarray(values[part])
        allowed = None if givens is None else np.ascontiguousarray(givens[part])
        if kernels is None:
            _check_by_numpy(some, index, allowed, good[part])
            continue
        where, into = some.ctypes.data, good[part].ctypes.data
        columns = np.empty((4 * some.shape[1] + 4 + machine().lanes) * machine().lanes, np.uint32)
        kernels.houses_hold(where, len(some), some.shape[1], index.ctypes.data, n, k, columns.ctypes.data, into)
        if allowed is not None:
            keep = kernels.keep_masks if allowed.dtype == np.uint16 else kernels.keep_values
            keep(where, allowed.ctypes.data, len(some), some.shape[1], into)
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
BLOCK = 4 * LANES
"""Grids that are checked side by side: their cells, a word for each, fit the fastest cache."""

WIDE = 4 * LANES
"""Bytes of a vector: rows of at least so many are read by vectors."""

MOST_BITS = 31
"""The largest number of values for the kernels."""


def _settings() -> Any:
    from .machine_code.compiler import Settings

    return Settings(names={"BLOCK": 4 * machine().lanes, "WIDE": machine().bytes})


ENTRIES = {"houses_hold": "iiimiimm", "keep_values": "mmiim", "keep_masks": "mmiim"}
LIBRARY = Library("bulk_check", ENTRIES, [Path(__file__)], lambda: KERNELS, _settings, vectorise=True)


@cache
def _kernels() -> LoadedKernels | None:
    """Return the kernels as machine code; None where there can be none."""
    try:
        return LIBRARY.load()
    except NoMachineCode:
        return None


@KERNELS.mark
def houses_hold(
    values: int, n: int, cells: int, houses: Ints, number: int, k: int, columns: Words, good: Bytes
) -> None:
    """Clear ``good`` for each of n grids in which a house lacks one of the values 1 to k, or a cell has a larger one.

    ``columns`` has room for a block of each cell, one more, and a square of lanes; there are at least four cells.
    """
    full, others = (1 << k) - 1, cells * BLOCK
    for begin in range(0, n, BLOCK):
        start = max(0, min(begin, n - BLOCK))  # the last block overlaps the one before
        for i in range(BLOCK):
            columns[others + i] = 0
        if cells < WIDE or n < BLOCK:
            read_words(values, start, n, cells, columns)
        else:
            read_rows(values + start * cells, cells, columns)
        fits_0 = (vector(columns, others) & ~full) == 0
        fits_1 = (vector(columns, others + LANES) & ~full) == 0
        fits_2 = (vector(columns, others + 2 * LANES) & ~full) == 0
        fits_3 = (vector(columns, others + 3 * LANES) & ~full) == 0
        for h in range(number):
            at = houses[h * k] * BLOCK
            seen_0, seen_1 = vector(columns, at), vector(columns, at + LANES)
            seen_2, seen_3 = vector(columns, at + 2 * LANES), vector(columns, at + 3 * LANES)
            for j in range(h * k + 1, h * k + k):
                at = houses[j] * BLOCK
                seen_0 |= vector(columns, at)
                seen_1 |= vector(columns, at + LANES)
                seen_2 |= vector(columns, at + 2 * LANES)
                seen_3 |= vector(columns, at + 3 * LANES)
            fits_0 &= seen_0 == full
            fits_1 &= seen_1 == full
            fits_2 &= seen_2 == full
            fits_3 &= seen_3 == full
        held = lanes(fits_0) | lanes(fits_1) << LANES | lanes(fits_2) << 2 * LANES | lanes(fits_3) << 3 * LANES
        for i in range(min(BLOCK, n)):
            good[start + i] &= held >> i & 1


@KERNELS.mark
def read_rows(values: int, cells: int, columns: Words) -> None:
    """Read a block of grids by vectors of cells; the last vector of a grid overlaps the one before."""
    square = cells * BLOCK + BLOCK
    for begin in range(0, cells, WIDE):
        first = min(begin, cells - WIDE)
        for i in range(0, BLOCK, LANES):
            transpose(values + i * cells + first, cells, columns, square)
            for w in range((begin - first) // 4, LANES):
                enter(columns, square + w * LANES, first + 4 * w, i, cells)


@KERNELS.mark
def read_words(values: int, start: int, n: int, cells: int, columns: Words) -> None:
    """Read a block of grids by four cells at a time; the last four overlap those before, and the last grid is
    repeated.
    """
    square = cells * BLOCK + BLOCK
    for begin in range(0, cells, 4):
        first = min(begin, cells - 4)
        for i in range(0, BLOCK, LANES):
            for k in range(LANES):
                columns[square + k] = peek32(values + min(start + i + k, n - 1) * cells + first)
            enter(columns, square, first, i, cells)


@KERNELS.mark
def enter(columns: Words, word: int, cell: int, i: int, cells: int) -> None:
    """Enter four cells of a vector of grids: the bit of each value, and all bits of a grid together."""
    x, at, others = vector(columns, word), cell * BLOCK + i, cells * BLOCK + i
    a, b = (1 << (x & 31)) >> 1, (1 << (x >> 8 & 31)) >> 1
    c, d = (1 << (x >> 16 & 31)) >> 1, (1 << (x >> 24 & 31)) >> 1
    put(columns, at, a)
    put(columns, at + BLOCK, b)
    put(columns, at + 2 * BLOCK, c)
    put(columns, at + 3 * BLOCK, d)
    too_large = (x & 0xE0E0E0E0) != 0  # in one of the four
    put(columns, others, vector(columns, others) | a | b | c | d | too_large)


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
