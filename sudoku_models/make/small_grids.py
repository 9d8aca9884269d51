"""All grids of small boards with boxes, up to the names of the values: a table to draw from."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .bands import Array
from .compiled_loops import compiled


def _grids(n: int, height: int, width: int, grids: Array) -> int:
    """Write the grids whose first row is 1 to n, cell by cell; return how many there are."""
    rows, columns, boxes = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    grid = np.zeros(n * n, np.int64)
    for c in range(n):
        grid[c] = c + 1
        columns[c] |= 1 << c
        boxes[c // width] |= 1 << c
    found, cell = 0, n
    while cell >= n:
        if cell == n * n:
            if found < len(grids):
                grids[found] = grid
            found += 1
            cell -= 1
            continue
        r, c = cell // n, cell % n
        b = r // height * height + c // width
        value = grid[cell]
        if value:
            bit = 1 << value - 1
            rows[r], columns[c], boxes[b] = rows[r] & ~bit, columns[c] & ~bit, boxes[b] & ~bit
        value += 1
        while value <= n and (rows[r] | columns[c] | boxes[b]) >> value - 1 & 1:
            value += 1
        if value > n:
            grid[cell] = 0
            cell -= 1
        else:
            bit = 1 << value - 1
            rows[r], columns[c], boxes[b] = rows[r] | bit, columns[c] | bit, boxes[b] | bit
            grid[cell] = value
            cell += 1
    return found


_grids = compiled(_grids)


@lru_cache(maxsize=4)
def small_grids(n: int, height: int, width: int) -> Array:
    """Return the grids (uint8, m x n*n) whose first row is 1 to n: 12 of 4 x 4, 39,168 of 6 x 6."""
    grids = np.zeros((40_000, n * n), np.uint8)
    return grids[: _grids(n, height, width, grids)]
