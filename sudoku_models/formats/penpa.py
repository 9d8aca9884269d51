"""Reads a puzzle from a link to penpa-edit.

The reader takes givens, marks as candidates, regions (thick borders between cells), the solution, title, author and
rules in words, and rules for which the program has tools: killer cages with their sums, thermometers, arrows (see
``penpa_sheet``). Other drawings are strokes and marks, which become rules only if ``guess`` is set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import FormatError
from ..puzzle.drawn import Mark, Point, Stroke
from ..puzzle.puzzle import Puzzle
from .format import format_errors
from .json_text import short
from .links import bare
from .meant import as_meant, comment_of
from .penpa_sheet import (
    CORNER,
    QUARTER,
    THICK,
    DrawnNumber,
    Paper,
    PenpaSheet,
    Place,
    SheetRules,
    board_of,
    entries,
    numbers_of,
    sheet_of,
    stated_of,
)
from .regions import beside, reached


def _by_number(numbers: Mapping[str, tuple[int, ...]]) -> Mapping[int, str]:
    return {number: colour for colour, found in numbers.items() for number in found}


LINES = _by_number(
    {
        "#000000": (2, 4, 10, 13, 16, 17, 21, 80),
        "#444444": (12,),
        "#777777": (7, 14, 15),
        "#999999": (5, 6, 40),
        "#208020": (3, 30, 98),
        "#ff0000": (8,),
        "#187bcd": (9,),
    }
)
_SHADES = "#444444 #b3ffb3 #cccccc #000000 #c0e0ff #ffa3a3 #ffffa3 #999999 #ffb3ff #ffcc80 #cc99ff #eecab1 #ff6700"
SURFACES: Mapping[int, str] = {**dict(enumerate(_SHADES.split(), start=1)), 99: "#f0f0f0"}
FIGURES = _by_number(
    {"#ffffff": (0, 1, 6, 7, 8, 10), "#000000": (2,), "#cccccc": (3, 5, 9), "#ff0000": (11,), "#208020": (12,)}
)
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
_STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))
ARROWS: Mapping[str, tuple[int, int]] = {f"_{number}": step for number, step in enumerate(_STEPS)}
"""The directions of arrows next to numbers, in rows and columns."""


_MOST_POINTS = 500
_GREY = "#b3b3b3"


@dataclass(frozen=True)
class Drawings:
    """The drawings of a sheet. ``numbers`` are the points of numbers that are not givens, ``sums`` those of cages'
    sums, ``caged`` the cells of cages that are rules."""

    sheet: PenpaSheet
    paper: Paper
    numbers: Collection[str]
    sums: Collection[str]
    caged: Collection[frozenset[Place]]

    def strokes(self) -> list[Stroke]:
        """Return the lines, with their pieces joined, and the arrows."""
        found = [stroke for key in ("line", "freeline", "lineE", "freelineE", "wall") for stroke in self._lines(key)]
        found += [stroke for key in ("nobulbthermo", "squareframe", "polygon") for stroke in self._paths(key, False)]
        found += self._paths("direction", True)
        return found + [stroke for key in self.numbers for stroke in self._pointers(key)]

    def marks(self) -> list[Mark]:
        """Return the symbols, shades, texts, and the cages drawn with single lines."""
        question = self.sheet.question
        found = [self._shade(key, style) for key, style in entries(question, "surface").items()]
        found += [self._symbol(key, item) for key, item in entries(question, "symbol").items()]
        found += [self._number(key) for key in self.numbers]
        cages = cages_drawn(entries(question, "cage"), entries(question, "numberS"), self.paper, self.caged)
        inside = {key for cage in cages for key in cage.sums}
        left = (key for key in entries(question, "numberS") if key not in self.sums and key not in inside)
        found += [self._small(key) for key in left]
        return found + [cage.mark for cage in cages]

    def _lines(self, key: str) -> Iterator[Stroke]:
        groups: dict[str, list[tuple[Point, Point]]] = defaultdict(list)
        for place, style in entries(self.sheet.question, key).items():
            ends = place.split(",")
            if len(ends) != 2 or (key == "lineE" and style in THICK and self._is_border(ends)):
                continue
            colour = self._colour(key, place) or LINES.get(style if type(style) is int else 0, "")
            groups[colour].append((self.paper.point(ends[0]), self.paper.point(ends[1])))
        for colour, pieces in groups.items():
            for number, points in enumerate(joined(pieces), start=1):
                yield Stroke(f"{key} {number}", points[:_MOST_POINTS], colour, 0.1)

    def _is_border(self, ends: Sequence[str]) -> bool:
        """Return whether a line runs along the side of a single cell."""
        if any(self.paper.kind(self.paper.index(end)) != CORNER for end in ends):
            return False
        (r1, c1), (r2, c2) = (self.paper.point(end) for end in ends)
        return abs(r1 - r2) + abs(c1 - c2) == 1

    def _paths(self, key: str, arrow: bool) -> list[Stroke]:
        found = self.sheet.question.get(key) or []
        if not isinstance(found, list):
            raise FormatError(f"penpa-edit's {key}: a list is expected, not {short(found)}")
        paths = [path for path in found if isinstance(path, list) and len(path) > 1]
        colours = self.sheet.colours.get(key)
        strokes = []
        for number, path in enumerate(paths, start=1):
            own = colours[number - 1] if isinstance(colours, list) and len(colours) >= number else None
            points = tuple(map(self.paper.point, path[:_MOST_POINTS]))
            strokes.append(Stroke(f"{key} {number}", points, own if isinstance(own, str) else _GREY, 0.2, arrow))
        return strokes

    def _pointers(self, key: str) -> Iterator[Stroke]:
        """Yield the arrow next to a number, as in little killers."""
        number = self._numbered(key)
        step = ARROWS.get(number.text[-2:]) if number.size == "2" else None
        if step is not None:
            row, column = self.paper.point(key.removesuffix("E"))
            ends = ((row + step[0] * part, column + step[1] * part) for part in (0.1, 0.45))
            yield Stroke(f"number {key}", tuple(ends), "#000000", 0.05, True)

    def _numbered(self, key: str) -> DrawnNumber:
        return DrawnNumber.of(entries(self.sheet.question, "number")[key])

    def _number(self, key: str) -> Mark:
        number = self._numbered(key)
        text = number.text[:-2] if number.size == "2" and number.text[-2:] in ARROWS else number.text
        fill = BEHIND_NUMBERS.get(number.style, "")
        width = CIRCLES.get(number.size, 0.5) if fill else 0.0
        point = self.paper.point(key.removesuffix("E"))
        return Mark(f"number {key}", point, width, width, bool(fill), fill, text=text.strip())

    def _small(self, key: str) -> Mark:
        item = entries(self.sheet.question, "numberS")[key]
        text = item[0] if isinstance(item, list) and item and isinstance(item[0], str | int) else ""
        return Mark(f"numberS {key}", self.paper.point(key), text=str(text)[:100].strip())

    def _shade(self, key: str, style: object) -> Mark:
        style = style[0] if isinstance(style, list) and style else style
        fill = self._colour("surface", key) or SURFACES.get(style if type(style) is int else 0, "")
        return Mark(f"surface {key}", self.paper.point(key), 1.0, 1.0, fill=fill)

    def _symbol(self, key: str, item: object) -> Mark:
        style, name = (item[0], str(item[1])) if isinstance(item, list) and len(item) > 1 else (0, "")
        number = style if type(style) is int else 0
        point, place = self.paper.point(key.removesuffix("E")), f"symbol {key}"
        own = self._colour("symbol", key)
        if name == "inequality":
            return Mark(place, point, text=SIGNS[(number - 1) % 4])
        if name == "sudokumore" and number in PILLS:
            rows, columns = PILLS[number]
            centre = (point[0] + (rows - 1) / 2, point[1] + (columns - 1) / 2)
            return Mark(place, centre, rows - 0.2, columns - 0.2, True, own, "#b3b3b3")
        size = SIZES.get(name)
        if size is None:
            return Mark(place, point, text=f"{name} {number}".strip()[:40])
        fill = own or FIGURES.get(number, "")
        shape = name.partition("_")[0]
        return Mark(place, point, size, size, shape == "circle", fill, "#000000", turned=shape == "diamond")

    def _colour(self, key: str, place: str) -> str:
        """Return the colour that the setter chose for an object; "" if there is none."""
        chosen: Any = self.sheet.colours.get(key)
        found = chosen.get(place) if isinstance(chosen, Mapping) else None
        return found[:30] if isinstance(found, str) else ""


class Cage(NamedTuple):
    """A drawn cage, and the points of its small numbers."""

    mark: Mark
    sums: tuple[str, ...]


def cages_drawn(
    outline: Mapping[str, Any], small: Mapping[str, Any], paper: Paper, known: Collection[frozenset[Place]]
) -> list[Cage]:
    """Return the cages whose outlines are drawn, except ``known`` ones; a connected outline is one cage."""
    found = []
    for number, cells in enumerate(_groups(outline, paper), start=1):
        whole = cells | _enclosed(cells)
        if any(cells <= group for group in known):
            continue
        sums = {key: item for key, item in small.items() if paper.place(paper.index(key)) in whole}
        texts = [str(item[0]).strip() for item in sums.values() if isinstance(item, list) and item]
        places = sorted(whole)
        centre = tuple(sum(axis) / len(places) + 0.5 for axis in zip(*places, strict=True))
        names = tuple(f"R{row + 1}C{column + 1}" for row, column in places)
        mark = Mark(f"cage {number}", (centre[0], centre[1]), text=" ".join(texts)[:40], cells=names)
        found.append(Cage(mark, tuple(sums)))
    return found


def _groups(outline: Mapping[str, Any], paper: Paper) -> list[set[Place]]:
    """Return the cells of the board that each connected outline passes through."""
    joined_to: dict[int, set[int]] = defaultdict(set)
    for key in outline:
        ends = [paper.index(end) for end in key.split(",")]
        if len(ends) == 2 and all(paper.kind(end) == QUARTER for end in ends):
            joined_to[ends[0]].add(ends[1])
            joined_to[ends[1]].add(ends[0])
    groups, left = [], set(joined_to)
    while left:
        points = reached(min(left), joined_to.__getitem__)
        left -= points
        places = {paper.place(point) for point in points}
        inside = {(r, c) for r, c in places if 0 <= r < paper.height and 0 <= c < paper.width}
        groups += [inside] if inside else []
    return groups


def _enclosed(cells: set[Place]) -> set[Place]:
    """Return the cells that are enclosed by other cells."""
    rows, columns = ({place[axis] for place in cells} for axis in (0, 1))
    box = {(r, c) for r in range(min(rows) - 1, max(rows) + 2) for c in range(min(columns) - 1, max(columns) + 2)}
    free = box - cells
    outside = reached(min(free), lambda place: free & beside(place))
    return free - outside


Piece = tuple[Point, Point]


def joined(pieces: Sequence[Piece]) -> list[tuple[Point, ...]]:
    """Join pieces at points where exactly two meet; a line ends where one or more than two meet.

    A closed line begins and ends at its first point. Points inside a straight stretch are left out.
    """
    at: dict[Point, list[int]] = defaultdict(list)
    for number, piece in enumerate(pieces):
        for end in piece:
            at[end].append(number)
    left, found = set(range(len(pieces))), []
    ends = [point for point in sorted(at) if len(at[point]) != 2]
    for start in (*ends, *sorted(at)):
        while any(number in left for number in at[start]):
            found.append(_straightened(_walked(start, pieces, at, left)))
    return found


def _walked(start: Point, pieces: Sequence[Piece], at: dict[Point, list[int]], left: set[int]) -> list[Point]:
    points = [start]
    while (number := next((number for number in at[points[-1]] if number in left), None)) is not None:
        left.discard(number)
        first, second = pieces[number]
        points.append(second if points[-1] == first else first)
        if len(at[points[-1]]) != 2:
            break
    return points


def _straightened(points: Sequence[Point]) -> tuple[Point, ...]:
    kept = list(points[:1])
    for point, following in zip(points[1:], [*points[2:], None], strict=True):
        (r0, c0), (r1, c1), (r2, c2) = kept[-1], point, following or point
        if following is None or abs((r1 - r0) * (c2 - c1) - (c1 - c0) * (r2 - r1)) >= 1e-9:
            kept.append(point)
    return tuple(kept)


_MOST_NOTES = 100


@format_errors()
def read_penpa(link: str) -> Puzzle:
    """Read a link, or its part from ``m=`` on; raise FormatError if it holds no board of square cells."""
    return puzzle_of(sheet_of(bare(link)))


def puzzle_of(sheet: PenpaSheet) -> Puzzle:
    """Make a puzzle from a sheet."""
    paper, notes = Paper.of(sheet), list[str]()
    shape = board_of(sheet, paper, notes)
    numbers = numbers_of(sheet.question, paper, shape)
    stated = SheetRules(sheet, paper, shape, notes)
    rules = stated.rules()
    drawings = Drawings(sheet, paper, numbers.others, stated.used, stated.caged)
    puzzle = Puzzle(
        shape,
        numbers.givens,
        numbers.candidates,
        sheet.title,
        comment_of(sheet.author, sheet.rules),
        stated_of(sheet, paper, shape, numbers.givens),
        rules,
        tuple(dict.fromkeys(notes))[:_MOST_NOTES],
    )
    return as_meant(puzzle, sheet.rules, drawings.strokes(), drawings.marks())
