"""``sudoku-models solve``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from ..formats import Entry
from ..verbs.solving import solutions
from . import tables
from .batch import Choice, refuse, solved
from .behind import Batches, stream
from .certifying import Certifying
from .codes import Code
from .finding import Finding, ended, of_result, of_solutions
from .options import Output
from .reading import Input
from .solutions import Findings, findings_writer
from .solved_tail import SolvedTail
from .terminal import Progress, Tally, progress
from .writing import Write, at_terminal, output


def solve(
    source: Input,
    choice: Choice,
    limit: int | None,
    unique: bool,
    format: Output | None,
    out: str | None,
    certify: Path | None = None,
) -> Code:
    """Solve puzzle after puzzle and write each answer when it is there; with a folder ``certify`` also certificates."""
    several = limit is not None and limit > 1
    refuse(not (several and certify), "--certify and --limit do not go together: uniqueness is what is certified")
    unique = unique or certify is not None
    refuse(not (several and unique), "--unique and --limit do not go together: more than one solution settles it")
    refuse(not (several and choice.jobs > 1), "--jobs and --limit do not go together")
    choice.checked(limit if several else 2 if unique else 1)
    if tables.wanted(format, out):
        refuse(not several, "--limit and a table do not go together: it has one solution a row")
        refuse(not certify, "--certify and a table do not go together: write lines, grids or JSON")
        return _table(source, choice, unique, format, out)
    tally, shown = Tally(), at_terminal(out)
    format = format or (Output.GRID if shown else Output.LINE)
    proving = None if certify is None else Certifying(certify, choice.time_limit, tally)
    answers = partial(_enumerated, choice=choice, limit=limit)
    if not several:
        answers = partial(_solved, choice=choice, unique=unique, proving=proving)
    written = findings_writer(format, source.alphabet)
    total = source.count() if sys.stderr.isatty() and not shown else None
    batches = None if several or proving else Batches.of(choice, format)
    with progress("solving", total, wanted=not shown) as bar, output(out) as write:
        write(written.head())
        for kind, group in stream(source, tally, batches.loads if batches else None):
            if kind is Entry:
                found = answers(group)
                _write_each(found, written, write, tally, bar)
            elif batches:
                tail = SolvedTail(batches, choice, unique, format, written, tally)
                for behind in group:
                    for data in tail.pieces(behind):
                        write(data)
                    bar.advance(len(behind))
        write(written.tail(tally.code))
    return tally.code


def _write_each(found: Iterator[Finding], written: Findings, write: Write, tally: Tally, bar: Progress) -> None:
    for finding in found:
        for piece in written.pieces(finding):
            write(piece)
        ended(finding, tally)
        bar.advance()


def _table(source: Input, choice: Choice, unique: bool, format: Output | None, out: str | None) -> Code:
    from ..bulk import Solving

    verb = Solving(choice.backend, choice.limits, unique, choice.jobs)
    return tables.write_table(source, verb, choice.jobs, format, out)


def _solved(entries: Iterable[Entry], choice: Choice, unique: bool, proving: Certifying | None) -> Iterator[Finding]:
    for entry, result in solved(entries, choice, unique):
        yield of_result(entry, result)
        if proving:
            proving.add(entry, result)


def _enumerated(entries: Iterable[Entry], choice: Choice, limit: int | None) -> Iterator[Finding]:
    for entry in entries:
        if entry.puzzle is None:
            yield of_result(entry, None)
        else:
            yield of_solutions(entry, solutions(entry.puzzle, choice.backend, limit=limit, **choice.limits))
