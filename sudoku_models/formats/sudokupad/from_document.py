"""Reads a puzzle from a SudokuPad document, which is a drawing.

The reader takes givens, regions, cages, antiknight, antiking and norowcol, the stated solution, title, author, and
rules in words (as the comment). Other drawings are described, with the rule that they look like; they become rules
only if ``guess`` is set. Other statements are noted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import FormatError
from ...puzzle.drawn import Mark
from ...puzzle.puzzle import Puzzle
from ...puzzle.rules.rule_base import Rule
from ..fpuzzles.board_keys import solution_of
from ..fpuzzles.from_json import rules_in_words
from .cages import cages_of
from .document_board import given, rows_of, shape_of
from .drawings import drawn_in
from .keys import SHORT, get, listed
from .named import FREE_LINES, TEXTS, facts_of, flags_of, named_in, truth

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
