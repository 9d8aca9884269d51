"""Lines, thermometers and arrows."""

from __future__ import annotations

from ...puzzle import rules as r
from .canvas import CELL, Canvas, Point, connected, draws

BROAD = 9.0
RING = CELL * 0.38


@draws("line")
def _broad(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    points = canvas.centres(rule.scope)
    canvas.path("line", points, colour, BROAD, stroke_opacity=0.6)
    _number(canvas, points, _stated(rule), colour)
    return True


@draws("zipper")
def _zipper(canvas: Canvas, rule: r.Zipper, colour: str) -> bool:
    points = canvas.centres(rule.cells)
    canvas.path("line", points, colour, BROAD, stroke_opacity=0.6)
    a, b = points[(len(points) - 1) // 2], points[len(points) // 2]
    canvas.circle("line", _middle(a, b), 7, fill=colour, fill_opacity=0.9)
    return True


@draws("sum line")
def _sum_line(canvas: Canvas, rule: r.SumLine, colour: str) -> bool:
    points = canvas.centres(rule.cells)
    canvas.path("line", [*points, points[0]] if rule.loop else points, colour, BROAD, stroke_opacity=0.6)
    _number(canvas, points, rule.total, colour)
    return True


@draws("thermometer")
def _thermo(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    points = canvas.centres(rule.scope)
    thin = isinstance(rule, r.SlowThermo)
    with canvas.pale("line", 0.55):
        canvas.path("line", points, colour, 6 if thin else 14)
        canvas.circle("line", points[0], RING * 0.9, fill=colour)
    return True


@draws("two ends")
def _two_ends(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    points = canvas.centres(rule.scope)
    canvas.path("line", points, colour, 5, stroke_opacity=0.7)
    for end in (points[0], points[-1]):
        if isinstance(rule, r.Lockout):
            _diamond(canvas, end, colour)
        else:
            canvas.circle("line", end, RING, fill=colour, fill_opacity=0.3, stroke=colour, stroke_width=2)
    if isinstance(rule, r.Lockout):
        _number(canvas, points, rule.difference, colour)
    return True


@draws("arrow")
def _arrow(canvas: Canvas, rule: r.Arrow, colour: str) -> bool:
    points = canvas.centres(rule.cells)
    canvas.circle("line", points[0], RING, fill="none", stroke=colour, stroke_width=2.5)
    _shaft(canvas, [_towards(points[0], points[1], RING), *points[1:]], colour)
    return True


@draws("double arrow")
def _double_arrow(canvas: Canvas, rule: r.DoubleArrow, colour: str) -> bool:
    points = canvas.centres(rule.cells)
    for end in (points[0], points[-1]):
        canvas.circle("line", end, RING, fill="none", stroke=colour, stroke_width=2.5)
    inner = [_towards(points[0], points[1], RING), *points[1:-1], _towards(points[-1], points[-2], RING)]
    canvas.path("line", inner, colour, 2.5)
    return True


@draws("vertex")
def _vertex(canvas: Canvas, rule: r.Vudoku, colour: str) -> bool:
    points = canvas.centres(rule.cells)
    with canvas.pale("line", 0.6):
        canvas.path("line", points, colour, 5)
        canvas.circle("line", points[1], RING / 3, fill=colour)
    return True


@draws("pill arrow")
def _pill_arrow(canvas: Canvas, rule: r.PillArrow, colour: str) -> bool:
    corners = [canvas.corner(name) for name in rule.pill]
    (left, right), (top, bottom) = ((min(v), max(v)) for v in zip(*corners, strict=True))
    inset, width, height = CELL / 2 - RING, right - left + 2 * RING, bottom - top + 2 * RING
    if (right - left + CELL) * (bottom - top + CELL) != len(rule.pill) * CELL * CELL:
        return False
    box = {"x": left + inset, "y": top + inset, "width": width, "height": height, "rx": RING}
    canvas.add("line", "rect", fill="none", stroke=colour, stroke_width=2.5, **box)
    points = canvas.centres(rule.shaft)
    nearest = min(canvas.centres(rule.pill), key=lambda p: _distance(p, points[0]))
    _shaft(canvas, [_towards(nearest, points[0], RING), *points], colour)
    return True


@draws("segments")
def _equal_sums(canvas: Canvas, rule: r.EqualSums, colour: str) -> bool:
    for segment in rule.segments:
        canvas.path("line", canvas.centres(segment), colour, BROAD, stroke_opacity=0.6)
    return True


@draws("own line")
def _own(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    return own_line(canvas, rule, colour)


@draws("value indexing")
def _indexing(canvas: Canvas, rule: r.ValueIndexing, colour: str) -> bool:
    points = canvas.centres(rule.cells)
    for end, radius in zip(points, (RING, RING * 0.7), strict=False):
        canvas.circle("line", end, radius, fill="none", stroke=colour, stroke_width=2.5)
    _shaft(canvas, points, colour)
    return True


def own_line(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    """Draw a user-defined rule: a dashed line through its cells, or shaded cells if they do not touch."""
    segments = getattr(rule, "segments", (rule.scope,))
    for segment in filter(None, segments):
        points = canvas.centres(segment)
        if len(points) > 1 and connected(points):
            canvas.path("line", points, colour, 5, stroke_opacity=0.8, stroke_dasharray="1 9")
        else:
            canvas.shade(segment, colour)
    return True


def _stated(rule: r.Rule) -> int | None:
    """Return the number to write on a line, if it is not the default."""
    for field, usual in (("difference", None), ("step", None), ("modulus", 3)):
        if getattr(rule, field, usual) != usual:
            return int(getattr(rule, field))
    return None


def _shaft(canvas: Canvas, points: list[Point], colour: str) -> None:
    tip = _towards(points[-1], points[-2], -CELL * 0.2)
    canvas.path("line", [*points[:-1], tip], colour, 2.5)
    canvas.arrow_head(points[-2], tip, colour)


def _number(canvas: Canvas, points: list[Point], number: int | None, colour: str) -> None:
    if number is not None:
        corner = (points[0][0] - CELL / 2, points[0][1] - CELL / 2)
        canvas.label(corner, number, (2.5, 8.5), fill=colour, font_weight=700)


def _diamond(canvas: Canvas, at: Point, colour: str) -> None:
    x, y = at
    corners = [(x - RING, y), (x, y - RING), (x + RING, y), (x, y + RING), (x - RING, y)]
    canvas.path("line", corners, colour, 2, fill=colour, fill_opacity=0.3)


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _towards(start: Point, end: Point, length: float) -> Point:
    """Return the point at a distance from ``start`` in the direction of ``end``."""
    scale = length / max(_distance(start, end), 0.01)
    return start[0] + (end[0] - start[0]) * scale, start[1] + (end[1] - start[1]) * scale
