"""The content of a link to penpa-edit: lines of text with abbreviated names, deflated without a header, in Base64.

The format is that of penpa-edit 2 and 3, taken from its loading and saving code
(https://github.com/swaroopg92/penpa-edit).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import unquote

from ..errors import FormatError
from ..model import Domain
from ..puzzle.drawn import Point
from ..puzzle.rules import Arrow, Board, KillerCage, Thermo
from ..puzzle.rules.rule_base import Rule
from ..puzzle.shape import Shape
from .json_text import LONGEST, loaded, short
from .regions import beside, reached
from .sudokupad import MOST_CAGES, shape_of

LONGEST_PACKED = 400_000
"""The length, in characters, of the longest packed text that is read."""
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
_ESCAPED = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}


@dataclass(frozen=True)
class PenpaSheet:
    """A board as stored by penpa-edit: the kind of grid, columns and rows including margins, and the drawings.

    ``margins`` are the rows above and below and the columns left and right that are not cells of the board;
    ``solution`` holds texts such as "42,5": the point 42 has the value 5.
    """

    kind: str
    size: tuple[int, int]
    margins: tuple[int, int, int, int]
    question: Mapping[str, Any]
    colours: Mapping[str, Any]
    solution: tuple[str, ...]
    title: str
    author: str
    rules: str


def sheet_of(link: str) -> PenpaSheet:
    """Parse a link, or its part from ``m=`` on; raise FormatError if it is damaged or holds no board."""
    fields = dict(_FIELD.findall(link.strip()))
    if fields.get("p", "").startswith("http"):
        raise FormatError("the link to penpa-edit names another link (p=http...): open it there and save its own link")
    lines = unpacked(fields.get("p", "")).split("\n")
    if not lines[0] or lines[0][0].isdigit():
        raise FormatError("the first form of penpa-edit's links cannot be read: open the link there and save it again")
    if len(lines) <= _QUESTION:
        raise FormatError(f"the link to penpa-edit holds {len(lines)} lines: at least {_QUESTION + 1} are expected")
    head = [whole(part) for part in lines[0].split(",")]
    shown = _line(lines, _CUSTOM).strip('"') in ("1", "true")
    return PenpaSheet(
        head[0],
        (_number(head, 1), _number(head, 2)),
        _margins(whole(lines[1])),
        _object(_line(lines, _QUESTION)),
        _object(_line(lines, _COLOURS)) if shown else {},
        _solution(fields.get("a", "")),
        _text(head, _TITLE).removeprefix("Title: ").strip(),
        _text(head, _AUTHOR).removeprefix("Author: ").strip(),
        _text(head, _RULES).strip(),
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


def packed(text: str) -> str:
    """Pack a text as penpa-edit does."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflater.compress(text.encode()) + deflater.flush()).decode()


def whole(text: str) -> str:
    """Expand the abbreviations in a text."""
    return _CUT.sub(lambda found: _SHORT.get(found[0], found[0]), text)


def _line(lines: list[str], number: int) -> str:
    return lines[number] if number < len(lines) else ""


def _object(line: str) -> Mapping[str, Any]:
    """Return the object in a line, or an empty one for a line without one, such as ``x`` in links for solving."""
    return loaded(whole(line)) if line.startswith("{") else {}


def _number(head: list[str], place: int) -> int:
    text = head[place] if place < len(head) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise FormatError(f"penpa-edit's board: columns and rows are expected in its first line, not {text[:20]!r}")
    return int(text)


def _margins(line: str) -> tuple[int, int, int, int]:
    numbers = [int(part) for part in re.findall(r"\d{1,3}", line[:40])]
    if len(numbers) != 4:
        raise FormatError(f"penpa-edit's margins: four numbers are expected, not {short(line[:40])}")
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _text(head: list[str], place: int) -> str:
    text = head[place] if place < len(head) else ""
    for sign, meant in _ESCAPED.items():
        text = text.replace(sign, meant)
    return text


def _solution(packed_text: str) -> tuple[str, ...]:
    """Return the numbers of the solution in a link; () if there is none, or if it is not understood."""
    if not packed_text:
        return ()
    try:
        found = json.loads(unpacked(packed_text))
    except (FormatError, ValueError, RecursionError):
        return ()
    numbers = found[4] if isinstance(found, list) and len(found) > 4 else ()
    return tuple(item for item in numbers if isinstance(item, str)) if isinstance(numbers, list) else ()


LARGEST = 60
_AROUND = 2
"""The number of unused rows and columns around the paper."""
_OFFSETS: tuple[Point, ...] = ((0.5, 0.5), (1.0, 1.0), (1.0, 0.5), (0.5, 1.0))
"""Cell, corner, lower side, right side: the first four kinds of points, one of each for every cell."""
_QUARTERS: tuple[Point, ...] = ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75))
_COMPASS: tuple[Point, ...] = ((0.2, 0.5), (0.5, 0.8), (0.5, 0.2), (0.8, 0.5))
CELL, CORNER, QUARTER = 0, 1, 4
Place = tuple[int, int]


@dataclass(frozen=True)
class Paper:
    """The board on its paper: the rows and columns of both, and the distance of the board from the paper's corner."""

    height: int
    width: int
    across: int
    down: int
    top: int
    left: int

    @classmethod
    def of(cls, sheet: PenpaSheet) -> Paper:
        """Measure a sheet; raise FormatError unless its cells are squares, in at most LARGEST rows and columns."""
        if sheet.kind not in ("square", "sudoku"):
            raise FormatError(f"penpa-edit's grid {sheet.kind[:20]!r}: square or sudoku is expected")
        (columns, rows), (top, bottom, left, right) = sheet.size, sheet.margins
        height, width = rows - top - bottom, columns - left - right
        if not (1 <= height <= LARGEST and 1 <= width <= LARGEST):
            raise FormatError(
                f"penpa-edit's board of {height} x {width} cells: 1 to {LARGEST} rows and columns are read"
            )
        return cls(height, width, columns + 2 * _AROUND, rows + 2 * _AROUND, top + _AROUND, left + _AROUND)

    def kind(self, index: int) -> int:
        """Return the kind of a point: CELL, CORNER, 2 (lower side), 3 (right side), QUARTER, 5 (compass)."""
        kind = index // (self.across * self.down)
        return kind if kind < 4 else QUARTER if kind < 8 else 5

    def place(self, index: int) -> Place:
        """Return the row and column, from 0, of the cell of a point; negative ones are outside."""
        points = self.across * self.down
        cell = index % points if index < 4 * points else index % (4 * points) // 4
        row, column = divmod(cell, self.across)
        return row - self.top, column - self.left

    def point(self, value: object) -> Point:
        """Return the position of a point; raise FormatError for anything but a point of the paper."""
        index = self.index(value)
        row, column = self.place(index)
        kind = self.kind(index)
        offset = _OFFSETS[kind] if kind < 4 else (_QUARTERS if kind == QUARTER else _COMPASS)[index % 4]
        return row + offset[0], column + offset[1]

    def index(self, value: object) -> int:
        """Return the number of a point; raise FormatError for anything but a point of the paper."""
        number = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 8 else value
        if type(number) is not int or not 0 <= number < 12 * self.across * self.down:
            raise FormatError(f"{short(value)} is not a point of penpa-edit's paper")
        return number

    def cell(self, value: object) -> Place | None:
        """Return the cell of the board with this point as its centre; None for other points."""
        index = self.index(value)
        row, column = self.place(index)
        inside = 0 <= row < self.height and 0 <= column < self.width
        return (row, column) if inside and self.kind(index) == CELL else None


THICK = (2, 21)
"""The styles of lines that separate regions: black and thick black."""
_WHOLE = ("1", "6", "10")
"""The sizes in which a number fills its cell: normal, middle, large."""
MARKS = "7"
"""Numbers written as marks in three rows of three."""


def entries(part: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the entries under a key, by point; raise FormatError for anything but an object."""
    found = part.get(key) or {}
    if not isinstance(found, dict):
        raise FormatError(f"penpa-edit's {key}: an object is expected, not {short(found)}")
    return found


def board_of(sheet: PenpaSheet, paper: Paper, notes: list[str]) -> Shape:
    """Return the shape of a board: thick borders separate regions; without them there are only rows and columns."""
    walls = set(_walls(sheet, paper))
    left = {(row, column) for row in range(paper.height) for column in range(paper.width)}
    groups: list[list[Place]] = []
    while left:
        group = reached(min(left), lambda a: [b for b in left & beside(a) if frozenset([a, b]) not in walls])
        groups.append(sorted(group))
        left.difference_update(groups[-1])
    if len(groups) == 1:
        groups = []
    regions = [[list(place) for place in group] for group in groups]
    return shape_of(regions, paper.height, paper.width, True, notes)


def _walls(sheet: PenpaSheet, paper: Paper) -> Iterator[frozenset[Place]]:
    """Yield the pairs of neighbours between which a thick border is drawn."""
    for key, style in entries(sheet.question, "lineE").items():
        ends = [paper.index(end) for end in key.split(",")]
        if style not in THICK or len(ends) != 2 or any(paper.kind(end) != CORNER for end in ends):
            continue
        (r1, c1), (r2, c2) = sorted(map(paper.place, ends))
        if (r2 - r1, c2 - c1) == (0, 1):
            yield frozenset([(r1, c2), (r1 + 1, c2)])
        elif (r2 - r1, c2 - c1) == (1, 0):
            yield frozenset([(r2, c1), (r2, c1 + 1)])


@dataclass(frozen=True)
class DrawnNumbers:
    """The numbers in cells: givens, candidates, and the points of other numbers."""

    givens: tuple[int | None, ...]
    candidates: tuple[tuple[int, Domain], ...]
    others: tuple[str, ...]


class DrawnNumber(NamedTuple):
    """A drawn number: its text (or marks, a list of zeros and ones), the number of its style, and its size."""

    content: object
    style: int
    size: str

    @classmethod
    def of(cls, item: object) -> DrawnNumber:
        """Parse an entry for a number; return an empty number for anything else."""
        if not isinstance(item, list) or len(item) < 3:
            return cls("", 0, "")
        return cls(item[0], item[1] if type(item[1]) is int else 0, str(item[2])[:4])

    @property
    def text(self) -> str:
        """The text; "" for marks."""
        plain = isinstance(self.content, str | int) and not isinstance(self.content, bool)
        return str(self.content)[:100] if plain else ""


def numbers_of(part: Mapping[str, Any], paper: Paper, shape: Shape) -> DrawnNumbers:
    """Classify the numbers of a part: a value in a cell is a given, marks are candidates, others are drawings."""
    givens: list[int | None] = [None] * shape.cells
    candidates: dict[int, Domain] = {}
    others = []
    for key, item in entries(part, "number").items():
        cell = None if key.endswith("E") else paper.cell(key)
        number = DrawnNumber.of(item)
        value, marks = value_of(number.text, shape), _marks(number.content, shape)
        if cell is None or not (value or marks):
            others.append(key)
        elif number.size == MARKS and marks:
            candidates[cell[0] * paper.width + cell[1]] = marks
        elif number.size in _WHOLE and value:
            givens[cell[0] * paper.width + cell[1]] = value
        else:
            others.append(key)
    return DrawnNumbers(tuple(givens), tuple(sorted(candidates.items())), tuple(others))


def value_of(text: str, shape: Shape) -> int | None:
    """Return the value of the board that a text names; None if it names none."""
    word = text.strip()
    value = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None
    return value if value in shape.values else None


def _marks(marks: object, shape: Shape) -> Domain:
    """Return the candidates given by a list of zeros and ones."""
    if not isinstance(marks, list):
        return ()
    return tuple(value for value, mark in enumerate(marks[:9], 1) if mark in (1, True, "1") and value in shape.values)


def stated_of(
    sheet: PenpaSheet, paper: Paper, shape: Shape, givens: Iterable[int | None]
) -> tuple[int | None, ...] | None:
    """Return the solution in a link; None if it is missing or incomplete."""
    found = list(givens)
    for item in sheet.solution:
        point, _, text = item.partition(",")
        place, value = paper.cell(point), value_of(text, shape)
        if place is not None and value is not None:
            found[place[0] * paper.width + place[1]] = value
    return tuple(found) if sheet.solution and None not in found else None


Names = tuple[str, ...]
_LINES: Mapping[str, tuple[str, Callable[[Names], Rule]]] = {
    "thermo": ("the thermometer", Thermo),
    "arrows": ("the arrow", Arrow),
}


@dataclass
class SheetRules:
    """The rules of a sheet; ``used`` holds the points of numbers that are cages' sums, ``caged`` the cages' cells."""

    sheet: PenpaSheet
    paper: Paper
    shape: Shape
    notes: list[str]
    used: set[str] = field(default_factory=set)
    caged: list[frozenset[Place]] = field(default_factory=list)

    def rules(self) -> tuple[Rule, ...]:
        """Return all rules; items that cannot be rules are noted."""
        return (*self._cages(), *(rule for key in _LINES for rule in self._lines(key)))

    def _cages(self) -> Iterator[Rule]:
        sums = self._sums()
        for cells in self.groups("killercages"):
            self.caged.append(frozenset(cells))
            places = sorted(set(cells))
            total = next((sums[place] for place in places if place in sums), None)
            names = self._names(places)
            self.used.update(total[:1] if total else ())
            make = partial(KillerCage, names, total[1] if total else None)
            yield from self._made(f"the cage of {names[0]}", len(names), make)

    def _lines(self, key: str) -> Iterator[Rule]:
        what, make = _LINES[key]
        for cells in self.groups(key):
            names = self._names(cells)
            yield from self._made(f"{what} of {names[0]}", len(names), partial(make, names))

    def _made(self, name: str, cells: int, make: Callable[[], Rule]) -> Iterator[Rule]:
        try:
            rule = make()
            self._check(cells, rule)
            Board(self.shape, (rule,)).check()
        except ValueError as error:
            self.notes.append(f"{name} is not a rule: {error}"[:200])
        else:
            yield rule

    def _check(self, cells: int, rule: Rule) -> None:
        """Raise ValueError if there are too few cells, or more cells that must differ than values."""
        if cells < 2 and not isinstance(rule, KillerCage):
            raise ValueError("it has one cell")
        if isinstance(rule, KillerCage | Thermo) and cells > len(self.shape.values):
            raise ValueError(f"its {cells} cells cannot differ with {len(self.shape.values)} values")

    def groups(self, key: str) -> Iterator[Sequence[Place]]:
        """Yield the cells of each item under a key; cells outside the board are noted and left out."""
        found = self.sheet.question.get(key) or []
        if not isinstance(found, list) or len(found) > MOST_CAGES:
            raise FormatError(f"penpa-edit's {key}: a list of at most {MOST_CAGES} is expected")
        for item in found:
            if item and not isinstance(item, list):
                raise FormatError(f"penpa-edit's {key}: a list of points is expected, not {short(item)}")
            places = [self.paper.cell(point) for point in item or ()]
            if None in places:
                self.notes.append(f"{key}: cells outside the board are left out")
            inside = [place for place in places if place is not None]
            if inside:
                yield inside

    def _sums(self) -> dict[Place, tuple[str, int]]:
        """Return the small numbers in the upper left corners of cells, each with its point."""
        found: dict[Place, tuple[str, int]] = {}
        for key, item in entries(self.sheet.question, "numberS").items():
            index, text = self.paper.index(key), _small_text(item).strip()
            if self.paper.kind(index) == QUARTER and index % 4 == 0 and text.isdecimal() and len(text) < 6:
                found[self.paper.place(index)] = key, int(text)
        return found

    def _names(self, places: Sequence[Place]) -> Names:
        return tuple(f"R{row + 1}C{column + 1}" for row, column in places)


def _small_text(item: Any) -> str:
    text = item[0] if isinstance(item, list) and item else ""
    return str(text) if isinstance(text, str | int) and not isinstance(text, bool) else ""
