"""Reads a puzzle from a link to penpa-edit: lines of text with abbreviated names, deflated without a header, in Base64.

The reader takes givens, marks as candidates, regions (thick borders between cells), the solution, title, author and
rules in words, and rules for which the program has tools: killer cages with their sums, thermometers, arrows. Other
drawings are strokes and marks, which become rules only if ``guess`` is set. The format is that of penpa-edit 2 and 3,
taken from its loading and saving code (https://github.com/swaroopg92/penpa-edit).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import unquote

from ..errors import FormatError
from ..model import Domain
from ..puzzle.drawn import Mark, Point, Stroke
from ..puzzle.puzzle import Puzzle, comment_of
from ..puzzle.rules import Arrow, KillerCage, Thermo
from ..puzzle.rules.rule_base import Rule
from ..puzzle.shape import Shape
from .drawn import fitting, named
from .format import format_errors
from .json_text import LONGEST, listed, loaded, short, text_of, word_of
from .links import LONGEST_PACKED, bare
from .meant import as_meant
from .regions import MOST_POINTS, walled
from .sketch import Cell, cell_of, walls_of
from .sudokupad import LARGEST, MOST_CAGES, shape_of

_MOST_NOTES = 100

# ---- the text of a link

_FIELD = re.compile(r"(?:\A|[?#&])([a-z])=([^&#\s]*)")
_NAMES = (
    "_ __a, 9 qa, Q pu_q, A pu_a, G grid, M edit_mode, S surface, L line, E lineE, W wall, C cage, N number, Y symbol, "
    "P special, B board, R command_redo, U command_undo, 8 command_replay, 1 numberS, F freeline, 2 freelineE, "
    "T thermo, 3 arrows, D direction, 0 squareframe, 5 polygon, 4 deletelineE, 6 killercages, 7 nobulbthermo"
)
"""The abbreviated names; each is written as z and one character."""
_SHORT = {f"z{sign}": f'"{name}"' for sign, name in map(str.split, _NAMES.split(","))} | {"zZ": "z", "zO": "null"}
_CUT = re.compile("z[0-9A-Z_]")
_QUESTION, _CUSTOM, _COLOURS = 3, 13, 14
"""The numbers of the lines with the drawings, with the flag for custom colours, and with those colours."""
_TITLE, _AUTHOR, _RULES = 15, 16, 18
"""The places of these texts in the first line."""
_ESCAPED = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}
Number = tuple[str, int, str]
"""A drawn number: its text ("" for marks), the number of its style, and its size."""
_AROUND = 2
"""The number of unused rows and columns around the paper."""
CELL, QUARTER = 0, 4
_OFFSETS: tuple[tuple[Point, ...], ...] = (
    ((0.5, 0.5),),
    ((1.0, 1.0),),
    ((1.0, 0.5),),
    ((0.5, 1.0),),
    ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75)),
    ((0.2, 0.5), (0.5, 0.8), (0.5, 0.2), (0.8, 0.5)),
)
"""The places in a cell of each kind of points: its middle, corner, lower and right side, its quarters and compass."""


class Spot(NamedTuple):
    """A point of the paper: its kind (CELL, 1: corner, 2: lower side, 3: right side, QUARTER, 5: compass), its cell, by
    row and column from 0 (negative ones are outside), and its position."""

    kind: int
    cell: Cell
    point: Point


@dataclass
class PenpaSheet:
    """The board on its paper, the drawings by the kind of object, and the texts.

    The paper has ``across`` columns and ``down`` rows, the board begins in the row ``top`` and the column ``left``.
    ``solution`` holds texts such as "42,5": the point 42 has the value 5. While drawings are read, ``used`` holds the
    points of numbers that are cages' sums, ``caged`` the cells of the cages that are rules.
    """

    height: int
    width: int
    across: int
    down: int
    top: int
    left: int
    drawings: Mapping[str, Any]
    colours: Mapping[str, Any]
    solution: tuple[str, ...]
    title: str
    author: str
    rules: str
    notes: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    caged: list[frozenset[Cell]] = field(default_factory=list)

    def entries(self, key: str) -> Mapping[str, Any]:
        """Return the drawings under a key, by point; raise FormatError for anything but an object."""
        found = self.drawings.get(key) or {}
        if not isinstance(found, dict):
            raise FormatError(f"penpa-edit's {key}: an object is expected, not {short(found)}")
        return found

    def spot(self, value: object) -> Spot:
        """Return what a number stands for; raise FormatError for anything but a point of the paper."""
        number: Any = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 8 else value
        points = self.across * self.down
        if type(number) is not int or not 0 <= number < 12 * points:
            raise FormatError(f"{short(value)} is not a point of penpa-edit's paper")
        kind, cell = divmod(number, points)
        if kind >= QUARTER:  # four to a cell
            kind, cell = QUARTER + (kind >= 8), number % (4 * points) // 4
        row, column = cell // self.across - self.top, cell % self.across - self.left
        down, right = _OFFSETS[kind][number % len(_OFFSETS[kind])]
        return Spot(kind, (row, column), (row + down, column + right))

    def cell(self, value: object) -> Cell | None:
        """Return the cell of the board with this point as its centre; None for other points."""
        kind, (row, column), _ = self.spot(value)
        return (row, column) if kind == CELL and 0 <= row < self.height and 0 <= column < self.width else None

    def points(self, key: str) -> tuple[Point, ...]:
        """Return the positions of points that a key lists between commas."""
        return tuple(self.spot(value).point for value in key.split(","))

    @cached_property
    def shape(self) -> Shape:
        """The shape of the board: thick borders separate regions; without them there are only rows and columns."""
        thick = [key for key, style in self.entries("lineE").items() if style in THICK]
        walls = set[frozenset[Cell]]().union(*(walls_of(Stroke(key, self.points(key))) for key in thick))
        groups = walled(self.height, self.width, walls)
        regions = [[list(place) for place in group] for group in groups] if len(groups) > 1 else []
        return shape_of(regions, self.height, self.width, True, self.notes)

    def tools(self) -> Iterator[Rule]:
        """Yield the rules of the program's tools; items that cannot be rules are noted."""
        sums = self._sums()
        for cells in self._groups("killercages"):
            self.caged.append(frozenset(cells))
            places = sorted(set(cells))
            key, total = next((sums[place] for place in places if place in sums), ("", None))
            self.used.add(key)
            yield from self._made("cage", named(places), partial(KillerCage, named(places), total))
        for name, what, kind in (("thermo", "thermometer", Thermo), ("arrows", "arrow", Arrow)):
            for cells in self._groups(name):
                yield from self._made(what, named(cells), partial(kind, named(cells)))

    def _made(self, what: str, names: Sequence[str], make: Callable[[], Rule]) -> Iterator[Rule]:
        try:
            rule = make()
            fitting(rule, self.shape)
            if len(names) < 2 and what != "cage":
                raise ValueError("it has one cell")
            yield rule
        except ValueError as error:
            self.notes.append(f"the {what} of {names[0]} is not a rule: {error}"[:200])

    def _groups(self, key: str) -> Iterator[list[Cell]]:
        """Yield the cells of each item under a key; cells outside the board are noted and left out."""
        for item in listed(self.drawings.get(key), f"penpa-edit's {key}", MOST_CAGES):
            places = [self.cell(point) for point in listed(item, f"penpa-edit's {key}")]
            if None in places:
                self.notes.append(f"{key}: cells outside the board are left out")
            if inside := [place for place in places if place is not None]:
                yield inside

    def _sums(self) -> dict[Cell, tuple[str, int]]:
        """Return the small numbers in the upper left corners of cells, each with its point."""
        found: dict[Cell, tuple[str, int]] = {}
        for key, item in self.entries("numberS").items():
            spot, text = self.spot(key), _small(item)
            if spot.kind == QUARTER and int(key) % 4 == 0 and text.isdecimal() and len(text) < 6:
                found[spot.cell] = key, int(text)
        return found

    def strokes(self) -> Iterator[Stroke]:
        """Yield the pieces of lines and of outlines of cages, except of those that are rules, and the arrows."""
        for key in ("line", "freeline", "lineE", "freelineE", "wall", "cage"):
            for place, style in self.entries(key).items():
                points = self.points(place)
                known = key == "cage" and any(group.issuperset(map(cell_of, points)) for group in self.caged)
                if len(points) == 2 and not known:
                    yield Stroke(key, points, self._colour(key, place) or LINES.get(_style(style), ""), 0.1)
        for key in ("nobulbthermo", "squareframe", "polygon", "direction"):
            yield from self._paths(key, key == "direction")

    def _paths(self, key: str, arrow: bool) -> Iterator[Stroke]:
        found = listed(self.drawings.get(key), f"penpa-edit's {key}")
        paths = [path for path in found if isinstance(path, list) and len(path) > 1]
        chosen: Any = self.colours.get(key)
        colours = chosen if isinstance(chosen, list) else []
        for number, path in enumerate(paths, start=1):
            own = word_of(colours[number - 1]) if len(colours) >= number else ""
            points = tuple(self.spot(point).point for point in path[:MOST_POINTS])
            yield Stroke(f"{key} {number}", points, own or _GREY, 0.2, arrow)

    def marks(self, numbers: Mapping[str, Number]) -> Iterator[Mark]:
        """Yield the shades, symbols and texts; ``numbers`` are those that are not givens."""
        for key, style in self.entries("surface").items():
            number = _style(style[0] if isinstance(style, list) and style else style)
            fill = self._colour("surface", key) or SURFACES.get(number, "")
            yield Mark(f"surface {key}", self.spot(key).point, 1.0, 1.0, fill=fill)
        yield from (self._symbol(key, item) for key, item in self.entries("symbol").items())
        for key, (text, style, size) in numbers.items():
            way = ARROWS.get(text[-2:], "") if size == "2" else ""
            text = f"{text[:-2]}{way}" if way else text
            fill = BEHIND_NUMBERS.get(style, "")
            width = CIRCLES.get(size, 0.5) if fill else 0.0
            yield Mark(f"number {key}", self._point(key), width, width, bool(fill), fill, text=text.strip())
        for key, item in self.entries("numberS").items():
            if key not in self.used:
                yield Mark(f"numberS {key}", self.spot(key).point, text=_small(item))

    def _symbol(self, key: str, item: object) -> Mark:
        style, name = (item[0], str(item[1])) if isinstance(item, list) and len(item) > 1 else (0, "")
        number, point, place = _style(style), self._point(key), f"symbol {key}"
        own = self._colour("symbol", key)
        if name == "inequality":
            return Mark(place, point, text=SIGNS[(number - 1) % 4])
        if name == "sudokumore" and number in PILLS:
            rows, columns = PILLS[number]
            centre = (point[0] + (rows - 1) / 2, point[1] + (columns - 1) / 2)
            return Mark(place, centre, rows - 0.2, columns - 0.2, True, own, _GREY)
        size = SIZES.get(name)
        if size is None:
            return Mark(place, point, text=f"{name} {number}".strip()[:40])
        fill, figure = own or FIGURES.get(number, ""), name.partition("_")[0]
        return Mark(place, point, size, size, figure == "circle", fill, "#000000", turned=figure == "diamond")

    def _point(self, key: str) -> Point:
        return self.spot(key.removesuffix("E")).point

    def _colour(self, key: str, place: str) -> str:
        """Return the colour that the setter chose for an object; "" if there is none."""
        chosen: Any = self.colours.get(key)
        return word_of(chosen.get(place)) if isinstance(chosen, Mapping) else ""


@format_errors
def read_penpa(link: str) -> Puzzle:
    """Read a link, or its part from ``m=`` on; raise FormatError if it holds no board of square cells."""
    sheet = sheet_of(bare(link))
    givens, candidates, numbers = _numbers(sheet)
    rules = tuple(sheet.tools())
    stated, comment = _stated(sheet, givens), comment_of(sheet.author, sheet.rules)
    notes = tuple(dict.fromkeys(sheet.notes))[:_MOST_NOTES]
    puzzle = Puzzle(sheet.shape, givens, candidates, sheet.title, comment, stated, rules, notes)
    return as_meant(puzzle, sheet.rules, list(sheet.strokes()), list(sheet.marks(numbers)))


def sheet_of(link: str) -> PenpaSheet:
    """Parse a link; raise FormatError if it is damaged, or holds no board of squares with up to LARGEST rows."""
    fields = dict(_FIELD.findall(link.strip()))
    if fields.get("p", "").startswith("http"):
        raise FormatError("the link to penpa-edit names another link (p=http...): open it there and save its own link")
    lines = unpacked(fields.get("p", "")).split("\n")
    if not lines[0] or lines[0][0].isdigit():
        raise FormatError("the first form of penpa-edit's links cannot be read: open the link there and save it again")
    if len(lines) <= _QUESTION:
        raise FormatError(f"the link to penpa-edit holds {len(lines)} lines: at least {_QUESTION + 1} are expected")
    lines += [""] * _COLOURS
    head = [*map(whole, lines[0].split(",")), *[""] * _RULES]
    wrong = next((text for text in head[1:3] if not re.fullmatch("[0-9]{1,3}", text)), None)
    if wrong is not None:
        raise FormatError(f"penpa-edit's board: columns and rows are expected in its first line, not {wrong[:20]!r}")
    margins = whole(lines[1])[:40]
    around = [int(part) for part in re.findall(r"\d{1,3}", margins)]
    if len(around) != 4:
        raise FormatError(f"penpa-edit's margins: four numbers are expected, not {short(margins)}")
    columns, rows, (top, bottom, left, right) = int(head[1]), int(head[2]), around
    drawings = _object(lines[_QUESTION])
    colours = _object(lines[_COLOURS]) if lines[_CUSTOM].strip('"') in ("1", "true") else {}
    height, width = rows - top - bottom, columns - left - right
    if head[0] not in ("square", "sudoku"):
        raise FormatError(f"penpa-edit's grid {head[0][:20]!r}: square or sudoku is expected")
    if not (1 <= height <= LARGEST and 1 <= width <= LARGEST):
        raise FormatError(f"penpa-edit's board of {height} x {width} cells: 1 to {LARGEST} rows and columns are read")
    return PenpaSheet(
        *(height, width, columns + 2 * _AROUND, rows + 2 * _AROUND, top + _AROUND, left + _AROUND),
        drawings,
        colours,
        _solution(fields.get("a", "")),
        _text(head[_TITLE]).removeprefix("Title: ").strip(),
        _text(head[_AUTHOR]).removeprefix("Author: ").strip(),
        _text(head[_RULES]).strip(),
    )


def unpacked(packed: str) -> str:
    """Unpack a text; raise FormatError if it is damaged or too long."""
    packed = unquote(packed).replace(" ", "+")
    if not packed or len(packed) > LONGEST_PACKED:
        raise FormatError(f"{len(packed)} packed characters in penpa-edit's p=: 1 to {LONGEST_PACKED} are expected")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
        inflater = zlib.decompressobj(-15)
        found = inflater.decompress(data, LONGEST)
    except (binascii.Error, ValueError):
        raise _damaged("the text after p= is not Base64") from None
    except zlib.error:
        raise _damaged("the text after p= cannot be unpacked") from None
    if not inflater.eof and len(found) >= LONGEST:
        raise FormatError("penpa-edit's p= unpacks to too many characters: no puzzle is that long")
    if not inflater.eof:
        raise _damaged("the packed text is cut off")
    return found.decode("utf-8", "replace")


def _damaged(problem: str) -> FormatError:
    return FormatError(f"the link to penpa-edit is damaged or incomplete ({problem}): copy the whole link again")


def whole(text: str) -> str:
    """Expand the abbreviations in a text."""
    return _CUT.sub(lambda found: _SHORT.get(found[0], found[0]), text)


def _object(line: str) -> Mapping[str, Any]:
    """Return the object in a line, or an empty one for a line without one, such as ``x`` in links for solving."""
    return loaded(whole(line)) if line.startswith("{") else {}


def _text(text: str) -> str:
    for sign, meant in _ESCAPED.items():
        text = text.replace(sign, meant)
    return text


def _solution(packed: str) -> tuple[str, ...]:
    """Return the numbers of the solution in a link; () if there is none, or if it is not understood."""
    try:
        found = json.loads(unpacked(packed)) if packed else None
    except (FormatError, ValueError, RecursionError):
        return ()
    numbers = found[4] if isinstance(found, list) and len(found) > 4 else ()
    return tuple(item for item in numbers if isinstance(item, str)) if isinstance(numbers, list) else ()


# ---- the board and its numbers

THICK = (2, 21)
"""The styles of lines that separate regions: black and thick black."""
_WHOLE = ("1", "6", "10")
"""The sizes in which a number fills its cell: normal, middle, large."""
_MARKS = "7"
"""The size of numbers written as marks in three rows of three."""


def _style(value: object) -> int:
    return value if type(value) is int else 0


def _numbers(
    sheet: PenpaSheet,
) -> tuple[tuple[int | None, ...], tuple[tuple[int, Domain], ...], dict[str, Number]]:
    """Return the givens (values in cells), the candidates (marks in cells), and the other numbers by their points."""
    shape = sheet.shape
    givens: dict[Cell, int] = {}
    candidates: dict[Cell, Domain] = {}
    others = {}
    for key, item in sheet.entries("number").items():
        place = None if key.endswith("E") else sheet.cell(key)
        content, style, size = item[:3] if isinstance(item, list) and len(item) > 2 else ("", 0, "")
        number = text_of(content), _style(style), str(size)[:4]
        value, listed = _value(number[0], shape), enumerate(content[:9], 1) if isinstance(content, list) else ()
        marks = tuple(v for v, mark in listed if mark in (1, True, "1") and v in shape.values)
        if place is not None and number[2] == _MARKS and marks:
            candidates[place] = marks
        elif place is not None and number[2] in _WHOLE and value:
            givens[place] = value
        else:
            others[key] = number
    places = list(product(range(sheet.height), range(sheet.width)))
    marked = tuple((i, candidates[place]) for i, place in enumerate(places) if place in candidates)
    return tuple(map(givens.get, places)), marked, others


def _value(text: str, shape: Shape) -> int | None:
    """Return the value of the board that a text names; None if it names none."""
    word = text.strip()
    value = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None
    return value if value in shape.values else None


def _stated(sheet: PenpaSheet, givens: Sequence[int | None]) -> tuple[int | None, ...] | None:
    """Return the solution in a link, with None for 0, which may be a value; None if it is missing or incomplete."""
    found: list[int | None] = [value or -1 for value in givens]
    for item in sheet.solution:
        point, _, text = item.partition(",")
        place, value = sheet.cell(point), _value(text, sheet.shape)
        if place is not None and (value is not None or text.strip() == "0"):
            found[place[0] * sheet.width + place[1]] = value
    return tuple(found) if sheet.solution and -1 not in found else None


# ---- rules and drawings


def _colours(text: str) -> Mapping[int, str]:
    """Return the colour of each number: ``#000000 2 4 10, #444444 12`` has a colour and its numbers in each part."""
    parts = (part.split() for part in text.split(","))
    return {int(number): colour for colour, *numbers in parts for number in numbers}


LINES = _colours(
    "#000000 2 4 10 13 16 17 21 80, #444444 12, #777777 7 14 15, #999999 5 6 40, #208020 3 30 98, #ff0000 8, #187bcd 9"
)
SURFACES = _colours(
    "#444444 1, #b3ffb3 2, #cccccc 3, #000000 4, #c0e0ff 5, #ffa3a3 6, #ffffa3 7, #999999 8, #ffb3ff 9, #ffcc80 10, "
    "#cc99ff 11, #eecab1 12, #ff6700 13, #f0f0f0 99"
)
FIGURES = _colours("#ffffff 0 1 6 7 8 10, #000000 2, #cccccc 3 5 9, #ff0000 11, #208020 12")
"""The fill colours of shapes; shapes that are not listed are hollow."""
BEHIND_NUMBERS: Mapping[int, str] = {5: "#ffffff", 6: "#ffffff", 7: "#000000", 11: "#ff0000"}
"""The circles around numbers, by the style of the number."""
_WIDTHS = {"LL": 1.0, "L": 0.86, "M": 0.7, "S": 0.44, "SS": 0.26}
SIZES: Mapping[str, float] = {
    f"{figure}_{size}": width for figure in ("circle", "square", "diamond") for size, width in _WIDTHS.items()
}
CIRCLES: Mapping[str, float] = {"1": 0.84, "2": 0.84, "4": 0.62, "5": 0.34, "6": 0.5, "10": 0.72, "7": 0.84}
"""The width of the circle around a number, by the size of the number."""
SIGNS = ("<", "^", ">", "\u2228")
"""The symbols of inequality, 1 to 4."""
PILLS: Mapping[int, tuple[int, int]] = {1: (1, 2), 2: (2, 1), 3: (1, 3), 4: (3, 1), 5: (1, 1)}
"""The pills of arrows: the rows and columns that each covers, from the cell in which it is drawn."""
ARROWS = {f"_{number}": sign for number, sign in enumerate("\u2191\u2190\u2192\u2193\u2196\u2197\u2199\u2198")}
"""The arrows next to numbers."""
_GREY = "#b3b3b3"


def _small(item: Any) -> str:
    return text_of(item[0]).strip() if isinstance(item, list) and item else ""
