"""SudokuPad links. Those with the text of f-puzzles hold rules; the others (scl, ctc) hold a drawing.

Of a drawing are read: givens, regions, cages, antiknight and antiking, the stated solution, title, author, rules in
words (as comment). All else that is drawn or stated is noted and never taken for a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from ..puzzle.rules import AntiKing, AntiKnight, KillerCage, WeightedSum
from ..puzzle.rules.base import Rule
from ..puzzle.shape import Shape
from .fpuzzles.board import solution_of
from .fpuzzles.context import number
from .fpuzzles.reading import puzzle_of as fpuzzle_of
from .json_text import ABSENT, loaded, looks_like_json, short
from .links import packed_of
from .lzstring import unpacked
from .regions import shape_of_regions
from .relaxed import relaxed

LARGEST = 60
MOST_CAGES = 5_000
_SHORT = {
    "cells": "ce",
    "regions": "re",
    "cages": "ca",
    "value": "v",
    "lines": "l",
    "arrows": "a",
    "overlays": "o",
    "underlays": "u",
    "title": "t",
    "cellSize": "cs",
}
"""Keys and how they are shortened."""
_DRAWN = ("lines", "arrows", "overlays", "underlays")
_SILENT = frozenset({"id", "settings", "metadata", "foglight", "fogofwar", "duration", "videos", "vd", "d"})
_FLAGS: Mapping[str, Callable[[], Rule]] = {"antiknight": AntiKnight, "antiking": AntiKing}
"""Facts that are true or false, and are rules."""
_TEXTS = ("title", "author", "rules", "solution")
_JOINED = {"rules": "\n", "solution": ","}
_DESCRIBING = frozenset(
    {"source", "id", "url", "date", "version", "difficulty", "tags", "created", "modified", "msgcorrect"}
)
"""Facts that tell of the puzzle and bind no cell."""
_CAGE_KEYS = frozenset(
    {"cells", "ce", "value", "v", "sum", "unique", "hidden", "style", "type", "id"}
    | {"outlineC", "fontC", "fontColor", "borderColor", "c1", "backgroundColor", "c2", "color", "c", "fontSize", "fs"}
)
Place = tuple[int, int]


def read_sudokupad(text: str) -> Puzzle:
    """Read a link, or the JSON of a drawing; FormatError for links that hold no puzzle."""
    if looks_like_json(text):
        data = loaded(text)
        return fpuzzle_of(data) if "grid" in data else puzzle_of(data)
    kind, packed = packed_of(text)
    inner = unpacked(packed)
    return fpuzzle_of(loaded(inner)) if kind == "f-puzzles" else puzzle_of(relaxed(inner))


def puzzle_of(data: object) -> Puzzle:
    """Make the puzzle of a drawing."""
    if not isinstance(data, dict):
        raise FormatError("a SudokuPad puzzle: an object is expected")
    rows = _rows(_get(data, "cells"))
    notes: list[str] = []
    shape = _shape(_list(_get(data, "regions"), "regions"), len(rows), notes)
    try:
        givens = tuple(_given(cell, i, shape, notes) for i, cell in enumerate(cell for row in rows for cell in row))
        named = _named(data, notes)
        facts = _facts(named)
        rules = (*_flags(named, notes), *_cages(data, shape, notes))
        _note_others(data, facts, notes)
        stated = solution_of(shape.width, facts.get("solution", ""))
        author = [f"author: {facts['author']}"] if facts.get("author") else []
        comment = "\n".join([*author, *([facts["rules"]] if facts.get("rules") else [])])
        return Puzzle(
            shape, givens, (), facts.get("title", ""), comment, stated, rules, tuple(dict.fromkeys(notes))[:100]
        )
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error)) from None


def _get(data: Mapping[str, Any], key: str) -> Any:
    return data.get(key, data.get(_SHORT.get(key, key)))


def _list(value: object, name: str) -> list[Any]:
    if value is None or value == {}:
        return []
    if not isinstance(value, list):
        raise FormatError(f"{name}: a list is expected, not {short(value)}")
    return value


def _rows(value: object) -> list[list[Any]]:
    rows = _list(value, "cells")
    if not 1 <= len(rows) <= LARGEST or not all(isinstance(row, list) and len(row) == len(rows) for row in rows):
        raise FormatError(f"cells: a square of 1 to {LARGEST} rows is expected (other boards cannot be read)")
    return rows


def _place(value: object, side: int) -> Place:
    if isinstance(value, list) and len(value) == 2 and all(type(v) is int and 0 <= v < side for v in value):
        return value[0], value[1]
    plain = isinstance(value, list) and len(value) <= 2 and all(type(v) is int for v in value)
    raise FormatError(f"{value if plain else short(value)} is no cell [row, column] of a board of side {side}")


def _twice(places: Sequence[Place]) -> str:
    row, column = next(place for i, place in enumerate(places) if place in places[:i])
    return f"R{row + 1}C{column + 1}"


def _shape(regions: Sequence[object], side: int, notes: list[str]) -> Shape:
    groups = []
    for region in regions:
        places = [_place(cell, side) for cell in _list(region, "regions")]
        if len(set(places)) < len(places):
            raise FormatError(f"a region names {_twice(places)} twice")
        if places:
            groups.append([r * side + c for r, c in places])
    if not groups:
        notes.append("no regions are drawn: none are taken")
    if len(groups) > 4 * side:
        raise FormatError(f"{len(groups)} regions on a board of side {side}")
    return shape_of_regions(side, groups)


def _given(cell: object, index: int, shape: Shape, notes: list[str]) -> int | None:
    if cell is None:
        return None
    if not isinstance(cell, dict):
        raise FormatError(f"{short(cell)} is no cell", cell=shape.names[index])
    value = _get(cell, "value")
    marks = [key for key in cell if key not in ("value", "v", "c", "color")]
    if marks:
        notes.append(f"{shape.names[index]}: {', '.join(marks)[:60]} is not understood")
    if value in (None, "", 0, "0"):
        return None
    found = number(value)
    if found is None:
        notes.append(f"{shape.names[index]}: {short(value)} is no number: the cell is left open")
    return found


def _named(data: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return what is stated by name: at the top, in the metadata, the settings, cages without cells ("title: ...")."""
    found: dict[str, Any] = {key: _get(data, key) for key in _TEXTS if _get(data, key) not in ABSENT}
    for key in ("metadata", "settings"):
        value = data.get(key)
        if isinstance(value, dict):
            _put(found, value)
        elif value:
            notes.append(f"{key}: {short(value)} is not understood")
    for cage in _list(_get(data, "cages"), "cages"):
        value = _get(cage, "value") if isinstance(cage, dict) and not _get(cage, "cells") else None
        if isinstance(value, str) and ":" in value:
            name, _, rest = value.partition(":")
            _put(found, {name.strip(): rest.strip()})
        elif value not in ABSENT:
            notes.append(f"a cage without cells: {short(value)} is not understood")
    return found


def _put(found: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add what says something to what was found; what stands first counts."""
    found.update({name: value for name, value in more.items() if _truth(found.get(name)) is False})


def _truth(value: object) -> bool | None:
    """Return what a flag says; None where it says something else."""
    word = value.strip().lower() if isinstance(value, str) else value
    if word in (None, "", "false", "f", "0", 0, [], {}):
        return False
    return True if word in ("true", "t", "1", 1) else None


def _flags(named: Mapping[str, Any], notes: list[str]) -> Iterator[Rule]:
    """Yield the rules that are stated by name, and note all other names that say something."""
    known = {*_TEXTS, *_DESCRIBING, *(_SHORT.get(name, name) for name in _TEXTS)}
    for name, value in named.items():
        truth = _truth(value)
        if name in _FLAGS and truth:
            yield _FLAGS[name]()
        elif truth is not False and name not in known:
            notes.append(f"{name[:40]}: {short(value)} is not understood")


def _facts(named: Mapping[str, Any]) -> dict[str, str]:
    """Return title, author, rules, solution."""
    found: dict[str, str] = {}
    for key in _TEXTS:
        value = _get(named, key)
        if isinstance(value, list) and key in _JOINED:
            value = _JOINED[key].join(map(str, value))
        if isinstance(value, str | int) and not isinstance(value, bool):
            found[key] = str(value)
    return found


def _cages(data: Mapping[str, Any], shape: Shape, notes: list[str]) -> Iterator[Rule]:
    cages = _list(_get(data, "cages"), "cages")
    if len(cages) > MOST_CAGES:
        raise FormatError(f"{len(cages)} cages: at most {MOST_CAGES} are possible")
    houses = {frozenset(house.cells) for house in shape.houses}
    for cage in cages:
        if not isinstance(cage, dict):
            raise FormatError(f"{short(cage)} is no cage")
        strange = [key for key in cage if key not in _CAGE_KEYS and cage[key] not in ABSENT]
        if strange:
            notes.append(f"a cage: {', '.join(strange)[:60]} is not understood")
        places = [_place(cell, shape.width) for cell in _list(_get(cage, "cells"), "cages")]
        cells = [r * shape.width + c for r, c in places]
        if len(set(cells)) < len(cells):
            raise FormatError(f"a cage names {_twice(places)} twice")
        if cells and not (frozenset(cells) in houses and _total(cage) is None):
            yield from _cage(cage, tuple(shape.names[cell] for cell in cells), notes)


def _total(cage: Mapping[str, Any]) -> int | None:
    total = number(cage.get("sum"))
    return number(_get(cage, "value")) if total is None else total


def _cage(cage: Mapping[str, Any], cells: tuple[str, ...], notes: list[str]) -> Iterator[Rule]:
    total, different = _total(cage), cage.get("unique")
    value = _get(cage, "value")
    if number(value) not in (None, total):
        notes.append(f"the cage of {cells[0]} shows {short(value)} and has the sum {total}, which is taken")
    if total is None and value not in (None, "", {}):
        notes.append(f"the cage of {cells[0]}: {short(value)} is no sum")
    if total is not None and different is False:
        yield WeightedSum(cells, total)
    elif total is not None or different is True:
        yield KillerCage(cells, total)
    elif value in (None, "", {}):
        notes.append(f"the cage of {cells[0]} has no sum: it is taken for a drawing")


def _note_others(data: Mapping[str, Any], facts: Mapping[str, str], notes: list[str]) -> None:
    counts = {key: len(_list(_get(data, key), key)) for key in _DRAWN}
    drawn = [f"{count} {key}" for key, count in counts.items() if count]
    if drawn:
        notes.append(f"drawings are not taken for rules: {', '.join(drawn)}")
    if facts.get("rules"):
        notes.append("rules in words are not understood: they are kept as the comment")
    known = {*_SHORT, *_SHORT.values(), *_SILENT, *_TEXTS}
    notes.extend(f"the key {key[:40]!r} is not understood" for key in data if key not in known and data[key])
