"""``sudoku-models count``.

The record of the schema ``sudoku-models/count/1``, one a puzzle: number, source, line, title and puzzle as for
``solve``; ``count``; ``exact`` (whether these are all); ``reason`` (why not, or what went wrong); ``backend``;
``choice`` (why this one, where ``auto`` chose it); ``seconds``. ``count`` is null where nothing could be counted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..bulk.where import Alone
from ..formats import Entry
from ..puzzle import Puzzle
from ..verbs.results import Count
from . import answer_tables
from .batch import Effort, refuse
from .codes import Code
from .counted_tail import SCHEMA, CountedTail
from .each import Question, ask_each
from .inputs import Input
from .options import Records
from .records import writer
from .terminal import Tally

COLUMNS = ("number", "source", "line", "puzzle", "count", "exact", "reason", "backend", "seconds")


def count(source: Input, choice: Effort, limit: int | None, format: Records | None, out: str | None) -> Code:
    """Count the solutions of puzzle after puzzle."""
    choice.checked(None)
    if answer_tables.wanted(format, out):
        from ..bulk import Counting

        refuse(choice.jobs == 1, "--jobs and a table do not go together: a table's rows are counted in batches")
        return answer_tables.write_table(source, Counting(choice.backend, choice.limits, limit), 1, format, out)
    nothing = {"count": None, "exact": False}
    question = Question("counting", partial(_counted, choice.where.row, limit), partial(_report, limit), nothing)
    format = format or Records.LINE

    def tail(tally: Tally, one: Callable[[Entry], str]) -> CountedTail:
        return CountedTail(choice.where, format, tally, one, limit)

    return ask_each(source, question, choice.jobs, writer(format, SCHEMA, COLUMNS), out, tail=tail)


def _counted(row: Alone, limit: int | None, puzzle: Puzzle) -> Count:
    return row.task(puzzle).of_all("count").counted(limit)


def _report(limit: int | None, entry: Entry, found: Count) -> tuple[dict[str, Any], str | None, Code]:
    stopped = not found.exact and (limit is None or found.value < limit)
    code = Code.LIMIT if stopped else Code.SOLVED if found.value else Code.NO_SOLUTION
    reason = "stopped by a limit" if stopped else ""
    return {"count": found.value, "exact": found.exact, "reason": reason}, str(found), code
