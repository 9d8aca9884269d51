"""The pictures of rules: lines and arrows, marks on and between cells, clues beside the grid, cages and shades."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import dist
from typing import Any, TypeVar

from ...puzzle import rules as r
from ...puzzle.rules.words import own
from .canvas import CELL, Canvas, Place, Point, connected

BROAD = 9.0
RING = CELL * 0.38
DOT = 6.5
INSET = 5.0


class Undrawn(Exception):
    """Raised for a rule that its picture does not show, or not wholly: it is described in words."""


Draw = Callable[[Canvas, Any, str], None]
"""Draws a rule in a colour; raises Undrawn."""
Function = TypeVar("Function", bound=Draw)
_DRAWINGS: dict[str, Draw] = {}


def draws(name: str) -> Callable[[Function], Function]:
    """Register a function under the name that rules give in ``drawing``, with the colour."""

    def enter(function: Function) -> Function:
        _DRAWINGS[name] = function
        return function

    return enter


def draw_rule(canvas: Canvas, rule: r.Rule) -> str:
    """Draw a rule and return its colour; "" if it must be described in words."""
    name, colour = own(rule, "drawing") or ("", "")
    draw = _DRAWINGS.get(name, own_line if isinstance(rule, r.CellsRule) else None)
    if draw is None:
        return ""
    colour = colour or canvas.colour_of(rule)
    try:
        draw(canvas, rule, colour)
    except Undrawn:
        return ""
    return colour


# ---- lines and arrows


@draws("line")
def _broad(canvas: Canvas, rule: r.Rule, colour: str) -> None:
    points = canvas.centres(rule.scope)
    canvas.path("line", points, colour, BROAD, stroke_opacity=0.6)
    stated = (getattr(rule, field, usual) for field, usual in _USUAL.items() if getattr(rule, field, usual) != usual)
    _number(canvas, points, next(stated, None), colour)


_USUAL: dict[str, int | None] = {"difference": None, "step": None, "modulus": 3}
"""The numbers that are written on lines, with those that are not."""


@draws("zipper")
def _zipper(canvas: Canvas, rule: r.Zipper, colour: str) -> None:
    points = canvas.centres(rule.cells)
    canvas.path("line", points, colour, BROAD, stroke_opacity=0.6)
    a, b = points[(len(points) - 1) // 2], points[len(points) // 2]
    canvas.circle("line", _middle(a, b), 7, fill=colour, fill_opacity=0.9)


@draws("sum line")
def _sum_line(canvas: Canvas, rule: r.SumLine, colour: str) -> None:
    points = canvas.centres(rule.cells)
    canvas.path("line", [*points, points[0]] if rule.loop else points, colour, BROAD, stroke_opacity=0.6)
    _number(canvas, points, rule.total, colour)


@draws("thermometer")
def _thermo(canvas: Canvas, rule: r.Rule, colour: str) -> None:
    points = canvas.centres(rule.scope)
    thin = isinstance(rule, r.SlowThermo)
    with canvas.pale("line", 0.55):
        canvas.path("line", points, colour, 6 if thin else 14)
        canvas.circle("line", points[0], RING * 0.9, fill=colour)


@draws("two ends")
def _two_ends(canvas: Canvas, rule: r.Rule, colour: str) -> None:
    points = canvas.centres(rule.scope)
    canvas.path("line", points, colour, 5, stroke_opacity=0.7)
    for end in (points[0], points[-1]):
        if isinstance(rule, r.Lockout):
            x, y = end
            corners = [(x - RING, y), (x, y - RING), (x + RING, y), (x, y + RING), (x - RING, y)]
            canvas.path("line", corners, colour, 2, fill=colour, fill_opacity=0.3)
        else:
            canvas.circle("line", end, RING, fill=colour, fill_opacity=0.3, stroke=colour, stroke_width=2)
    if isinstance(rule, r.Lockout):
        _number(canvas, points, rule.difference, colour)


@draws("arrow")
def _arrow(canvas: Canvas, rule: r.Arrow, colour: str) -> None:
    points = canvas.centres(rule.cells)
    canvas.circle("line", points[0], RING, fill="none", stroke=colour, stroke_width=2.5)
    _shaft(canvas, [_towards(points[0], points[1], RING), *points[1:]], colour)


@draws("double arrow")
def _double_arrow(canvas: Canvas, rule: r.DoubleArrow, colour: str) -> None:
    points = canvas.centres(rule.cells)
    for end in (points[0], points[-1]):
        canvas.circle("line", end, RING, fill="none", stroke=colour, stroke_width=2.5)
    inner = [_towards(points[0], points[1], RING), *points[1:-1], _towards(points[-1], points[-2], RING)]
    canvas.path("line", inner, colour, 2.5)


@draws("vertex")
def _vertex(canvas: Canvas, rule: r.Vudoku, colour: str) -> None:
    points = canvas.centres(rule.cells)
    with canvas.pale("line", 0.6):
        canvas.path("line", points, colour, 5)
        canvas.circle("line", points[1], RING / 3, fill=colour)


@draws("pill arrow")
def _pill_arrow(canvas: Canvas, rule: r.PillArrow, colour: str) -> None:
    corners = [canvas.corner(name) for name in rule.pill]
    (left, right), (top, bottom) = ((min(v), max(v)) for v in zip(*corners, strict=True))
    inset, width, height = CELL / 2 - RING, right - left + 2 * RING, bottom - top + 2 * RING
    if (right - left + CELL) * (bottom - top + CELL) != len(rule.pill) * CELL * CELL:
        raise Undrawn
    box = {"x": left + inset, "y": top + inset, "width": width, "height": height, "rx": RING}
    canvas.add("line", "rect", fill="none", stroke=colour, stroke_width=2.5, **box)
    points = canvas.centres(rule.shaft)
    nearest = min(canvas.centres(rule.pill), key=lambda p: dist(p, points[0]))
    _shaft(canvas, [_towards(nearest, points[0], RING), *points], colour)


@draws("segments")
def _equal_sums(canvas: Canvas, rule: r.EqualSums, colour: str) -> None:
    for segment in rule.segments:
        canvas.path("line", canvas.centres(segment), colour, BROAD, stroke_opacity=0.6)


@draws("value indexing")
def _indexing(canvas: Canvas, rule: r.ValueIndexing, colour: str) -> None:
    points = canvas.centres(rule.cells)
    for end, radius in zip(points, (RING, RING * 0.7), strict=False):
        canvas.circle("line", end, radius, fill="none", stroke=colour, stroke_width=2.5)
    _shaft(canvas, points, colour)


@draws("own line")
def own_line(canvas: Canvas, rule: r.Rule, colour: str) -> None:
    """Draw a user-defined rule: a dashed line through its cells, or shaded cells if they do not touch."""
    segments = getattr(rule, "segments", (rule.scope,))
    for segment in filter(None, segments):
        points = canvas.centres(segment)
        if len(points) > 1 and connected(points):
            canvas.path("line", points, colour, 5, stroke_opacity=0.8, stroke_dasharray="1 9")
        else:
            canvas.shade(segment, colour)


def _shaft(canvas: Canvas, points: list[Point], colour: str) -> None:
    tip = _towards(points[-1], points[-2], -CELL * 0.2)
    canvas.path("line", [*points[:-1], tip], colour, 2.5)
    canvas.arrow_head(points[-2], tip, colour)


def _number(canvas: Canvas, points: list[Point], number: int | None, colour: str) -> None:
    if number is not None:
        corner = (points[0][0] - CELL / 2, points[0][1] - CELL / 2)
        canvas.label(corner, number, (2.5, 8.5), fill=colour, font_weight=700)


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _towards(start: Point, end: Point, length: float) -> Point:
    """Return the point at a distance from ``start`` in the direction of ``end``."""
    scale = length / max(dist(start, end), 0.01)
    return start[0] + (end[0] - start[0]) * scale, start[1] + (end[1] - start[1]) * scale


# ---- marks on cells and between them, clues beside the grid


def _border(canvas: Canvas, rule: r.Rule) -> Point:
    """Return the midpoint between two neighbours."""
    a, b = canvas.centres(rule.scope)
    if max(abs(a[0] - b[0]), abs(a[1] - b[1])) != CELL:
        raise Undrawn
    return _middle(a, b)


@draws("dot")
def _dot(canvas: Canvas, rule: r.Difference | r.Ratio, colour: str) -> None:
    dark = isinstance(rule, r.Ratio)
    usual = rule.value == (2 if dark else 1)
    canvas.disc(_border(canvas, rule), DOT if usual else DOT + 2, "" if usual else rule.value, dark=dark)


@draws("letter")
def _sum_of_two(canvas: Canvas, rule: r.XV, colour: str) -> None:
    if rule.total is None:
        raise Undrawn
    canvas.disc(_border(canvas, rule), DOT + 2.5, {5: "V", 10: "X"}.get(rule.total, rule.total))


@draws("greater")
def _greater(canvas: Canvas, rule: r.Greater, colour: str) -> None:
    (x1, y1), (x2, y2) = canvas.centres(rule.cells)
    _chevron(canvas, _border(canvas, rule), ((x2 - x1) / CELL, (y2 - y1) / CELL), colour, 6)


@draws("peak")
def _peak(canvas: Canvas, rule: r.Minimum | r.Maximum, colour: str) -> None:
    canvas.shade([rule.cell], "currentColor", 0.08)
    x, y = canvas.centre(rule.cell)
    sign, reach = (1 if isinstance(rule, r.Maximum) else -1), CELL * 0.42
    for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        _chevron(canvas, (x + dx * reach, y + dy * reach), (sign * dx, sign * dy), colour, 4)
    if rule.wrap:
        raise Undrawn


def _chevron(canvas: Canvas, at: Point, way: Point, colour: str, size: float) -> None:
    """Draw a > that points in the given direction, to the smaller side."""
    (x, y), (dx, dy) = at, way
    before, side = (x - dx * size * 0.6, y - dy * size * 0.6), (dy * size, dx * size)
    tip = (x + dx * size * 0.6, y + dy * size * 0.6)
    ends = [(before[0] + side[0], before[1] + side[1]), tip, (before[0] - side[0], before[1] - side[1])]
    canvas.path("mark", ends, colour, 2)


@draws("quadruple")
def _quadruple(canvas: Canvas, rule: r.Quadruple, colour: str) -> None:
    points = canvas.centres(rule.cells)
    across, down = ([p[axis] for p in points] for axis in (0, 1))
    if len(points) != 4 or max(across) - min(across) != CELL or max(down) - min(down) != CELL:
        raise Undrawn
    at = (min(across) + CELL / 2, min(down) + CELL / 2)
    canvas.disc(at, 12)
    half = (len(rule.values) + 1) // 2 if len(rule.values) > 2 else len(rule.values)
    lines = [line for line in (rule.values[:half], rule.values[half:]) if line]
    for i, line in enumerate(lines):
        shift = (i - (len(lines) - 1) / 2) * 9
        canvas.text("mark", (at[0], at[1] + shift), " ".join(map(str, line)), 9, fill="#222", font_weight=600)


@draws("circles")
def _circles(canvas: Canvas, rule: r.CountingCircles, colour: str) -> None:
    for at in canvas.centres(rule.cells):
        canvas.circle("line", at, CELL * 0.4, fill=colour, fill_opacity=0.15, stroke=colour, stroke_width=2)


@draws("parity")
def _parity(canvas: Canvas, rule: r.Parity, colour: str) -> None:
    x, y = canvas.centre(rule.cell)
    reach = CELL * 0.36
    if rule.odd:
        canvas.circle("shade", (x, y), reach, fill=colour, fill_opacity=0.4)
    else:
        box = {"x": x - reach, "y": y - reach, "width": 2 * reach, "height": 2 * reach}
        canvas.add("shade", "rect", fill=colour, fill_opacity=0.4, **box)


@draws("half")
def _half(canvas: Canvas, rule: r.Half, colour: str) -> None:
    x, y = canvas.corner(rule.cell)
    at = (x + CELL / 2, y + CELL - 8 if rule.low else y + 8)
    canvas.text("mark", at, "low" if rule.low else "high", 10, fill=colour, font_weight=600)


@draws("indexer")
def _indexer(canvas: Canvas, rule: r.Rule, colour: str) -> None:
    canvas.shade(rule.scope, colour, 0.25)


@draws("one of")
def _one_of(canvas: Canvas, rule: r.OneOf, colour: str) -> None:
    """Draw nothing: candidates are drawn with those of the puzzle (``frame``)."""


FIELDS = ("total", "count", "value", "rank")


def _seen_from(canvas: Canvas, cells: tuple[str, ...]) -> tuple[Place, Place]:
    """Return the place outside the grid from which a line is seen, and the step inwards."""
    if len(cells) < 2:
        raise Undrawn
    (group, row, column), (other, below, right) = (canvas.board.place(name) for name in cells[:2])
    step = (below - row, right - column)
    before = (row - step[0], column - step[1])
    if group or other or canvas.board.at("", *before) is not None or max(map(abs, step)) != 1:
        raise Undrawn
    return before, step


@draws("clue")
def _clue(canvas: Canvas, rule: r.Rule, colour: str) -> None:
    place, _ = _seen_from(canvas, rule.scope)
    value = next(getattr(rule, field) for field in FIELDS if hasattr(rule, field))
    canvas.outside[place].append((str(value), colour, 0))


@draws("rossini")
def _rossini(canvas: Canvas, rule: r.Rossini, colour: str) -> None:
    place, (down, across) = _seen_from(canvas, rule.cells)
    if down and across:
        raise Undrawn
    arrows = {(0, 1): "\u2192", (0, -1): "\u2190", (1, 0): "\u2193", (-1, 0): "\u2191"}
    canvas.outside[place].append((arrows[(down, across) if rule.rising else (-down, -across)], colour, 0))


@draws("little killer")
def _little_killer(canvas: Canvas, rule: r.LittleKiller, colour: str) -> None:
    place, (down, across) = (_seen_from if len(rule.cells) > 1 else _corner)(canvas, rule.cells)
    if not (down and across):
        raise Undrawn
    row, column = place
    x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
    start = (x + across * CELL * 0.17, y + down * CELL * 0.17)
    tip = (x + across * CELL * 0.44, y + down * CELL * 0.44)
    canvas.path("line", [start, tip], colour, 2)
    canvas.arrow_head(start, tip, colour, 5, 2)
    canvas.outside[place].append((str(rule.total), colour, -across * 11.0))


def _corner(canvas: Canvas, cells: tuple[str, ...]) -> tuple[Place, Place]:
    """Return the place for a diagonal of one cell, in a corner of the grid."""
    group, row, column = canvas.board.place(cells[0])
    shape = canvas.board.shape
    if group or row not in (0, shape.height - 1) or column not in (0, shape.width - 1):
        raise Undrawn
    down, across = (-1 if row == 0 else 1), (1 if column == 0 else -1)
    return (row - down, column - across), (down, across)


def write_outside(canvas: Canvas) -> tuple[float, float, float, float]:
    """Write the clues, side by side if they share a place; return the space needed: left, top, right, bottom."""
    shape = canvas.board.shape
    room = [0.0, 0.0, 0.0, 0.0]
    for (row, column), clues in canvas.outside.items():
        upright = 0 <= column < shape.width
        for i, (text, colour, aside) in enumerate(clues):
            at = ((column + 0.5) * CELL + aside, _level(row, shape.height, i))
            if not upright:
                at = (_level(column, shape.width, 1.6 * i) + aside, (row + 0.5) * CELL)
            canvas.text("mark", at, text, 15, fill=colour, font_weight=600)
        need = CELL * 0.6 + 16 * (len(clues) - 1) * (1 if upright else 1.6) + (0 if upright else 8)
        sides = (column < 0, row < 0, column >= shape.width, row >= shape.height)
        room = [max(old, need if side else 0.0) for old, side in zip(room, sides, strict=True)]
    return room[0], room[1], room[2], room[3]


def _level(index: int, count: int, stacked: float) -> float:
    """Return the distance of a clue from the grid's edge, along its axis; later clues are further out."""
    middle = (index + 0.5) * CELL
    return middle + 9 - 16 * stacked if index < 0 else middle - 9 + 16 * stacked if index >= count else middle


# ---- cages and shaded cells


@draws("cage")
def _cage(canvas: Canvas, rule: r.Rule, colour: str) -> None:
    if isinstance(rule, r.WeightedSum) and rule.weights:
        raise Undrawn
    if isinstance(rule, r.WeightedSum) and len(set(rule.cells)) < len(rule.cells):
        raise Undrawn
    cage(canvas, rule.scope, _label(rule), colour)


def cage(canvas: Canvas, names: Iterable[str], label: str, colour: str) -> None:
    """Draw a dashed border inside the cells, with a label in the leftmost of the topmost cells."""
    cells = sorted(dict.fromkeys(names), key=lambda name: canvas.corner(name)[::-1])
    canvas.outline("mark", cells, INSET, stroke=colour, stroke_width=1.3, stroke_dasharray="4 3")
    if label:
        shift = (INSET + 2, INSET + 6.5)
        canvas.label(canvas.corner(cells[0]), label, shift, fill=colour, font_weight=600)


def _label(rule: r.Rule) -> str:
    for field in ("total", "root"):
        if getattr(rule, field, None) is not None:
            return str(getattr(rule, field))
    for field, join in (("totals", "/"), ("values", " "), ("said", " ")):
        if hasattr(rule, field):
            return join.join(map(str, getattr(rule, field)))
    return ""


@draws("region")
def _region(canvas: Canvas, rule: r.ExtraRegion, colour: str) -> None:
    """Shade the cells, except a row or column next to black cells."""
    places = [canvas.board.place(name) for name in rule.cells]
    in_line = min(len({row for _, row, _ in places}), len({column for _, _, column in places})) == 1
    if not (in_line and (canvas.blank or canvas.inverse)):
        canvas.shade(rule.cells, colour)


@draws("diagonal")
def _diagonal(canvas: Canvas, rule: r.Diagonal, colour: str) -> None:
    side = canvas.board.shape.width * CELL
    ends = [(0, side), (side, 0)] if rule.rising else [(0, 0), (side, side)]
    canvas.path("line", ends, colour, 2.5, stroke_opacity=0.7)


@draws("windoku")
def _windoku(canvas: Canvas, rule: r.Windoku, colour: str) -> None:
    for constraint in rule.constraints(canvas.board):
        canvas.shade(constraint.scope, colour, 0.25)


@draws("alike")
def _alike(canvas: Canvas, rule: r.Rule, colour: str) -> None:
    sets = rule.sets if isinstance(rule, r.SameValues) else (rule.scope,)
    for part in sets:
        canvas.shade(part, colour)
        canvas.outline("mark", part, 1.5, stroke=colour, stroke_width=2)


@draws("compared")
def _compare(canvas: Canvas, rule: r.CompareSums, colour: str) -> None:
    cage(canvas, rule.left, "", colour)
    cage(canvas, rule.right, "", colour)
    raise Undrawn


@draws("distinct")
def _distinct(canvas: Canvas, rule: r.CountDistinct, colour: str) -> None:
    canvas.shade(rule.cells, colour)
    canvas.circle("mark", canvas.centre(rule.control), CELL * 0.4, fill="none", stroke=colour, stroke_width=2.5)


@draws("sub grid")
def _sub_grid(canvas: Canvas, rule: r.SubGrid, colour: str) -> None:
    x, y = canvas.corner(rule.corner)
    height, width = rule.box or (rule.height, rule.width)
    for down in range(0, rule.height, height):
        for right in range(0, rule.width, width):
            box = {"x": x + right * CELL, "y": y + down * CELL, "width": width * CELL, "height": height * CELL}
            canvas.add("grid", "rect", fill="none", stroke=colour, stroke_width=2.5, **box)


@draws("calculation")
def _calculation(canvas: Canvas, rule: r.Calculation, colour: str) -> None:
    sign = {"-": "\u2212", "*": "\u00d7", "/": "\u00f7"}.get(rule.op, rule.op)
    cage(canvas, rule.cells, f"{rule.total}{sign}", colour)


@draws("singles")
def _singles(canvas: Canvas, rule: r.Singles, colour: str) -> None:
    for name, number in zip(canvas.board.cells, rule.numbers, strict=True):
        canvas.label(canvas.corner(name), number, (5, 9), fill=colour)


@draws("black")
def _black(canvas: Canvas, rule: r.Black, colour: str) -> None:
    canvas.shade(rule.cells, colour, 1)
    canvas.inverse.update(rule.cells)


@draws("unused")
def _unused(canvas: Canvas, rule: r.Unused, colour: str) -> None:
    canvas.shade(rule.cells, colour, 1)
    canvas.blank.update(rule.cells)
