"""Reads a puzzle from the JSON of f-puzzles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ...puzzle.rules.rule_base import Rule
from ..json_text import ABSENT, loaded, short
from .board_keys import candidates_of, cells_of, givens_of, shape_of, solution_of
from .context import MOST_ITEMS, FPuzzlesContext, Item, listed, text
from .drawings import DRAWN, drawings, drawn_in, shows
from .fields import colours, rules_of_drawings, says_nothing, unknown_fields
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
