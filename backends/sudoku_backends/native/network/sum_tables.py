"""Tables about sums of different numbers, for all masks of a given number of bits."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

MOST_BITS = 11
"""A variable with a value this far or further above the least value of the model is in no clique of a sum."""


class SumTables(NamedTuple):
    """``sums``: by number and mask, the sums of a given number of different bits of the mask, as a mask.

    ``sets_at``: by number and sum (65 places for each number), where the masks with that number of bits and that sum
    begin in ``sets``.
    """

    sums: Ints
    sets_at: Ints
    sets: Ints


NO_TABLES = SumTables(*[np.empty(0, np.int64)] * 3)
"""For a network without a clique in a sum."""


@lru_cache(maxsize=12)
def tables_of(bits: int) -> SumTables:
    """Return the tables for masks of a given number of bits."""
    masks = np.arange(1 << bits, dtype=np.int64)
    bit_sum, count = np.zeros_like(masks), np.zeros_like(masks)
    for b in range(bits):
        bit_sum += b * ((masks >> b) & 1)
        count += (masks >> b) & 1
    order = np.lexsort((bit_sum, count))
    key = count[order] * 64 + bit_sum[order]
    start = np.searchsorted(key, np.arange((bits + 1) * 64 + 1))
    sets_at = np.concatenate([start[r * 64 : r * 64 + 65] for r in range(bits + 1)])
    return SumTables(_sums(bits).reshape(-1), sets_at.astype(np.int64), masks[order])


def _sums(bits: int) -> Ints:
    """Return the sums of r different bits of a mask: without its highest bit, or of r - 1 others and that bit."""
    sums = np.zeros((bits + 1, 1 << bits), np.int64)
    sums[0, :] = 1
    for b in range(bits):
        half = 1 << b
        for r in range(b + 1, 0, -1):
            sums[r, half : 2 * half] = sums[r, :half] | (sums[r - 1, :half] << b)
    return sums
