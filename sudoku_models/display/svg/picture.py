"""A puzzle as an SVG picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...puzzle import Grid, Puzzle
from ...puzzle.puzzle import board_of
from ...puzzle.rules import CellsRule, Rule
from ...puzzle.rules.composed import flat
from . import cage_pictures, line_pictures, mark_pictures
from .canvas import LAYERS, Canvas
from .decorations import draw_drawn
from .frame import draw_extra, draw_grid, draw_values
from .legend import DrawnRule, draw_legend
from .line_pictures import own_line
from .outside_drawn import write_outside
from .painters import drawing_of

__all__ = ["puzzle_svg"]

FAMILIES = (cage_pictures, line_pictures, mark_pictures)
EDGE = 10.0
LEAST_WIDTH = 340.0
"""The smallest width for the text under the board."""
STYLE = (
    "<style>svg{color:#1d1d1f;background:#fff}"
    "@media (prefers-color-scheme:dark){svg{color:#e8e8ea;background:#17181c}}</style>"
)
"""For separate files, which include their background: browsers show SVG files on white, to those who
prefer the dark too. In a page pictures take the colour of the text around them."""

Values = Grid | Mapping[str, int] | Iterable[int | None]


def puzzle_svg(
    puzzle: Puzzle,
    values: Values | None = None,
    *,
    legend: bool = True,
    alone: bool = False,
    marked: Callable[[Canvas], None] | None = None,
) -> str:
    """Draw a puzzle with its rules, candidates and givens; the rules are written under the board.

    Drawings that were not understood are pale, in their own colours. ``values`` fills the open cells with lighter
    digits: a grid, its values, or a mapping by name that may also cover extra cells (``Result.values``). ``alone``
    makes a separate file, which adapts itself to a dark background. Without ``legend``, the text under the board is
    left out. ``marked`` draws more on the finished board. Raises ValueError for values of another board.
    """
    board = board_of(puzzle.shape, puzzle.rules)
    canvas = Canvas(board)
    filled = _by_name(puzzle, values)
    draw_drawn(canvas, puzzle.left_out)
    drawn = [DrawnRule(rule, _drawn(canvas, rule)) for rule in flat(puzzle.rules)]
    draw_grid(canvas, puzzle, filled)
    draw_extra(canvas)
    draw_values(canvas, puzzle, filled)
    if marked is not None:
        marked(canvas)
    return _assembled(canvas, drawn if legend else [], alone)


def _by_name(puzzle: Puzzle, values: Values | None) -> dict[str, int]:
    if values is None:
        return {}
    if isinstance(values, Mapping):
        return dict(values)
    flat = values.values if isinstance(values, Grid) else tuple(values)
    if len(flat) != puzzle.shape.cells:
        raise ValueError(f"{len(flat)} values for a board of {puzzle.shape.cells} cells")
    return {name: value for name, value in zip(puzzle.shape.names, flat, strict=True) if value is not None}


def _drawn(canvas: Canvas, rule: Rule) -> str:
    """Draw a rule and return its colour; "" if it must be described in words."""
    found = drawing_of(rule)
    if found is None:
        if not isinstance(rule, CellsRule):
            return ""
        colour = canvas.colour_of(rule)
        return colour if own_line(canvas, rule, colour) else ""
    draw, stated = found
    colour = stated or canvas.colour_of(rule)
    return colour if draw(canvas, rule, colour) else ""


def _assembled(canvas: Canvas, drawn: list[DrawnRule], alone: bool) -> str:
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
    return f"{head}{STYLE if alone else ''}{body}</svg>"
