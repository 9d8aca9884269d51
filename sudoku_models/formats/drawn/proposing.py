"""From the shapes of a document to what each of them looks like."""

from __future__ import annotations

from collections.abc import Sequence

from ...puzzle.drawn import Drawn, Mark, Stroke
from ...puzzle.shape import Shape
from .lines import strokes_found
from .marks import marks_found
from .sheet import MOST, DrawnSheet
from .spoken_rules import Words


def proposed(
    shape: Shape, strokes: Sequence[Stroke], marks: Sequence[Mark], rules: str, notes: list[str]
) -> tuple[Drawn, ...]:
    """Say of each shape what it looks like, and which rule speaks for itself: by its looks, and by the text of rules.

    Shapes that belong together (a line and its bulb) are one. What is too much to look at is noted.
    """
    if len(strokes) + len(marks) > MOST:
        notes.append(f"{len(strokes) + len(marks)} shapes are drawn: only the first {MOST} are looked at")
    kept = strokes[:MOST]
    sheet = DrawnSheet(shape, marks[: max(0, MOST - len(kept))], Words.of(rules))
    return (*strokes_found(sheet, kept), *marks_found(sheet))
