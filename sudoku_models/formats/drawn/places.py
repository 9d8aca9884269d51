"""The places of drawings: in a cell, on a border, at a corner or outside; and the cells that a line passes through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor

from ...puzzle.drawn import Mark, Point, Stroke
from ...puzzle.shape import Shape

Cell = tuple[int, int]
_NEAR = 0.2
"""The largest distance, in cells, of a mark from a corner or the middle of a side."""
_MOST = 2_000
"""The largest number of cells of a line that is examined."""


@dataclass(frozen=True)
class DrawnPlaces:
    """The places of a board."""

    shape: Shape

    def inside(self, cell: Cell) -> bool:
        """Return whether a cell is on the board."""
        return 0 <= cell[0] < self.shape.height and 0 <= cell[1] < self.shape.width

    def named(self, cells: Iterable[Cell]) -> tuple[str, ...]:
        """Return the names of cells."""
        return tuple(f"R{row + 1}C{column + 1}" for row, column in cells)

    def around(self, centre: Point) -> tuple[Cell, ...]:
        """Return the cells around a point: one, two at a border, four at a corner; () for other points."""
        axes = [_lines(value) for value in centre]
        if None in axes:
            return ()
        rows, columns = axes
        found = tuple((r, c) for r in rows or () for c in columns or ())
        return found if all(map(self.inside, found)) else ()

    def path(self, stroke: Stroke) -> tuple[Cell, ...] | None:
        """Return the cells that a line passes through in order; None unless it goes from cell to neighbouring cell."""
        ends = [(floor(row), floor(column)) for row, column in stroke.points]
        found = ends[:1]
        for (r1, c1), (r2, c2) in pairwise(ends):
            down, right = r2 - r1, c2 - c1
            steps = max(abs(down), abs(right))
            if steps == 0:
                continue
            if (down and right and abs(down) != abs(right)) or len(found) + steps > _MOST:
                return None
            found += [(r1 + i * down // steps, c1 + i * right // steps) for i in range(1, steps + 1)]
        return tuple(found) if all(map(self.inside, found)) else None

    def along(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the row or column that a cell beside the board looks along, nearest cell first; () for other cells."""
        (row, column), (height, width) = cell, (self.shape.height, self.shape.width)
        if 0 <= row < height and (column < 0 or column >= width):
            line = [(row, c) for c in range(width)]
            return tuple(line if column < 0 else reversed(line))
        if 0 <= column < width and (row < 0 or row >= height):
            line = [(r, column) for r in range(height)]
            return tuple(line if row < 0 else reversed(line))
        return ()

    def ray(self, start: Point, towards: Point) -> tuple[Cell, ...]:
        """Return the diagonal of cells that a short diagonal arrow points along; () if there is none."""
        down, right = (_sign(b - a) for a, b in zip(start, towards, strict=True))
        if not down or not right:
            return ()
        row, column = floor(towards[0] + down * 0.01), floor(towards[1] + right * 0.01)
        if not self.inside((row, column)):
            row, column = row + down, column + right
        found: list[Cell] = []
        while self.inside((row, column)):
            found.append((row, column))
            row, column = row + down, column + right
        return tuple(found)


def cell_of(point: Point) -> Cell:
    """Return the cell that contains a point; it may be outside the board."""
    return floor(point[0]), floor(point[1])


def near(mark: Mark, point: Point, within: float = 0.3) -> bool:
    """Return whether the middle of a mark is close to a point."""
    return all(abs(a - b) <= within for a, b in zip(mark.centre, point, strict=True))


def holds(mark: Mark, point: Point) -> bool:
    """Return whether a mark covers a point."""
    sizes = (mark.height, mark.width)
    return all(abs(a - b) <= size / 2 + 0.05 for a, b, size in zip(mark.centre, point, sizes, strict=True))


def middle(cell: Cell) -> Point:
    """Return the middle of a cell."""
    return cell[0] + 0.5, cell[1] + 0.5


def covered(mark: Mark) -> tuple[Cell, ...]:
    """Return the cells whose middles a mark covers."""
    rows, columns = (
        range(floor(at - size / 2 + 0.5), floor(at + size / 2 - 0.5) + 1)
        for at, size in zip(mark.centre, (mark.height, mark.width), strict=True)
    )
    return tuple((r, c) for r in rows for c in columns)[:_MOST]


def together(cells: Sequence[Cell]) -> list[list[Cell]]:
    """Split cells into connected groups, each in reading order."""
    left, groups = set(cells), []
    while left:
        reached, waiting = set[Cell](), [min(left)]
        while waiting:
            row, column = waiting.pop()
            if (row, column) in left:
                left.discard((row, column))
                reached.add((row, column))
                waiting += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        groups.append(sorted(reached))
    return groups


def _lines(value: float) -> tuple[int, ...] | None:
    """Return the rows (or columns) whose middle or border is at a coordinate."""
    if abs(value - round(value)) <= _NEAR:
        return round(value) - 1, round(value)
    return (floor(value),) if abs(value - floor(value) - 0.5) <= 0.3 else None


def _sign(value: float) -> int:
    return (value > 1e-6) - (value < -1e-6)
