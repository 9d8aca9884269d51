"""Proposes rules for the shapes of a document."""

from __future__ import annotations

from collections.abc import Sequence

from ...puzzle.drawn import Drawn, Mark, Stroke
from ...puzzle.shape import Shape
from .drawn_sheet import MOST, DrawnSheet
from .lines import strokes_found
from .marks import marks_found
from .spoken_rules import Words


def proposed(
    shape: Shape, strokes: Sequence[Stroke], marks: Sequence[Mark], rules: str, notes: list[str]
) -> tuple[Drawn, ...]:
    """Describe each shape, and propose a rule if its appearance and the text of the rules clearly suggest one.

    Shapes that belong together (a line and its bulb) count as one. Shapes beyond the limit are noted.
    """
    if len(strokes) + len(marks) > MOST:
        notes.append(f"{len(strokes) + len(marks)} shapes are drawn: only the first {MOST} are examined")
    kept = strokes[:MOST]
    sheet = DrawnSheet(shape, marks[: max(0, MOST - len(kept))], Words.of(rules))
    return (*strokes_found(sheet, kept), *marks_found(sheet))
