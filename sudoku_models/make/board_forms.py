"""The least forms of boards with open cells, of any size: row by row, keeping all transformations that are least so
far.

An open cell counts as 0. What no row has distinguished yet stays undecided: columns without a digit come first in their
stack, stacks without a digit first on the board, and several transformations arise only from new digits within one row.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from ..errors import LimitReached
from .bands import Array
from .board_loops import OPEN, TURNED, least_forms

MOST = 1 << 21
"""The most transformations that are kept at a time."""


class BoardForms:
    """Finds the least forms of the boards of a shape: ``height`` rows in a band, ``width`` columns in a stack.

    Its buffers are kept between calls, so two threads must not use it at the same time.
    """

    def __init__(self, n: int, height: int, width: int) -> None:
        self.n, self.height, self.width = n, height, width
        turns = 2 if height == width else 1
        stacks = n // width
        self._position = OPEN + stacks
        self._shape = np.array([n, width, stacks, height, turns], np.int64)
        self._size = OPEN + stacks + 3 * n + 1
        self._scratch = np.zeros((6, self._size), np.int64), np.zeros((2 * n, 3), np.int64)
        self._board = np.zeros((2, n, n), np.int64), np.zeros((2, n), np.bool_), np.zeros((n, n), np.int64)
        self._room(256)

    def _room(self, ways: int) -> None:
        if ways > MOST:
            raise LimitReached(
                f"a board of side {self.n} has more than {MOST:,} candidates for its least form: "
                "it is too large, too full or too regular for this search"
            )
        self._ways = np.zeros((ways, self._size), np.int16), np.zeros((ways, self._size), np.int16)

    def of(self, boards: Array) -> tuple[Array, Array, Array, Array]:
        """Return least forms (int64, m x n*n), the number of transformations to each (int64, m), and a transformation
        as `grid_forms` does.

        ``boards`` has m rows of n * n values, 0 for open cells; no line may hold a digit twice. Digits that a board
        lacks get the names that are left, in order. LimitReached when there are too many ways to a form.
        """
        m, n = boards.shape
        forms, counts, firsts = np.zeros((m, n), np.int64), np.zeros(m, np.int64), np.zeros((m, self._size), np.int16)
        done = 0
        while done < m:
            done = least_forms(
                boards, done, self._shape, *self._ways, *self._scratch, *self._board, forms, counts, firsts
            )  # fmt: skip
            if done < m:
                self._room(4 * len(self._ways[0]))
        return forms, counts, *self._read(firsts)

    def _read(self, ways: Array) -> tuple[Array, Array]:
        """Return the source cells and the new names of the digits."""
        n, start = self.n, self._position
        parts = (ways[:, start + k : start + k + n].astype(np.int64) for k in (0, n + 1, 2 * n + 1))
        columns, names, rows = parts
        turned = ways[:, TURNED, None, None] == 1
        rows, columns = rows[:, :, None], columns[:, None, :]
        cells = np.where(turned, columns * n + rows, rows * n + columns).reshape(len(ways), -1)
        for row in np.flatnonzero((names == 0).any(1)):
            names[row, names[row] == 0] = np.setdiff1d(np.arange(1, n + 1), names[row])
        return cells, names

    def automorphisms(self, forms: Array, ways: Array) -> Array:
        """Return how many symmetries of the cells keep each board up to the names of its digits.

        This is the number of transformations (``ways``) to its form, times the permutations of lines without a digit.
        (Python integers above side 9.)
        """
        squares = forms.reshape(-1, self.n, self.n) > 0
        kind = object if self.n > 9 else np.int64
        rows, columns = _free(squares, 2, self.height, kind), _free(squares, 1, self.width, kind)
        found: Array = ways.astype(kind) * rows * columns
        return found


def _free(squares: Array, axis: int, height: int, kind: Any) -> Array:
    """Return the number of permutations of the empty lines, and of the empty bands, of each board."""
    filled = np.asarray(squares.any(axis))
    factorials = np.array([factorial(k) for k in range(filled.shape[1] + 1)], kind)
    empty = height - filled.reshape(len(filled), -1, height).sum(2)
    found: Array = factorials[empty].prod(1) * factorials[(empty == height).sum(1)]
    return found
