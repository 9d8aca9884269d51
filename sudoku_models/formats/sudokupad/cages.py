"""The cages of a SudokuPad document: killer cages, sums, or drawings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import FormatError
from ...puzzle.drawn import Mark
from ...puzzle.rules import KillerCage, WeightedSum
from ...puzzle.rules.rule_base import Rule
from ...puzzle.shape import Shape
from ..fpuzzles.context import number
from ..json_text import ABSENT, short
from .document_board import numbers_of
from .keys import get, listed

MOST_CAGES = 5_000
_KEYS = frozenset(
    {"cells", "ce", "value", "v", "sum", "unique", "hidden", "style", "type", "id"}
    | {"outlineC", "fontC", "fontColor", "borderColor", "c1", "backgroundColor", "c2", "color", "c", "fontSize", "fs"}
)


def cages_of(data: Mapping[str, Any], shape: Shape, notes: list[str]) -> Iterator[Rule | Mark]:
    """Yield the rules of the cages, and cages without a rule as drawings; cages that cannot be rules are noted."""
    cages = listed(get(data, "cages"), "cages")
    if len(cages) > MOST_CAGES:
        raise FormatError(f"{len(cages)} cages: at most {MOST_CAGES} are possible")
    houses = {frozenset(house.cells) for house in shape.houses}
    for cage in cages:
        if not isinstance(cage, dict):
            raise FormatError(f"{short(cage)} is not a cage")
        strange = [key for key in cage if key not in _KEYS and cage[key] not in ABSENT]
        if strange:
            notes.append(f"a cage: {', '.join(strange)[:60]} is not understood")
        cells = numbers_of(get(cage, "cells"), shape.height, shape.width, "cage")
        if cells and not (frozenset(cells) in houses and _total(cage) is None):
            yield from _cage(cage, tuple(shape.names[cell] for cell in cells), shape, notes)


def _total(cage: Mapping[str, Any]) -> int | None:
    total = number(cage.get("sum"))
    return number(get(cage, "value")) if total is None else total


def _cage(cage: Mapping[str, Any], cells: tuple[str, ...], shape: Shape, notes: list[str]) -> Iterator[Rule | Mark]:
    total, different = _total(cage), cage.get("unique")
    value, name = get(cage, "value"), f"the cage of {cells[0]}"
    if number(value) not in (None, total):
        notes.append(f"{name} shows {short(value)} but has the sum {total}, which is used")
    if total is not None:
        yield from _sum(cells, total, different is not False, shape, notes)
    elif different is True and len(cells) > len(shape.values):
        notes.append(f"{name}: its {len(cells)} cells cannot all differ: it is read as a drawing")
    elif different is True:
        yield KillerCage(cells)
    else:
        rows, columns = zip(*(divmod(shape.cell(cell), shape.width) for cell in cells), strict=True)
        centre = (sum(rows) / len(cells) + 0.5, sum(columns) / len(cells) + 0.5)
        yield Mark(name, centre, text="" if value in (None, {}) else str(value)[:100], cells=cells)


def _sum(cells: tuple[str, ...], total: int, different: bool, shape: Shape, notes: list[str]) -> Iterator[Rule]:
    """Yield a cage with a total: a plain sum if its cells cannot differ, nothing if they cannot add up to it."""
    values, count, name = shape.values, len(cells), f"the cage of {cells[0]}"
    if not values[0] * count <= total <= values[-1] * count:
        notes.append(f"{name}: its {count} cells cannot add up to {total}: it is read as a drawing")
    elif different and count <= len(values) and sum(values[:count]) <= total <= sum(values[-count:]):
        yield KillerCage(cells, total)
    else:
        if different:
            notes.append(f"{name}: {count} cells that all differ cannot add up to {total}: they may be equal")
        yield WeightedSum(cells, total)
