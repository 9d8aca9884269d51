"""Marks on single cells and between cells: dots, signs, circles, parity, small candidates."""

from __future__ import annotations

from ...puzzle import rules as r
from .canvas import CELL, Canvas, Place, Point, draws

DOT = 6.5


def _border(canvas: Canvas, rule: r.Rule) -> Point | None:
    """Return the midpoint between two neighbours; None if the cells do not touch."""
    (x1, y1), (x2, y2) = canvas.centres(rule.scope)
    return ((x1 + x2) / 2, (y1 + y2) / 2) if max(abs(x1 - x2), abs(y1 - y2)) == CELL else None


@draws("dot")
def _dot(canvas: Canvas, rule: r.Difference | r.Ratio, colour: str) -> bool:
    at = _border(canvas, rule)
    if at is None:
        return False
    dark = isinstance(rule, r.Ratio)
    usual = rule.value == (2 if dark else 1)
    canvas.disc(at, DOT if usual else DOT + 2, "" if usual else rule.value, dark=dark)
    return True


@draws("letter")
def _sum_of_two(canvas: Canvas, rule: r.XV, colour: str) -> bool:
    at = _border(canvas, rule)
    if at is None or rule.total is None:
        return False
    canvas.disc(at, DOT + 2.5, {5: "V", 10: "X"}.get(rule.total, rule.total))
    return True


@draws("greater")
def _greater(canvas: Canvas, rule: r.Greater, colour: str) -> bool:
    at = _border(canvas, rule)
    if at is None:
        return False
    (x1, y1), (x2, y2) = canvas.centres(rule.cells)
    _chevron(canvas, at, ((x2 - x1) / CELL, (y2 - y1) / CELL), colour, 6)
    return True


@draws("peak")
def _peak(canvas: Canvas, rule: r.Minimum | r.Maximum, colour: str) -> bool:
    canvas.shade([rule.cell], "currentColor", 0.08)
    x, y = canvas.centre(rule.cell)
    sign, reach = (1 if isinstance(rule, r.Maximum) else -1), CELL * 0.42
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
def _quadruple(canvas: Canvas, rule: r.Quadruple, colour: str) -> bool:
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
def _circles(canvas: Canvas, rule: r.CountingCircles, colour: str) -> bool:
    for at in canvas.centres(rule.cells):
        canvas.circle("line", at, CELL * 0.4, fill=colour, fill_opacity=0.15, stroke=colour, stroke_width=2)
    return True


@draws("parity")
def _parity(canvas: Canvas, rule: r.Parity, colour: str) -> bool:
    x, y = canvas.centre(rule.cell)
    reach = CELL * 0.36
    if rule.odd:
        canvas.circle("shade", (x, y), reach, fill=colour, fill_opacity=0.4)
    else:
        box = {"x": x - reach, "y": y - reach, "width": 2 * reach, "height": 2 * reach}
        canvas.add("shade", "rect", fill=colour, fill_opacity=0.4, **box)
    return True


@draws("half")
def _half(canvas: Canvas, rule: r.Half, colour: str) -> bool:
    x, y = canvas.corner(rule.cell)
    at = (x + CELL / 2, y + CELL - 8 if rule.low else y + 8)
    canvas.text("mark", at, "low" if rule.low else "high", 10, fill=colour, font_weight=600)
    return True


@draws("indexer")
def _indexer(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    canvas.shade(rule.scope, colour, 0.25)
    return True


@draws("one of")
def _one_of(canvas: Canvas, rule: r.OneOf, colour: str) -> bool:
    """Draw nothing: candidates are drawn with those of the puzzle (``frame``)."""
    return True


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
def _clue(canvas: Canvas, rule: r.Rule, colour: str) -> bool:
    seen = place_of(canvas, rule.scope)
    if seen is None:
        return False
    value = next(getattr(rule, field) for field in FIELDS if hasattr(rule, field))
    canvas.outside[seen[0]].append((str(value), colour, 0))
    return True


@draws("rossini")
def _rossini(canvas: Canvas, rule: r.Rossini, colour: str) -> bool:
    seen = place_of(canvas, rule.cells)
    if seen is None or 0 not in seen[1]:
        return False
    arrows = {(0, 1): "\u2192", (0, -1): "\u2190", (1, 0): "\u2193", (-1, 0): "\u2191"}
    down, across = seen[1]
    canvas.outside[seen[0]].append((arrows[seen[1] if rule.rising else (-down, -across)], colour, 0))
    return True


@draws("little killer")
def _little_killer(canvas: Canvas, rule: r.LittleKiller, colour: str) -> bool:
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
