"""``sudoku-models solve``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from ..formats import Entry
from ..verbs.solving import solutions
from . import tables
from .batch import Choice, refuse, solved, told
from .codes import Code
from .finding import FAILED, Finding, of_result, of_solutions
from .options import Output
from .reading import Input
from .solutions import findings_writer
from .terminal import Tally, progress
from .writing import at_terminal, output


def solve(
    source: Input, choice: Choice, limit: int | None, unique: bool, format: Output | None, out: str | None
) -> Code:
    """Solve puzzle after puzzle and write each answer when it is there."""
    several = limit is not None and limit > 1
    refuse(not (several and unique), "--unique and --limit do not go together: more than one solution settles it")
    refuse(not (several and choice.jobs > 1), "--jobs and --limit do not go together")
    choice.checked(limit if several else 2 if unique else 1)
    if tables.wanted(format, out):
        refuse(not several, "--limit and a table do not go together: it has one solution a row")
        return _table(source, choice, unique, format, out)
    tally, shown = Tally(), at_terminal(out)
    written = findings_writer(format or (Output.GRID if shown else Output.LINE), source.alphabet)
    total = source.count() if sys.stderr.isatty() and not shown else None
    entries = source.entries(tally)
    found = _enumerated(entries, choice, limit) if several else _solved(entries, choice, unique)
    with progress("solving", total, wanted=not shown) as bar, output(out) as write:
        write(written.head())
        for finding in found:
            for piece in written.pieces(finding):
                write(piece)
            _ended(finding, tally)
            bar.advance()
        write(written.tail(tally.code))
    return tally.code


def _table(source: Input, choice: Choice, unique: bool, format: Output | None, out: str | None) -> Code:
    from ..bulk import Solving

    verb = Solving(choice.backend, choice.limits, unique, choice.jobs)
    return tables.write_table(source, verb, choice.jobs, format, out)


def _solved(entries: Iterable[Entry], choice: Choice, unique: bool) -> Iterator[Finding]:
    for entry, result in solved(entries, choice, unique):
        yield of_result(entry, result)


def _enumerated(entries: Iterable[Entry], choice: Choice, limit: int | None) -> Iterator[Finding]:
    for entry in entries:
        if entry.puzzle is None:
            yield of_result(entry, None)
        else:
            yield of_solutions(entry, solutions(entry.puzzle, choice.backend, limit=limit, **choice.limits))


def _ended(finding: Finding, tally: Tally) -> None:
    entry = finding.entry
    if finding.status == FAILED:
        tally.problem(f"{entry.place}: {finding.reason}", finding.code)
        told_error(finding.error)
    tally.add(finding.code)
    told(entry, finding.record)


def told_error(error: Exception | None) -> None:
    """Log where an error came from."""
    from .terminal import log

    log.debug("the details:", exc_info=error)
