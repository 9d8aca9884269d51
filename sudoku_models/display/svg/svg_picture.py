"""A puzzle as an SVG picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from textwrap import wrap

from ...puzzle import Grid, Puzzle
from ...puzzle.drawn import Drawn, Mark, Point, Stroke
from ...puzzle.puzzle import board_of
from ...puzzle.rules import Rule
from ...puzzle.rules.composed import flat
from ...puzzle.rules.words import by_kind, place_of, sentence_of
from .canvas import CELL, LAYERS, Canvas
from .grid_lines import draw_extra, draw_grid, draw_values
from .rule_pictures import draw_rule, write_outside

__all__ = ["puzzle_svg"]

EDGE = 10.0
LEAST_WIDTH = 340.0
"""The smallest width for the text under the board."""

Values = Grid | Mapping[str, int] | Iterable[int | None]


def puzzle_svg(
    puzzle: Puzzle,
    values: Values | None = None,
    *,
    legend: bool = True,
    marked: Callable[[Canvas], None] | None = None,
) -> str:
    """Draw a puzzle with its rules, candidates and givens; the rules are written under the board.

    Drawings that were not understood are pale, in their own colours. ``values`` fills the open cells with lighter
    digits: a grid, its values, or a mapping by name that may also cover extra cells (``Result.values``). Without
    ``legend``, the text under the board is left out. ``marked`` draws more on the finished board. Raises ValueError for
    values of another board.
    """
    board = board_of(puzzle.shape, puzzle.rules)
    canvas = Canvas(board)
    filled = _by_name(puzzle, values)
    draw_drawn(canvas, puzzle.left_out)
    drawn = [(rule, draw_rule(canvas, rule)) for rule in flat(puzzle.rules)]
    draw_grid(canvas, puzzle, filled)
    draw_extra(canvas)
    draw_values(canvas, puzzle, filled)
    if marked is not None:
        marked(canvas)
    return _assembled(canvas, drawn if legend else [])


def _by_name(puzzle: Puzzle, values: Values | None) -> dict[str, int]:
    if values is None:
        return {}
    if isinstance(values, Mapping):
        return dict(values)
    flat = values.values if isinstance(values, Grid) else tuple(values)
    if len(flat) != puzzle.shape.cells:
        raise ValueError(f"{len(flat)} values for a board of {puzzle.shape.cells} cells")
    return {name: value for name, value in zip(puzzle.shape.names, flat, strict=True) if value is not None}


def _assembled(canvas: Canvas, drawn: list[DrawnRule]) -> str:
    left, top, right, bottom = (room + EDGE for room in write_outside(canvas))
    width = max(canvas.right + left + right, LEAST_WIDTH if drawn else 0.0)
    end = draw_legend(canvas, drawn, EDGE - left, canvas.bottom + bottom - EDGE / 2, width - 2 * EDGE)
    height = top + (end + EDGE if drawn else canvas.bottom + bottom)
    body = "".join("".join(canvas.layers[layer]) for layer in LAYERS)
    scale = min(1.0, 900 / width)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-left:g} {-top:g} {width:g} {height:g}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}" font-family="sans-serif" '
        f'style="max-width:100%;height:auto" role="img" aria-label="Sudoku of {canvas.board.shape}">'
    )
    return f"{head}{body}</svg>"


SIZE = 12.0
LEADING = 16.0
LETTER = 0.5
"""The mean width of a letter, relative to its height."""
LONGEST = 100_000
"""More letters than a line of the legend has."""
MOST = 8
"""The largest number of rules of one kind that are listed individually."""


DrawnRule = tuple[Rule, str]
"""A rule and the colour in which it was drawn; "" if the picture does not show it."""


def draw_legend(canvas: Canvas, drawn: list[DrawnRule], left: float, top: float, width: float) -> float:
    """Write the legend, and return the position of its end."""
    y = top
    for line, colour, indent in _lines(drawn, int((width - 16) / (SIZE * LETTER))):
        y += LEADING
        if colour:
            canvas.add("digit", "rect", x=left, y=y - 5, width=10, height=10, rx=2, fill=colour, stroke="#777")
        canvas.text("digit", (left + 16 + indent, y), line, SIZE, text_anchor="start")
    return y


def legend_lines(puzzle: Puzzle) -> list[tuple[str, str, int]]:
    """Return the lines of the legend, each in one piece: text, colour ("" for none) and indentation."""
    canvas = Canvas(board_of(puzzle.shape, puzzle.rules))
    return list(_lines([(rule, draw_rule(canvas, rule)) for rule in flat(puzzle.rules)], LONGEST))


def _lines(drawn: list[DrawnRule], letters: int) -> Iterator[tuple[str, str, int]]:
    """Yield lines with a colour ("" for none) and an indentation."""
    colours = {id(rule): colour for rule, colour in drawn}
    for (title, _), kind in by_kind(rule for rule, _ in drawn).items():
        sentence = sentence_of(kind[0])
        distinct = {colours[id(rule)] for rule in kind}
        colour = distinct.pop() if len(distinct) == 1 else ""
        for i, line in enumerate(wrap(f"{title}: {sentence}" if sentence else title, letters)):
            yield line, "" if i else colour, 0
        places = [where for rule in kind if not colours[id(rule)] and (where := place_of(rule))]
        for place in places[:MOST]:
            yield from ((line, "", 12) for line in wrap(place, letters - 3))
        if len(places) > MOST:
            yield f"... and {len(places) - MOST} more", "", 12


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
        elif _on_board(canvas, shape.centre, 0):
            _mark(canvas, shape)
        else:
            place = (int(shape.centre[0] // 1), int(shape.centre[1] // 1))
            canvas.outside[place].append((shape.text[:4] or "?", _GREY, 0))


def _stroke(canvas: Canvas, stroke: Stroke) -> None:
    points = [_at(point) for point in stroke.points if _on_board(canvas, point, 1)]
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


def _on_board(canvas: Canvas, point: Point, beside: float) -> bool:
    """Return whether a point is on the board, or at most this number of cells beside it."""
    ends = (canvas.board.shape.height, canvas.board.shape.width)
    return all(-beside <= at <= end + beside for at, end in zip(point, ends, strict=True))


def _colour(text: str, otherwise: str = _GREY) -> str:
    """Return a colour of a document in a form that SVG accepts: #rgb, #rrggbb, or a word."""
    plain = text.strip().removeprefix("#")
    if len(plain) in (3, 4, 6, 8) and all(c in "0123456789abcdefABCDEF" for c in plain):
        return f"#{plain}"
    return text if text.isascii() and text.isalpha() and len(text) < 20 else otherwise
