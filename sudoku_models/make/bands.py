"""The 416 kinds of bands: three rows of a classic grid, up to the order of rows, boxes, columns in boxes, and digits.

A band is normalised to one of 72,576 states: digits renamed so that its first box reads 123 456 789, the columns of the
other boxes in the order of their top digits. A table has for each state its kind and every transformation to the kind's
least form. ``bands.txt`` holds the second and third rows of the least forms, in order; their first row is 123456789.
(The number 416: Felgenhauer and Jarvis 2005.)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

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
