"""The board of a SudokuPad document: its cells, its regions and its givens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import FormatError
from ...puzzle.shape import Shape
from ..fpuzzles.context import number
from ..json_text import short
from ..regions import shape_of_regions
from .keys import get, listed

LARGEST = 60
Place = tuple[int, int]


def rows_of(value: object) -> list[list[Any]]:
    """Return the cells, row by row; raise FormatError unless all rows have the same length."""
    rows = listed(value, "cells")
    lists = all(isinstance(row, list) for row in rows)
    if not 1 <= len(rows) <= LARGEST or not lists or not 1 <= len(rows[0]) <= LARGEST:
        raise FormatError(f"cells: 1 to {LARGEST} rows of 1 to {LARGEST} cells are expected")
    wrong = next((i for i, row in enumerate(rows, start=1) if len(row) != len(rows[0])), None)
    if wrong is not None:
        raise FormatError(f"row {wrong} has {len(rows[wrong - 1])} cells: {len(rows[0])} are expected, as in row 1")
    return rows


def place_of(value: object, height: int, width: int) -> Place:
    """Return the row and column of a cell, from 0; raise FormatError for a cell outside the board."""
    if isinstance(value, list) and len(value) == 2 and all(type(v) is int for v in value):
        row, column = value
        if 0 <= row < height and 0 <= column < width:
            return row, column
    plain = isinstance(value, list) and len(value) <= 2 and all(type(v) is int for v in value)
    board = f"side {width}" if height == width else f"{height} x {width} cells"
    raise FormatError(f"{value if plain else short(value)} is not a cell [row, column] of a board of {board}")


def numbers_of(value: object, height: int, width: int, what: str) -> list[int]:
    """Return the numbers of some cells; raise FormatError for a repeated cell (``what`` is for the message)."""
    places = [place_of(cell, height, width) for cell in listed(value, f"{what}s")]
    if len(set(places)) < len(places):
        row, column = next(place for i, place in enumerate(places) if place in places[:i])
        raise FormatError(f"a {what} names R{row + 1}C{column + 1} twice")
    return [row * width + column for row, column in places]


def shape_of(regions: Sequence[object], height: int, width: int, lines: bool, notes: list[str]) -> Shape:
    """Return the shape; a region with more cells than there are values is noted and left out."""
    groups = [found for region in regions if (found := numbers_of(region, height, width, "region"))]
    side = max(height, width)
    if not groups:
        notes.append("no regions are drawn, so the board has none")
    if len(groups) > 4 * side:
        raise FormatError(f"{len(groups)} regions on a board of side {side}: at most {4 * side} are possible")
    if height != width:
        notes.append(f"the values of a board of {height} x {width} cells are not stated: 1 to {side} are assumed")
    return shape_of_regions(width, list(_houses(groups, side, width, notes)), height=height, lines=lines)


def _houses(groups: Sequence[Sequence[int]], most: int, width: int, notes: list[str]) -> Iterator[Sequence[int]]:
    for cells in groups:
        if len(cells) <= most:
            yield cells
        else:
            first = f"R{min(cells) // width + 1}C{min(cells) % width + 1}"
            notes.append(f"the region of {first} has {len(cells)} cells for {most} values: its cells may be equal")


def given(cell: object, index: int, shape: Shape, notes: list[str]) -> int | None:
    """Return the given of a cell; None for an open cell."""
    if cell is None:
        return None
    if not isinstance(cell, dict):
        raise FormatError(f"{short(cell)} is not a cell", cell=shape.names[index])
    value = get(cell, "value")
    marks = [key for key in cell if key not in ("value", "v", "c", "color")]
    if marks:
        notes.append(f"{shape.names[index]}: {', '.join(marks)[:60]} is not understood")
    if value in (None, "", 0, "0"):
        return None
    found = number(value)
    if found is None:
        notes.append(f"{shape.names[index]}: {short(value)} is not a number: the cell is left open")
    return found
