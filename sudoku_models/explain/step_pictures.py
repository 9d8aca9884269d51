"""Pictures of steps: the candidates, the cells that are read, what is removed and what is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..display import Picture, picture
from ..display.svg.canvas import CELL, Canvas
from ..display.svg.grid_lines import mark_place
from ..puzzle import Puzzle
from ..puzzle.rules.rule_base import Rule
from .ladder import Ladder
from .paths import values_of
from .steps import Step

READ, GONE, SETTLED, STATED = "#2e86ab", "#d1495b", "#3a9d5d", "#e08e1b"


def step_picture(puzzle: Puzzle, ladder: Ladder | None, step: Step | None, legend: bool = False) -> Picture:
    """Draw the board before a step: cells read in blue, those of houses and rules in orange, removals in red."""
    if ladder is None or step is None:
        return picture(puzzle, legend=legend)
    return picture(pencilled(puzzle, ladder, step.before), legend=legend, marked=lambda c: _marked(c, ladder, step))


def pencilled(puzzle: Puzzle, ladder: Ladder, masks: Sequence[int]) -> Puzzle:
    """Return the puzzle with the candidates of a state; settled cells are filled in."""
    cells = range(puzzle.shape.cells)
    names = puzzle.shape.names
    left = {c: values_of(ladder, masks[ladder.index[names[c]]]) for c in cells}
    marks = tuple((c, values) for c, values in left.items() if puzzle.givens[c] is None and values)
    return replace(puzzle, candidates=marks)


def _marked(canvas: Canvas, ladder: Ladder, step: Step) -> None:
    for number in step.atoms:
        part = ladder.atoms[number].part
        if not isinstance(part, Rule) or len(ladder.atoms[number].cells) <= 9:
            _shaded(canvas, ladder, ladder.atoms[number].cells, STATED, 0.10)
    _shaded(canvas, ladder, sorted(step.reads), READ, 0.22)
    for cell, bit in sorted(step.facts):
        _struck(canvas, ladder.names[cell], bit + ladder.low)
    for cell in step.placed:
        x, y = canvas.corner(ladder.names[cell])
        ring = {"fill": "none", "stroke": SETTLED, "stroke_width": 3}
        canvas.add("mark", "rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, **ring)


def _shaded(canvas: Canvas, ladder: Ladder, cells: Sequence[int], colour: str, opacity: float) -> None:
    canvas.shade([ladder.names[cell] for cell in cells], colour, opacity)


def _struck(canvas: Canvas, name: str, value: int) -> None:
    (x, y), room = mark_place(canvas, name, value)
    half = min(6.0, room / 2)
    canvas.path("digit", [(x - half, y + half), (x + half, y - half)], GONE, 2)
