"""Makes of the lines, marks and texts of a document the things that they show together.

The programs in which setters draw have no tool for an arrow in a colour of one's own, a pill, or a cage in another
style, so these are put together: a line with a chevron at its end, a short thick line, an outline within some cells.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import dist, floor

from ..puzzle.drawn import Mark, Point, Stroke
from ..puzzle.shape import Shape
from .colours import name_of
from .regions import cage_mark, grouped, touching

Cell = tuple[int, int]
MOST = 2_000
"""The largest number of shapes of a document that are examined, and of cells of a line."""
BULB = 0.4
"""The smallest size of a mark at a line's end, in cells."""
DOT, WHOLE = 0.6, 0.96
"""The sizes, in cells, of the largest dot and of the largest mark that does not fill its cell."""
_FEW = 20
"""The number of shapes in one place that are examined, so that the time grows with the number of shapes alone."""
_FARTHEST = 60
"""The largest row or column of a line on the grid."""
_NEAR = 0.15
"""How far apart, in cells, points may be that are meant as one."""
_INSET, _ON_BORDER = 0.35, 0.03
"""The largest distance, in cells, of the outline of some cells from their borders, and of one that lies on them."""
_EIGHT = (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)
_WAYS = dict(zip("\u2192\u2198\u2193\u2199\u2190\u2196\u2191\u2197", _EIGHT, strict=True))
"""Signs for arrows, and where they point: down and right."""
_AIMED = re.compile(rf"\s*(\d*)\s*([{''.join(_WAYS)}])\ufe0e?\s*(\d*)\s*\Z")


def composed(strokes: Sequence[Stroke], marks: Sequence[Mark], shape: Shape) -> tuple[list[Stroke], list[Mark]]:
    """Return the strokes and marks of a board as they are meant together."""
    strokes = [stroke for stroke in _headed(strokes) if not _is_border(stroke, shape)]
    strokes, marks = _without(strokes, marks, _as_mark)
    strokes = _to_middles(strokes, marks)
    starts = {cell_of(stroke.points[0]) for stroke in strokes if stroke.arrow and stroke.points}
    strokes, marks = _without(strokes, marks, lambda one: _pill(one, starts))
    strokes = _joined(strokes, marks, shape)
    numbered = {cell_of(one.centre) for one in marks if one.text.strip().isdecimal() and in_corner(one)}
    strokes, marks = _without(strokes, marks, lambda one: _outlined(one.name, one.points, numbered, shape, one.colour))
    marks = _lettered([_boxed(mark, numbered, shape) or mark for mark in marks], {*map(str, shape.values)})
    signs, marks = _aimed(marks, shape)
    return [*strokes, *signs], marks


def _without(
    strokes: Iterable[Stroke], marks: Iterable[Mark], of: Callable[[Stroke], Mark | None]
) -> tuple[list[Stroke], list[Mark]]:
    """Return the strokes that are no marks, and all marks."""
    pairs = [(stroke, of(stroke)) for stroke in strokes]
    return [one for one, mark in pairs if mark is None], [*marks, *(mark for _, mark in pairs if mark is not None)]


# ---- arrows


def _headed(strokes: Sequence[Stroke]) -> list[Stroke]:
    """Return the strokes; a line with a head that is drawn apart, as a chevron or a short arrow, is an arrow."""
    heads = grouped((cell_of(tip), one) for one in strokes if (tip := _tip(one)) is not None)
    found, gone = list[Stroke](), set[int]()
    for stroke in strokes:
        for points in (stroke.points, stroke.points[::-1]) if not stroke.arrow and len(stroke.points) > 1 else ():
            near = heads.get(cell_of(points[-1]), ())[:_FEW]
            alike = (one for one in near if one.colour == stroke.colour and _length(one) < 1.5 * _length(stroke))
            head = next((one for one in alike if _points_on(one, points)), None)
            if head is not None and id(head) not in gone:
                gone.add(id(head))
                stroke = replace(stroke, name=f"{stroke.name}, {head.name}", points=points, arrow=True)
                break
        found.append(stroke)
    return [stroke for stroke in found if id(stroke) not in gone]


def _length(stroke: Stroke) -> float:
    return sum(dist(a, b) for a, b in pairwise(stroke.points))


def _tip(stroke: Stroke) -> Point | None:
    """Return where a stroke points to if it may be the head of an arrow: a chevron, or a short arrow."""
    if stroke.arrow:
        return stroke.points[-1] if len(stroke.points) == 2 and _length(stroke) < 1.5 else None
    return stroke.points[1] if len(stroke.points) == 3 and _length(stroke) < 2 * DOT else None


def _points_on(head: Stroke, points: Sequence[Point]) -> bool:
    """Return whether a head lies at the end of a line and points where it goes."""
    tip, (before, end) = _tip(head), points[-2:]
    if tip is None or dist(tip, end) > _NEAR or dist(before, end) < _NEAR:
        return False
    legs = [point for point in head.points if point != tip]
    ahead = [(tip[0] - y) * (end[0] - before[0]) + (tip[1] - x) * (end[1] - before[1]) for y, x in legs]
    sizes = [dist(tip, leg) * dist(before, end) for leg in legs]
    return bool(legs) and all(along > 0.3 * size for along, size in zip(ahead, sizes, strict=True))


def _to_middles(strokes: Sequence[Stroke], marks: Sequence[Mark]) -> list[Stroke]:
    """Return the strokes; those that end at a circle or a diamond end in its middle."""
    sized = (mark for mark in marks if (mark.round or mark.turned) and BULB <= max(mark.height, mark.width) <= 1.2)
    rims = {cell_of(mark.centre): mark for mark in sized if is_inside(mark.centre, 0.2)}

    def end(point: Point, before: Point) -> Point:
        row, column = cell_of(point)
        for cell in ((row, column), *product(range(row - 1, row + 2), range(column - 1, column + 2))):
            mark = rims.get(cell)
            rim = max(mark.height, mark.width) / 2 + 0.1 if mark is not None and cell != (row, column) else 1.0
            if mark is not None and dist(mark.centre, point) <= rim:
                return mark.centre if dist(mark.centre, before) > dist(point, before) else point
        return point

    found = list[Stroke]()
    for stroke in strokes:
        points = list(stroke.points)
        if len(points) > 1:
            points[0] = end(points[0], points[1])
            points[-1] = points[-1] if stroke.arrow else end(points[-1], points[-2])
        found.append(stroke if points == list(stroke.points) else replace(stroke, points=tuple(points)))
    return found


def _aimed(marks: Sequence[Mark], shape: Shape) -> tuple[list[Stroke], list[Mark]]:
    """Return the arrows that are drawn as signs beside the board, and the marks without them."""
    arrows, kept = list[Stroke](), list[Mark]()
    for mark in marks:
        found, (row, column) = _AIMED.match(mark.text) if mark.text else None, mark.centre
        if found is None or (0 <= row <= shape.height and 0 <= column <= shape.width):
            kept.append(mark)
            continue
        down, right = _WAYS[found[2]]
        arrows.append(Stroke(mark.name, ((row, column), (row + 0.2 * down, column + 0.2 * right)), "", 0.0, True))
        if number := found[1] or found[3]:
            kept.append(replace(mark, text=number))
    return arrows, kept


# ---- marks and cages


def _as_mark(stroke: Stroke) -> Mark | None:
    """Return what a line looks like: a circle if it has no length or is a ring, a sign of less and greater; or None."""
    if stroke.arrow or not stroke.points:
        return None
    down, across = zip(*stroke.points, strict=True)
    height, width = max(down) - min(down), max(across) - min(across)
    centre = (min(down) + height / 2, min(across) + width / 2)
    if max(height, width) < 0.05 and stroke.thickness >= BULB:
        return Mark(stroke.name, centre, stroke.thickness, stroke.thickness, True, stroke.colour)
    radii = [dist(centre, point) for point in stroke.points]
    if len(radii) > 8 and dist(stroke.points[0], stroke.points[-1]) < _NEAR and max(radii) < 1.1 * min(radii) < 0.7:
        return Mark(stroke.name, centre, height, width, True, border=stroke.colour)
    if len(stroke.points) != 3 or max(height, width) > DOT:
        return None
    to_tip, aside = (axis[1] - (axis[0] + axis[2]) / 2 for axis in (down, across))
    sign = ">" if aside > abs(to_tip) else "<" if aside < -abs(to_tip) else "\u2228" if to_tip > 0 else "\u2227"
    return Mark(stroke.name, centre, height, width, text=sign)


def _pill(stroke: Stroke, starts: set[Cell]) -> Mark | None:
    """Return the round mark that a short thick line looks like if an arrow begins there; None if it is none."""
    path = path_of(stroke.points) if not stroke.arrow and stroke.thickness >= DOT and len(stroke.points) == 2 else None
    if path is None or len(path) > 3 or starts.isdisjoint(path):
        return None
    (r1, c1), (r2, c2) = stroke.points
    height, width = abs(r1 - r2), abs(c1 - c2)
    size, centre = (height + stroke.thickness, width + stroke.thickness), ((r1 + r2) / 2, (c1 + c2) / 2)
    return Mark(stroke.name, centre, *size, True, stroke.colour) if min(height, width) <= 0.05 else None


def _outlined(
    name: str, points: Sequence[Point], numbered: Collection[Cell], shape: Shape, colour: str = ""
) -> Mark | None:
    """Return the cage that a line around some cells, within their borders or on them about a number, looks like.

    Within one cell that has no number in its corner it is a square.
    """
    if len(points) < 4:
        return None
    off, sides = max(abs(at - round(at)) for point in points for at in point), [*pairwise((*points, points[0]))]
    upright = all(min(abs(a - b) for a, b in zip(one, other, strict=True)) < 0.02 for one, other in sides)
    if not upright or off > _INSET:
        return None
    cells = list[Cell]()
    for row in range(shape.height):  # a cell is inside if an odd number of sides is left of its middle
        walls = sorted(left for (top, left), (bottom, _) in sides if min(top, bottom) < row + 0.5 < max(top, bottom))
        cells += [(row, column) for column in range(shape.width) if walls and bisect(walls, column + 0.5) % 2]
    if len(touching(cells)) != 1 or (len(cells) == shape.cells and len(cells) > 1):
        return None
    plain = off > _ON_BORDER and len(cells) <= len(shape.values)
    if plain and len(cells) == 1 and cells[0] not in numbered:
        return Mark(name, _middle(cells[0]), 1 - 2 * off, 1 - 2 * off, border=colour)
    return cage_mark(name, cells, "") if plain or cells[0] in numbered else None


def in_corner(mark: Mark) -> bool:
    """Return whether a mark is in the upper left corner of its cell, where cages have their number."""
    return all(0.05 < at - floor(at) < 0.4 for at in mark.centre)


def _boxed(mark: Mark, numbered: Collection[Cell], shape: Shape) -> Mark | None:
    """Return the cage that a rectangle without a fill around a number in its corner looks like."""
    (row, column), height, width = mark.centre, mark.height / 2, mark.width / 2
    if mark.round or mark.turned or mark.text or mark.cells or mark.fill or not mark.border or max(height, width) < 0.6:
        return None
    corners = [(row + a * height, column + b * width) for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))]
    first = cell_of((corners[0][0] + _INSET, corners[0][1] + _INSET))
    return _outlined(mark.name, corners, numbered, shape) if first in numbered else None


def _lettered(marks: Sequence[Mark], values: Collection[str]) -> list[Mark]:
    """Return the marks; a text without a shape amid a shape without a text, or several in it, are a part of it.

    A value in the middle of a cell is not: it is a digit there, whatever the shape around it means.
    """
    shapes = [one for one in marks if not (one.text or one.cells) and max(one.height, one.width) < WHOLE]
    near: dict[Cell, list[Mark]] = defaultdict(list)
    for one in marks:
        place = cell_of((2 * one.centre[0], 2 * one.centre[1]))
        if says_something(one.text) and not (one.fill or one.border or one.cells) and len(near[place]) < _FEW:
            near[place].append(one)
    parts = dict[Mark, str]()
    taken = set[Mark]()
    for shape in shapes:
        row, column = cell_of((2 * shape.centre[0], 2 * shape.centre[1]))
        places = product((row - 1, row, row + 1), (column - 1, column, column + 1))
        around = [one for place in places for one in near.get(place, ())]
        amid = [one for one in around if dist(one.centre, shape.centre) < 0.1]
        beside = [one for one in around if shape.round and dist(one.centre, shape.centre) < shape.width / 2]
        found = amid[-1:] or (beside if len(beside) > 1 else [])
        digit = amid and amid[-1].text.strip() in values and all(abs(at % 1 - 0.5) <= 0.1 for at in shape.centre)
        if found and not digit:
            parts[shape] = " ".join(one.text.strip() for one in sorted(found, key=lambda one: one.centre))
            taken.update(amid or found)
    return [replace(one, text=parts[one]) if one in parts else one for one in marks if one not in taken]


def says_something(text: str) -> bool:
    """Return whether a text may be a part of a rule, rather than an ornament."""
    return any(letter.isalnum() or letter in "<>^\u2227\u2228\u221e" for letter in text)


# ---- lines


def _joined(strokes: Sequence[Stroke], marks: Sequence[Mark], shape: Shape) -> list[Stroke]:
    """Return the lines, as one those that go on where another of their look ends, in a cell without a mark."""
    corners = set(product((0.5, shape.height - 0.5), (0.5, shape.width - 0.5)))  # where diagonals end
    barred = {_place(mark.centre) for mark in marks if mark.round or mark.turned}
    bulbs = {(_place(mark.centre), name_of(mark.fill)) for mark in marks if mark.round}
    rings = {(_place(mark.centre), mark.border) for mark in marks if mark.round and mark.border != mark.fill}

    def ends(stroke: Stroke, crossed: Collection[Point] = ()) -> set[tuple[str, float, Point, Point]]:
        both = _ends(stroke)
        free = both - barred if len(both) == 2 and not stroke.arrow and not both <= corners else set[Point]()
        ways = ((place, _way(stroke, place) if place in crossed else place) for place in free)
        return {(stroke.colour, stroke.thickness, place, way) for place, way in ways}

    def has_bulb(stroke: Stroke) -> bool:
        ends = [place for place in _ends(stroke) if (place, stroke.colour) not in rings]
        return not bulbs.isdisjoint((place, name_of(stroke.colour)) for place in ends)

    met = Counter(end for stroke in strokes for end in ends(stroke))
    if crossed := {end[2] for end, count in met.items() if count == 4}:
        marked = Counter(place for stroke in strokes for place in _ends(stroke) & crossed if _ends(stroke) & barred)
        crossed = {place for place in crossed if marked[place] != 1}  # else a thermometer has three branches there
        met = Counter(end for stroke in strokes for end in ends(stroke, crossed))
    at, found = dict[tuple[str, float, Point, Point], Stroke](), dict[Stroke, None]()
    for stroke in strokes if max(met.values(), default=0) > 1 else ():
        whole = stroke
        for end in sorted(ends(stroke, crossed)):
            other = at.get(end)
            if other not in found or other is None or met[end] > 2 or set(other.points) == set(whole.points):
                continue
            if has_bulb(other) and has_bulb(whole):  # two thermometers with one tip
                continue
            first = other.points if _place(other.points[-1]) == end[2] else other.points[::-1]
            second = whole.points if _place(whole.points[0]) == end[2] else whole.points[::-1]
            found.pop(whole, None)
            found.pop(other)
            name = ", ".join(dict.fromkeys([*other.name.split(", "), *whole.name.split(", ")]))
            whole = replace(other, name=name, points=(*first, *second[1:]))
        found[whole] = None
        at |= dict.fromkeys(ends(whole, crossed), whole)
    return _branched(list(found) or strokes, barred)


def _ends(stroke: Stroke) -> set[Point]:
    return set(map(_place, (*stroke.points[:1], *stroke.points[-1:])))


def _way(stroke: Stroke, place: Point) -> Point:
    """Return the direction in which a stroke begins or ends at a place, the same for what goes straight on there."""
    (r1, c1), (r2, c2) = stroke.points[:2] if _place(stroke.points[0]) == place else stroke.points[-2:]
    way = (round((r2 - r1) / max(abs(r2 - r1), abs(c2 - c1)), 1), round((c2 - c1) / max(abs(r2 - r1), abs(c2 - c1)), 1))
    return max(way, (-way[0], -way[1]))


def _place(point: Point) -> Point:
    """Return the middle of a cell for a point near it; for others, on a border, the point in tenths."""
    middle = (floor(point[0]) + 0.5, floor(point[1]) + 0.5)
    near = all(abs(a - b) <= 0.2 for a, b in zip(point, middle, strict=True))
    return middle if near else (round(point[0], 1), round(point[1], 1))


def _branched(strokes: Sequence[Stroke], marked: Collection[Point]) -> list[Stroke]:
    """Return the lines; one that begins on another of its look, which has a mark at one end, goes on from there."""
    paths = [None if one.arrow else path_of(one.points) for one in strokes]
    stems: dict[tuple[str, float, Cell], Sequence[Cell]] = {}
    for one, path in zip(strokes, paths, strict=True):
        first, last = ((_middle(cell) in marked) for cell in (path[0], path[-1])) if path else (False, False)
        if path and first != last:
            way = path if first else path[::-1]
            stems |= {(one.colour, one.thickness, cell): way[:at] for at, cell in enumerate(way)}
    found = list[Stroke]()
    for one, path in zip(strokes, paths, strict=True):
        ways = [path, path[::-1]] if path and not any(_middle(cell) in marked for cell in (path[0], path[-1])) else []
        begun = ((stems.get((one.colour, one.thickness, way[0]), ()), way) for way in ways)
        whole = next(((*stem, *way) for stem, way in begun if stem), None)
        found.append(replace(one, points=tuple(map(_middle, whole))) if whole else one)
    return found


def _middle(cell: Cell) -> Point:
    return cell[0] + 0.5, cell[1] + 0.5


def _is_border(stroke: Stroke, shape: Shape) -> bool:
    """Return whether a line lies wholly on the borders of regions or of the board, which it only draws again."""

    def region(cell: Cell) -> int | None:
        on = 0 <= cell[0] < shape.height and 0 <= cell[1] < shape.width
        return shape.region_of[cell[0] * shape.width + cell[1]] if on else -1

    plain = not stroke.arrow and name_of(stroke.colour) in ("", "black", "grey", "white")  # others may mean something
    sides = (len(set(map(region, wall))) for wall in (walls_of(stroke) if plain else ()))
    return next(sides, 1) == 2 and all(side == 2 for side in sides)


def walls_of(stroke: Stroke) -> Iterator[frozenset[Cell]]:
    """Yield the pairs of neighbours between which a line on the grid goes; none for other lines."""
    places = [(round(row), round(column)) for row, column in stroke.points]
    off = max((dist(point, place) for point, place in zip(stroke.points, places, strict=True)), default=1.0)
    if off > 0.05 or max(abs(at) for place in places for at in place) > _FARTHEST:
        return
    for (r1, c1), (r2, c2) in {(min(pair), max(pair)) for pair in pairwise(places)}:
        if r1 == r2:
            yield from (frozenset([(r1 - 1, column), (r1, column)]) for column in range(c1, c2))
        elif c1 == c2:
            yield from (frozenset([(row, c1 - 1), (row, c1)]) for row in range(r1, r2))


def path_of(points: Sequence[Point]) -> tuple[Cell, ...] | None:
    """Return the cells that a line passes through in order; None unless it goes from cell to neighbouring cell."""
    last = len(points) - 1
    inside = [point for at, point in enumerate(points) if is_inside(point, _ON_BORDER if at in (0, last) else 0.1)]
    if not inside or points[0] not in inside or points[-1] not in inside:
        return None
    ends = [cell_of(point) for point in inside]
    found = ends[:1]
    for (r1, c1), (r2, c2) in pairwise(ends):
        down, right = r2 - r1, c2 - c1
        steps = max(abs(down), abs(right))
        if steps == 0:
            continue
        if (down and right and abs(down) != abs(right)) or len(found) + steps > MOST:
            return None
        found += [(r1 + i * down // steps, c1 + i * right // steps) for i in range(1, steps + 1)]
    return tuple(found)


def is_inside(point: Point, by: float) -> bool:
    """Return whether a point is at least so far from the borders of its cell."""
    return all(abs(at - round(at)) >= by for at in point)


def cell_of(point: Point) -> Cell:
    """Return the cell that contains a point; it may be outside the board."""
    return floor(point[0]), floor(point[1])
