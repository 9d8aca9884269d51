"""The canvas for drawings: positions of cells, layers of SVG elements, and basic shapes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from itertools import cycle, pairwise

from ...puzzle.rules import Board, Clone, CompareSums, EqualSums, ExtraRegion, SameValues
from ...puzzle.rules.rule_base import Rule

CELL = 48
"""The side of a cell."""
LABEL = 11
"""The size of the labels in the corners of cells."""
LAYERS = ("shade", "line", "grid", "mark", "digit")
PALETTE = ("#d1495b", "#2e86ab", "#e08e1b", "#3a9d5d", "#8e5bb5", "#1aa6a6", "#b5651d", "#6c7a89")
"""Colours that are easy to distinguish, on white and on black."""

AREAS = (Clone, CompareSums, EqualSums, ExtraRegion, SameValues)
"""The kinds of rules of which every single rule gets a separate colour."""

Point = tuple[float, float]
Place = tuple[int, int]


class Canvas:
    """A board being drawn. Layers are drawn from "shade" up to "digit".

    The grid's top left corner is the origin. Extra cells are below the grid, except that those which
    describe each cell of the grid (unknown regions) coincide with it. ``labels`` holds the width of the labels in each
    cell's upper left corner, ``blank`` the cells in which nothing is written, ``inverse`` the dark cells with light
    values.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.layers: dict[str, list[str]] = {layer: [] for layer in LAYERS}
        self.outside: dict[Place, list[tuple[str, str, float]]] = defaultdict(list)
        self.bottom: float = board.shape.height * CELL
        self.right: float = board.shape.width * CELL
        self.origins = dict(self._origins())
        self.labels: dict[Point, float] = {}
        self.blank: set[str] = set()
        self.inverse: set[str] = set()
        self._palette = cycle(PALETTE)
        self._colours: dict[tuple[type[Rule], str], str] = {}

    def _origins(self) -> Iterator[tuple[str, Point]]:
        """Yield the top left corner of every group of cells that is drawn."""
        yield "", (0, 0)
        for name, group in list(self.board.groups.items())[1:]:
            if (group.height, group.width) == (self.board.shape.height, self.board.shape.width):
                yield name, (0, 0)
                continue
            yield name, (CELL, self.bottom + CELL / 2)
            self.bottom += group.height * CELL + CELL / 2
            self.right = max(self.right, (group.width + 1) * CELL)

    def colour_of(self, rule: Rule) -> str:
        """Return the colour of a rule from the palette: one for each kind, or for each single rule that is an area."""
        if isinstance(rule, AREAS):
            return next(self._palette)
        key = type(rule), str(getattr(rule, "name", ""))
        if key not in self._colours:
            self._colours[key] = next(self._palette)
        return self._colours[key]

    def corner(self, name: str) -> Point:
        group, row, column = self.board.place(name)
        x, y = self.origins[group]
        return x + column * CELL, y + row * CELL

    def centre(self, name: str) -> Point:
        x, y = self.corner(name)
        return x + CELL / 2, y + CELL / 2

    def centres(self, names: Iterable[str]) -> list[Point]:
        return [self.centre(name) for name in names]

    def add(self, layer: str, element: str, **attributes: object) -> None:
        """Add an element; "_" in attribute names becomes "-"."""
        written = "".join(f' {key.replace("_", "-")}="{_text(value)}"' for key, value in attributes.items())
        self.layers[layer].append(f"<{element}{written}/>")

    def text(self, layer: str, at: Point, content: object, size: float, **attributes: object) -> None:
        """Write a text centred at a point; ``text_anchor`` aligns it differently."""
        anchored = {"text_anchor": "middle", "fill": "currentColor", **attributes}
        written = "".join(f' {key.replace("_", "-")}="{_text(value)}"' for key, value in anchored.items())
        x, y = map(_number, (at[0], at[1] + 0.36 * size))
        self.layers[layer].append(f'<text x="{x}" y="{y}" font-size="{size:g}"{written}>{escape(str(content))}</text>')

    def label(self, corner: Point, content: object, shift: Point, **attributes: object) -> None:
        """Write a small label in a cell's upper left corner, to the right of earlier labels."""
        taken = self.labels.get(corner, 0.0)
        at = (corner[0] + shift[0] + taken, corner[1] + shift[1])
        self.text("mark", at, content, LABEL, text_anchor="start", **attributes)
        self.labels[corner] = taken + (len(str(content)) + 0.7) * LABEL * 0.6

    @contextmanager
    def pale(self, layer: str, opacity: float) -> Iterator[None]:
        """Let what is added to a layer shine through as one piece, so that it is no darker where its parts overlap."""
        begun = len(self.layers[layer])
        yield
        self.layers[layer][begun:] = [f'<g opacity="{opacity:g}">{"".join(self.layers[layer][begun:])}</g>']

    def path(self, layer: str, points: Sequence[Point], colour: str, width: float, **attributes: object) -> None:
        """Draw a line through points; a single point gives a dot."""
        listed = list(points) if len(points) > 1 else [points[0], (points[0][0] + 0.01, points[0][1])]
        joined = " ".join(f"{_number(x)},{_number(y)}" for x, y in listed)
        style = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round", **attributes}
        self.add(layer, "polyline", points=joined, stroke=colour, stroke_width=width, **style)

    def circle(self, layer: str, at: Point, radius: float, **attributes: object) -> None:
        self.add(layer, "circle", cx=at[0], cy=at[1], r=radius, **attributes)

    def disc(self, at: Point, radius: float, content: object = "", *, dark: bool = False) -> None:
        """Draw a small white (or dark) disc with a text, which looks the same on any background."""
        fill, ink = ("#222", "#fff") if dark else ("#fff", "#222")
        self.circle("mark", at, radius, fill=fill, stroke="#777", stroke_width=1.5)
        if content != "":
            size = min(13.0, 3.0 * radius / max(1.6, len(str(content))))
            self.text("mark", at, content, round(size, 1), fill=ink, font_weight=600)

    def shade(self, names: Iterable[str], colour: str, opacity: float = 0.22) -> None:
        for name in dict.fromkeys(names):
            x, y = self.corner(name)
            self.add("shade", "rect", x=x, y=y, width=CELL, height=CELL, fill=colour, fill_opacity=opacity)

    def arrow_head(self, before: Point, tip: Point, colour: str, size: float = 8, width: float = 2.5) -> None:
        """Draw the head of an arrow that comes from ``before``."""
        dx, dy = tip[0] - before[0], tip[1] - before[1]
        length = max((dx * dx + dy * dy) ** 0.5, 0.01)
        ux, uy = dx / length * size, dy / length * size
        left, right = (tip[0] - ux - uy, tip[1] - uy + ux), (tip[0] - ux + uy, tip[1] - uy - ux)
        self.path("line", [left, tip, right], colour, width)

    def outline(self, layer: str, names: Iterable[str], inset: float, **attributes: object) -> None:
        """Draw the border of a set of cells, moved inwards by ``inset``."""
        corners = {self.corner(name) for name in names}
        for corner in sorted(corners):
            for start, end in _sides(corner, corners, inset):
                x1, y1, x2, y2 = (*start, *end)
                self.add(layer, "line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def connected(points: Sequence[Point]) -> bool:
    """Return whether each cell, given by its centre, touches the one before, at least at a corner."""
    return all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= CELL for a, b in pairwise(points))


def _sides(corner: Point, corners: set[Point], inset: float) -> Iterator[tuple[Point, Point]]:
    """Yield the border lines of one cell: each end is shortened, straight, or bent around an inner corner."""
    x, y = corner

    def inside(across: int, down: int) -> bool:
        return (x + across * CELL, y + down * CELL) in corners

    def end(along: bool, diagonal: bool) -> float:
        return inset if not along else -inset if diagonal else 0

    for s in (-1, 1):
        if not inside(0, s):
            level = y + inset if s < 0 else y + CELL - inset
            left = x + end(inside(-1, 0), inside(-1, s))
            yield (left, level), (x + CELL - end(inside(1, 0), inside(1, s)), level)
        if not inside(s, 0):
            upright = x + inset if s < 0 else x + CELL - inset
            top = y + end(inside(0, -1), inside(s, -1))
            yield (upright, top), (upright, y + CELL - end(inside(0, 1), inside(s, 1)))


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


def _text(value: object) -> str:
    return _number(value) if isinstance(value, float) else escape(str(value))
