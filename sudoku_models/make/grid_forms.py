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

from functools import lru_cache
from importlib.resources import files
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.machine_code.language import Bytes, Ints, Kernels, Layout, after, items, size_of
from ..engine.machine_code.library import Library, address
from .chance import Array, machine
from .grid_chance import spreads

STATES = 56 * 6**4
_PERMUTATIONS = np.array(list(permutations(range(3))), np.int64)


@lru_cache(maxsize=1)
def bands() -> tuple[Array, ...]:
    """Build the table, once in a process; all arrays are int64, and digits are 0 to 8.

    The first one (4096) numbers the 56 ways to spread digits over the rows of the second box, by `_layout_key`; the
    second (8) numbers the orders of three digits by their comparisons. Then come the number of each state's kind
    (72,576), and where its ways to the least form begin (one more) in the last array: the source of each of 3 rows,
    then of each of 9 columns. Every order of the rows, of the boxes and of the first box's columns makes a state of a
    least form; the way is back.
    """
    layout, order, box_rows = np.zeros(4096, np.int64), np.zeros(8, np.int64), (1 << spreads()).sum(2)
    layout[_layout_key(box_rows[:, 0], box_rows[:, 1])] = np.arange(len(box_rows))
    order[_comparisons(_PERMUTATIONS.T)] = np.arange(6)
    least, three = least_bands(), _PERMUTATIONS
    starts = [
        (*rows, *(3 * boxes[0] + inner), *(3 * b + j for b in boxes[1:] for j in range(3)))
        for rows, boxes, inner in product(three, repeat=3)
    ]
    kinds, moved = np.repeat(np.arange(len(least)), len(starts)), np.tile(np.array(starts), (len(least), 1))
    rows, columns = moved[:, :3], moved[:, 3:]
    made = least[kinds[:, None, None], rows[:, :, None], columns[:, None, :]]
    names = np.argsort(made[:, :, :3].reshape(-1, 9), 1)[:, None]
    renamed = np.take_along_axis(names, made.reshape(-1, 1, 27), 2).reshape(-1, 3, 9)
    sorting = (np.argsort(renamed[:, 0].reshape(-1, 3, 3), 2) + np.array([[0], [3], [6]])).reshape(-1, 9)
    renamed = np.take_along_axis(renamed, sorting[:, None], 2)
    bits = 1 << renamed[:, :, 3:6]
    states = layout[_layout_key(bits[:, 0].sum(1), bits[:, 1].sum(1))]
    for start in (3, 6):
        for row in (1, 2):
            states = 6 * states + order[_comparisons(renamed[:, row, start : start + 3].T)]
    by_state = np.argsort(states, kind="stable")
    first = np.searchsorted(states[by_state], np.arange(STATES + 1))
    ways = np.concatenate([np.argsort(rows, 1), np.argsort(np.take_along_axis(columns, sorting, 1), 1)], 1)
    parts = layout, order, kinds[by_state][first[:-1]], first, ways[by_state]
    return tuple(np.ascontiguousarray(part, np.int64) for part in parts)


def least_bands() -> Array:
    """Return the least forms of the 416 kinds, in order: digits from 0, shape (416, 3, 9)."""
    text = files(__package__).joinpath("bands.txt").read_text(encoding="ascii")
    rows = [[int(digit) - 1 for digit in "123456789" + line] for line in text.split()]
    return np.array(rows, np.int64).reshape(-1, 3, 9)


def _comparisons(digits: Array) -> Any:
    """Return a number for the order of three digits, or of many threes."""
    x, y, z = digits
    return (x < y) * 1 + (x < z) * 2 + (y < z) * 4


def _layout_key(top: Any, middle: Any) -> Any:
    """Pack the digits of the top and the middle row of a second box, as sets of bits, into twelve bits."""
    return (top >> 3) | ((middle & 7) | (middle >> 3) & 56) << 6


# ---- the least form

KERNELS = Kernels()
kernel = KERNELS.mark


class Work(Layout):
    """What is written for a grid: its digits (from 0) as it is and transposed, the state and the columns of each of six
    bands, and a form that is tried: its rows, the names of its digits, and the best one so far.
    """

    lines: Ints = items(162)
    states: Ints = items(6)
    orders: Ints = items(54)
    names: Ints = items(9)
    rows: Ints = items(9)
    columns: Ints = items(9)
    best: Ints = items(81)


@kernel
def band_state(lines: Ints, start: int, layout: Ints, order: Ints, columns: Ints, names: Ints) -> int:
    """Return the state of the band of ``lines`` (9 x 9) that starts at row ``start``; record its columns in order."""
    top, middle, bottom = 9 * start, 9 * start + 9, 9 * start + 18
    for i in range(9):
        names[lines[top + 9 * (i // 3) + i % 3]] = i
    for i in range(3):
        columns[i] = i
    for first in range(3, 9, 3):
        a, b, c = first, first + 1, first + 2
        if names[lines[top + a]] > names[lines[top + b]]:
            a, b = b, a
        if names[lines[top + b]] > names[lines[top + c]]:
            b, c = c, b
        if names[lines[top + a]] > names[lines[top + b]]:
            a, b = b, a
        columns[first] = a
        columns[first + 1] = b
        columns[first + 2] = c
    upper, lower = 0, 0
    for j in range(3, 6):
        upper |= 1 << names[lines[top + j]]
        lower |= 1 << names[lines[middle + j]]
    key = layout[(upper >> 3) | ((lower & 7) | ((lower >> 3) & 56)) << 6]
    for first in range(3, 9, 3):
        for row in range(middle, bottom + 9, 9):
            x = names[lines[row + columns[first]]]
            y = names[lines[row + columns[first + 1]]]
            z = names[lines[row + columns[first + 2]]]
            key = 6 * key + order[(1 if x < y else 0) + (2 if x < z else 0) + (4 if y < z else 0)]
    return key


@kernel
def sort_rows(lines: Ints, column: int, names: Ints, rows: Ints) -> None:
    """Put the rows of the second and third band (``rows`` 3 to 8) in the order of their digits in a column."""
    for start in range(3, 9, 3):
        for last in range(start + 2, start, -1):
            for j in range(start, last):
                a, b = rows[j], rows[j + 1]
                if names[lines[9 * a + column]] > names[lines[9 * b + column]]:
                    rows[j] = b
                    rows[j + 1] = a
    if names[lines[9 * rows[3] + column]] > names[lines[9 * rows[6] + column]]:
        for i in range(3, 6):
            a, b = rows[i], rows[i + 3]
            rows[i] = b
            rows[i + 3] = a


@kernel
def lay(board: Ints, start: int, way: Ints, order: Ints, rows: Ints, columns: Ints, names: Ints) -> None:
    """Permute the rows and columns as a way says, and name the digits by the first row."""
    for i in range(3):
        rows[i] = start + way[i]
        rows[3 + i] = (start + 3 + i) % 9
        rows[6 + i] = (start + 6 + i) % 9
    for j in range(9):
        columns[j] = order[way[3 + j]]
        names[board[9 * rows[0] + columns[j]]] = j
    sort_rows(board, columns[0], names, rows)


@kernel
def compared(board: Ints, rows: Ints, columns: Ints, names: Ints, best: Ints, count: int) -> int:
    """Compare with the best form, if there is one, and replace it if less: negative, 0 or positive."""
    difference = -1 if count == 0 else 0
    for i in range(3, 9):
        for j in range(9):
            digit = names[board[9 * rows[i] + columns[j]]]
            if difference == 0:
                difference = digit - best[9 * i + j]
            if difference > 0:
                return difference
            best[9 * i + j] = digit
    return difference


@kernel
def note(turned: int, rows: Ints, columns: Ints, names: Ints, values: Bytes, cells: Bytes) -> None:
    """Record the source cell of each cell of the form, and the new name of each digit."""
    for i in range(9):
        values[i] = names[i] + 1
        for j in range(9):
            cells[9 * i + j] = 9 * columns[j] + rows[i] if turned else 9 * rows[i] + columns[j]


@kernel
def least_forms(
    grids: Bytes, n: int, layout: Ints, order: Ints, kind: Ints, first: Ints, ways: Ints, width: int,
    forms: Bytes, counts: Ints, cells: Bytes, values: Bytes, w: Work,
) -> None:  # fmt: skip
    """Write the least form of every grid, its automorphisms, and a transformation; see ``grid_forms``."""
    for g in range(n):
        for r in range(9):
            for c in range(9):
                digit = grids[81 * g + 9 * r + c] - 1
                w.lines[9 * r + c] = digit
                w.lines[81 + 9 * c + r] = digit
        least, count = 1 << 20, 0
        for b in range(6):
            state = band_state(after(w.lines, b // 3 * 81), b % 3 * 3, layout, order, after(w.orders, 9 * b), w.names)
            w.states[b] = state
            least = min(least, kind[state])
        for b in range(6):
            if kind[w.states[b]] != least:
                continue
            board = after(w.lines, b // 3 * 81)
            for way in range(first[w.states[b]], first[w.states[b] + 1]):
                lay(board, b % 3 * 3, after(ways, width * way), after(w.orders, 9 * b), w.rows, w.columns, w.names)
                difference = compared(board, w.rows, w.columns, w.names, w.best, count)
                if difference == 0:
                    count += 1
                elif difference < 0:
                    count = 1
                    note(b // 3, w.rows, w.columns, w.names, after(values, 9 * g), after(cells, 81 * g))
        counts[g] = count
        for k in range(81 * g, 81 * g + 81):
            forms[k] = values[9 * g + grids[81 * g + cells[k]] - 1]


LIBRARY = Library("grid_forms", {"least_forms": "mimmmmmimmmmm"}, [Path(__file__)], lambda: KERNELS)


def grid_forms(grids: Array) -> tuple[Array, Array, Array, Array]:
    """Return the least forms of complete classic grids (uint8, n x 81), and the transformations to them.

    In addition to the forms: the number of automorphisms of each grid (int64, n), the source cell of each cell of the
    form (uint8, n x 81), and the new name of each digit (uint8, n x 9). The grids must be valid: nothing is checked
    here.
    """
    n, tables = len(grids), bands()
    forms, cells = np.zeros((n, 81), np.uint8), np.zeros((n, 81), np.uint8)
    values, counts = np.zeros((n, 9), np.uint8), np.zeros(n, np.int64)
    grids = np.ascontiguousarray(grids, np.uint8)
    memory, table = bytearray(size_of(Work)), [part.ctypes.data for part in tables]
    into = [x.ctypes.data for x in (forms, counts, cells, values)]
    machine(LIBRARY).least_forms(grids.ctypes.data, n, *table, tables[-1].shape[1], *into, address(memory))
    return forms, counts, cells, values
