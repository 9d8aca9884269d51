"""Small unavoidable sets of classic grids, seen without a search: cells of two lines, or of two digits, trade places.

The digits of two rows of a band (two columns of a stack) may change places along a cycle of columns; two digits may in
cells that rows, columns and boxes link. All else stays, so that a puzzle with one solution has a clue in each such set.
"""

from __future__ import annotations

import numpy as np

from .bands import Array
from .compiled import compiled

ROOM = 63
"""The most sets of a grid that are known at once: a bit for each in a number. Few grids have more of this size."""


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


def _note_places(grid: Array, columns: Array, in_column: Array, in_box: Array) -> None:
    """Note for each digit its column in each row, and its row in each column and in each box."""
    for r in range(9):
        for c in range(9):
            digit = grid[9 * r + c] - 1
            columns[digit, r], in_column[digit, c], in_box[digit, r // 3 * 3 + c // 3] = c, r, r


def _in_digits(columns: Array, in_column: Array, in_box: Array, member: Array, linked: Array, found: int) -> int:
    """Note the sets of six or eight cells of two digits (those of four are in lines, too); how many there are then."""
    for one in range(9):
        for other in range(one):
            seen = 0
            for start in range(9):
                if seen >> start & 1:
                    continue
                seen |= 1 << start
                linked[0], size, at = start, 1, 0
                while at < size:
                    r = linked[at]
                    column = columns[one, r]
                    for near in (in_column[other, column], in_box[other, r // 3 * 3 + column // 3]):
                        if not seen >> near & 1:
                            seen |= 1 << near
                            linked[size] = near
                            size += 1
                    at += 1
                if 2 < size <= 4 and found < 63:
                    for at in range(size):
                        r = linked[at]
                        member[9 * r + columns[one, r]] |= 1 << found
                        member[9 * r + columns[other, r]] |= 1 << found
                    found += 1
    return found


_in_lines, _note_places, _in_digits = compiled(_in_lines), compiled(_note_places), compiled(_in_digits)


def _small_sets(grids: Array, member: Array, counts: Array) -> None:
    """Note for each cell of each grid the sets that it is in, and how many sets there are."""
    places, linked = np.zeros(10, np.int64), np.zeros(9, np.int64)
    columns, in_column, in_box = np.zeros((9, 9), np.int64), np.zeros((9, 9), np.int64), np.zeros((9, 9), np.int64)
    for g in range(len(grids)):
        found = _in_lines(grids[g], 9, 1, member[g], places, 0)
        found = _in_lines(grids[g], 1, 9, member[g], places, found)
        _note_places(grids[g], columns, in_column, in_box)
        counts[g] = _in_digits(columns, in_column, in_box, member[g], linked, found)


_small_sets = compiled(_small_sets)


def small_sets(grids: Array) -> tuple[Array, Array]:
    """Return for each cell of each grid the sets that it is in, as bits (int64, n x cells), and how many there are (n).

    Only classic grids have sets; a row that is none has no set.
    """
    count, cells = grids.shape
    member, known = np.zeros((count, cells), np.int64), np.zeros(count, np.int64)
    if cells == 81 and count and grids.all() and grids.max() == 9:
        _small_sets(grids, member, known)
    return member, known
