"""The JSON of f-puzzles, read and written: the board, its rules (see ``fpuzzles_keys``), its drawings."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import floor
from typing import Any

from ..errors import FormatError
from ..model import Domain
from ..puzzle import rules as r
from ..puzzle.drawn import Drawn, Mark, Point, Stroke
from ..puzzle.puzzle import Puzzle, author_and_words, comment_of
from ..puzzle.rules.rule_base import Rule
from ..puzzle.shape import Shape
from .cells import place
from .format import format_errors
from .fpuzzles_keys import FLAGS, KEYS, LARGEST, MOST_ITEMS, NEGATIVE, FPuzzlesContext, Item, place_of, text, written
from .json_text import ABSENT, inner, is_turned, listed, loaded, measure, objects, short, solution_of, text_of, word_of
from .links import F_PUZZLES, SUDOKUPAD, link_with, packed
from .regions import MOST_POINTS, cage_mark, default_labels, shape_of_labels

DRAWN = ("line", "circle", "rectangle", "text", "cage")
"""Keys of drawings, which are rules only if guessed."""
Cells = Sequence[Mapping[str, Any]]
_BOARD = frozenset({"size", "grid", "title", "author", "ruleset", "solution", "negative"})
_NO_RULE = frozenset(
    {"disabledlogic", "truecandidatesoptions", "highlightConflicts", "fogofwar", "foglight", "successMessage"}
)


def read_fpuzzles(source: str) -> Puzzle:
    """Read the JSON; a FormatError names the wrong key, and ``notes`` lists what was not understood."""
    return puzzle_of(loaded(source))


@format_errors
def puzzle_of(data: Mapping[str, Any]) -> Puzzle:
    """Make a puzzle from the JSON object of f-puzzles, as its rules in words and its solution show it to be meant."""
    side, cells = _cells_of(data)
    notes: list[str] = []
    shape = _shape_of(side, cells, notes)
    dotted = any(_items(data, key) for key in ("difference", "ratio"))
    context = FPuzzlesContext(shape, dotted, notes)
    rules = tuple(islice(_rules(data, context), MOST_ITEMS + 1))
    if len(rules) > MOST_ITEMS:
        raise FormatError(f"more than {MOST_ITEMS} rules")
    notes.extend(_others(data, cells))
    stated = solution_of(side * side, side, data.get("solution"))
    title, comment = text(data.get("title")), comment_of(text(data.get("author")), text(data.get("ruleset")))
    givens = tuple(_given(cell, side, index) if cell else None for index, cell in enumerate(cells))
    candidates = _candidates_of(side, cells)
    puzzle = Puzzle(shape, givens, candidates, title, comment, stated, rules, tuple(notes))
    words, shown = text(data.get("ruleset")), {key: list(_shown(data, key)) for key in DRAWN}
    strokes = [stroke for number, item in shown.pop("line") for stroke in _strokes(number, item)]
    marks = [mark for key, items in shown.items() for number, item in items for mark in _marks(key, number, item)]
    if not (words or strokes or marks or stated):
        return puzzle
    from .meant import as_meant, with_zeros  # many patterns are compiled when it is loaded

    written = [cell.get("value") if cell.get("given") is True else None for cell in cells]
    return with_zeros(as_meant(puzzle, words, strokes, marks), written)


def _rules(data: Mapping[str, Any], context: FPuzzlesContext) -> Iterator[Rule]:
    for key in data:
        if key in KEYS:
            yield from _of_key(key, data, context)
        elif key in FLAGS and data[key] not in ABSENT:
            if data[key] is not True:
                raise FormatError(f"{key}: true or false is expected, not {short(data[key])}")
            yield FLAGS[key](context)
    for name in dict.fromkeys(map(str, listed(data.get("negative"), "negative"))):
        if name in NEGATIVE:
            yield NEGATIVE[name]()
        else:
            context.notes.append(f"negative: {name[:30]!r} is not known")


def _of_key(key: str, data: Mapping[str, Any], context: FPuzzlesContext) -> Iterator[Rule]:
    fields = KEYS[key].fields
    for number, item in enumerate(_items(data, key), start=1):
        placed = any(item.get(name) not in ABSENT for name in _PLACES if name in fields)
        if not placed and all(name in fields or name in _LOOKS or item[name] in ABSENT for name in item):
            context.notes.append(f"{key} {number}: it has no cells and is left out")
            continue
        try:
            yield from KEYS[key].read(context, item)
        except ValueError as error:
            reason = error.message if isinstance(error, FormatError) else str(error)
            raise FormatError(f"{key} {number}: {reason}") from None


def _items(data: Mapping[str, Any], key: str) -> list[Item]:
    return objects(data.get(key), key, MOST_ITEMS)


def _others(data: Mapping[str, Any], cells: Cells) -> Iterator[str]:
    """Yield notes on unknown keys and fields, and on colours."""
    for key in filter(KEYS.__contains__, data):
        yield from _unknown_fields(key, _items(data, key))
    known = {*_BOARD, *DRAWN, *_NO_RULE, *KEYS, *FLAGS}
    unknown = [key for key in data if key not in known and data[key] not in ABSENT]
    yield from (f"the key {key[:40]!r} is not known" for key in unknown[:_MOST_NAMES])
    yield from _unknown_fields("grid", cells)
    coloured = sum(any(cell.get(key) not in ABSENT for key in _COLOURS) for cell in filter(None, cells))
    if coloured:  # the setter may mean something by that
        yield f"{'1 cell is' if coloured == 1 else f'{coloured} cells are'} coloured: colours are not read as rules"


_MOST_NAMES = 50
_CELL = frozenset({"value", "given", "region", "givenPencilMarks"})
_COLOURS = ("c", "cArray", "highlight")
_NO_MEANING = frozenset({"centerPencilMarks", "cornerPencilMarks", *_COLOURS, "parity"})
"""The solver's notes, and colours."""
_LOOKS = frozenset({"outlineC", "baseC", "fontC", "color", "width", "height", "size", "angle", "opacity"})
_PLACES = ("cells", "cell", "lines", "cloneCells")


def _unknown_fields(key: str, items: Iterable[Item]) -> Iterator[str]:
    known = (_CELL | _NO_MEANING) if key == "grid" else KEYS[key].fields | _LOOKS
    found = dict.fromkeys(name for item in items for name in item if name not in known and item[name] not in ABSENT)
    return (f"{key}: the field {name[:40]!r} is not known" for name in list(found)[:_MOST_NAMES])


# ---- the board


def _cells_of(data: Mapping[str, Any]) -> tuple[int, Cells]:
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


def _shape_of(side: int, cells: Cells, notes: list[str]) -> Shape:
    """Return the shape: a cell without a region is in the default one; a cell with null is in none.

    A region with more cells than there are values is noted and left out.
    """
    labels: list[int | None] = [*default_labels(side)]
    for index, cell in enumerate(cells):
        if "region" in cell:
            labels[index] = region = cell["region"]
            if region is not None and (type(region) is not int or not 0 <= region < side):
                expected = f"0 to {side - 1} or null is expected"
                raise FormatError(f"the region {short(region)}: {expected}", cell=place(index, side))
    large = [label for label, count in Counter(labels).items() if label is not None and count > side]
    notes += [
        f"region {label} has {labels.count(label)} cells for {side} values: its cells may be equal" for label in large
    ]
    return shape_of_labels(side, [None if label in large else label for label in labels])


def _given(cell: Mapping[str, Any], side: int, index: int) -> int | None:
    given, value = cell.get("given"), cell.get("value")
    if given not in ABSENT and given is not True:
        raise FormatError(f"given: true or false is expected, not {short(given)}", cell=place(index, side))
    return _checked(value, side, index) if given is True and value not in (*ABSENT, "0") else None


def _candidates_of(side: int, cells: Cells) -> tuple[tuple[int, Domain], ...]:
    """Return the candidates given by the setter, by cell number."""
    found = []
    for index, cell in enumerate(cells):
        if "givenPencilMarks" in cell:
            marks = listed(cell["givenPencilMarks"], "candidates")
            found.append((index, tuple(sorted({_checked(mark, side, index) for mark in marks if mark is not None}))))
    return tuple((index, values) for index, values in found if values)


def _checked(value: object, side: int, index: int) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4:
        value = int(value)
    if type(value) is not int or not 1 <= value <= side:
        raise FormatError(f"{short(value)} is out of range: 1 to {side} are possible", cell=place(index, side))
    return value


# ---- drawings


def _shown(data: Mapping[str, Any], key: str) -> Iterator[tuple[int, Item]]:
    """Yield the drawings under a key that are on the board and belong to no rule of the document, with numbers."""
    stated = [re.sub("[^a-z]", "", name) for name in (*KEYS, *FLAGS) if data.get(name) not in ABSENT]
    for number, item in enumerate((item for item in inner(data.get(key)) if isinstance(item, dict)), start=1):
        stem = re.sub("[^a-z]|s?$", "", str(item.get("fromConstraint") or "").lower())  # "Region Sum Line"
        of_rule = stem and any(name in stem or stem in name for name in stated)
        if (item.get("cells") or item.get("lines")) and not of_rule:
            yield number, item


def _strokes(number: int, item: Item) -> Iterator[Stroke]:
    for line in inner(item.get("lines")):
        yield Stroke(f"line {number}", _points(line), word_of(item.get("outlineC")), measure(item.get("width")) or 0.0)


def _points(cells: object) -> tuple[Point, ...]:
    """Return the middles of cells, on the board or beside it."""
    places = filter(None, map(place_of, inner(cells)[:MOST_POINTS]))
    return tuple((row - 0.5, column - 0.5) for row, column in places)


def _marks(key: str, number: int, item: Item) -> Iterator[Mark]:
    points = _points(item.get("cells"))
    if not points:
        return
    text = text_of(item.get("value"), item.get("angle"))
    if key == "cage":
        yield cage_mark(f"cage {number}", [(floor(row), floor(column)) for row, column in points], text)
        return
    height, width = (measure(item.get(side)) for side in ("height", "width"))
    usual = 0.0 if key == "text" else 1.0
    yield Mark(
        f"{key} {number}",
        (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)),
        usual if height is None else height,
        usual if width is None else width,
        round=key == "circle",
        fill=word_of(item.get("baseC")),
        border=word_of(item.get("outlineC")),
        text=text,
        turned=is_turned(item),
    )


# ---- writing


def json_of(puzzle: Puzzle) -> str:
    """Write the JSON on one line; raise a FormatError that names what the format cannot hold."""
    n = puzzle.shape.width
    cells = _grid(puzzle)
    author, ruleset = author_and_words(puzzle.comment)
    texts = {"title": puzzle.title, "author": author, "ruleset": ruleset}
    data: dict[str, Any] = {"size": n} | {key: text for key, text in texts.items() if text}
    data["grid"] = [cells[i : i + n] for i in range(0, n * n, n)]
    dotted = any(isinstance(rule, r.Difference | r.Ratio) for rule in puzzle.rules)
    context, names = FPuzzlesContext(puzzle.shape, dotted), frozenset(puzzle.shape.names)
    for rule in puzzle.rules:
        found = written(context, rule)
        if found is None or not names.issuperset(rule.scope):
            how = "with partly (--partly) it is stated in words"
            raise FormatError(f"the rule {rule} cannot be written in f-puzzles or SudokuPad: {how}")
        key, item = found
        if item is True:
            data[key] = True
        else:
            data.setdefault(key, []).append(item)
    for one in puzzle.drawn:
        for key, drawing in () if one.taken else _cosmetics(one, names):
            data.setdefault(key, []).append(drawing)
    if puzzle.stated is not None:
        data["solution"] = list(puzzle.stated)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def link_of(puzzle: Puzzle) -> str:
    return link_with(F_PUZZLES, packed(json_of(puzzle)))


def sudokupad_link_of(puzzle: Puzzle) -> str:
    """Write a link to SudokuPad, which reads the JSON of f-puzzles."""
    return link_with(SUDOKUPAD, packed(json_of(puzzle)))


def _cosmetics(drawn: Drawn, names: frozenset[str]) -> Iterator[tuple[str, Item]]:
    """Yield the drawings of the format, with their keys, for shapes that lie on cells of the board."""
    for shape in drawn.shapes:
        if isinstance(shape, Stroke):
            cells = [f"R{int(row + 1)}C{int(column + 1)}" for row, column in shape.points]
            if names.issuperset(cells) and not shape.arrow:
                yield "line", {"lines": [cells], "outlineC": shape.colour, "width": shape.thickness or 0.1}
            continue
        # one cell around a point, two beside a border, four at a corner
        rows, columns = ({floor(value - 0.01) + 1, floor(value + 0.01) + 1} for value in shape.centre)
        around = (f"R{row}C{column}" for row in sorted(rows) for column in sorted(columns))
        cells = list(shape.cells) or [name for name in around if name in names]
        key = "cage" if shape.cells else "circle" if shape.round else "rectangle" if shape.fill else "text"
        item: dict[str, Any] = {"cells": cells} | ({"value": shape.text} if shape.text else {})
        if key != "cage":
            item |= {"width": shape.width, "height": shape.height, "baseC": shape.fill}
            item["outlineC"] = shape.border or shape.fill
        if cells:
            yield key, item


def _grid(puzzle: Puzzle) -> list[dict[str, Any]]:
    shape = puzzle.shape
    n = shape.width
    if not shape.is_square or not shape.lines or n > LARGEST:
        raise FormatError(f"{shape} with values {shape.values[0]} to {shape.values[-1]} cannot be written in f-puzzles")
    cells: list[dict[str, Any]] = [{} for _ in range(n * n)]
    for cell, given in zip(cells, puzzle.givens, strict=True):
        if given is not None:
            cell |= {"value": given, "given": True}
    for index, values in puzzle.candidates:
        if "givenPencilMarks" in cells[index]:
            raise FormatError(f"{shape.names[index]} has two lists of candidates, but only one can be written")
        if not values:
            raise FormatError(f"{shape.names[index]} has no candidates, which cannot be written in f-puzzles")
        cells[index]["givenPencilMarks"] = list(values)
    regions = shape.region_of
    if sum(map(len, shape.regions)) != sum(region is not None for region in regions) or len(shape.regions) > n:
        raise FormatError(f"regions that overlap, or more than {n}, cannot be written in f-puzzles")
    if tuple(regions) != default_labels(n):
        for cell, region in zip(cells, regions, strict=True):
            cell["region"] = region
    return cells
