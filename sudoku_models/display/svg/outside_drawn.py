"""Clues outside the grid, and the arrows of little killers."""

from __future__ import annotations

from ...puzzle.rules import (
    LittleKiller,
    Rossini,
    Rule,
)
from .canvas import CELL, Canvas, Place
from .painters import draws

FIELDS = ("total", "count", "value", "rank")


def place_of(canvas: Canvas, cells: tuple[str, ...]) -> tuple[Place, Place] | None:
    """Return the place outside the grid from which a line is seen, and the step inwards; None if there is none."""
    if len(cells) < 2:
        return None
    (group, row, column), (other, below, right) = (canvas.board.place(name) for name in cells[:2])
    step = (below - row, right - column)
    before = (row - step[0], column - step[1])
    inside = canvas.board.at("", *before) is not None
    return None if group or other or inside or max(map(abs, step)) != 1 else (before, step)


@draws("clue")
def _clue(canvas: Canvas, rule: Rule, colour: str) -> bool:
    seen = place_of(canvas, rule.scope)
    if seen is None:
        return False
    value = next(getattr(rule, field) for field in FIELDS if hasattr(rule, field))
    canvas.outside[seen[0]].append((str(value), colour, 0))
    return True


@draws("rossini")
def _rossini(canvas: Canvas, rule: Rossini, colour: str) -> bool:
    seen = place_of(canvas, rule.cells)
    if seen is None or 0 not in seen[1]:
        return False
    arrows = {(0, 1): "\u2192", (0, -1): "\u2190", (1, 0): "\u2193", (-1, 0): "\u2191"}
    down, across = seen[1]
    canvas.outside[seen[0]].append((arrows[seen[1] if rule.rising else (-down, -across)], colour, 0))
    return True


@draws("little killer")
def _little_killer(canvas: Canvas, rule: LittleKiller, colour: str) -> bool:
    seen = place_of(canvas, rule.cells) or _corner(canvas, rule.cells)
    if seen is None or 0 in seen[1]:
        return False
    (row, column), (down, across) = seen
    x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
    start = (x + across * CELL * 0.17, y + down * CELL * 0.17)
    tip = (x + across * CELL * 0.44, y + down * CELL * 0.44)
    canvas.path("line", [start, tip], colour, 2)
    canvas.arrow_head(start, tip, colour, 5, 2)
    canvas.outside[seen[0]].append((str(rule.total), colour, -across * 11.0))
    return True


def _corner(canvas: Canvas, cells: tuple[str, ...]) -> tuple[Place, Place] | None:
    """Return the place for a diagonal of one cell, in a corner of the grid."""
    group, row, column = canvas.board.place(cells[0])
    shape = canvas.board.shape
    if len(cells) > 1 or group or row not in (0, shape.height - 1) or column not in (0, shape.width - 1):
        return None
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
