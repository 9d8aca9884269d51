"""Reads a puzzle from a SudokuPad document, which is a drawing.

The reader takes givens, regions, cages, antiknight, antiking and norowcol, the stated solution, title, author, and
rules in words (as the comment). Other drawings are described, with the rule that they look like; they become rules
only if ``guess`` is set. Other statements are noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...errors import FormatError
from ...puzzle.drawn import Mark
from ...puzzle.puzzle import Puzzle
from ...puzzle.rules import AntiKing, AntiKnight
from ...puzzle.rules.rule_base import Rule
from ..fpuzzles.board_keys import solution_of
from ..fpuzzles.from_json import rules_in_words
from ..json_text import ABSENT, short
from .cages import cages_of
from .document_board import given, rows_of, shape_of
from .drawings import drawn_in
from .keys import SHORT, get, listed

_SILENT = frozenset({"id", "settings", "metadata", "foglight", "fogofwar", "duration", "videos", "vd", "d"})
_MOST_NOTES = 100


def puzzle_of(data: object) -> Puzzle:
    """Make a puzzle from a drawing."""
    if not isinstance(data, dict):
        raise FormatError("a SudokuPad puzzle: an object is expected")
    try:
        return _puzzle(data)
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error)) from None


def _puzzle(data: Mapping[str, Any]) -> Puzzle:
    rows, notes = rows_of(get(data, "cells")), list[str]()
    named = named_in(data, notes)
    lines = truth(named.get(FREE_LINES)) is not True
    shape = shape_of(listed(get(data, "regions"), "regions"), len(rows), len(rows[0]), lines, notes)
    givens = tuple(given(cell, i, shape, notes) for i, cell in enumerate(cell for row in rows for cell in row))
    facts = facts_of(named)
    cages = list(cages_of(data, shape, notes))
    rules = (*flags_of(named, notes), *(cage for cage in cages if isinstance(cage, Rule)))
    marks = [cage for cage in cages if isinstance(cage, Mark)]
    _note_others(data, facts, notes)
    return Puzzle(
        shape,
        givens,
        title=facts.get("title", ""),
        comment=_comment(facts),
        stated=solution_of(shape.cells, shape.values[-1], facts.get("solution", "")),
        rules=rules,
        drawn=drawn_in(data, marks, shape, facts.get("rules", ""), notes),
        notes=_without_repeats(notes),
    )


def _comment(facts: Mapping[str, str]) -> str:
    author = [f"author: {facts['author']}"] if facts.get("author") else []
    return "\n".join([*author, *([facts["rules"]] if facts.get("rules") else [])])


def _without_repeats(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(notes))[:_MOST_NOTES]


def _note_others(data: Mapping[str, Any], facts: Mapping[str, str], notes: list[str]) -> None:
    notes += rules_in_words(facts.get("rules", ""))
    known = {*SHORT, *SHORT.values(), *_SILENT, *TEXTS}
    notes.extend(f"the key {key[:40]!r} is not understood" for key in data if key not in known and data[key])


TEXTS = ("title", "author", "rules", "solution")
FREE_LINES = "norowcol"
"""The flag that allows repeated values in rows and columns."""
_FLAGS: Mapping[str, Callable[[], Rule]] = {"antiknight": AntiKnight, "antiking": AntiKing}
"""True or false facts that are rules."""
_JOINED = {"rules": "\n", "solution": ","}
_DESCRIBING = frozenset(
    {"source", "id", "url", "date", "version", "difficulty", "tags", "created", "modified", "msgcorrect"}
)
"""Facts about the puzzle that do not constrain any cell."""


def named_in(data: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return the named statements: at the top level, in metadata, settings, and cages without cells ("title: ...")."""
    found: dict[str, Any] = {key: get(data, key) for key in TEXTS if get(data, key) not in ABSENT}
    for key in ("metadata", "settings"):
        value = data.get(key)
        if isinstance(value, dict):
            _put(found, value)
        elif value:
            notes.append(f"{key}: {short(value)} is not understood")
    for cage in listed(get(data, "cages"), "cages"):
        value = get(cage, "value") if isinstance(cage, dict) and not get(cage, "cells") else None
        if isinstance(value, str) and ":" in value:
            name, _, rest = value.partition(":")
            _put(found, {name.strip(): rest.strip()})
        elif value not in ABSENT:
            notes.append(f"a cage without cells: {short(value)} is not understood")
    return found


def _put(found: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add a meaningful statement to those found; the first one counts."""
    found.update({name: value for name, value in more.items() if truth(found.get(name)) is False})


def truth(value: object) -> bool | None:
    """Return the truth value of a flag; None if it has another value."""
    word = value.strip().lower() if isinstance(value, str) else value
    if word in (None, "", "false", "f", "0", 0, [], {}):
        return False
    return True if word in ("true", "t", "1", 1) else None


def flags_of(named: Mapping[str, Any], notes: list[str]) -> Iterator[Rule]:
    """Yield the rules that are stated by name, and note all other meaningful names."""
    known = {*TEXTS, *_DESCRIBING, *(SHORT.get(name, name) for name in TEXTS)}
    for name, value in named.items():
        said = truth(value)
        if name in _FLAGS and said:
            yield _FLAGS[name]()
        elif said is not False and name not in known and not (said and name == FREE_LINES):
            notes.append(f"{name[:40]}: {short(value)} is not understood")


def facts_of(named: Mapping[str, Any]) -> dict[str, str]:
    """Return title, author, rules, solution."""
    found: dict[str, str] = {}
    for key in TEXTS:
        value = get(named, key)
        if isinstance(value, list) and key in _JOINED:
            value = _JOINED[key].join(map(str, value))
        if isinstance(value, str | int) and not isinstance(value, bool):
            found[key] = str(value)
    return found
