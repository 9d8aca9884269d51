"""Reads and writes ipuz: JSON of the kind http://ipuz.org/sudoku. Cages and zones are read as drawings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from ..puzzle.shape import Shape
from ..puzzle.symbols import ALPHABETS
from .ipuz_groups import groups_of
from .json_text import ABSENT, loaded, short
from .refusals import refuse_candidates, refuse_rules
from .regions import default_box

KIND = "http://ipuz.org/sudoku"
_KIND = re.compile(r"\s*https?://ipuz\.org/sudoku/?(?:#.*)?\s*\Z", re.IGNORECASE)
_VERSIONS = re.compile(r"\s*https?://ipuz\.org/v[12]\s*\Z", re.IGNORECASE)
VERSION = "http://ipuz.org/v2"
_TEXTS = ("author", "copyright", "publisher", "difficulty", "notes", "date", "intro", "explanation")
_DISPLAY = frozenset(
    {
        "version",
        "kind",
        "puzzle",
        "charset",
        "solution",
        "saved",
        "boxes",
        "title",
        "empty",
        "dimensions",
        "showoperators",
    }
    | {"displaycharset", "cageborder", "styles", "checksum", "origin", "url", "uniqueid", "block"}
)
_CELL = frozenset({"given", "value", "cell", "style"})
_LARGEST = 35
_BLANKS = ("0", "_", ".", "")


def read_ipuz(text: str) -> Puzzle:
    """Read a document, with cages and zones as drawings; raise FormatError for other kinds."""
    return puzzle_of(loaded(text))


def puzzle_of(data: Mapping[str, Any]) -> Puzzle:
    """Make a puzzle from a JSON object."""
    kinds = data.get("kind")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not isinstance(kinds, list) or not any(map(_is_sudoku, kinds)):
        raise FormatError(f"an ipuz document of the kind {KIND} is expected")
    rows = _rows(data.get("puzzle"), "puzzle")
    side = len(rows)
    _check_dimensions(data.get("dimensions"), side)
    symbols = _symbols(data.get("charset"), side)
    blanks = {*_BLANKS, str(data.get("empty", 0))} - set(symbols[:side] if data.get("charset") else ())
    givens = _values(rows, symbols, blanks)
    solution = _values(_rows(data["solution"], "solution"), symbols, blanks) if data.get("solution") else None
    stated = solution if solution is not None and len(solution) == side * side and None not in solution else None
    known = {*_DISPLAY, *_TEXTS, "cages", "zones"}
    strange = [key for key in data if key not in known and ":" not in key and data[key] not in ABSENT]
    notes_of_keys = [f"the key {key[:40]!r} is not known" for key in strange[:50]]
    version = data.get("version")
    if version is not None and not _VERSIONS.match(str(version)):
        notes_of_keys.append(f"the version {short(version)} is not supported: v1 and v2 are")
    notes = (*notes_of_keys, *_unknown_of_cells(rows))
    title = data.get("title")
    comment = "\n".join(f"{key}: {data[key]}" for key in _TEXTS if isinstance(data.get(key), str) and data[key])
    shape = _shape(side, data.get("boxes"))
    return Puzzle(
        shape, givens, (), title if isinstance(title, str) else "", comment, stated, (), notes, groups_of(data, shape)
    )


def _check_dimensions(value: object, side: int) -> None:
    """Raise FormatError for dimensions that do not match the rows."""
    if value in ABSENT:
        return
    if not isinstance(value, dict):
        raise FormatError(f"dimensions: an object with width and height is expected, not {short(value)}")
    for key in ("width", "height"):
        if value.get(key, side) != side:
            raise FormatError(f"dimensions: the {key} {short(value[key])}: {side} is expected, as in puzzle")


def _is_sudoku(kind: object) -> bool:
    return isinstance(kind, str) and _KIND.match(kind) is not None


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


def _unknown_of_cells(rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Yield a note for each unknown key of cells that are objects."""
    cells = [cell for row in rows for cell in row if isinstance(cell, dict)]
    keys = dict.fromkeys(key for cell in cells for key in cell if key not in _CELL and cell[key] not in ABSENT)
    return (f"puzzle: the key {key[:40]!r} of a cell is not known" for key in list(keys)[:50])


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
    refuse_candidates(puzzle, "ipuz")
    refuse_rules(puzzle, "ipuz")
    boxes = bool(shape.regions)
    if not shape.is_square or n > _LARGEST or not shape.lines or (boxes and shape.box != default_box(n)):
        raise FormatError(f"{shape} cannot be written in ipuz: only the usual boxes or none are possible")
    comments = puzzle.comment.splitlines()
    named = dict(line.split(": ", 1) for line in comments if line.partition(": ")[0] in _TEXTS and ": " in line)
    rest = "\n".join(line for line in comments if line.partition(": ")[0] not in named)
    data: dict[str, Any] = {"version": VERSION, "kind": [f"{KIND}#1"]}
    data |= {"title": puzzle.title} if puzzle.title else {}
    data |= named
    data |= {"notes": "\n".join([named["notes"]] * ("notes" in named) + [rest])} if rest else {}
    data |= {"charset": ALPHABETS["1-G"][:n], "boxes": boxes, "puzzle": _board(puzzle.givens, n)}
    data |= {"solution": _board(puzzle.stated, n)} if puzzle.stated is not None else {}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _board(values: Sequence[int | None], n: int) -> list[list[object]]:
    symbols = ALPHABETS["1-G"]
    cells: list[object] = [0 if v is None else v if v <= 9 else symbols[v - 1] for v in values]
    return [cells[i : i + n] for i in range(0, n * n, n)]
