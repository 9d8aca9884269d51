"""Marks on single cells and between cells: dots, signs, circles, parity, small candidates."""

from __future__ import annotations

from ...puzzle.rules import (
    XV,
    CountingCircles,
    Difference,
    Greater,
    Half,
    Maximum,
    Minimum,
    OneOf,
    Parity,
    Quadruple,
    Ratio,
    Rule,
)
from .canvas import CELL, Canvas, Point
from .painters import draws

DOT = 6.5


def _border(canvas: Canvas, rule: Rule) -> Point | None:
    """Return the midpoint between two neighbours; None if the cells do not touch."""
    (x1, y1), (x2, y2) = canvas.centres(rule.scope)
    return ((x1 + x2) / 2, (y1 + y2) / 2) if max(abs(x1 - x2), abs(y1 - y2)) == CELL else None


@draws("dot")
def _dot(canvas: Canvas, rule: Difference | Ratio, colour: str) -> bool:
    at = _border(canvas, rule)
    if at is None:
        return False
    dark = isinstance(rule, Ratio)
    usual = rule.value == (2 if dark else 1)
    canvas.disc(at, DOT if usual else DOT + 2, "" if usual else rule.value, dark=dark)
    return True


@draws("letter")
def _sum_of_two(canvas: Canvas, rule: XV, colour: str) -> bool:
    at = _border(canvas, rule)
    if at is None or rule.total is None:
        return False
    canvas.disc(at, DOT + 2.5, {5: "V", 10: "X"}.get(rule.total, rule.total))
    return True


@draws("greater")
def _greater(canvas: Canvas, rule: Greater, colour: str) -> bool:
    at = _border(canvas, rule)
    if at is None:
        return False
    (x1, y1), (x2, y2) = canvas.centres(rule.cells)
    _chevron(canvas, at, ((x2 - x1) / CELL, (y2 - y1) / CELL), colour, 6)
    return True


@draws("peak")
def _peak(canvas: Canvas, rule: Minimum | Maximum, colour: str) -> bool:
    canvas.shade([rule.cell], "currentColor", 0.08)
    x, y = canvas.centre(rule.cell)
    sign, reach = (1 if isinstance(rule, Maximum) else -1), CELL * 0.42
    for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        _chevron(canvas, (x + dx * reach, y + dy * reach), (sign * dx, sign * dy), colour, 4)
    return not rule.wrap


def _chevron(canvas: Canvas, at: Point, way: Point, colour: str, size: float) -> None:
    """Draw a > that points in the given direction, to the smaller side."""
    (x, y), (dx, dy) = at, way
    before, side = (x - dx * size * 0.6, y - dy * size * 0.6), (dy * size, dx * size)
    tip = (x + dx * size * 0.6, y + dy * size * 0.6)
    ends = [(before[0] + side[0], before[1] + side[1]), tip, (before[0] - side[0], before[1] - side[1])]
    canvas.path("mark", ends, colour, 2)


@draws("quadruple")
def _quadruple(canvas: Canvas, rule: Quadruple, colour: str) -> bool:
    points = canvas.centres(rule.cells)
    across, down = ([p[axis] for p in points] for axis in (0, 1))
    if len(points) != 4 or max(across) - min(across) != CELL or max(down) - min(down) != CELL:
        return False
    at = (min(across) + CELL / 2, min(down) + CELL / 2)
    canvas.disc(at, 12)
    half = (len(rule.values) + 1) // 2 if len(rule.values) > 2 else len(rule.values)
    lines = [line for line in (rule.values[:half], rule.values[half:]) if line]
    for i, line in enumerate(lines):
        shift = (i - (len(lines) - 1) / 2) * 9
        canvas.text("mark", (at[0], at[1] + shift), " ".join(map(str, line)), 9, fill="#222", font_weight=600)
    return True


@draws("circles")
def _circles(canvas: Canvas, rule: CountingCircles, colour: str) -> bool:
    for at in canvas.centres(rule.cells):
        canvas.circle("line", at, CELL * 0.4, fill=colour, fill_opacity=0.15, stroke=colour, stroke_width=2)
    return True


@draws("parity")
def _parity(canvas: Canvas, rule: Parity, colour: str) -> bool:
    x, y = canvas.centre(rule.cell)
    reach = CELL * 0.36
    if rule.odd:
        canvas.circle("shade", (x, y), reach, fill=colour, fill_opacity=0.4)
    else:
        box = {"x": x - reach, "y": y - reach, "width": 2 * reach, "height": 2 * reach}
        canvas.add("shade", "rect", fill=colour, fill_opacity=0.4, **box)
    return True


@draws("half")
def _half(canvas: Canvas, rule: Half, colour: str) -> bool:
    x, y = canvas.corner(rule.cell)
    at = (x + CELL / 2, y + CELL - 8 if rule.low else y + 8)
    canvas.text("mark", at, "low" if rule.low else "high", 10, fill=colour, font_weight=600)
    return True


@draws("indexer")
def _indexer(canvas: Canvas, rule: Rule, colour: str) -> bool:
    canvas.shade(rule.scope, colour, 0.25)
    return True


@draws("one of")
def _one_of(canvas: Canvas, rule: OneOf, colour: str) -> bool:
    """Draw nothing: candidates are drawn with those of the puzzle (``frame``)."""
    return True
