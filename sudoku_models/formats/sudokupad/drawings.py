"""The drawings of a SudokuPad document as shapes, and the rules that they look like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from ...puzzle.drawn import Drawn, Mark, Point, Stroke
from ...puzzle.shape import Shape
from ..drawn.proposing import proposed
from .keys import get, listed

LINES, MARKS = ("lines", "arrows"), ("underlays", "overlays")
_CELL = 64.0
"""The width of a cell in pixels, the unit of line thickness."""
_MOST_POINTS = 500


def drawn_in(
    data: Mapping[str, Any], cages: Sequence[Mark], shape: Shape, rules: str, notes: list[str]
) -> tuple[Drawn, ...]:
    """Describe the lines, arrows, underlays and overlays of a document, and ``cages`` without a rule."""
    if not cages and not any(listed(get(data, key), key) for key in (*LINES, *MARKS)):
        return ()
    return proposed(shape, list(_strokes(data)), [*_marks(data), *cages], rules, notes)


def _strokes(data: Mapping[str, Any]) -> Iterator[Stroke]:
    for key in LINES:
        for number, item in _items(data, key):
            points = tuple(p for p in map(_point, _list(get(item, "wayPoints"))[:_MOST_POINTS]) if p is not None)
            thickness = (_number(get(item, "thickness")) or 0.0) / _CELL
            yield Stroke(f"{key} {number}", points, _colour(item, "color"), thickness, key == "arrows")


def _marks(data: Mapping[str, Any]) -> Iterator[Mark]:
    for key in MARKS:
        for number, item in _items(data, key):
            centre = _point(get(item, "center"))
            text, angle = get(item, "text"), _number(item.get("angle")) or 0.0
            yield Mark(
                f"{key} {number}",
                (-9.0, -9.0) if centre is None else centre,
                _number(get(item, "height")) or 0.0,
                _number(get(item, "width")) or 0.0,
                round=get(item, "rounded") in (True, 1, "true"),
                fill=_colour(item, "backgroundColor"),
                border=_colour(item, "borderColor"),
                text=str(text)[:100] if isinstance(text, str | int | float) and not isinstance(text, bool) else "",
                turned=abs(angle) % 90 == 45,
            )


def _items(data: Mapping[str, Any], key: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, item in enumerate(listed(get(data, key), key), start=1):
        yield number, item if isinstance(item, dict) else {}


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _point(value: object) -> Point | None:
    numbers = [_number(part) for part in _list(value)]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        return None
    return numbers[0], numbers[1]


def _number(value: object) -> float | None:
    """Return a number of reasonable size; None for anything else."""
    try:
        found = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        return None
    return found if found is not None and isfinite(found) and abs(found) < 1e4 else None


def _colour(item: Mapping[str, Any], key: str) -> str:
    value = get(item, key)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"#{abs(value):06d}"[:7]
    return value.strip()[:30] if isinstance(value, str) else ""
