"""The drawings of a sheet besides its rules, as strokes and marks: lines, symbols, shades, texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import FormatError
from ...puzzle.drawn import Mark, Point, Stroke
from ..json_text import short
from . import styles
from .outlines import cages_drawn
from .packing import PenpaSheet
from .paper import CORNER, Paper, Place
from .paths import joined
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
