"""The known fields of each key of f-puzzles. Other fields, and drawings of absent rules, are noted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..json_text import ABSENT
from .context import Item
from .keys import FLAGS, ITEMS

_MOST_NAMES = 50
_CELL = frozenset({"value", "given", "region", "givenPencilMarks"})
_COLOURS = ("c", "cArray", "highlight")
_NO_MEANING = frozenset({"centerPencilMarks", "cornerPencilMarks", *_COLOURS, "parity"})
"""The solver's notes, and colours."""
_LOOKS = frozenset({"outlineC", "baseC", "fontC", "color", "width", "height", "size", "angle", "opacity"})
_VALUED = {"cells": ("killercage", "difference", "ratio", "xv"), "lines": ("whispers", "lockout")}
_PLACES = ("cells", "cell", "lines", "cloneCells")
FIELDS: Mapping[str, frozenset[str]] = {
    "arrow": frozenset({"lines", "cells"}),
    "clone": frozenset({"cells", "cloneCells"}),
    "quadruple": frozenset({"cells", "values"}),
    "littlekillersum": frozenset({"cell", "direction", "value", "cells"}),
    **{key: frozenset({place, "value"}) for place, keys in _VALUED.items() for key in keys},
    **dict.fromkeys(("sandwichsum", "xsum", "skyscraper"), frozenset({"cell", "value"})),
    **dict.fromkeys(("odd", "even", "minimum", "maximum"), frozenset({"cell"})),
    **dict.fromkeys(("extraregion", "rowindexer", "columnindexer", "boxindexer"), frozenset({"cells"})),
    **dict.fromkeys(("thermometer", "slowthermometer", "palindrome", "renban", "regionsumline"), frozenset({"lines"})),
    **dict.fromkeys(("betweenline", "entropicline", "modularline"), frozenset({"lines"})),
    **dict.fromkeys(("nabner", "doublearrow", "zipperline"), frozenset({"lines"})),
}
"""The meaningful fields of the items of each key."""


def unknown_fields(key: str, items: Iterable[Item]) -> Iterator[str]:
    """Yield a note for each unknown field of some items."""
    known = (_CELL | _NO_MEANING) if key == "grid" else FIELDS[key] | _LOOKS
    found = dict.fromkeys(name for item in items for name in item if name not in known and item[name] not in ABSENT)
    return (f"{key}: the field {name[:40]!r} is not known" for name in list(found)[:_MOST_NAMES])


def colours(cells: Iterable[Item]) -> Iterator[str]:
    """Yield a note if cells are coloured, as the setter may mean something by that."""
    coloured = sum(any(cell.get(key) not in ABSENT for key in _COLOURS) for cell in cells)
    if coloured:
        count = "1 cell is" if coloured == 1 else f"{coloured} cells are"
        yield f"{count} coloured: colours are not read as rules"


def says_nothing(key: str, item: Item) -> bool:
    """Return whether an item has no cells and no unknown field that might hold cells."""
    absent = [item.get(name) in ABSENT for name in _PLACES if name in FIELDS[key]]
    other = any(name not in FIELDS[key] | _LOOKS and item[name] not in ABSENT for name in item)
    return all(absent) and not other


def rules_of_drawings(drawings: Iterable[Item], data: Mapping[str, Any]) -> Iterator[str]:
    """Yield a note for each rule that drawings belong to but that is not in the file."""
    names = dict.fromkeys(str(item["fromConstraint"]) for item in drawings if item.get("fromConstraint"))
    absent = [name for name in names if data.get(_key(name)) in ABSENT]
    return (f"a drawing belongs to {name[:40]!r}: there is no such rule in the file" for name in absent[:_MOST_NAMES])


def _key(name: str) -> str:
    """Return the key of a rule with a name such as "Region Sum Line"; "" if there is none."""
    stem = _stem(name)
    known = [key for key in (*ITEMS, *FLAGS) if stem.endswith(_stem(key))]
    known = known or [key for key in ITEMS if len(stem) > 3 and _stem(key).startswith(stem)]
    return max(known, key=len, default="")


def _stem(name: str) -> str:
    letters = re.sub("[^a-z]", "", name.lower())
    sign = name.rstrip()[-1:]
    return re.sub("(line)?s?$", "", letters) + (sign if sign in ("+", "-") else "")
