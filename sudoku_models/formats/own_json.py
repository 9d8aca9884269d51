"""The package's own JSON: everything in a puzzle, in one canonical form. Rules are data: a name and fields.

``{"schema": "sudoku-models/puzzle", "version": 1, "height": 4, "width": 4, "values": [1, 2, 3, 4], "box": [2, 2],
"givens": "1...............", "rules": [{"rule": "Thermo", "cells": ["R1C1", "R1C2"]}]}``. A field with its default
value is left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from ..errors import FormatError, meant
from ..model import Automaton, domain
from ..puzzle.puzzle import Puzzle
from ..puzzle.rules import known_rule, known_rules, loaded
from ..puzzle.rules.rule_base import Rule
from ..puzzle.rules.steps import Steps
from ..puzzle.shape import LARGEST_SIDE, Shape, boxes_of, shared_shape
from .format import format_errors, witnessed
from .json_text import short

SCHEMA = "sudoku-models/puzzle"
VERSION = 1
_KEYS = frozenset(
    {"schema", "version", "height", "width", "values", "box", "regions", "lines", "givens", "candidates", "rules"}
    | {"title", "comment", "solution"}
)
MOST_VALUES = 1_000


def write_own(puzzle: Puzzle) -> str:
    """Write a puzzle on one line; equal puzzles give equal texts."""
    shape = puzzle.shape
    data: dict[str, Any] = {"schema": SCHEMA, "version": VERSION, "height": shape.height, "width": shape.width}
    data["values"] = list(shape.values)
    if shape.box is not None:
        data["box"] = list(shape.box)
    if shape.regions and (shape.box is None or boxes_of(shape.height, shape.width, shape.box) != shape.regions):
        data["regions"] = [[shape.names[cell] for cell in region] for region in shape.regions]
    data |= {} if shape.lines else {"lines": False}
    data |= {key: text for key, text in (("title", puzzle.title), ("comment", puzzle.comment)) if text}
    data["givens"] = _written(puzzle.givens)
    if puzzle.candidates:
        data["candidates"] = [[shape.names[cell], list(values)] for cell, values in puzzle.candidates]
    if puzzle.rules:
        data["rules"] = [rule_data(rule) for rule in puzzle.rules]
    if puzzle.stated is not None:
        data["solution"] = _written(puzzle.stated)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


@format_errors
def puzzle_of(data: Mapping[str, Any]) -> Puzzle:
    """Make a puzzle from a JSON object."""
    if data.get("schema") != SCHEMA:
        raise FormatError(f"the schema {short(data.get('schema'))}: {SCHEMA!r} is expected")
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise FormatError(f"version {short(data.get('version'))}: only version {VERSION} can be read")
    shape = _shape(data)
    rules = rules_of(data.get("rules", []), shape)
    stated = _board(data["solution"], shape, "solution") if data.get("solution") is not None else None
    givens, candidates = _board(data.get("givens"), shape, "givens"), _candidates(data, shape)
    title, comment = _text(data, "title"), _text(data, "comment")
    notes = tuple(f"the key {key[:40]!r} is not known" for key in data if key not in _KEYS)[:50]
    return witnessed(Puzzle(shape, givens, candidates, title, comment, stated, rules, notes))


def _shape(data: Mapping[str, Any]) -> Shape:
    height, width = (_whole(data.get(key), key, 1, LARGEST_SIDE) for key in ("height", "width"))
    values = _wholes(data.get("values", list(range(1, max(height, width) + 1))), "values")
    if not values or len(values) > MOST_VALUES:
        raise FormatError(f"values: 1 to {MOST_VALUES} numbers are expected")
    box, lines = data.get("box"), data.get("lines", True)
    if not isinstance(lines, bool):
        raise FormatError("lines: true or false is expected")
    size = _box(box, height, width) if box is not None else None
    if "regions" in data:
        regions = _regions(data["regions"], height, width)
    else:
        regions = boxes_of(height, width, size) if size else ()
    return shared_shape(height, width, domain(values), regions, size, lines)


def _box(value: object, height: int, width: int) -> tuple[int, int]:
    box = _wholes(value, "box")
    if len(box) != 2 or min(box) < 1 or height % box[0] or width % box[1]:
        raise FormatError(f"box: the height and width of boxes that divide {height} x {width} cells are expected")
    return box[0], box[1]


def _regions(value: object, height: int, width: int) -> tuple[tuple[int, ...], ...]:
    places = {f"R{r + 1}C{c + 1}": r * width + c for r in range(height) for c in range(width)}
    found = []
    for region in _list(value, "regions"):
        names = _list(region, "regions")
        wrong = next((name for name in names if not isinstance(name, str) or name not in places), None)
        if wrong is not None or None in names:
            raise FormatError(f"regions: {short(wrong)} is not a cell of the board")
        found.append(tuple(places[name] for name in names))
    return tuple(found)


def _board(value: object, shape: Shape, key: str) -> tuple[int | None, ...]:
    """Parse a text of digits and '.', or a list of numbers and nulls."""
    cells: Sequence[object]
    if isinstance(value, str):
        cells = [None if c == "." else int(c) if c.isascii() and c.isdigit() else c for c in value]
    else:
        cells = _list(value, key)
    if len(cells) != shape.cells:
        raise FormatError(f"{key}: {len(cells)} cells: {shape.cells} are expected")
    allowed = shape.contents
    found: list[int | None] = []
    for name, cell in zip(shape.names, cells, strict=True):
        if (cell is not None and type(cell) is not int) or cell not in allowed:
            raise FormatError(f"{key}: {short(cell)} is not a value of the board", cell=name)
        found.append(cell)
    return tuple(found)


def _written(values: Sequence[int | None]) -> str | list[int | None]:
    if all(value is None or 0 <= value <= 9 for value in values):
        return "".join("." if value is None else str(value) for value in values)
    return list(values)


def _candidates(data: Mapping[str, Any], shape: Shape) -> tuple[tuple[int, tuple[int, ...]], ...]:
    found = []
    for item in _list(data.get("candidates", []), "candidates"):
        if not isinstance(item, list) or len(item) != 2 or not isinstance(item[0], str):
            raise FormatError('candidates: pairs such as ["R1C1", [1, 2]] are expected')
        found.append((shape.cell(item[0]), domain(_wholes(item[1], "candidates"))))
    return tuple(found)


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise FormatError(f"{key}: a text is expected, not {short(value)}")
    return value


def _list(value: object, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(f"{key}: a list is expected, not {short(value)}")
    return value


def _wholes(value: object, key: str) -> list[int]:
    return [_whole(item, key, -(10**9), 10**9) for item in _list(value, key)]


def _whole(value: object, key: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise FormatError(f"{key}: a number from {low} to {high} is expected, not {short(value)}")
    return value


MOST_RULES = 20_000
DEEPEST = 40
"""The deepest nesting of rules and lists."""
_MOST_PLAIN, _MOST_RANKED = 200, 200_000
_ARROW = 5
"""The cost, in steps, of reading one transition."""
_PARTS = {
    "Automaton": ("states", "start", "accepting", "arrows"),
    "Machine": ("states", "starts", "accepting", "arrows"),
}


def rule_data(rule: Rule) -> dict[str, Any]:
    """Return a rule as JSON data; fields with their default are left out."""
    found: dict[str, Any] = {"rule": type(rule).__name__}
    for one in fields(rule):
        value = getattr(rule, one.name)
        if one.default is MISSING or value != one.default:
            found[one.name] = _plain(value)
    return found


def _plain(value: object) -> Any:
    if isinstance(value, Rule):
        return rule_data(value)
    if isinstance(value, (Automaton, loaded("Machine"))):
        return {name: _plain(getattr(value, name)) for name in _PARTS[type(value).__name__]}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int | bool):
        return value
    raise FormatError(f"{value!r:.60} in a rule cannot be written as JSON")


@dataclass
class _Bounds:
    """Limits expensive checks: the number of rules, and of kinds that examine the whole board or build automata."""

    shape: Shape
    counts: Counter[str] = field(default_factory=Counter)
    steps: Steps = field(default_factory=Steps)

    def count(self, rule: Rule) -> None:
        """Count a rule; raise FormatError if there are too many."""
        counts, ranked = self.counts, isinstance(rule, loaded("FullRank"))
        counts["rules"] += 1
        counts["rules about the whole board"] += not rule.scope
        counts["rules about ranks, multiplied by cells"] += self.shape.cells * ranked
        for (name, count), most in zip(counts.items(), (MOST_RULES, _MOST_PLAIN, _MOST_RANKED), strict=True):
            if count > most:
                raise FormatError(f"more than {most} {name}")
        try:
            self.pay(rule)
        except ValueError as error:
            raise FormatError(f"{type(rule).__name__}: {error}") from None

    def pay(self, rule: Rule) -> None:
        """Build a pattern or an automaton; raise ValueError if the budget is used up."""
        if isinstance(rule, loaded("Regex")):
            from ..puzzle.rules.regex import regex_automaton

            regex_automaton(rule.pattern, self.shape.values, len(rule.cells), self.steps)
        elif isinstance(rule, loaded("Line")):
            self.steps.spend(_ARROW * len(rule.automaton.arrows))
            rule.whole(self.shape.values, self.steps)
        elif isinstance(rule, loaded("MachineLine")):
            self.steps.spend(_ARROW * len(rule.machine.arrows))
            self.steps.spend(_ARROW * rule.ways(self.shape.values))
        elif isinstance(rule, loaded("Condition")):
            self.steps.spend(rule.read.steps)


def rules_of(value: object, shape: Shape) -> tuple[Rule, ...]:
    """Make the rules of a board from a list of JSON data; a FormatError names the wrong rule."""
    if not isinstance(value, list):
        raise FormatError(f"rules: a list is expected, not {short(value)}")
    bounds = _Bounds(shape)
    found = []
    for number, item in enumerate(value, start=1):
        try:
            found.append(_rule(item, bounds, 0))
        except FormatError as error:
            raise FormatError(f"rule {number}: {error.message}") from None
        except (ValueError, TypeError) as error:
            raise FormatError(f"rule {number}: {error}") from None
    return tuple(found)


def _rule(data: object, bounds: _Bounds, depth: int) -> Rule:
    if not isinstance(data, dict) or not isinstance(data.get("rule"), str):
        raise FormatError(f'an object such as {{"rule": "Thermo", ...}} is expected, not {short(data)}')
    kind = _kind(data["rule"])
    known = {one.name: one for one in fields(kind)}
    strange = next((key for key in data if key != "rule" and key not in known), None)
    if strange is not None:
        raise FormatError(f"{kind.__name__} has no field {strange[:40]!r}{meant(strange, known)}")
    missing = next((name for name, one in known.items() if one.default is MISSING and name not in data), None)
    if missing is not None:
        raise FormatError(f"{kind.__name__}: the field {missing} is missing")
    values = {key: _value(data[key], bounds, depth + 1) for key in data if key != "rule"}
    made = kind(**values)
    bounds.count(made)
    return made


def _kind(name: str) -> type[Rule]:
    kind = known_rule(name)
    if kind is None or not is_known(kind):
        near = meant(name, (known for known, found in known_rules().items() if is_known(found)))
        raise FormatError(f"the rule {name[:40]!r} is not known{near}")
    return kind


def is_known(kind: type[Rule]) -> bool:
    """Return whether documents may name a class of rules: concrete classes, not bases."""
    return not kind.__name__.startswith("_") and kind.constraints is not Rule.constraints


def _value(value: object, bounds: _Bounds, depth: int) -> Any:
    if depth > DEEPEST:
        raise FormatError(f"the rules are nested deeper than {DEEPEST}")
    if isinstance(value, list):
        return tuple(_value(item, bounds, depth + 1) for item in value)
    if isinstance(value, Mapping):
        return _automaton(value) if "states" in value else _rule(value, bounds, depth + 1)
    return value


def _automaton(data: Mapping[str, Any]) -> object:
    from ..puzzle.rules import Machine

    kind = Machine if "starts" in data else Automaton
    if set(data) != set(_PARTS[kind.__name__]):
        raise FormatError(f"an automaton has {', '.join(_PARTS[kind.__name__])}")
    for key in {"starts", "accepting", "arrows"} & set(data):
        if not isinstance(data[key], list):
            raise FormatError(f"an automaton: {key}: a list is expected")
    if not all(isinstance(arrow, list) and len(arrow) == 3 for arrow in data["arrows"]):
        raise FormatError("an automaton: arrows [state, value, next state] are expected")
    return kind(**data)
