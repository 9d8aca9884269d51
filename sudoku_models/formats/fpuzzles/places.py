"""Places outside the grid that look along a line of cells."""

from __future__ import annotations

from collections.abc import Sequence

from ...puzzle.shape import Shape

_DIRECTIONS = {(-1, 1): "UR", (-1, -1): "UL", (1, 1): "DR", (1, -1): "DL"}


def outside_place(cells: Sequence[str], shape: Shape) -> str | None:
    """Return the place that looks along a whole row or column in this order; None for other cells."""
    n = shape.width
    for k in range(1, n + 1):
        row, column = [f"R{k}C{i}" for i in range(1, n + 1)], [f"R{i}C{k}" for i in range(1, n + 1)]
        seen = {f"R{k}C0": row, f"R{k}C{n + 1}": row[::-1], f"R0C{k}": column, f"R{n + 1}C{k}": column[::-1]}
        for place, line in seen.items():
            if line == list(cells):
                return place
    return None


def diagonal_place(cells: Sequence[str], shape: Shape) -> tuple[str, str] | None:
    """Return the place beside the grid and the direction that give a whole diagonal; None for other cells."""
    names = set(shape.names)
    numbers = [divmod(shape.cell(cell), shape.width) for cell in cells if cell in names]
    if len(numbers) < len(cells):
        return None
    for (down, right), direction in _DIRECTIONS.items():
        (row, column), n = numbers[0], shape.width
        before = row - down, column - right
        if 0 <= before[0] < n and 0 <= before[1] < n:
            continue
        found = []
        while 0 <= row < n and 0 <= column < n:
            found.append((row, column))
            row, column = row + down, column + right
        if found == numbers:
            return f"R{before[0] + 1}C{before[1] + 1}", direction
    return None
