"""The keys of f-puzzles that state rules: one row a key, which reads items as rules and writes rules as items."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import FormatError
from ..puzzle import rules as r
from ..puzzle.rules.rule_base import Rule
from ..puzzle.shape import Shape
from .json_text import listed, number, short
from .regions import default_box, outside, ray

LARGEST = 100
"""The largest side that is read."""
MOST_ITEMS = 20_000
"""The largest number of rules in one puzzle."""
Item = Mapping[str, Any]
_PLACE = re.compile(r"R(-?\d{1,3})C(-?\d{1,3})\Z")
_XV = {"X": 10, "V": 5}
_STEPS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}


@dataclass
class FPuzzlesContext:
    """The board being read; ``notes`` collects what is not understood."""

    shape: Shape
    dotted: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def side(self) -> int:
        return self.shape.width

    def cell(self, value: object) -> str:
        """Return the name of a cell on the board; raise FormatError for anything else."""
        name = value.strip().upper() if isinstance(value, str) else ""
        if name not in self.shape.places:
            raise FormatError(f"{short(value)} is not a cell: R1C1 to R{self.side}C{self.side} are expected")
        return name

    def cells(self, value: object, least: int = 1) -> list[str]:
        """Return the names of listed cells; raise FormatError if there are fewer than ``least``."""
        found = [self.cell(item) for item in listed(value, "cells")]
        if len(found) < least:
            raise FormatError(f"{len(found)} cells: at least {least} are expected")
        return found

    def lines(self, item: Item, least: int = 1, name: str = "") -> list[list[str]]:
        """Return the lines of an item; leave out empty ones and, with a note, those that are too short for a rule."""
        found = [self.cells(line) for line in listed(item.get("lines"), "lines") if line != []]
        for line in found:
            if len(line) < least:
                self.notes.append(f"{name}: the line {' '.join(line)} consists of a single end: it is left out")
        return [line for line in found if len(line) >= least]

    def along(self, value: object) -> tuple[str, ...]:
        """Return the cells of the row or column that a place outside the grid looks along, nearest cell first."""
        line = outside(self.side, self.side).get(self._place(value))
        if line is None:
            raise FormatError(f"{short(value)} is not beside any row or column")
        return line

    def diagonal(self, value: object, direction: object) -> tuple[str, ...]:
        """Return the cells in a direction, starting from a place on or beside the grid."""
        if not isinstance(direction, str) or direction not in _STEPS:
            raise FormatError(f"the direction {short(direction)}: UR, UL, DR or DL is expected")
        found = ray(self.side, self.side, self._place(value), _STEPS[direction])
        if not found:
            raise FormatError(f"no cells lie {direction} of {short(value)}")
        return found

    @staticmethod
    def _place(value: object) -> tuple[int, int]:
        place = place_of(value)
        if place is None:
            raise FormatError(f"{short(value)} is not a place: a name such as R0C1 is expected")
        return place


def place_of(value: object) -> tuple[int, int] | None:
    """Return the row and column in the name of a cell, on the board or beside it; None for anything else."""
    match = _PLACE.match(value.strip().upper()) if isinstance(value, str) else None
    return (int(match[1]), int(match[2])) if match else None


def value_or(item: Item, default: int | None) -> int | None:
    """Return the value of an item, or ``default`` if it is missing; raise FormatError if it is not a number."""
    value = item.get("value")
    if value in (None, ""):
        return default
    found = number(value)
    if found is None:
        raise FormatError(f"the value {short(value)} is not a number")
    return found


def text(value: object) -> str:
    """Return a text, or "" if it is missing or not a text."""
    return value if isinstance(value, str) else ""


ItemReader = Callable[[FPuzzlesContext, Item], Iterator[Rule]]
ItemWriter = Callable[[FPuzzlesContext, Any], Any]
"""Returns the item that states a rule; None if the key cannot express it."""


@dataclass(frozen=True)
class Key:
    """A key that holds a list of items: their meaningful fields, and the rules that they state."""

    name: str
    fields: frozenset[str]
    kinds: tuple[str, ...]
    read: ItemReader
    write: ItemWriter


def _key(name: str, fields: str, kinds: str | tuple[str, ...], read: ItemReader, write: ItemWriter) -> Key:
    return Key(name, frozenset(fields.split()), kinds if isinstance(kinds, tuple) else (kinds,), read, write)


_PLACES: Mapping[str, tuple[str, Callable[[FPuzzlesContext, Item, int, str], Iterable[Any]], Callable[[Any], Any]]] = {
    "lines": (
        "lines",
        lambda on, item, least, name: map(tuple, on.lines(item, least, name)),
        lambda x: [list(x.cells)],
    ),
    "cells": ("cells", lambda on, item, least, _: [tuple(on.cells(item.get("cells"), least))], lambda x: list(x.cells)),
    "each": ("cells", lambda on, item, *_: on.cells(item.get("cells")), lambda x: [x.cell]),
    "cell": ("cell", lambda on, item, *_: [on.cell(item.get("cell"))], lambda x: x.cell),
}
"""Where rules of a key are: along lines, in cells, in each of some cells, in a cell. The field of the item, what it
lists (for each rule), and the field from a rule."""


def _stating(
    name: str, kind: str, place: str, least: int = 1, valued: str = "", usual: int | None = None, **fixed: Any
) -> Key:
    """Return a key of rules of one kind: ``valued`` is the field of the rule for the value of an item, if it has one.

    ``usual`` is meant where an item has no value; ``fixed`` are the fields of the rule that the key implies.
    """
    key, places, written = _PLACES[place]

    def read(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
        stated = {valued: value_or(item, usual)} if valued else {}
        return (getattr(r, kind)(at, **stated, **fixed) for at in places(context, item, least, name))

    def write(_: FPuzzlesContext, rule: Any) -> Any:
        if any(getattr(rule, field) != value for field, value in fixed.items()):
            return None
        omitted = None if place == "lines" else usual
        return {key: written(rule), **(_value(getattr(rule, valued), omitted) if valued else {})}

    return _key(name, f"{key} value" if valued else key, kind, read, write)


def _value(value: int | None, usual: int | None = None) -> dict[str, str]:
    return {} if value == usual else {"value": str(value)}


def _clone(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    yield r.Clone(*(tuple(context.cells(item.get(key))) for key in ("cells", "cloneCells")))


def _clue(name: str, kind: str, field: str) -> Key:
    def read(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
        value = number(item.get("value"))
        if value is None:
            _note_value(context, item)
        else:
            yield getattr(r, kind)(context.along(item.get("cell")), value)

    def write(context: FPuzzlesContext, rule: Any) -> Any:
        places = (place for place, line in outside(context.side, context.side).items() if line == rule.cells)
        return next(({"cell": f"R{row}C{col}", "value": str(getattr(rule, field))} for row, col in places), None)

    return _key(name, "cell value", kind, read, write)


def _note_value(context: FPuzzlesContext, item: Item) -> None:
    if item.get("value") not in (None, ""):
        context.notes.append(f"the value {short(item['value'])} is not a number: the clue is left out")


def _killer_cage(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    cells, total = context.cells(item.get("cells")), number(item.get("value"))
    if len(set(cells)) < len(cells):
        raise FormatError("names a cell twice")
    if total is None and item.get("value") not in (None, ""):
        context.notes.append(f"killercage: the value {short(item['value'])} is not a number: the cage gets no sum")
    yield r.KillerCage(tuple(cells), total or None)


def _cage_item(_: FPuzzlesContext, rule: r.KillerCage) -> Any:
    if len(set(rule.cells)) < len(rule.cells) or rule.total == 0:
        return None
    return {"cells": list(rule.cells), **_value(rule.total)}


def _arrow(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    """Read the arrows of one circle or pill; each line begins in one of its cells."""
    circle = context.cells(item.get("cells"))
    for line in context.lines(item, 2, "arrow"):
        if line[0] not in circle:
            raise FormatError(f"the line from {line[0]} does not begin in its circle {' '.join(circle)}")
        if len(circle) == 1:
            yield r.Arrow((circle[0], *line[1:]))
        else:
            yield r.PillArrow(tuple(sorted(circle, key=context.shape.cell)), tuple(line[1:]))


def _arrow_item(context: FPuzzlesContext, rule: r.Arrow | r.PillArrow) -> Any:
    if isinstance(rule, r.Arrow):
        return {"lines": [list(rule.cells)], "cells": [rule.cells[0]]}
    if list(rule.pill) != sorted(rule.pill, key=context.shape.cell):
        return None
    return {"lines": [[rule.pill[-1], *rule.shaft]], "cells": list(rule.pill)}


def _xv(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    value = item.get("value")
    sign = value.strip().upper() if isinstance(value, str) else ""
    if value not in (None, "") and sign not in _XV:
        raise FormatError(f"the value {short(value)}: X or V is expected")
    yield r.XV(tuple(context.cells(item.get("cells"), 2)), _XV.get(sign))


def _xv_item(_: FPuzzlesContext, rule: r.XV) -> Any:
    sign = {10: "X", 5: "V", None: ""}.get(rule.total)
    return None if sign is None else {"cells": list(rule.cells), "value": sign}


def _quadruple(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    values = [number(value) for value in listed(item.get("values"), "values")]
    known = tuple(value for value in values if value is not None)
    if len(known) < len(values):
        raise FormatError("the values: numbers are expected")
    cells = tuple(context.cells(item.get("cells")))
    if known:
        yield r.Quadruple(cells, known)


def _little_killer(context: FPuzzlesContext, item: Item) -> Iterator[Rule]:
    total = number(item.get("value"))
    if not total:
        _note_value(context, item)
    else:
        yield r.LittleKiller(context.diagonal(item.get("cell"), item.get("direction")), total)


def _little_killer_item(context: FPuzzlesContext, rule: r.LittleKiller) -> Any:
    """Return the place beside the grid and the direction that give a whole diagonal, with its sum."""
    if rule.cells[0] in context.shape.places and rule.total:
        row, column = divmod(context.shape.cell(rule.cells[0]), context.side)
        for direction, (down, right) in _STEPS.items():
            before = f"R{row + 1 - down}C{column + 1 - right}"
            if before not in context.shape.places and context.diagonal(before, direction) == rule.cells:
                return {"cell": before, "direction": direction, "value": str(rule.total)}
    return None


_KEYS = (
    _key("killercage", "cells value", "KillerCage", _killer_cage, _cage_item),
    _key("arrow", "lines cells", ("Arrow", "PillArrow"), _arrow, _arrow_item),
    _stating("thermometer", "Thermo", "lines"),
    _stating("slowthermometer", "SlowThermo", "lines"),
    _stating("palindrome", "Palindrome", "lines"),
    _stating("renban", "Renban", "lines"),
    _stating("regionsumline", "RegionSumLine", "lines"),
    _stating("betweenline", "Between", "lines", 2),
    _stating("entropicline", "Entropic", "lines"),
    _stating("modularline", "Modular", "lines", modulus=3),
    _stating("nabner", "Nabner", "lines"),
    _stating("doublearrow", "DoubleArrow", "lines", 2),
    _stating("zipperline", "Zipper", "lines"),
    _stating("whispers", "Whisper", "lines", valued="difference"),
    _stating("lockout", "Lockout", "lines", valued="difference", usual=4),
    _stating("difference", "Difference", "cells", 2, valued="value", usual=1),
    _stating("ratio", "Ratio", "cells", 2, valued="value", usual=2),
    _key("xv", "cells value", "XV", _xv, _xv_item),
    _stating("odd", "Parity", "cell", odd=True),
    _stating("even", "Parity", "cell", odd=False),
    _stating("minimum", "Minimum", "cell", wrap=False),
    _stating("maximum", "Maximum", "cell", wrap=False),
    _stating("extraregion", "ExtraRegion", "cells"),
    _stating("rowindexer", "RowIndexer", "each"),
    _stating("columnindexer", "ColumnIndexer", "each"),
    _stating("boxindexer", "BoxIndexer", "each"),
    _key(
        "clone",
        "cells cloneCells",
        "Clone",
        _clone,
        lambda _, rule: {"cells": list(rule.cells), "cloneCells": list(rule.clones)},
    ),
    _key(
        "quadruple",
        "cells values",
        "Quadruple",
        _quadruple,
        lambda _, rule: {"cells": list(rule.cells), "values": list(rule.values)},
    ),
    _key("littlekillersum", "cell direction value cells", "LittleKiller", _little_killer, _little_killer_item),
    _clue("sandwichsum", "Sandwich", "total"),
    _clue("xsum", "XSum", "total"),
    _clue("skyscraper", "Skyscraper", "count"),
)
KEYS: Mapping[str, Key] = {key.name: key for key in _KEYS}
"""The keys that hold a list of items, by name."""

FLAGS: Mapping[str, Callable[[FPuzzlesContext], Rule]] = {
    "diagonal+": lambda _: r.Diagonal(True),
    "diagonal-": lambda _: r.Diagonal(False),
    "antiknight": lambda _: r.AntiKnight(),
    "antiking": lambda _: r.AntiKing(),
    "disjointgroups": lambda on: r.DisjointGroups(() if on.shape.box == default_box(on.side) else default_box(on.side)),
    "nonconsecutive": lambda context: r.NonConsecutive(context.dotted),
}
"""The keys that are true or false, with the rules that they state."""

NEGATIVE: Mapping[str, Callable[[], Rule]] = {"ratio": lambda: r.StrictRatio(), "xv": lambda: r.StrictXV()}
"""The names allowed in the list under ``negative``, with the rules that they state."""


def written(context: FPuzzlesContext, rule: Rule) -> tuple[str, Any] | None:
    """Return the key that states a rule, and its item or True; None if no key does."""
    for key in _BY_KIND.get(type(rule).__name__, ()) if type(rule) is r.loaded(type(rule).__name__) else ():
        item = key.write(context, rule)
        if item is not None:
            return key.name, item
    flag = next((name for name, state in FLAGS.items() if state(context) == rule), None)
    if flag is not None:
        return flag, True
    negative = next((name for name, state in NEGATIVE.items() if state() == rule), None)
    return None if negative is None else ("negative", negative)


_BY_KIND = {kind: [key for key in _KEYS if kind in key.kinds] for key in _KEYS for kind in key.kinds}
