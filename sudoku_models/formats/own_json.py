"""The package's own JSON: everything in a puzzle, in one canonical form. Rules are data: a name and fields.

``{"schema": "sudoku-models/puzzle", "version": 1, "height": 4, "width": 4, "values": [1, 2, 3, 4], "box": [2, 2],
"givens": "1...............", "rules": [{"rule": "Thermo", "cells": ["R1C1", "R1C2"]}]}``. A field with its default
value is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import FormatError
from ..model import domain
from ..puzzle.puzzle import Puzzle
from ..puzzle.shape import LARGEST_SIDE, Shape
from .json_text import short
from .rule_json import rule_data, rules_of

SCHEMA = "sudoku-models/puzzle"
VERSION = 1
_KEYS = frozenset(
    {"schema", "version", "height", "width", "values", "box", "regions", "lines", "givens", "candidates", "rules"}
    | {"title", "comment", "solution"}
)
MOST_VALUES = 1_000


def write_own(puzzle: Puzzle) -> str:
    """Write a puzzle on one line; equal puzzles give equal texts."""
    shape = puzzle.shape
    data: dict[str, Any] = {"schema": SCHEMA, "version": VERSION, "height": shape.height, "width": shape.width}
    data["values"] = list(shape.values)
    if shape.box is not None:
        data["box"] = list(shape.box)
    if shape.regions and (shape.box is None or _boxed(shape.height, shape.width, shape.box) != shape.regions):
        data["regions"] = [[shape.names[cell] for cell in region] for region in shape.regions]
    data |= {} if shape.lines else {"lines": False}
    data |= {key: text for key, text in (("title", puzzle.title), ("comment", puzzle.comment)) if text}
    data["givens"] = _written(puzzle.givens)
    if puzzle.candidates:
        data["candidates"] = [[shape.names[cell], list(values)] for cell, values in puzzle.candidates]
    if puzzle.rules:
        data["rules"] = [rule_data(rule) for rule in puzzle.rules]
    if puzzle.stated is not None:
        data["solution"] = _written(puzzle.stated)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def puzzle_of(data: Mapping[str, Any]) -> Puzzle:
    """Make a puzzle from a JSON object."""
    if data.get("schema") != SCHEMA:
        raise FormatError(f"the schema {short(data.get('schema'))}: {SCHEMA!r} is expected")
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise FormatError(f"version {short(data.get('version'))}: only version {VERSION} can be read")
    try:
        shape = _shape(data)
        rules = rules_of(data.get("rules", []), shape)
        stated = _board(data["solution"], shape, "solution") if data.get("solution") is not None else None
        givens, candidates = _board(data.get("givens"), shape, "givens"), _candidates(data, shape)
        title, comment = _text(data, "title"), _text(data, "comment")
        notes = tuple(f"the key {key[:40]!r} is not known" for key in data if key not in _KEYS)[:50]
        return Puzzle(shape, givens, candidates, title, comment, stated, rules, notes)
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error)) from None


def _shape(data: Mapping[str, Any]) -> Shape:
    height, width = (_whole(data.get(key), key, 1, LARGEST_SIDE) for key in ("height", "width"))
    values = _wholes(data.get("values", list(range(1, max(height, width) + 1))), "values")
    if not values or len(values) > MOST_VALUES:
        raise FormatError(f"values: 1 to {MOST_VALUES} numbers are expected")
    box, lines = data.get("box"), data.get("lines", True)
    if not isinstance(lines, bool):
        raise FormatError("lines: true or false is expected")
    size = _box(box, height, width) if box is not None else None
    if "regions" in data:
        regions = _regions(data["regions"], height, width)
    else:
        regions = _boxed(height, width, size) if size else ()
    shape = Shape(height, width, domain(values), regions, size, lines)
    usual = Shape.square(width, size) if size and height == width == size[0] * size[1] else Shape.latin(width)
    return usual if shape == usual else shape


def _box(value: object, height: int, width: int) -> tuple[int, int]:
    box = _wholes(value, "box")
    if len(box) != 2 or min(box) < 1 or height % box[0] or width % box[1]:
        raise FormatError(f"box: the height and width of boxes that divide {height} x {width} cells are expected")
    return box[0], box[1]


def _boxed(height: int, width: int, box: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    corners = [(r, c) for r in range(0, height, box[0]) for c in range(0, width, box[1])]
    return tuple(tuple((r + i) * width + c + j for i in range(box[0]) for j in range(box[1])) for r, c in corners)


def _regions(value: object, height: int, width: int) -> tuple[tuple[int, ...], ...]:
    places = {f"R{r + 1}C{c + 1}": r * width + c for r in range(height) for c in range(width)}
    found = []
    for region in _list(value, "regions"):
        names = _list(region, "regions")
        wrong = next((name for name in names if not isinstance(name, str) or name not in places), None)
        if wrong is not None or None in names:
            raise FormatError(f"regions: {short(wrong)} is not a cell of the board")
        found.append(tuple(places[name] for name in names))
    return tuple(found)


def _board(value: object, shape: Shape, key: str) -> tuple[int | None, ...]:
    """Parse a text of digits and '.', or a list of numbers and nulls."""
    cells: Sequence[object]
    if isinstance(value, str):
        cells = [None if c == "." else int(c) if c.isascii() and c.isdigit() else c for c in value]
    else:
        cells = _list(value, key)
    if len(cells) != shape.cells:
        raise FormatError(f"{key}: {len(cells)} cells: {shape.cells} are expected")
    allowed = shape.contents
    found: list[int | None] = []
    for name, cell in zip(shape.names, cells, strict=True):
        if (cell is not None and type(cell) is not int) or cell not in allowed:
            raise FormatError(f"{key}: {short(cell)} is not a value of the board", cell=name)
        found.append(cell)
    return tuple(found)


def _written(values: Sequence[int | None]) -> str | list[int | None]:
    if all(value is None or 0 <= value <= 9 for value in values):
        return "".join("." if value is None else str(value) for value in values)
    return list(values)


def _candidates(data: Mapping[str, Any], shape: Shape) -> tuple[tuple[int, tuple[int, ...]], ...]:
    found = []
    for item in _list(data.get("candidates", []), "candidates"):
        if not isinstance(item, list) or len(item) != 2 or not isinstance(item[0], str):
            raise FormatError('candidates: pairs such as ["R1C1", [1, 2]] are expected')
        found.append((shape.cell(item[0]), domain(_wholes(item[1], "candidates"))))
    return tuple(found)


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise FormatError(f"{key}: a text is expected, not {short(value)}")
    return value


def _list(value: object, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(f"{key}: a list is expected, not {short(value)}")
    return value


def _wholes(value: object, key: str) -> list[int]:
    return [_whole(item, key, -(10**9), 10**9) for item in _list(value, key)]


def _whole(value: object, key: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise FormatError(f"{key}: a number from {low} to {high} is expected, not {short(value)}")
    return value
