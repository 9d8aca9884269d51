"""The points of penpa-edit's paper, numbered row by row, with a border of two rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import FormatError
from ...puzzle.drawn import Point
from ..json_text import short
from .packing import PenpaSheet

LARGEST = 60
_AROUND = 2
"""The number of unused rows and columns around the paper."""
_OFFSETS: tuple[Point, ...] = ((0.5, 0.5), (1.0, 1.0), (1.0, 0.5), (0.5, 1.0))
"""Cell, corner, lower side, right side: the first four kinds of points, one of each for every cell."""
_QUARTERS: tuple[Point, ...] = ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75))
_COMPASS: tuple[Point, ...] = ((0.2, 0.5), (0.5, 0.8), (0.5, 0.2), (0.8, 0.5))
CELL, CORNER, QUARTER = 0, 1, 4
Place = tuple[int, int]


@dataclass(frozen=True)
class Paper:
    """The board on its paper: the rows and columns of both, and the distance of the board from the paper's corner."""

    height: int
    width: int
    across: int
    down: int
    top: int
    left: int

    @classmethod
    def of(cls, sheet: PenpaSheet) -> Paper:
        """Measure a sheet; raise FormatError unless its cells are squares, in at most LARGEST rows and columns."""
        if sheet.kind not in ("square", "sudoku"):
            raise FormatError(f"penpa-edit's grid {sheet.kind[:20]!r}: square or sudoku is expected")
        (columns, rows), (top, bottom, left, right) = sheet.size, sheet.margins
        height, width = rows - top - bottom, columns - left - right
        if not (1 <= height <= LARGEST and 1 <= width <= LARGEST):
            raise FormatError(
                f"penpa-edit's board of {height} x {width} cells: 1 to {LARGEST} rows and columns are read"
            )
        return cls(height, width, columns + 2 * _AROUND, rows + 2 * _AROUND, top + _AROUND, left + _AROUND)

    def kind(self, index: int) -> int:
        """Return the kind of a point: CELL, CORNER, 2 (lower side), 3 (right side), QUARTER, 5 (compass)."""
        kind = index // (self.across * self.down)
        return kind if kind < 4 else QUARTER if kind < 8 else 5

    def place(self, index: int) -> Place:
        """Return the row and column, from 0, of the cell of a point; negative ones are outside."""
        points = self.across * self.down
        cell = index % points if index < 4 * points else index % (4 * points) // 4
        row, column = divmod(cell, self.across)
        return row - self.top, column - self.left

    def point(self, value: object) -> Point:
        """Return the position of a point; raise FormatError for anything but a point of the paper."""
        index = self.index(value)
        row, column = self.place(index)
        kind = self.kind(index)
        offset = _OFFSETS[kind] if kind < 4 else (_QUARTERS if kind == QUARTER else _COMPASS)[index % 4]
        return row + offset[0], column + offset[1]

    def index(self, value: object) -> int:
        """Return the number of a point; raise FormatError for anything but a point of the paper."""
        number = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 8 else value
        if type(number) is not int or not 0 <= number < 12 * self.across * self.down:
            raise FormatError(f"{short(value)} is not a point of penpa-edit's paper")
        return number

    def cell(self, value: object) -> Place | None:
        """Return the cell of the board with this point as its centre; None for other points."""
        index = self.index(value)
        row, column = self.place(index)
        inside = 0 <= row < self.height and 0 <= column < self.width
        return (row, column) if inside and self.kind(index) == CELL else None
