"""Small unavoidable sets of classic grids, seen without a search: cells of two lines, or of two digits, trade places.

The digits of two rows of a band (two columns of a stack) may change places along a cycle of columns; two digits may in
cells that rows, columns and boxes link. All else stays, so that a puzzle with one solution has a clue in each such set.
"""

from __future__ import annotations

import numpy as np

from .bands import Array
from .compiled import compiled, inlined


@inlined
def _in_lines(grid: Array, step: int, across: int, member: Array, places: Array, found: int) -> int:
    """Note the cycles of up to four columns in two rows of a band, or alike; how many sets there are then."""
    for first in range(9):
        for k in range(9):
            places[grid[step * first + across * k]] = k
        for second in range(first // 3 * 3, first):
            seen = 0
            for start in range(9):
                if seen >> start & 1:
                    continue
                size, k, way = 0, start, 0
                while not seen >> k & 1:
                    seen |= 1 << k
                    way = way << 4 | k
                    size += 1
                    k = places[grid[step * second + across * k]]
                if size <= 4 and found < 63:
                    for _ in range(size):
                        member[step * first + across * (way & 15)] |= 1 << found
                        member[step * second + across * (way & 15)] |= 1 << found
                        way >>= 4
                    found += 1
    return found


@inlined
def _note_places(grid: Array, columns: Array, boxes: Array, in_column: Array, in_box: Array) -> None:
    """Note for each digit its column and box in each row, and (as a bit) its row in each column and in each box."""
    for r in range(9):
        for c in range(9):
            digit, box = grid[9 * r + c] - 1, r // 3 * 3 + c // 3
            columns[digit, r], boxes[digit, r] = c, box
            in_column[digit, c], in_box[digit, box] = 1 << r, 1 << r


@inlined
def _link(column: Array, box: Array, in_column: Array, in_box: Array, linked: Array) -> None:
    """Note for each set of rows in a band, 8 of them, in which rows another digit shares a column or box with one."""
    for band in range(3):
        r, at = 3 * band, 8 * band
        first = in_column[column[r]] | in_box[box[r]]
        second = in_column[column[r + 1]] | in_box[box[r + 1]]
        third = in_column[column[r + 2]] | in_box[box[r + 2]]
        linked[at + 1], linked[at + 2], linked[at + 3], linked[at + 4] = first, second, first | second, third
        linked[at + 5], linked[at + 6], linked[at + 7] = first | third, second | third, first | second | third


@inlined
def _in_digits(
    columns: Array, boxes: Array, in_column: Array, in_box: Array, member: Array, linked: Array, found: int
) -> int:
    """Note the sets of six or eight cells of two digits (those of four are in lines, too); how many there are then."""
    for one in range(9):
        for other in range(one):
            _link(columns[one], boxes[one], in_column[other], in_box[other], linked)
            seen = 0
            while seen < 511:
                rows, further = 0, ~seen & (seen + 1)
                while rows != further:
                    rows = further
                    further |= linked[rows & 7] | linked[8 + (rows >> 3 & 7)] | linked[16 + (rows >> 6)]
                seen |= rows
                size, left = 0, rows
                while left:
                    left &= left - 1
                    size += 1
                if 2 < size <= 4 and found < 63:
                    for r in range(9):
                        if rows >> r & 1:
                            member[9 * r + columns[one, r]] |= 1 << found
                            member[9 * r + columns[other, r]] |= 1 << found
                    found += 1
    return found


@compiled
def _small_sets(grids: Array, member: Array, counts: Array) -> None:
    """Note for each cell of each grid the sets that it is in, and how many sets there are."""
    places, linked = np.zeros(10, np.int64), np.zeros(24, np.int64)
    columns, boxes = np.zeros((9, 9), np.int64), np.zeros((9, 9), np.int64)
    in_column, in_box = np.zeros((9, 9), np.int64), np.zeros((9, 9), np.int64)
    for g in range(len(grids)):
        found = _in_lines(grids[g], 9, 1, member[g], places, 0)
        found = _in_lines(grids[g], 1, 9, member[g], places, found)
        _note_places(grids[g], columns, boxes, in_column, in_box)
        counts[g] = _in_digits(columns, boxes, in_column, in_box, member[g], linked, found)


def small_sets(grids: Array, classic: bool = True) -> tuple[Array, Array]:
    """Return for each cell of each grid the sets that it is in, as bits (int64, n x cells), and how many there are (n).

    Without ``classic`` there are none: where a house is no row, column or box, digits cannot trade places in this way.
    """
    count, cells = grids.shape
    member, known = np.zeros((count, cells), np.int64), np.zeros(count, np.int64)
    if classic and count and grids.all():
        _small_sets(grids, member, known)
    return member, known
