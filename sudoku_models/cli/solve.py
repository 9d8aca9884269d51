"""``sudoku-models solve``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..formats import Entry
from ..verbs.solving import solutions
from . import answer_tables
from .batch import Effort, refuse, solved
from .certifying import Certifying
from .codes import Code
from .each import alone, answer_all
from .finding import Finding, ended, of_result, of_solutions
from .inputs import Input
from .options import Output
from .outputs import at_terminal
from .solutions import findings_writer
from .solved_tail import SolvedTail
from .terminal import Tally


@dataclass(frozen=True)
class Folder:
    """Where certificates go, and how many seconds each may take; None: as the time limit of each puzzle."""

    path: Path
    limit: float | None

    @classmethod
    def of(cls, path: Path | None, limit: float | None) -> Folder | None:
        """Return what the options say; UsageError for a limit without a folder."""
        refuse(path is not None or limit is None, "--proof-limit holds for the proofs of --certify, which is missing")
        return None if path is None else cls(path, limit)


def solve(
    source: Input,
    choice: Effort,
    limit: int | None,
    unique: bool,
    format: Output | None,
    out: str | None,
    certify: Folder | None = None,
) -> Code:
    """Solve puzzle after puzzle and write each answer when it is there; with a folder ``certify`` certificates too."""
    several = limit is not None and limit > 1
    refuse(not (several and certify), "--certify and --limit do not go together: uniqueness is what is certified")
    unique = unique or certify is not None
    refuse(not (several and unique), "--unique and --limit do not go together: more than one solution settles it")
    refuse(not (several and choice.jobs > 1), "--jobs and --limit do not go together")
    choice.checked(limit if several else 2 if unique else 1)
    if answer_tables.wanted(format, out):
        refuse(not several, "--limit and a table do not go together: it has one solution a row")
        refuse(not certify, "--certify and a table do not go together: write lines, grids or JSON")
        return _table(source, choice, unique, format, out)
    tally = Tally()
    format = format or (Output.GRID if at_terminal(out) else Output.LINE)
    proving = None if certify is None else Certifying(certify.path, certify.limit or choice.time_limit, tally)
    answers = partial(_enumerated, choice=choice, limit=limit)
    if not several:
        answers = partial(_solved, choice=choice, unique=unique, proving=proving)
    written = findings_writer(format, source.alphabet)

    def singly(entries: Iterator[Entry], done: Callable[[], object]) -> Iterator[str]:
        for finding in answers(entries):
            yield from written.pieces(finding)
            ended(finding, tally)
            done()

    tail = None if several or proving else SolvedTail(choice.where, format, tally, alone(singly), unique, written)
    return answer_all(source, "solving", singly, tail, written, tally, out)


def _table(source: Input, choice: Effort, unique: bool, format: Output | None, out: str | None) -> Code:
    from ..bulk import Solving

    verb = Solving(choice.backend, choice.limits, unique, jobs=choice.jobs)
    return answer_tables.write_table(source, verb, choice.jobs, format, out)


def _solved(entries: Iterable[Entry], choice: Effort, unique: bool, proving: Certifying | None) -> Iterator[Finding]:
    for entry, result in solved(entries, choice, unique):
        yield of_result(entry, result)
        if proving:
            proving.add(entry, result)


def _enumerated(entries: Iterable[Entry], choice: Effort, limit: int | None) -> Iterator[Finding]:
    for entry in entries:
        if entry.puzzle is None:
            yield of_result(entry, None)
        else:
            yield of_solutions(entry, solutions(entry.puzzle, choice.backend, limit=limit, **choice.limits))
