"""The least forms of complete classic grids.

The least form begins with the least form of one of the six bands (three of rows, three of columns): a look-up finds the
kind of each and the transformations to its least form. Each one fixes all columns and digits; the other six rows
follow.

A band is three rows, up to the order of rows, boxes, columns in boxes, and digits: there are 416 kinds (Felgenhauer and
Jarvis 2005). It is normalised to one of 72,576 states: digits renamed so that its first box reads 123 456 789, the
columns of the other boxes in the order of their top digits. A table has for each state its kind and every
transformation to the kind's least form. ``bands.txt`` holds the second and third rows of the least forms, in order;
their first row is 123456789.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations, permutations
from typing import Any

import numpy as np

from .chance import Array
from .compiled_loops import compiled, inlined

KINDS = 416
STATES = 56 * 6**4
_PERMUTATIONS = np.array(list(permutations(range(3))), np.int64)


@dataclass(frozen=True)
class Bands:
    """The table; all arrays are int64, and digits are 0 to 8.

    ``layout`` (4096) numbers the 56 ways to spread digits over the rows of the second box, by `layout_key`; ``order``
    (8) numbers the orders of three digits by their comparisons. ``kind`` (72,576) is the number of a state's kind,
    ``first`` (one more) where its ways to the least form begin in ``ways``: the source of each of 3 rows, then of each
    of 9 columns. ``least`` (416 x 3 x 9) are the least forms, ``sizes`` (416) how many states are of each kind.
    """

    layout: Array
    order: Array
    kind: Array
    first: Array
    ways: Array
    least: Array
    sizes: Array


@lru_cache(maxsize=1)
def bands() -> Bands:
    """Build the table, once in a process."""
    layout, order, least = _layouts(), _orders(), least_bands()
    states, ways, kinds = _ways(least, layout, order)
    first = np.searchsorted(states, np.arange(STATES + 1))
    kind = kinds[first[:-1]]
    return Bands(layout, order, kind, first, ways, least, np.bincount(kind, minlength=KINDS))


def least_bands() -> Array:
    """Return the least forms of the 416 kinds, in order: digits from 0, shape (416, 3, 9)."""
    text = files(__package__).joinpath("bands.txt").read_text(encoding="ascii")
    rows = [[int(digit) - 1 for digit in "123456789" + line] for line in text.split()]
    return np.array(rows, np.int64).reshape(-1, 3, 9)


def _orders() -> Array:
    order = np.zeros(8, np.int64)
    for number, (x, y, z) in enumerate(_PERMUTATIONS):
        order[(x < y) * 1 + (x < z) * 2 + (y < z) * 4] = number
    return order


def _layouts() -> Array:
    """Enumerate what the rows of a second box may contain: three digits each, from other rows of the first box."""
    numbers, found = np.zeros(4096, np.int64), 0
    for top in combinations((3, 4, 5, 6, 7, 8), 3):
        for middle in combinations(sorted({0, 1, 2, 6, 7, 8} - set(top)), 3):
            if {6, 7, 8} <= {*top, *middle}:  # the bottom row of the box contains none of them
                numbers[layout_key(sum(1 << d for d in top), sum(1 << d for d in middle))] = found
                found += 1
    return numbers


def layout_key(top: Any, middle: Any) -> Any:
    """Pack the digits of the top and the middle row of a second box, as sets of bits, into twelve bits."""
    return (top >> 3) | ((middle & 7) | (middle >> 3) & 56) << 6


def _ways(least: Array, layout: Array, order: Array) -> tuple[Array, Array, Array]:
    """Return states, a transformation from each to its kind's least form, and the kind; one row for each, sorted by
    state.

    Every order of the rows, of the boxes and of the first box's columns makes a state of a least form; the way is back.
    """
    rows, columns = _starts()
    kinds = np.repeat(np.arange(len(least)), len(rows))
    rows, columns = np.tile(rows, (len(least), 1)), np.tile(columns, (len(least), 1))
    made = least[kinds[:, None, None], rows[:, :, None], columns[:, None, :]]
    names: Array = np.argsort(made[:, :, :3].reshape(-1, 9), 1)
    top = np.take_along_axis(names, made[:, 0], 1)
    sorting = np.concatenate([3 * b + np.argsort(top[:, 3 * b : 3 * b + 3], 1) for b in range(3)], 1)
    columns = np.take_along_axis(columns, sorting, 1)
    made = np.take_along_axis(made, np.repeat(sorting[:, None], 3, 1), 2)
    renamed = np.take_along_axis(names, made.reshape(-1, 27), 1).reshape(-1, 3, 9)
    states = _states(renamed, layout, order)
    by_state = np.argsort(states, kind="stable")
    ways = np.concatenate([np.argsort(rows, 1), np.argsort(columns, 1)], 1)
    return states[by_state], ways[by_state], kinds[by_state]


def _starts() -> tuple[Array, Array]:
    """Return, for every order of rows, of boxes and of the first box's columns, the rows and the columns in order."""
    found = [
        (rows, [*(3 * boxes[0] + first), *(3 * b + j for b in boxes[1:] for j in range(3))])
        for rows in _PERMUTATIONS
        for boxes in _PERMUTATIONS
        for first in _PERMUTATIONS
    ]
    return np.array([rows for rows, _ in found]), np.array([columns for _, columns in found], np.int64)


def _states(renamed: Array, layout: Array, order: Array) -> Array:
    """Return the states of bands whose digits are renamed and whose columns are in order (n x 3 x 9)."""
    bits = 1 << renamed
    keys: Array = layout[layout_key(bits[:, 0, 3:6].sum(1), bits[:, 1, 3:6].sum(1))]
    for start in (3, 6):
        for row in (1, 2):
            x, y, z = renamed[:, row, start : start + 3].T
            keys = 6 * keys + order[(x < y) * 1 + (x < z) * 2 + (y < z) * 4]
    return keys


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
