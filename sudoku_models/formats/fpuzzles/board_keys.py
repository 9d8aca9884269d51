"""The keys of f-puzzles that state the board: size, grid, solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import FormatError
from ...model import Domain
from ...puzzle.shape import Shape
from ..json_text import ABSENT, short
from ..regions import box_number, default_box, shape_of_labels
from .context import LARGEST, listed

Cells = Sequence[Mapping[str, Any]]
_BLANKS = frozenset({"", ".", "0", " "})


def cells_of(data: Mapping[str, Any]) -> tuple[int, Cells]:
    """Return the side and the objects of all cells, row by row."""
    side, grid = data.get("size"), data.get("grid")
    if type(side) is not int or not 1 <= side <= LARGEST:
        raise FormatError(f"the size {short(side)}: 1 to {LARGEST} is expected")
    if not isinstance(grid, list) or len(grid) != side:
        raise FormatError(f"the grid: {side} rows are expected")
    for number, row in enumerate(grid, start=1):
        if not isinstance(row, list) or len(row) != side or not all(isinstance(cell, dict) for cell in row):
            raise FormatError(f"row {number} of the grid: {side} objects are expected")
    return side, [cell for row in grid for cell in row]


def shape_of(side: int, cells: Cells, notes: list[str]) -> Shape:
    """Return the shape: a cell without a region is in the default one; a cell with null is in none.

    A region with more cells than there are values is noted and left out.
    """
    box = default_box(side)
    labels = [_label(cell, i, side, box) for i, cell in enumerate(cells)]
    large = [label for label, count in Counter(labels).items() if label is not None and count > side]
    notes += [
        f"region {label} has {labels.count(label)} cells for {side} values: its cells may be equal" for label in large
    ]
    return shape_of_labels(side, [None if label in large else label for label in labels])


def _label(cell: Mapping[str, Any], index: int, side: int, box: tuple[int, int]) -> int | None:
    if "region" not in cell:
        return box_number(index, side, box)
    region = cell["region"]
    if region is not None and (type(region) is not int or not 0 <= region < side):
        raise FormatError(f"the region {short(region)}: 0 to {side - 1} or null is expected", cell=_name(index, side))
    return region


def givens_of(side: int, cells: Cells) -> tuple[int | None, ...]:
    """Return the givens; a value that is not marked as given is an entry of the solver."""
    return tuple(_given(cell, side, index) for index, cell in enumerate(cells))


def _given(cell: Mapping[str, Any], side: int, index: int) -> int | None:
    given, value = cell.get("given"), cell.get("value")
    if given not in ABSENT and given is not True:
        raise FormatError(f"given: true or false is expected, not {short(given)}", cell=_name(index, side))
    return _value(value, side, index) if given is True and value not in ABSENT else None


def candidates_of(side: int, cells: Cells) -> tuple[tuple[int, Domain], ...]:
    """Return the candidates given by the setter, by cell number."""
    found = []
    for index, cell in enumerate(cells):
        marks = listed(cell.get("givenPencilMarks"), "candidates")
        values = sorted({_value(mark, side, index) for mark in marks if mark is not None})
        if values:
            found.append((index, tuple(values)))
    return tuple(found)


def solution_of(cells: int, most: int, value: object) -> tuple[int | None, ...] | None:
    """Return the stated solution with this number of cells and values up to ``most``; None if missing or incomplete."""
    if isinstance(value, str):
        value = value.split(",") if "," in value else list(value)
    found = [
        "" if item is None else str(item).strip()
        for item in listed(value, "values under solution")
        if not _nested(item)
    ]
    if all(item in _BLANKS for item in found):
        return None
    if len(found) != cells:
        raise FormatError(f"a solution of {len(found)} cells: {cells} are expected")
    values = [int(item) if item.isascii() and item.isdigit() and len(item) < 4 else 0 for item in found]
    return tuple(values) if all(1 <= value <= most for value in values) else None


def _nested(item: object) -> bool:
    if isinstance(item, list | dict):
        raise FormatError("the solution: a list of values is expected")
    return False


def _value(value: object, side: int, index: int) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4:
        value = int(value)
    if type(value) is not int or not 1 <= value <= side:
        raise FormatError(f"{short(value)} is out of range: 1 to {side} are possible", cell=_name(index, side))
    return value


def _name(index: int, side: int) -> str:
    return f"R{index // side + 1}C{index % side + 1}"
