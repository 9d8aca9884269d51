"""The named statements of a SudokuPad document: title, author, rules, solution, flags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...puzzle.rules import AntiKing, AntiKnight
from ...puzzle.rules.rule_base import Rule
from ..json_text import ABSENT, short
from .keys import SHORT, get, listed

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
