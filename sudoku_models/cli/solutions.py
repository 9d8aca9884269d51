"""How ``solve`` writes findings: each solution as soon as it is there.

The record of the schema ``sudoku-models/solve/1``, one a puzzle, in JSON lines and JSON documents:

    schema      "sudoku-models/solve/1" (once, at the head, in a JSON document)
    number      counts the puzzles of a file from 1
    source      the file
    line        the line in it where the puzzle begins
    title       the puzzle's title, if it has one
    puzzle      the givens in one line; null when the puzzle could not be read
    solutions   a list of solutions, each in one line
    count       how many these are
    status      solved, "solved without the drawn rules", unsatisfiable, unknown, "bad input" or failed
    unique      whether the solution is the only one; null when that was not asked for or is not settled
    complete    whether there are no other solutions than these
    reason      why there is no more of an answer: a limit, clashing givens, what is wrong with the input
    backend     which backend answered; null when none did
    choice      why this backend, where it was chosen by ``auto``
    seconds     wall time, all phases together
    phases      wall seconds of each phase
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..errors import FormatError
from ..formats import Entry, write
from ..puzzle import Grid
from ..verbs.results import WITHOUT_DRAWN, Status
from .codes import Code
from .finding import BAD_INPUT, FAILED, Finding
from .records import Csv, Json, place

SCHEMA = "sudoku-models/solve/1"
COLUMNS = ("number", "source", "line", "puzzle", "solution", "status", "unique", "reason", "backend", "seconds")


class Lines:
    """A line for each solution; a comment where there is none."""

    def __init__(self, alphabet: str | None) -> None:
        self.alphabet = alphabet

    def head(self) -> str:
        """Return nothing: there is no header."""
        return ""

    def tail(self, code: Code) -> str:
        """Return nothing."""
        return ""

    def pieces(self, finding: Finding) -> Iterator[str]:
        """Yield a line for each solution, as it is found, or the comment."""
        for grid in finding.grids:
            yield _line(grid, self.alphabet) + _remark(finding) + "\n"
        if not finding.count and finding.status not in (BAD_INPUT, FAILED):
            entry = finding.entry
            yield f"# {_no_solution(finding)} (puzzle {entry.number}, {entry.unit} {entry.line})\n"


class DrawnSolutions(Lines):
    """A drawn board for each solution, with a line that says which it is."""

    def __init__(self, alphabet: str | None) -> None:
        super().__init__(alphabet)
        self._any = False

    def pieces(self, finding: Finding) -> Iterator[str]:
        """Yield a drawn board for each solution, as it is found, or the comment."""
        name = title_of(finding.entry)
        for number, grid in enumerate(finding.grids, 1):
            which = "" if finding.count < 2 and finding.status != Status.UNKNOWN else f", solution {number}"
            text = f"# {name}{which}{_remark(finding).replace(' # ', ': ')}\n"
            yield self._gap() + text + "".join(write([grid], "grid", alphabet=self.alphabet))
        if not finding.count and finding.status not in (BAD_INPUT, FAILED):
            yield self._gap() + f"# {name}: {_no_solution(finding)}\n"

    def _gap(self) -> str:
        gap, self._any = "\n" if self._any else "", True
        return gap


class JsonFindings(Json):
    """A record for each puzzle, written piece by piece; its list of solutions is never held in memory."""

    def __init__(self, lines: bool, alphabet: str | None) -> None:
        super().__init__(SCHEMA, lines)
        self.alphabet = alphabet

    def pieces(self, finding: Finding) -> Iterator[str]:
        """Yield the record in pieces, a solution as soon as it is found."""
        yield self.opening() + self.text(place(finding.entry))[:-1] + ', "solutions": ['
        for i, grid in enumerate(finding.grids):
            yield (", " if i else "") + json.dumps(_line(grid, self.alphabet))
        yield "], " + json.dumps(_ending(finding))[1:] + self.closing()


class CsvFindings(Csv):
    """A row for each solution, and for each puzzle without one."""

    def __init__(self, alphabet: str | None) -> None:
        super().__init__(COLUMNS)
        self.alphabet = alphabet

    def pieces(self, finding: Finding) -> Iterator[str]:
        """Yield the rows, each as soon as its solution is found."""
        start = place(finding.entry)
        for grid in finding.grids:
            yield self._row(start, grid, finding)
        if not finding.count:
            yield self._row(start, None, finding)

    def _row(self, start: dict[str, Any], grid: Grid | None, finding: Finding) -> str:
        ending = _ending(finding)
        if grid is not None and ending["status"] == Status.UNKNOWN:
            left_out = finding.entry.puzzle is not None and finding.entry.puzzle.left_out
            ending["status"] = Status.WITHOUT_DRAWN if left_out else Status.SOLVED
        return self.record({**start, **ending, "solution": None if grid is None else _line(grid, self.alphabet)})


Findings = Lines | JsonFindings | CsvFindings


def findings_writer(format: str, alphabet: str | None) -> Findings:
    """Return the writer of a format."""
    if format in ("json", "jsonl"):
        return JsonFindings(format == "jsonl", alphabet)
    if format == "csv":
        return CsvFindings(alphabet)
    return DrawnSolutions(alphabet) if format == "grid" else Lines(alphabet)


def title_of(entry: Entry) -> str:
    """Say which puzzle of the input it is."""
    title = entry.puzzle.title if entry.puzzle else ""
    return f"puzzle {entry.number}" + (f" ({' '.join(title.split())})" if title else "")


def _line(grid: Grid, alphabet: str | None) -> str:
    try:
        return grid.to_line(alphabet)
    except IndexError:
        raise FormatError(f"the alphabet {alphabet!r} has too few symbols for {grid.shape}") from None


def _ending(finding: Finding) -> dict[str, Any]:
    record = finding.record
    return {
        "count": finding.count,
        "status": str(finding.status),
        "unique": finding.unique,
        "complete": finding.complete,
        "reason": finding.reason,
        "backend": _backend(finding),
        "choice": record.choice if record else "",
        "confirmed": record.confirmed if record else "",
        "seconds": None if finding.seconds is None else round(finding.seconds, 9),
        "phases": {name: round(phase.wall, 9) for name, phase in record.phases.items()} if record else {},
    }


def _backend(finding: Finding) -> str | None:
    record = finding.record
    if not record or not record.backend:
        return None
    options = ",".join(f"{key}={value}" for key, value in record.options.items())
    return f"{record.backend}:{options}" if options else record.backend


def _remark(finding: Finding) -> str:
    if finding.unique is None:
        remark = " # uniqueness not settled: " + finding.reason if finding.reason and finding.record else ""
    else:
        remark = " # unique" if finding.unique else " # not unique"
    left_out = finding.entry.puzzle is not None and finding.entry.puzzle.left_out
    return f"{remark or ' #'}{WITHOUT_DRAWN}" if left_out else remark


def _no_solution(finding: Finding) -> str:
    what = "no solution" if finding.status == Status.UNSATISFIABLE else "unknown"
    return f"{what}: {finding.reason}" if finding.reason else what
