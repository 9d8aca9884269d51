"""Draws shapes that were not understood, in pale versions of their own colours."""

from __future__ import annotations

from collections.abc import Iterable

from ...puzzle.drawn import Drawn, Mark, Point, Stroke
from .canvas import CELL, Canvas

_PALE = 0.45
_GREY = "#8a8a8e"


def draw_drawn(canvas: Canvas, drawn: Iterable[Drawn]) -> None:
    """Draw the shapes of ignored drawings."""
    for shape in dict.fromkeys(shape for one in drawn for shape in one.shapes):
        if isinstance(shape, Stroke):
            _stroke(canvas, shape)
        elif shape.cells:
            canvas.outline("line", shape.cells, 3, stroke=_GREY, stroke_width=1.5, stroke_dasharray="4 3")
            _text(canvas, shape, 11)
        elif _beside(canvas, shape):
            place = (int(shape.centre[0] // 1), int(shape.centre[1] // 1))
            canvas.outside[place].append((shape.text[:4] or "?", _GREY, 0))
        else:
            _mark(canvas, shape)


def _stroke(canvas: Canvas, stroke: Stroke) -> None:
    points = [_at(point) for point in stroke.points if _near(canvas, point)]
    if not points:
        return
    width, colour = min(max(stroke.thickness * CELL, 2.0), 16.0), _colour(stroke.colour)
    canvas.path("line", points, colour, width, stroke_opacity=_PALE)
    if stroke.arrow and len(points) > 1:
        canvas.arrow_head(points[-2], points[-1], colour)


def _mark(canvas: Canvas, mark: Mark) -> None:
    x, y = _at(mark.centre)
    width, height = (min(size, 40.0) * CELL for size in (mark.width, mark.height))
    style = {"fill": _colour(mark.fill, "none"), "fill_opacity": _PALE, "stroke": _colour(mark.border)}
    if width and height and mark.round:
        canvas.add("shade", "ellipse", cx=x, cy=y, rx=width / 2, ry=height / 2, **style)
    elif width and height:
        turn = {"transform": f"rotate(45 {x:g} {y:g})"} if mark.turned else {}
        canvas.add("shade", "rect", x=x - width / 2, y=y - height / 2, width=width, height=height, **style, **turn)
    _text(canvas, mark, 14)


def _text(canvas: Canvas, mark: Mark, size: float) -> None:
    if mark.text:
        canvas.text("mark", _at(mark.centre), mark.text[:12], size, fill=_GREY)


def _at(point: Point) -> tuple[float, float]:
    return point[1] * CELL, point[0] * CELL


def _near(canvas: Canvas, point: Point) -> bool:
    return -1 <= point[0] <= canvas.board.shape.height + 1 and -1 <= point[1] <= canvas.board.shape.width + 1


def _beside(canvas: Canvas, mark: Mark) -> bool:
    row, column = mark.centre
    return not (0 <= row <= canvas.board.shape.height and 0 <= column <= canvas.board.shape.width)


def _colour(text: str, otherwise: str = _GREY) -> str:
    """Return a colour of a document in a form that SVG accepts: #rgb, #rrggbb, or a word."""
    plain = text.strip().removeprefix("#")
    if len(plain) in (3, 4, 6, 8) and all(c in "0123456789abcdefABCDEF" for c in plain):
        return f"#{plain}"
    return text if text.isascii() and text.isalpha() and len(text) < 20 else otherwise
