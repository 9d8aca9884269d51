"""A square of houses as the three square strategies see it.

Cells are numbered row by row from 0. A digit is an index from 0 to n - 1 into the board's values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sudoku_models.model import Square

EMPTY = -1
"""The number that stands for no digit."""

Digits = list[int]
"""A digit, or EMPTY, for each cell."""


class Geometry:
    """The row, column and box of each cell. In a Latin square each row also serves as a box."""

    def __init__(self, square: Square) -> None:
        self.n = n = square.n
        self.cells = n * n
        self.row_of = [cell // n for cell in range(n * n)]
        self.column_of = [cell % n for cell in range(n * n)]
        rows = [tuple(range(r * n, (r + 1) * n)) for r in range(n)]
        self.boxes = square.boxes or tuple(rows)
        self.box_of = [0] * (n * n)
        for b, box in enumerate(self.boxes):
            for cell in box:
                self.box_of[cell] = b


@dataclass(frozen=True)
class BoardToFill:
    """One board to fill: ``allowed`` holds the digits that each cell may take, in ascending order."""

    geometry: Geometry
    allowed: Sequence[tuple[int, ...]]

    @cached_property
    def givens(self) -> list[tuple[int, int]]:
        """The cells with one allowed digit, each with that digit."""
        return [(cell, digits[0]) for cell, digits in enumerate(self.allowed) if len(digits) == 1]

    @cached_property
    def open_cells(self) -> list[int]:
        """The cells with several allowed digits, in row order."""
        return [cell for cell, digits in enumerate(self.allowed) if len(digits) > 1]

    @property
    def hopeless(self) -> bool:
        """Return whether some cell has no allowed digit."""
        return not all(self.allowed)
