"""``sudoku-models validate``.

The record of the schema ``sudoku-models/validate/1``, one a puzzle: number, source, line, title and puzzle as for
``solve``; ``legal`` (null when the puzzle could not be read); ``clashes``, a list of {house, value, cells};
``clues``, the number of filled cells; ``complete``, whether all are filled; ``reason`` in words. With ``--core`` also
``solvable`` (null when that is not settled) and ``core``, a list of givens, houses and rules that contradict each
other, in words (null when there is a solution or the list is not known to be minimal); not of a board that is illegal,
of which the clashes tell why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..bulk.where import Where
from ..errors import LimitReached
from ..formats import Entry
from ..verbs.smallest_conflict import core
from ..verbs.solving import validate as validated
from . import answer_tables
from .batch import Effort, log_error
from .codes import Code, UsageError, code_of
from .each import alone, answer_all
from .inputs import Input
from .options import Records
from .records import place, text_of, writer
from .terminal import Tally
from .validated_tail import SCHEMA, ValidatedTail

COLUMNS = ("number", "source", "line", "puzzle", "legal", "clues", "complete", "reason")


def validate(source: Input, explaining: Effort | None, format: Records | None, out: str | None) -> Code:
    """Check whether each board is legal; with the backend ``explaining``, also say why one has no solution."""
    if answer_tables.wanted(format, out):
        from ..bulk import Validating

        if explaining:
            raise UsageError("--core does not go with a table: line, json, jsonl and csv are possible")
        return answer_tables.write_table(source, Validating(), 1, format, out)
    tally = Tally()
    if explaining:
        explaining.checked()
    format = format or Records.LINE
    written = writer(format, SCHEMA, COLUMNS)

    def singly(entries: Iterator[Entry], done: Callable[[], object]) -> Iterator[str]:
        for found in _records(entries, explaining, tally):
            yield text_of(found, written)
            done()

    tail = None if explaining else ValidatedTail(Where(), format, tally, alone(singly))
    return answer_all(source, "validating", singly, tail, written, tally, out)


def _records(
    entries: Iterable[Entry], explaining: Effort | None, tally: Tally
) -> Iterator[tuple[dict[str, Any], str | None]]:
    for entry in entries:
        fields = _fields(entry)
        if explaining and fields["legal"]:
            fields |= _explained(entry, explaining, tally)
        elif fields["legal"] is not None:
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


def _explained(entry: Entry, explaining: Effort, tally: Tally) -> dict[str, Any]:
    """Tell whether a legal board has a solution, and what contradicts each other if not."""
    assert entry.puzzle
    try:
        found = core(entry.puzzle, explaining.backend, **explaining.limits)
    except Exception as error:
        tally.problem(f"{entry.source}: line {entry.line}: {error}", code_of(error))
        log_error(error)
        proved = isinstance(error, LimitReached) and error.known is not None
        return {"solvable": False if proved else None, "core": None, "reason": str(error)}
    tally.add(Code.SOLVED if found is None else Code.NO_SOLUTION)
    if found is None:
        return {"solvable": True, "core": None}
    return {"solvable": False, "core": list(found.parts), "reason": f"no solution: {found}"}


def _text(fields: dict[str, Any]) -> str | None:
    if fields["legal"] is None:
        return None
    if not fields["legal"]:
        return f"illegal: {fields['reason']}"
    verdict = "legal and complete" if fields["complete"] else "legal"
    if "solvable" in fields:
        return f"{verdict}, solvable" if fields["solvable"] else f"{verdict}, {fields['reason']}"
    return verdict
