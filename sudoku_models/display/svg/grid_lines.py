"""The grid itself: lines, borders of regions, digits, candidates, extra cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from math import ceil

from ...puzzle import Puzzle
from ...puzzle.rules import ChaosConstruction, OneOf
from .canvas import CELL, Canvas, Place, Point

DIGIT = 27.0
EDGE = 5.5
"""The edge of a cell that candidates leave free, for the dashes of cages."""
BELOW, DOWN = 0.88, 4.0
"""How much smaller, and how much lower, a digit is in a cell with a label in its corner."""
Label = Callable[[int, int], object]


def draw_grid(canvas: Canvas, puzzle: Puzzle, values: Mapping[str, int]) -> None:
    """Draw thin lines between cells and thick ones between regions; ``values`` holds unknown regions."""
    shape = puzzle.shape
    regions = {name: values[name] for name in canvas.board.names if name.startswith("CC") and name in values}
    known = list(regions.values()) if any(isinstance(r, ChaosConstruction) for r in puzzle.rules) else []

    def region(row: int, column: int) -> object:
        if not (0 <= row < shape.height and 0 <= column < shape.width):
            return "outside"
        cell = row * shape.width + column
        return known[cell] if len(known) == shape.cells else shape.region_of[cell]

    _lattice(canvas, (0, 0), shape.height, shape.width, lambda row, column: (row, column), 0.7)
    _lattice(canvas, (0, 0), shape.height, shape.width, region, 2.5)


def _lattice(canvas: Canvas, origin: Point, height: int, width: int, label: Label, thick: float) -> None:
    """Draw lines between all neighbours with different labels, joining adjacent pieces."""
    x, y = origin
    for (down, right), (below, beyond) in _merged(height, width, label):
        start, end = (x + right * CELL, y + down * CELL), (x + beyond * CELL, y + below * CELL)
        canvas.path("grid", [start, end], "currentColor", thick)


def _merged(height: int, width: int, label: Label) -> Iterator[tuple[Place, Place]]:
    for r in range(height + 1):
        for run in _runs(c for c in range(width) if label(r - 1, c) != label(r, c)):
            yield (r, run[0]), (r, run[-1] + 1)
    for c in range(width + 1):
        for run in _runs(r for r in range(height) if label(r, c - 1) != label(r, c)):
            yield (run[0], c), (run[-1] + 1, c)


def _runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Yield numbers in runs of consecutive ones."""
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        yield [number for _, number in run]


def draw_values(canvas: Canvas, puzzle: Puzzle, values: Mapping[str, int]) -> None:
    """Write givens in bold, values of a solution in light type, and small candidates in open cells."""
    given = dict(zip(puzzle.shape.names, puzzle.givens, strict=True))
    candidates = _candidates(puzzle)
    for name in canvas.board.names:
        size = {1: DIGIT, 2: DIGIT * 0.8}.get(len(str(canvas.board.domain(name)[-1])), DIGIT * 0.6)
        light = {"fill": "#fff"} if name in canvas.inverse else {}
        if name in canvas.blank:
            continue
        x, y = canvas.centre(name)
        if canvas.corner(name) in canvas.labels:  # both can be read: the digit is smaller, and below the label
            size, y = size * BELOW, y + DOWN
        if given.get(name) is not None:
            canvas.text("digit", (x, y), given[name], round(size, 1), font_weight=600, **light)
        elif name in values and not _hidden(canvas, name):
            canvas.text("digit", (x, y), values[name], round(size, 1), fill_opacity=0.6, **light)
        elif name in candidates and name not in values:
            for value in filter(candidates[name].__contains__, canvas.board.domain(name)):
                at, room = mark_place(canvas, name, value)
                canvas.text("digit", at, value, round(min(11.0, room * 0.8), 1), fill_opacity=0.8)


def _hidden(canvas: Canvas, name: str) -> bool:
    """Return whether an extra cell coincides with a cell of the grid."""
    group = canvas.board.place(name)[0]
    return bool(group) and canvas.origins[group] == (0, 0)


def _candidates(puzzle: Puzzle) -> dict[str, tuple[int, ...]]:
    found = {puzzle.shape.names[cell]: values for cell, values in puzzle.candidates}
    for rule in puzzle.rules:
        if isinstance(rule, OneOf):
            before = found.get(rule.cell, rule.values)
            found[rule.cell] = tuple(value for value in rule.values if value in before)
    return found


def mark_place(canvas: Canvas, name: str, value: int) -> tuple[Point, float]:
    """Return the position of a small candidate in a cell, and its height."""
    every = canvas.board.domain(name)
    i, side = every.index(value), ceil(len(every) ** 0.5)
    x, y = canvas.corner(name)
    top = 15 if (x, y) in canvas.labels else EDGE
    across, down = (CELL - 2 * EDGE) / side, (CELL - EDGE - top) / side
    return (x + EDGE + (i % side + 0.5) * across, y + top + (i // side + 0.5) * down), down


def draw_extra(canvas: Canvas) -> None:
    """Draw the groups of extra cells below the grid, each with its name."""
    for name, group in canvas.board.groups.items():
        x, y = canvas.origins[name]
        if (x, y) != (0, 0):
            _lattice(canvas, (x, y), group.height, group.width, partial(canvas.board.at, name), 1)
            canvas.text("mark", (x - CELL / 2, y + CELL / 2), name, 12)
