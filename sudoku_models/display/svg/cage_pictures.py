"""Cages and shaded cells: sums, extra regions, diagonals, hyper boxes, sub-grids."""

from __future__ import annotations

from collections.abc import Iterable

from ...puzzle import rules as r
from .canvas import CELL, Canvas, draws

INSET = 5.0
DARK = "#555"
"""The fill colours of black cells on light and dark pages."""


@draws("cage")
def _cage(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    if isinstance(rule, r.WeightedSum) and rule.weights:
        return False
    if isinstance(rule, r.WeightedSum) and len(set(rule.cells)) < len(rule.cells):
        return False
    cage(canvas, rule.scope, _label(rule), colour)
    return True


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
def _region(canvas: Canvas, rule: r.ExtraRegion, colour: str) -> bool:
    """Shade the cells, except a row or column next to black cells."""
    places = [canvas.board.place(name) for name in rule.cells]
    in_line = min(len({row for _, row, _ in places}), len({column for _, _, column in places})) == 1
    if not (in_line and (canvas.blank or canvas.inverse)):
        canvas.shade(rule.cells, colour)
    return True


@draws("diagonal")
def _diagonal(canvas: Canvas, rule: r.Diagonal, colour: str) -> bool:
    side = canvas.board.shape.width * CELL
    ends = [(0, side), (side, 0)] if rule.rising else [(0, 0), (side, side)]
    canvas.path("line", ends, colour, 2.5, stroke_opacity=0.7)
    return True


@draws("windoku")
def _windoku(canvas: Canvas, rule: r.Windoku, colour: str) -> bool:
    for constraint in rule.constraints(canvas.board):
        canvas.shade(constraint.scope, colour, 0.25)
    return True


@draws("alike")
def _alike(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    sets = rule.sets if isinstance(rule, r.SameValues) else (rule.scope,)
    for part in sets:
        canvas.shade(part, colour)
        canvas.outline("mark", part, 1.5, stroke=colour, stroke_width=2)
    return True


@draws("compared")
def _compare(canvas: Canvas, rule: r.CompareSums, colour: str) -> bool:
    cage(canvas, rule.left, "", colour)
    cage(canvas, rule.right, "", colour)
    return False


@draws("distinct")
def _distinct(canvas: Canvas, rule: r.CountDistinct, colour: str) -> bool:
    canvas.shade(rule.cells, colour)
    canvas.circle("mark", canvas.centre(rule.control), CELL * 0.4, fill="none", stroke=colour, stroke_width=2.5)
    return True


@draws("sub grid")
def _sub_grid(canvas: Canvas, rule: r.SubGrid, colour: str) -> bool:
    x, y = canvas.corner(rule.corner)
    height, width = rule.box or (rule.height, rule.width)
    for down in range(0, rule.height, height):
        for right in range(0, rule.width, width):
            box = {"x": x + right * CELL, "y": y + down * CELL, "width": width * CELL, "height": height * CELL}
            canvas.add("grid", "rect", fill="none", stroke=colour, stroke_width=2.5, **box)
    return True


@draws("calculation")
def _calculation(canvas: Canvas, rule: r.Calculation, colour: str) -> bool:
    sign = {"-": "\u2212", "*": "\u00d7", "/": "\u00f7"}.get(rule.op, rule.op)
    cage(canvas, rule.cells, f"{rule.total}{sign}", colour)
    return True


@draws("singles")
def _singles(canvas: Canvas, rule: r.Singles, colour: str) -> bool:
    for name, number in zip(canvas.board.cells, rule.numbers, strict=True):
        canvas.label(canvas.corner(name), number, (5, 9), fill=colour)
    return True


@draws("black")
def _black(canvas: Canvas, rule: r.Black, colour: str) -> bool:
    canvas.shade(rule.cells, colour, 1)
    canvas.inverse.update(rule.cells)
    return True


@draws("unused")
def _unused(canvas: Canvas, rule: r.Unused, colour: str) -> bool:
    canvas.shade(rule.cells, colour, 1)
    canvas.blank.update(rule.cells)
    return True
