"""``sudoku-models count``.

The record of the schema ``sudoku-models/count/1``, one a puzzle: number, source, line, title and puzzle as for
``solve``; ``count``; ``exact`` (whether these are all); ``reason`` (why not, or what went wrong); ``backend``;
``seconds``. ``count`` is null where nothing could be counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..formats import Entry
from ..results import Count
from ..solving import count as counted
from . import tables
from .batch import Choice, told
from .codes import Code, code_of
from .options import Records
from .reading import Input
from .records import pieces, place, writer
from .solve import told_error
from .terminal import Tally, progress
from .writing import output

SCHEMA = "sudoku-models/count/1"
COLUMNS = ("number", "source", "line", "puzzle", "count", "exact", "reason", "backend", "seconds")


def count(source: Input, choice: Choice, limit: int | None, format: Records | None, out: str | None) -> Code:
    """Count the solutions of puzzle after puzzle."""
    choice.checked(None)
    if tables.wanted(format, out):
        from ..pipelines import Counting

        return tables.write_table(source, Counting(choice.backend, choice.limits, limit), 1, format, out)
    tally, wanted = Tally(), out is not None or not sys.stdout.isatty()
    total = source.count() if wanted and sys.stderr.isatty() else None
    with progress("counting", total, wanted) as bar, output(out) as write:
        records = _records(source.entries(tally), choice, limit, tally, bar.advance)
        for piece in pieces(records, writer(format or Records.LINE, SCHEMA, COLUMNS), lambda: tally.code):
            write(piece)
    return tally.code


def _records(
    entries: Iterator[Entry], choice: Choice, limit: int | None, tally: Tally, done: Callable[[], None]
) -> Iterator[tuple[dict[str, Any], str | None]]:
    for entry in entries:
        yield _record(entry, choice, limit, tally)
        done()


def _record(entry: Entry, choice: Choice, limit: int | None, tally: Tally) -> tuple[dict[str, Any], str | None]:
    start = place(entry)
    if entry.puzzle is None:
        return {**start, "count": None, "exact": False, "reason": entry.error.message if entry.error else ""}, None
    try:
        found = counted(entry.puzzle, choice.backend, limit=limit, **choice.limits)
    except Exception as error:
        tally.problem(f"{entry.place}: {error}", code_of(error))
        told_error(error)
        return {**start, "count": None, "exact": False, "reason": str(error)}, None
    stopped = not found.exact and (limit is None or found.value < limit)
    tally.add(Code.LIMIT if stopped else Code.SOLVED if found.value else Code.NO_SOLUTION)
    told(entry, found.record)
    return {**start, **_fields(found, stopped)}, str(found)


def _fields(found: Count, stopped: bool) -> dict[str, Any]:
    record = found.record
    return {
        "count": found.value,
        "exact": found.exact,
        "reason": "stopped by a limit" if stopped else "",
        "backend": record.backend,
        "seconds": round(sum(phase.wall for phase in record.phases.values()), 9),
    }
