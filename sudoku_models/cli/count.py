"""``sudoku-models count``.

The record of the schema ``sudoku-models/count/1``, one a puzzle: number, source, line, title and puzzle as for
``solve``; ``count``; ``exact`` (whether these are all); ``reason`` (why not, or what went wrong); ``backend``;
``seconds``. ``count`` is null where nothing could be counted.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..formats import Entry
from ..many import mapped
from ..results import Count
from ..solving import Limits, counted_apart
from ..solving import count as counted
from . import tables
from .batch import Choice, refuse, told
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

        refuse(choice.jobs == 1, "--jobs and a table do not go together: a table's rows are counted in batches")
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
    waiting: deque[Entry] = deque()

    def noted() -> Iterator[Entry]:
        for entry in entries:
            waiting.append(entry)
            yield entry

    for found in mapped(partial(_counted, choice, limit), noted(), choice.jobs, None):
        yield _record(waiting.popleft(), found, limit, tally)
        done()


def _counted(choice: Choice, limit: int | None, entry: Entry) -> Count | Exception | None:
    """Count the solutions of one puzzle, in a child process when there are others beside; None without a puzzle."""
    if entry.puzzle is None:
        return None
    try:
        if choice.jobs > 1:
            return counted_apart(entry.puzzle, choice.backend, limit, Limits.of(choice.limits))
        return counted(entry.puzzle, choice.backend, limit=limit, **choice.limits)
    except Exception as error:
        return error


def _record(
    entry: Entry, found: Count | Exception | None, limit: int | None, tally: Tally
) -> tuple[dict[str, Any], str | None]:
    start = place(entry)
    if found is None:
        return {**start, "count": None, "exact": False, "reason": entry.error.message if entry.error else ""}, None
    if isinstance(found, Exception):
        tally.problem(f"{entry.place}: {found}", code_of(found))
        told_error(found)
        return {**start, "count": None, "exact": False, "reason": str(found)}, None
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
