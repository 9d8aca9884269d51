"""Reads a puzzle from the JSON of f-puzzles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ...puzzle.rules.rule_base import Rule
from ..json_text import ABSENT, loaded, short
from .board_keys import candidates_of, cells_of, givens_of, shape_of, solution_of
from .context import MOST_ITEMS, FPuzzlesContext, Item, listed, text
from .drawings import DRAWN, drawings, drawn_in, shows
from .keys import FLAGS, ITEMS, NEGATIVE

_BOARD = frozenset({"size", "grid", "title", "author", "ruleset", "solution", "negative"})
_NO_RULE = frozenset(
    {"disabledlogic", "truecandidatesoptions", "highlightConflicts", "fogofwar", "foglight", "successMessage"}
)


_PLAIN_SUDOKU = re.compile(
    r"\W*(?:normal|standard|classic|usual)?\s*sudoku\s*(?:rules\s*(?:apply)?)?\W*\Z", re.IGNORECASE
)


def read_fpuzzles(source: str) -> Puzzle:
    """Read the JSON; a FormatError names the wrong key, and ``notes`` lists what was not understood."""
    return puzzle_of(loaded(source))


def puzzle_of(data: Mapping[str, Any]) -> Puzzle:
    """Make a puzzle from a JSON object."""
    side, cells = cells_of(data)
    notes: list[str] = []
    shape = shape_of(side, cells, notes)
    dotted = any(_items(data, key) for key in ("difference", "ratio"))
    context = FPuzzlesContext(shape, dotted, notes)
    try:
        rules = tuple(_rules(data, context))
        _note_others(data, context)
        context.notes.extend(unknown_fields("grid", cells))
        context.notes.extend(colours(cells))
        words = text(data.get("ruleset"))
        context.notes.extend(rules_in_words(words))
        stated = solution_of(side * side, side, data.get("solution"))
        title, comment = text(data.get("title")), _comment(data)
        givens, candidates = givens_of(side, cells), candidates_of(side, cells)
        drawn = drawn_in(data, shape, words, notes)
        return Puzzle(shape, givens, candidates, title, comment, stated, rules, tuple(notes), drawn)
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error)) from None


def rules_in_words(words: str) -> Iterator[str]:
    """Yield a note for rules in words, unless they say only that this is a Sudoku."""
    if words.strip() and not _PLAIN_SUDOKU.match(words):
        yield "rules in words are not understood: they are kept as the comment"


def _comment(data: Mapping[str, Any]) -> str:
    author, rules = text(data.get("author")), text(data.get("ruleset"))
    return "\n".join([f"author: {author}"] * bool(author) + [rules] * bool(rules))


def _rules(data: Mapping[str, Any], context: FPuzzlesContext) -> Iterator[Rule]:
    budget = MOST_ITEMS
    for key in data:
        if key in ITEMS:
            for rule in _of_key(key, data, context):
                budget -= 1
                if budget < 0:
                    raise FormatError(f"more than {MOST_ITEMS} rules")
                yield rule
        elif key in FLAGS and data[key] not in ABSENT:
            if data[key] is not True:
                raise FormatError(f"{key}: true or false is expected, not {short(data[key])}")
            yield FLAGS[key](context)
    for name in dict.fromkeys(map(str, listed(data.get("negative"), "names under negative"))):
        if name in NEGATIVE:
            yield NEGATIVE[name]()
        else:
            context.notes.append(f"negative: {name[:30]!r} is not known")


def _of_key(key: str, data: Mapping[str, Any], context: FPuzzlesContext) -> Iterator[Rule]:
    for number, item in enumerate(_items(data, key), start=1):
        if says_nothing(key, item):
            context.notes.append(f"{key} {number}: it has no cells and is left out")
            continue
        try:
            yield from ITEMS[key](context, item)
        except ValueError as error:
            reason = error.message if isinstance(error, FormatError) else str(error)
            raise FormatError(f"{key} {number}: {reason}") from None


def _items(data: Mapping[str, Any], key: str) -> list[Item]:
    found = list(listed(data.get(key), f"objects under {key}"))
    if len(found) > MOST_ITEMS:
        raise FormatError(f"{key}: {len(found)} items: at most {MOST_ITEMS} are possible")
    wrong = next((item for item in found if not isinstance(item, dict)), None)
    if wrong is not None or None in found:
        raise FormatError(f"{key}: {short(wrong)} is not an object")
    return found


def _note_others(data: Mapping[str, Any], context: FPuzzlesContext) -> None:
    """Note drawings of rules that are not in the file, and unknown keys and fields."""
    for key in DRAWN:
        context.notes.extend(rules_of_drawings(filter(shows, drawings(data, key)), data))
    for key in filter(ITEMS.__contains__, data):
        context.notes.extend(unknown_fields(key, _items(data, key)))
    known = {*_BOARD, *DRAWN, *_NO_RULE, *ITEMS, *FLAGS}
    unknown = [key for key in data if key not in known and data[key] not in ABSENT]
    context.notes.extend(f"the key {key[:40]!r} is not known" for key in unknown[:50])


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
