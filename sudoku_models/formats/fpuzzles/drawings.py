"""The cosmetic keys of f-puzzles as shapes, and the rules that they look like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...puzzle.drawn import Drawn, Mark, Point, Stroke
from ...puzzle.shape import Shape
from ..drawn.proposing import proposed
from .context import Item

DRAWN = ("line", "circle", "rectangle", "text", "cage")
"""Keys of drawings, which are rules only if guessed."""
_PLACE = re.compile(r"R(-?\d{1,3})C(-?\d{1,3})\Z", re.IGNORECASE)
_MOST_POINTS = 500


def drawn_in(data: Mapping[str, Any], shape: Shape, rules: str, notes: list[str]) -> tuple[Drawn, ...]:
    """Describe the drawings of a document that belong to none of its rules."""
    strokes = [stroke for number, item in _items(data, "line") for stroke in _strokes(number, item)]
    marks = [mark for key in DRAWN[1:] for number, item in _items(data, key) for mark in _marks(key, number, item)]
    return proposed(shape, strokes, marks, rules, notes) if strokes or marks else ()


def drawings(data: Mapping[str, Any], key: str) -> list[Item]:
    """Return the objects under a key."""
    value = data.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def shows(item: Item) -> bool:
    """Return whether a drawing is on the board."""
    return bool(item.get("cells") or item.get("lines"))


def _items(data: Mapping[str, Any], key: str) -> Iterator[tuple[int, Item]]:
    for number, item in enumerate(drawings(data, key), start=1):
        if not item.get("fromConstraint") and shows(item):
            yield number, item


def _strokes(number: int, item: Item) -> Iterator[Stroke]:
    for line in _list(item.get("lines")):
        points = tuple(p for p in map(_middle, _list(line)[:_MOST_POINTS]) if p is not None)
        yield Stroke(f"line {number}", points, _text(item, "outlineC"), _number(item.get("width"), 0.0))


def _marks(key: str, number: int, item: Item) -> Iterator[Mark]:
    points = [p for p in map(_middle, _list(item.get("cells"))[:_MOST_POINTS]) if p is not None]
    if not points:
        return
    value = item.get("value")
    text = str(value)[:100] if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    centre = (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))
    if key == "cage":
        names = tuple(dict.fromkeys(f"R{int(row + 1)}C{int(column + 1)}" for row, column in points))
        yield Mark(f"cage {number}", centre, text=text, cells=names)
        return
    usual = 0.0 if key == "text" else 1.0
    yield Mark(
        f"{key} {number}",
        centre,
        _number(item.get("height"), usual),
        _number(item.get("width"), usual),
        round=key == "circle",
        fill=_text(item, "baseC"),
        border=_text(item, "outlineC"),
        text=text,
        turned=abs(_number(item.get("angle"), 0.0)) % 90 == 45,
    )


def _middle(value: object) -> Point | None:
    match = _PLACE.match(value.strip()) if isinstance(value, str) else None
    return (int(match[1]) - 0.5, int(match[2]) - 0.5) if match else None


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _text(item: Item, key: str) -> str:
    value = item.get(key)
    return value.strip()[:30] if isinstance(value, str) else ""


def _number(value: object, usual: float) -> float:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e4
    return float(value) if fits and isinstance(value, int | float) else usual
