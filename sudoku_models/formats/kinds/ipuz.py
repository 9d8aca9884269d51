"""The format ``ipuz``: JSON of the kind http://ipuz.org/sudoku.

It does not say whether the cells of cages and zones count from 0 or 1, or whether they may be equal. So they are
drawings, which are examined if only one reading of the cells [column, row], from 0 or 1, is possible.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...errors import FormatError
from ...puzzle.drawn import Drawn, Mark
from ...puzzle.puzzle import Puzzle
from ...puzzle.shape import Shape
from ...puzzle.symbols import ALPHABETS
from ..format import ALL, CANDIDATES, RULES, Format, each, refuse
from ..json_text import ABSENT, loaded, objects, short
from ..regions import cage_mark, default_box
from .line import each_document

NAME = "ipuz"

KIND = "http://ipuz.org/sudoku"
_KIND = re.compile(r"https?://ipuz\.org/sudoku/?(?:#.*)?\Z", re.IGNORECASE)
_VERSIONS = re.compile(r"\s*https?://ipuz\.org/v[12]\s*\Z", re.IGNORECASE)
VERSION = "http://ipuz.org/v2"
_TEXTS = ("author", "copyright", "publisher", "difficulty", "notes", "date", "intro", "explanation")
_DISPLAY = frozenset(
    {
        *("version", "kind", "puzzle", "charset", "solution", "saved", "boxes", "title", "empty", "dimensions"),
        *("showoperators", "displaycharset", "cageborder", "styles", "checksum", "origin", "url", "uniqueid", "block"),
    }
)
_CELL = frozenset({"given", "value", "cell", "style"})
_LARGEST = 35
_BLANKS = ("0", "_", ".", "")


def puzzle_of(data: Mapping[str, Any]) -> Puzzle:
    """Make a puzzle from a JSON object, with cages and zones as drawings; raise FormatError for other kinds."""
    kinds = data.get("kind")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not isinstance(kinds, list) or not any(isinstance(kind, str) and _KIND.match(kind.strip()) for kind in kinds):
        raise FormatError(f"an ipuz document of the kind {KIND} is expected")
    rows = _rows(data.get("puzzle"), "puzzle")
    side = len(rows)
    _check_dimensions(data.get("dimensions"), side)
    symbols = _symbols(data.get("charset"), side)
    blanks = {*_BLANKS, str(data.get("empty", 0))} - set(symbols[:side] if data.get("charset") else ())
    givens = _values(rows, symbols, blanks)
    solution = _values(_rows(data["solution"], "solution"), symbols, blanks) if data.get("solution") else None
    stated = solution if solution and len(solution) == side * side and any(solution) else None
    known = {*_DISPLAY, *_TEXTS, "cages", "zones"}
    strange = [key for key in data if key not in known and ":" not in key and data[key] not in ABSENT]
    notes_of_keys = [f"the key {key[:40]!r} is not known" for key in strange[:50]]
    version = data.get("version")
    if version is not None and not _VERSIONS.match(str(version)):
        notes_of_keys.append(f"the version {short(version)} is not supported: v1 and v2 are")
    cells = [cell for row in rows for cell in row if isinstance(cell, dict)]
    keys = dict.fromkeys(key for cell in cells for key in cell if key not in _CELL and cell[key] not in ABSENT)
    notes = (*notes_of_keys, *(f"puzzle: the key {key[:40]!r} of a cell is not known" for key in list(keys)[:50]))
    title = data.get("title")
    comment = "\n".join(f"{key}: {data[key]}" for key in _TEXTS if isinstance(data.get(key), str) and data[key])
    shape = _shape(side, data.get("boxes"))
    base, marks = groups_of(data, side)
    puzzle = Puzzle(shape, givens, (), title if isinstance(title, str) else "", comment, stated, (), notes)
    if not marks:
        return puzzle
    if base is None:
        unsure = ("its cells may count from 0 or from 1",)
        return replace(
            puzzle, drawn=tuple(Drawn((mark,), f"a cage {' '.join(mark.cells)}", None, unsure) for mark in marks)
        )
    from ..meant import as_meant  # many patterns are compiled when it is loaded

    return as_meant(puzzle, "", (), marks)


def _check_dimensions(value: object, side: int) -> None:
    if value in ABSENT:
        return
    if not isinstance(value, dict):
        raise FormatError(f"dimensions: an object with width and height is expected, not {short(value)}")
    for key in ("width", "height"):
        if value.get(key, side) != side:
            raise FormatError(f"dimensions: the {key} {short(value[key])}: {side} is expected, as in puzzle")


def _shape(side: int, boxes: object) -> Shape:
    if boxes is not None and not isinstance(boxes, bool):
        raise FormatError(f"boxes: true or false is expected, not {short(boxes)}")
    if boxes is None:
        boxes = side == 9
    if boxes and side > 1 and default_box(side)[0] == 1:
        raise FormatError(f"boxes: a board of side {side} has none")
    return Shape.square(side, default_box(side)) if boxes else Shape.latin(side)


def _rows(value: object, name: str) -> Sequence[Sequence[object]]:
    if not isinstance(value, list) or not 1 <= len(value) <= _LARGEST:
        raise FormatError(f"{name}: 1 to {_LARGEST} rows are expected")
    if any(not isinstance(row, list) or len(row) != len(value) for row in value):
        raise FormatError(f"{name}: {len(value)} rows of {len(value)} cells are expected")
    return value


def _symbols(charset: object, side: int) -> str:
    if charset is None:
        return ALPHABETS["1-G"]
    if not isinstance(charset, str) or len(set(charset)) != len(charset) or len(charset) < side:
        raise FormatError(f"charset: {side} different symbols are expected")
    return charset


def _values(rows: Sequence[Sequence[object]], symbols: str, blanks: set[str]) -> tuple[int | None, ...]:
    return tuple(_value(cell, r, c, symbols, blanks) for r, row in enumerate(rows) for c, cell in enumerate(row))


def _value(cell: object, row: int, column: int, symbols: str, blanks: set[str]) -> int | None:
    side = len(symbols)
    if isinstance(cell, dict):
        cell = cell.get("given", cell.get("value", cell.get("cell")))
    if cell is None or (not isinstance(cell, bool | list | dict) and str(cell) in blanks):
        return None
    if isinstance(cell, str) and len(cell) == 1 and cell in symbols:
        return symbols.index(cell) + 1
    number = int(cell) if isinstance(cell, str) and cell.isascii() and cell.isdigit() and len(cell) < 4 else cell
    if type(number) is not int or not 1 <= number <= side:
        raise FormatError(f"{short(cell)} is not a value", cell=f"R{row + 1}C{column + 1}")
    return number


def write_ipuz(puzzle: Puzzle) -> str:
    """Write a document on one line; raise FormatError for rules, candidates, and regions other than usual boxes."""
    shape = puzzle.shape
    n = shape.width
    refuse(puzzle, NAME, (CANDIDATES, RULES))
    boxes = bool(shape.regions)
    if not shape.is_square or n > _LARGEST or not shape.lines or (boxes and shape.box != default_box(n)):
        raise FormatError(f"{shape} cannot be written in ipuz: only the usual boxes or none are possible")
    comments = puzzle.comment.splitlines()
    named = dict(line.split(": ", 1) for line in comments if line.partition(": ")[0] in _TEXTS and ": " in line)
    rest = "\n".join(line for line in comments if line.partition(": ")[0] not in named)
    data: dict[str, Any] = {"version": VERSION, "kind": [f"{KIND}#1"]}
    data |= {"title": puzzle.title} if puzzle.title else {}
    data |= named
    data |= {"notes": "\n".join([*([named["notes"]] if "notes" in named else []), rest])} if rest else {}
    data |= {"charset": ALPHABETS["1-G"][:n], "boxes": boxes, "puzzle": _board(puzzle.givens, n)}
    data |= {"solution": _board(puzzle.stated, n)} if puzzle.stated is not None else {}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _board(values: Sequence[int | None], n: int) -> list[list[object]]:
    symbols = ALPHABETS["1-G"]
    cells: list[object] = [0 if v is None else v if v <= 9 else symbols[v - 1] for v in values]
    return [cells[i : i + n] for i in range(0, n * n, n)]


_MOST = 1_000
Place = tuple[int, int]


def groups_of(data: Mapping[str, Any], side: int) -> tuple[int | None, list[Mark]]:
    """Return from which number the cells of cages and zones count, None if that is not known, and their drawings.

    Raises FormatError for anything but lists of groups of cells of the board.
    """
    listed = {key: objects(data.get(key), key, _MOST) for key in ("cages", "zones")}
    found = {f"{key} {number}": item for key, items in listed.items() for number, item in enumerate(items, 1)}
    places = {name: _places(item, name) for name, item in found.items()}
    numbers = {number for group in places.values() for place in group for number in place}
    if any(not 0 <= number <= side for number in numbers) or numbers >= {0, side}:
        raise FormatError(f"cages and zones: cells [column, row] of a board of side {side} are expected")
    base = 0 if 0 in numbers else 1 if side in numbers else None
    marks = list[Mark]()
    for name, item in found.items():
        text = f"{'' if item.get('value') is None else item['value']}{item.get('operator') or ''}"[:20]
        marks.append(cage_mark(name, [(row - (base or 0), column - (base or 0)) for column, row in places[name]], text))
    return base, marks


def _places(item: Mapping[str, Any], name: str) -> list[Place]:
    """Return the cells of a group with their numbers: [column, row]."""
    rect: Any = item.get("rect")
    if _are_numbers(rect, 4):
        left, top, right, bottom = rect
        if right - left > 100 or bottom - top > 100:
            raise FormatError(f"a rect of {right - left + 1} x {bottom - top + 1} cells is too large")
        return [(column, row) for row in range(top, bottom + 1) for column in range(left, right + 1)]
    cells = item.get("cells")
    if not isinstance(cells, list) or not cells or not all(_are_numbers(cell, 2) for cell in cells):
        raise FormatError(f"{name}: cells such as [[column, row], ...] are expected")
    return [(cell[0], cell[1]) for cell in cells]


def _are_numbers(value: object, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(type(part) is int for part in value)


IPUZ = Format(
    NAME,
    "JSON of the kind http://ipuz.org/sudoku: givens and solution",
    read=each_document(NAME, lambda text: puzzle_of(loaded(text))),
    write=each(NAME, write_ipuz),
    holds=ALL,
    extensions=(".ipuz",),
    by_lines=True,
)
