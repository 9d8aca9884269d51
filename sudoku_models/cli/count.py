"""``sudoku-models count``.

The record of the schema ``sudoku-models/count/1``, one a puzzle: number, source, line, title and puzzle as for
``solve``; ``count``; ``exact`` (whether these are all); ``reason`` (why not, or what went wrong); ``backend``;
``choice`` (why this one, where ``auto`` chose it); ``seconds``. ``count`` is null where nothing could be counted.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ..formats import Entry
from ..puzzle import Puzzle
from ..verbs.results import Count
from ..verbs.solving import count as counted
from ..verbs.solving import counted_apart
from ..verbs.task import Limits
from . import tables
from .batch import Choice, refuse
from .behind import Batches
from .codes import Code
from .counted_tail import MOST, SCHEMA, CountedTail
from .each import Question, ask_each
from .options import Records
from .reading import Input
from .records import writer

COLUMNS = ("number", "source", "line", "puzzle", "count", "exact", "reason", "backend", "seconds")


def count(source: Input, choice: Choice, limit: int | None, format: Records | None, out: str | None) -> Code:
    """Count the solutions of puzzle after puzzle."""
    choice.checked(None)
    if tables.wanted(format, out):
        from ..bulk import Counting

        refuse(choice.jobs == 1, "--jobs and a table do not go together: a table's rows are counted in batches")
        return tables.write_table(source, Counting(choice.backend, choice.limits, limit), 1, format, out)
    nothing = {"count": None, "exact": False}
    question = Question("counting", partial(_counted, choice, limit), partial(_told, limit), nothing)
    format = format or Records.LINE
    batches = None if limit is None or limit > MOST else Batches.of(choice, format)
    tail = None if batches is None else CountedTail(batches, limit or 1, format)
    return ask_each(source, question, choice.jobs, writer(format, SCHEMA, COLUMNS), out, tail=tail)


def _counted(choice: Choice, limit: int | None, puzzle: Puzzle) -> Count:
    """Count the solutions of one puzzle, in a child process when there are others beside."""
    if choice.jobs > 1:
        return counted_apart(puzzle, choice.backend, limit, Limits.of(choice.limits))
    return counted(puzzle, choice.backend, limit=limit, **choice.limits)


def _told(limit: int | None, entry: Entry, found: Count) -> tuple[dict[str, Any], str | None, Code]:
    stopped = not found.exact and (limit is None or found.value < limit)
    code = Code.LIMIT if stopped else Code.SOLVED if found.value else Code.NO_SOLUTION
    reason = "stopped by a limit" if stopped else ""
    return {"count": found.value, "exact": found.exact, "reason": reason}, str(found), code
