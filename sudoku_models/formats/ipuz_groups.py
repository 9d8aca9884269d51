"""Cages and zones of ipuz. The format does not say whether cells count from 0 or 1, or whether they may be equal.

So they are drawings: a rule is proposed if only one reading of the cells [column, row], from 0 or 1, is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import FormatError
from ..puzzle.drawn import Drawn, Mark
from ..puzzle.rules import Board, Calculation, ExtraRegion, KillerCage
from ..puzzle.rules.rule_base import Rule
from ..puzzle.shape import Shape
from .json_text import short

_MOST = 1_000
_OPERATORS = {"+": "+", "-": "-", "\u2212": "-", "*": "*", "x": "*", "\u00d7": "*", "/": "/", "\u00f7": "/"}
Place = tuple[int, int]


def groups_of(data: Mapping[str, Any], shape: Shape) -> tuple[Drawn, ...]:
    """Describe each cage and zone; raise FormatError for anything but a list of them."""
    found = [(key, number, item) for key in ("cages", "zones") for number, item in enumerate(_items(data, key), 1)]
    places = [_places(item, f"{key} {number}") for key, number, item in found]
    base = _base([place for group in places for place in group], shape.width)
    return tuple(
        _drawn(f"{key} {number}", item, group, base, shape)
        for (key, number, item), group in zip(found, places, strict=True)
    )


def _items(data: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = data.get(key) or []
    if not isinstance(value, list) or len(value) > _MOST:
        raise FormatError(f"{key}: a list of at most {_MOST} objects is expected")
    return value


def _places(item: object, name: str) -> list[Place]:
    """Return the cells of a group with their numbers: [column, row]."""
    if not isinstance(item, dict):
        raise FormatError(f"{name}: {short(item)} is not an object")
    rect: Any = item.get("rect")
    if _are_numbers(rect, 4):
        return list(_inside(*rect))
    cells = item.get("cells")
    if not isinstance(cells, list) or not cells or not all(_are_numbers(cell, 2) for cell in cells):
        raise FormatError(f"{name}: cells such as [[column, row], ...] are expected")
    return [(cell[0], cell[1]) for cell in cells]


def _inside(left: int, top: int, right: int, bottom: int) -> Iterator[Place]:
    if right - left > 100 or bottom - top > 100:
        raise FormatError(f"a rect of {right - left + 1} x {bottom - top + 1} cells is too large")
    return ((column, row) for row in range(top, bottom + 1) for column in range(left, right + 1))


def _are_numbers(value: object, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(type(part) is int for part in value)


def _base(places: Sequence[Place], side: int) -> int | None:
    """Return the base of the numbering, judged by all groups; None if both 0 and 1 are possible."""
    numbers = [number for place in places for number in place]
    if any(not 0 <= number <= side for number in numbers) or (0 in numbers and side in numbers):
        raise FormatError(f"cages and zones: cells [column, row] of a board of side {side} are expected")
    return 0 if 0 in numbers else 1 if side in numbers else None


def _drawn(name: str, item: Mapping[str, Any], places: Sequence[Place], base: int | None, shape: Shape) -> Drawn:
    start = base or 0
    cells = tuple(dict.fromkeys(f"R{row - start + 1}C{column - start + 1}" for column, row in places))
    value, operator = item.get("value"), item.get("operator")
    text = f"{value if value is not None else ''}{operator or ''}"[:20]
    centre = (sum(p[1] for p in places) / len(places) + 0.5, sum(p[0] for p in places) / len(places) + 0.5)
    shapes = (Mark(name, centre, text=text, cells=cells),)
    look = f"{name}: {' '.join(cells)}" + (f" with {text!r}" if text else "")
    if base is None:
        return Drawn(shapes, look, None, ("its cells may count from 0 or from 1",))
    try:
        rule = _rule(name, value, operator, cells)
        Board(shape, (rule,)).check()
    except ValueError as error:
        return Drawn(shapes, look, None, (str(error),))
    return Drawn(shapes, look, rule, (f"its cells count from {base}, column first",))


def _rule(name: str, value: object, operator: object, cells: tuple[str, ...]) -> Rule:
    if name.startswith("zones"):
        return ExtraRegion(cells)
    total = int(value) if isinstance(value, int | str) and str(value).isdecimal() and len(str(value)) < 9 else None
    if operator and operator not in _OPERATORS:
        raise ValueError(f"the operator {short(operator)} is not known")
    if operator and total is not None:
        return Calculation(cells, _OPERATORS[str(operator)], total)
    return KillerCage(cells, total)
