"""Answer and write every puzzle of the input: the code shared by all commands that take many puzzles."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from ..bulk.where import Where
from ..engine.record import Record
from ..formats import Entry
from ..model import Model
from ..puzzle import Puzzle
from ..verbs.results import WITHOUT_DRAWN
from .codes import Code, code_of
from .effort import log_error, log_record, refuse
from .inputs import Input
from .models import model_in
from .outputs import at_terminal, output
from .records import Fields, Writer, place, text_of
from .terminal import Tally, progress


class Recorded(Protocol):
    """What a verb returns; ``record`` describes how the answer was found."""

    @property
    def record(self) -> Record:
        """How the answer was found."""


A = TypeVar("A", bound=Recorded)


@dataclass(frozen=True)
class Question(Generic[A]):
    """A verb: its description in the progress bar, how it is called on a puzzle or model, and how answers are written.

    ``report`` returns the fields of the record, its text and the exit code; ``nothing`` holds the fields of a puzzle
    without an answer. Both are placed before ``backend``, ``choice`` and ``seconds``.
    """

    doing: str
    ask: Callable[[Any], A]
    report: Callable[[Entry, A], tuple[Mapping[str, Any], str | None, Code]]
    nothing: Mapping[str, Any]


def ask_each(
    source: Input,
    question: Question[A],
    jobs: int,
    written: Writer,
    out: str | None,
    executor: Executor | None = None,
) -> Code:
    """Answer a question for each puzzle, with ``jobs`` processes or with an executor."""
    tally, where = Tally(), Where(jobs=jobs, executor=executor)
    wanted = not at_terminal(out)
    total = source.count() if wanted and sys.stderr.isatty() else None
    with progress(question.doing, total, wanted) as bar, output(out) as write:
        write(written.head())
        for found in _records(source.entries(tally), question, where, tally):
            write(text_of(found, written))
            bar.advance()
        write(written.tail(tally.code))
    return tally.code


def ask_model(path: Path, files: Sequence[str], question: Question[A], written: Writer, out: str | None) -> Code:
    """Answer a question for the model whose text is in a file; ``files`` of puzzles are not allowed with it."""
    entry, tally = entry_of_model(path, files), Tally()
    found = _tried(question.ask, model_in(path))
    with output(out) as write:
        write(written.head())
        write(text_of(_record(entry, found, question, tally), written))
        write(written.tail(tally.code))
    return tally.code


def entry_of_model(path: Path, files: Sequence[str]) -> Entry:
    """Return the name of a model in messages and records; raise UsageError if files of puzzles are also given."""
    refuse(not files, "--model cannot be combined with files of puzzles")
    return Entry(1, 1, None, None, str(path))


def _records(
    entries: Iterator[Entry], question: Question[A], where: Where, tally: Tally
) -> Iterator[tuple[Fields, str | None]]:
    waiting: deque[Entry] = deque()

    def noted() -> Iterator[Entry]:
        for entry in entries:
            waiting.append(entry)
            yield entry

    for found in where.each(partial(_asked, question.ask), noted()):
        yield _record(waiting.popleft(), found, question, tally)


def _asked(ask: Callable[[Puzzle], A], entry: Entry) -> A | Exception | None:
    """Answer one puzzle; return None if there is no puzzle, and the exception if one was raised."""
    return None if entry.puzzle is None else _tried(ask, entry.puzzle)


def _tried(ask: Callable[[Any], A], problem: Puzzle | Model) -> A | Exception:
    try:
        return ask(problem)
    except Exception as error:
        return error


def _record(
    entry: Entry, found: A | Exception | None, question: Question[A], tally: Tally
) -> tuple[Fields, str | None]:
    start = place(entry)
    if found is None:
        return {**start, **question.nothing, "reason": entry.error.message if entry.error else ""}, None
    if isinstance(found, Exception):
        tally.problem(f"{entry.place}: {found}", code_of(found))
        log_error(found)
        return {**start, **question.nothing, "reason": str(found)}, None
    fields, text, code = question.report(entry, found)
    if code is Code.SOLVED and entry.puzzle and entry.puzzle.left_out:
        code, fields = Code.WITHOUT_DRAWN, {**fields, "reason": f"answered{WITHOUT_DRAWN}"}
    tally.add(code)
    log_record(entry, found.record)
    seconds = round(sum(phase.wall for phase in found.record.phases.values()), 9)
    how = {"backend": found.record.backend, "choice": found.record.choice, "seconds": seconds}
    return {**start, **fields, **how}, text
