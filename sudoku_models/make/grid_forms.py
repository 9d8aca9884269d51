"""The least forms of complete classic grids.

The least form begins with the least form of one of the six bands (three of rows, three of columns): a look-up finds the
kind of each and the transformations to its least form. Each one fixes all columns and digits; the other six rows
follow.
"""

from __future__ import annotations

import numpy as np

from .bands import Array, bands
from .compiled_loops import compiled, inlined


def _band_state(lines: Array, start: int, layout: Array, order: Array, columns: Array, names: Array) -> int:
    """Return the state of the band of ``lines`` (9 x 9) that starts at row ``start``; record its columns in order."""
    for i in range(9):
        names[lines[start + i // 3, i % 3]] = i
    for box in range(1, 3):
        a, b, c = 3 * box, 3 * box + 1, 3 * box + 2
        if names[lines[start, a]] > names[lines[start, b]]:
            a, b = b, a
        if names[lines[start, b]] > names[lines[start, c]]:
            b, c = c, b
        if names[lines[start, a]] > names[lines[start, b]]:
            a, b = b, a
        columns[3 * box], columns[3 * box + 1], columns[3 * box + 2] = a, b, c
    top, middle = 0, 0
    for j in range(3, 6):
        top |= 1 << names[lines[start, j]]
        middle |= 1 << names[lines[start + 1, j]]
    key = layout[(top >> 3) | ((middle & 7) | ((middle >> 3) & 56)) << 6]
    for box in range(1, 3):
        for row in range(1, 3):
            x = names[lines[start + row, columns[3 * box]]]
            y = names[lines[start + row, columns[3 * box + 1]]]
            z = names[lines[start + row, columns[3 * box + 2]]]
            key = 6 * key + order[(1 if x < y else 0) + (2 if x < z else 0) + (4 if y < z else 0)]
    return int(key)


def _sort_rows(lines: Array, column: int, names: Array, rows: Array) -> None:
    """Put the rows of the second and third band (``rows`` 3 to 8) in the order of their digits in a column."""
    for start in (3, 6):
        for last in (start + 2, start + 1):
            for j in range(start, last):
                if names[lines[rows[j], column]] > names[lines[rows[j + 1], column]]:
                    rows[j], rows[j + 1] = rows[j + 1], rows[j]
    if names[lines[rows[3], column]] > names[lines[rows[6], column]]:
        for i in range(3):
            rows[3 + i], rows[6 + i] = rows[6 + i], rows[3 + i]


_band_state, _sort_rows = compiled(_band_state), compiled(_sort_rows)


@inlined
def _both_ways(grid: Array, lines: Array) -> None:
    """Write the digits of a grid, from 0, as it is and transposed."""
    for r in range(9):
        for c in range(9):
            digit = grid[9 * r + c] - 1
            lines[0, r, c], lines[1, c, r] = digit, digit


@inlined
def _lay(
    board: Array, start: int, way: Array, order: Array, rows: Array, columns: Array, names: Array
) -> None:  # fmt: skip
    """Permute the rows and columns as a way says, and name the digits by the first row."""
    for i in range(3):
        rows[i] = start + way[i]
        rows[3 + i], rows[6 + i] = (start + 3 + i) % 9, (start + 6 + i) % 9
    for j in range(9):
        columns[j] = order[way[3 + j]]
        names[board[rows[0], columns[j]]] = j
    _sort_rows(board, columns[0], names, rows)


@inlined
def _compared(board: Array, rows: Array, columns: Array, names: Array, best: Array, count: int) -> int:
    """Compare with the best form, if there is one, and replace it if less: negative, 0 or positive."""
    difference = -1 if count == 0 else 0
    for i in range(3, 9):
        for j in range(9):
            digit = names[board[rows[i], columns[j]]]
            if difference == 0:
                difference = digit - best[i, j]
            if difference > 0:
                break
            best[i, j] = digit
        if difference > 0:
            break
    return difference


@inlined
def _note(turned: int, rows: Array, columns: Array, names: Array, values: Array, cells: Array) -> None:
    """Record the source cell of each cell of the form, and the new name of each digit."""
    for i in range(9):
        values[i] = names[i] + 1
        for j in range(9):
            r, c = rows[i], columns[j]
            cells[9 * i + j] = 9 * c + r if turned else 9 * r + c


@compiled
def _least_forms(
    grids: Array, layout: Array, order: Array, kind: Array, first: Array, ways: Array,
    forms: Array, counts: Array, cells: Array, values: Array,
) -> None:  # fmt: skip
    """Write the least form of every grid, its automorphisms, and a transformation; see `grid_forms`."""
    lines = np.zeros((2, 9, 9), np.int64)
    states = np.zeros(6, np.int64)
    orders = np.zeros((6, 9), np.int64)
    names = np.zeros(9, np.int64)
    rows, columns, best = np.zeros(9, np.int64), np.zeros(9, np.int64), np.zeros((9, 9), np.int64)
    orders[:, 1], orders[:, 2] = 1, 2
    for g in range(len(grids)):
        _both_ways(grids[g], lines)
        least = 1 << 20
        for b in range(6):
            states[b] = _band_state(lines[b // 3], 3 * (b % 3), layout, order, orders[b], names)
            least = min(least, kind[states[b]])
        count = 0
        for b in range(6):
            if kind[states[b]] != least:
                continue
            board = lines[b // 3]
            for way in range(first[states[b]], first[states[b] + 1]):
                _lay(board, 3 * (b % 3), ways[way], orders[b], rows, columns, names)
                difference = _compared(board, rows, columns, names, best, count)
                if difference == 0:
                    count += 1
                elif difference < 0:
                    count = 1
                    _note(b // 3, rows, columns, names, values[g], cells[g])
        counts[g] = count
        for k in range(81):
            forms[g, k] = values[g, grids[g, cells[g, k]] - 1]


def grid_forms(grids: Array) -> tuple[Array, Array, Array, Array]:
    """Return the least forms of complete classic grids (uint8, n x 81), and the transformations to them.

    In addition to the forms: the number of automorphisms of each grid (int64, n), the source cell of each cell of the
    form (uint8, n x 81), and the new name of each digit (uint8, n x 9). The grids must be valid: nothing is checked
    here.
    """
    n, table = len(grids), bands()
    forms, cells = np.zeros((n, 81), np.uint8), np.zeros((n, 81), np.uint8)
    values, counts = np.zeros((n, 9), np.uint8), np.zeros(n, np.int64)
    _least_forms(
        grids, table.layout, table.order, table.kind, table.first, table.ways, forms, counts, cells, values
    )  # fmt: skip
    return forms, counts, cells, values
