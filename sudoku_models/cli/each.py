"""One question to every puzzle of the input, answered in a record each: what ``count`` and ``candidates`` share."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from ..bulk.many import mapped
from ..engine.record import Record
from ..formats import Entry
from ..puzzle import Puzzle
from ..verbs.results import WITHOUT_DRAWN
from .batch import told, told_error
from .behind import stream
from .codes import Code, code_of
from .reading import Input
from .records import Fields, Writer, place, text_of
from .terminal import Tally, progress
from .writing import output

if TYPE_CHECKING:
    from ..bulk.takeover import Behind


class Answer(Protocol):
    """What a verb returns; ``record`` says how it came about."""

    @property
    def record(self) -> Record:
        """How the answer came about."""


A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class Question(Generic[A]):
    """A verb: what it is called at work, how a puzzle is asked, and how its answer is told.

    ``told`` returns the fields of the record, its text and the code; ``nothing`` are the fields where there is no
    answer. Both go before ``backend``, ``choice`` and ``seconds``.
    """

    doing: str
    ask: Callable[[Puzzle], A]
    told: Callable[[Entry, A], tuple[Mapping[str, Any], str | None, Code]]
    nothing: Mapping[str, Any]


class Tail(Protocol):
    """Answers the long tail of a file of classic lines."""

    def loads(self) -> bool:
        """Tell whether what answers it can be loaded."""

    def pieces(self, behind: Behind, tally: Tally, one: Callable[[Entry], str]) -> Iterator[bytes]:
        """Yield the text of all rows, in order; ``one`` writes the answer to a single puzzle."""


def ask_each(
    source: Input,
    question: Question[A],
    jobs: int,
    written: Writer,
    out: str | None,
    executor: Executor | None = None,
    tail: Tail | None = None,
) -> Code:
    """Ask puzzle after puzzle and write each answer when it is there; ``jobs`` at once, or as an executor runs.

    ``tail`` answers what is behind many classic lines of a file.
    """
    tally, wanted = Tally(), out is not None or not sys.stdout.isatty()
    total = source.count() if wanted and sys.stderr.isatty() else None

    def one(entry: Entry) -> str:
        """Ask a single puzzle; return its text."""
        found = _records(iter([entry]), question, 1, None, tally, lambda: None)
        return "".join(text_of(answer, written) for answer in found)

    with progress(question.doing, total, wanted) as bar, output(out) as write:
        write(written.head())
        for kind, group in stream(source, tally, tail.loads if tail else None):
            if kind is Entry:
                for found in _records(group, question, jobs, executor, tally, bar.advance):
                    write(text_of(found, written))
            elif tail:
                for behind in group:
                    for data in tail.pieces(behind, tally, one):
                        write(data)
                    bar.advance(len(behind))
        write(written.tail(tally.code))
    return tally.code


def _records(
    entries: Iterator[Entry],
    question: Question[A],
    jobs: int,
    executor: Executor | None,
    tally: Tally,
    done: Callable[[], None],
) -> Iterator[tuple[Fields, str | None]]:
    waiting: deque[Entry] = deque()

    def noted() -> Iterator[Entry]:
        for entry in entries:
            waiting.append(entry)
            yield entry

    for found in mapped(partial(_asked, question.ask), noted(), jobs, executor):
        yield _record(waiting.popleft(), found, question, tally)
        done()


def _asked(ask: Callable[[Puzzle], A], entry: Entry) -> A | Exception | None:
    """Ask one puzzle; None where there is none, and what was raised instead of an answer."""
    if entry.puzzle is None:
        return None
    try:
        return ask(entry.puzzle)
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
        told_error(found)
        return {**start, **question.nothing, "reason": str(found)}, None
    fields, text, code = question.told(entry, found)
    if code is Code.SOLVED and entry.puzzle and entry.puzzle.left_out:
        code, fields = Code.WITHOUT_DRAWN, {**fields, "reason": f"answered{WITHOUT_DRAWN}"}
    tally.add(code)
    told(entry, found.record)
    seconds = round(sum(phase.wall for phase in found.record.phases.values()), 9)
    how = {"backend": found.record.backend, "choice": found.record.choice, "seconds": seconds}
    return {**start, **fields, **how}, text
