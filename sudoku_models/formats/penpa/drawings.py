"""The drawings of a sheet besides its rules, as strokes and marks: lines, symbols, shades, texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import FormatError
from ...puzzle.drawn import Mark, Point, Stroke
from ..json_text import short
from . import styles
from .packing import PenpaSheet
from .paper import CORNER, QUARTER, Paper, Place
from .sheet_board import THICK, DrawnNumber, entries

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
            colour = self._colour(key, place) or styles.LINES.get(style if type(style) is int else 0, "")
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
        step = styles.ARROWS.get(number.text[-2:]) if number.size == "2" else None
        if step is not None:
            row, column = self.paper.point(key.removesuffix("E"))
            ends = ((row + step[0] * part, column + step[1] * part) for part in (0.1, 0.45))
            yield Stroke(f"number {key}", tuple(ends), "#000000", 0.05, True)

    def _numbered(self, key: str) -> DrawnNumber:
        return DrawnNumber.of(entries(self.sheet.question, "number")[key])

    def _number(self, key: str) -> Mark:
        number = self._numbered(key)
        text = number.text[:-2] if number.size == "2" and number.text[-2:] in styles.ARROWS else number.text
        fill = styles.BEHIND_NUMBERS.get(number.style, "")
        width = styles.CIRCLES.get(number.size, 0.5) if fill else 0.0
        point = self.paper.point(key.removesuffix("E"))
        return Mark(f"number {key}", point, width, width, bool(fill), fill, text=text.strip())

    def _small(self, key: str) -> Mark:
        item = entries(self.sheet.question, "numberS")[key]
        text = item[0] if isinstance(item, list) and item and isinstance(item[0], str | int) else ""
        return Mark(f"numberS {key}", self.paper.point(key), text=str(text)[:100].strip())

    def _shade(self, key: str, style: object) -> Mark:
        style = style[0] if isinstance(style, list) and style else style
        fill = self._colour("surface", key) or styles.SURFACES.get(style if type(style) is int else 0, "")
        return Mark(f"surface {key}", self.paper.point(key), 1.0, 1.0, fill=fill)

    def _symbol(self, key: str, item: object) -> Mark:
        style, name = (item[0], str(item[1])) if isinstance(item, list) and len(item) > 1 else (0, "")
        number = style if type(style) is int else 0
        point, place = self.paper.point(key.removesuffix("E")), f"symbol {key}"
        own = self._colour("symbol", key)
        if name == "inequality":
            return Mark(place, point, text=styles.SIGNS[(number - 1) % 4])
        if name == "sudokumore" and number in styles.PILLS:
            rows, columns = styles.PILLS[number]
            centre = (point[0] + (rows - 1) / 2, point[1] + (columns - 1) / 2)
            return Mark(place, centre, rows - 0.2, columns - 0.2, True, own, "#b3b3b3")
        size = styles.SIZES.get(name)
        if size is None:
            return Mark(place, point, text=f"{name} {number}".strip()[:40])
        fill = own or styles.FIGURES.get(number, "")
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
    beside: dict[int, set[int]] = defaultdict(set)
    for key in outline:
        ends = [paper.index(end) for end in key.split(",")]
        if len(ends) == 2 and all(paper.kind(end) == QUARTER for end in ends):
            beside[ends[0]].add(ends[1])
            beside[ends[1]].add(ends[0])
    groups, left = [], set(beside)
    while left:
        waiting, reached = [min(left)], {min(left)}
        while waiting:
            more = beside[waiting.pop()] - reached
            reached |= more
            waiting += more
        left -= reached
        places = {paper.place(point) for point in reached}
        inside = {(r, c) for r, c in places if 0 <= r < paper.height and 0 <= c < paper.width}
        groups += [inside] if inside else []
    return groups


def _enclosed(cells: set[Place]) -> set[Place]:
    """Return the cells that are enclosed by other cells."""
    rows, columns = ({place[axis] for place in cells} for axis in (0, 1))
    box = {(r, c) for r in range(min(rows) - 1, max(rows) + 2) for c in range(min(columns) - 1, max(columns) + 2)}
    start = (min(rows) - 1, min(columns) - 1)
    outside, waiting = {start}, [start]
    while waiting:
        r, c = waiting.pop()
        for near in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if near in box and near not in cells and near not in outside:
                outside.add(near)
                waiting.append(near)
    return box - cells - outside


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
        if following is None or not _are_in_line(kept[-1], point, following):
            kept.append(point)
    return tuple(kept)


def _are_in_line(a: Point, b: Point, c: Point) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) < 1e-9
