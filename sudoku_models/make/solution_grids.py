"""The verb ``grids``: random solution grids."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..puzzle import Shape
from .bands import Array
from .chance import Stream, in_blocks
from .keywords import shape_or_nine
from .transformation import blocks

BLOCK = 4096
"""Classic grids that share a stream of random numbers."""


def grids(n: int, shape: Shape | None = None, *, seed: int = 0, fast: bool = False, workers: int = 1) -> Array:
    """Return ``n`` random solution grids of a shape (9 x 9 by default), uint8 of shape (n, cells).

    Those of 4 x 4, 6 x 6 (boxes 2 x 3) and 9 x 9 are uniform: each grid has the same chance, by the method in
    ``grid_chance``. ``fast`` makes 9 x 9 grids about five times as quickly, but not quite uniformly: among the 416
    kinds of bands the shares differ by a few percent. Other boards start with a regular pattern, or a solution, and are
    shuffled at length by steps that keep every house complete: it is not known how uniform that is. The same seed gives
    the same grids, with any number of ``workers`` (threads). ValueError for a shape that is not square, or has no grid.
    """
    if n < 0:
        raise ValueError(f"{n} grids: 0 or more are expected")
    shape = shape_or_nine(shape)
    found = list(in_blocks(lambda block: grid_block(shape, seed, block, fast), workers, _blocks(n, shape)))
    whole: Array = np.concatenate(found)[:n] if found else np.zeros((0, shape.cells), np.uint8)
    return whole


def _blocks(n: int, shape: Shape) -> Iterator[int]:
    return iter(range(-(-n // block_size(shape))))


def block_size(shape: Shape) -> int:
    """Return how many grids of a shape make a block, which shares a stream of random numbers."""
    return BLOCK if shape.box and shape.height <= 9 and shape.height != 8 else 1


def grid_block(shape: Shape, seed: int, block: int, fast: bool = False, size: int = BLOCK) -> Array:
    """Return the grids of a block: those of a seed from ``block`` times the block's size on, and of these the first."""
    stream = Stream("grids", seed, shape, fast, block)
    found = blocks(shape)
    if shape.box == (3, 3) and found:
        return _classic(stream, fast, size)
    if shape.box in ((2, 2), (2, 3), (3, 2)) and found:
        return _small(shape, stream, BLOCK)
    from .filling import shuffled_grid

    return np.array([shuffled_grid(shape, seed, block)], np.uint8)


def _classic(stream: Stream, fast: bool, size: int) -> Array:
    from .grid_chance import random_grids

    made, found = 0, np.zeros((size, 81), np.uint8)
    left = np.zeros(0)
    while made < size:
        chance = np.concatenate([left, stream.numbers((size - made) * (34 if fast else 255) + 600)])
        made, used = random_grids(chance, fast, found, made)
        left = chance[used:]
    return found


def _small(shape: Shape, stream: Stream, size: int) -> Array:
    from .small_grids import small_grids

    assert shape.box
    n, (height, width) = shape.height, shape.box
    table = small_grids(n, height, width)
    chosen = table[(stream.numbers(size) * len(table)).astype(np.int64)]
    names = stream.orders(size, n).astype(np.uint8) + 1
    found: Array = np.take_along_axis(names, chosen.astype(np.int64) - 1, 1)
    return found
