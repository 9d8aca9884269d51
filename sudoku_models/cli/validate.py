"""``sudoku-models validate``.

The record of the schema ``sudoku-models/validate/1``, one a puzzle: number, source, line, title and puzzle as for
``solve``; ``legal`` (null when the puzzle could not be read); ``clashes``, a list of {house, value, cells};
``clues``, the number of filled cells; ``complete``, whether all are filled; ``reason`` in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..formats import Entry
from ..solving import validate as validated
from . import tables
from .codes import Code
from .options import Records
from .reading import Input
from .records import pieces, place, writer
from .terminal import Tally
from .writing import output

SCHEMA = "sudoku-models/validate/1"
COLUMNS = ("number", "source", "line", "puzzle", "legal", "clues", "complete", "reason")


def validate(source: Input, format: Records | None, out: str | None) -> Code:
    """Tell of board after board whether it is legal."""
    if tables.wanted(format, out):
        from ..pipelines import Validating

        return tables.write_table(source, Validating(), 1, format, out)
    tally = Tally()
    with output(out) as write:
        records = _records(source.entries(tally), tally)
        for piece in pieces(records, writer(format or Records.LINE, SCHEMA, COLUMNS), lambda: tally.code):
            write(piece)
    return tally.code


def _records(entries: Iterable[Entry], tally: Tally) -> Iterator[tuple[dict[str, Any], str | None]]:
    for entry in entries:
        fields = _fields(entry)
        if fields["legal"] is not None:
            tally.add(Code.SOLVED if fields["legal"] else Code.NO_SOLUTION)
        yield {**place(entry), **fields}, _text(fields)


def _fields(entry: Entry) -> dict[str, Any]:
    if entry.puzzle is None:
        reason = entry.error.message if entry.error else ""
        return {"legal": None, "clashes": [], "clues": None, "complete": None, "reason": reason}
    found = validated(entry.puzzle)
    return {
        "legal": found.legal,
        "clashes": [{"house": c.house, "value": c.value, "cells": list(c.cells)} for c in found.clashes],
        "clues": entry.puzzle.clues,
        "complete": entry.puzzle.clues == entry.puzzle.shape.cells,
        "reason": "; ".join(map(str, found.clashes)),
    }


def _text(fields: dict[str, Any]) -> str | None:
    if fields["legal"] is None:
        return None
    if not fields["legal"]:
        return f"illegal: {fields['reason']}"
    return "legal and complete" if fields["complete"] else "legal"
