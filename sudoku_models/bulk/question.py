"""Questions for every row, answered in batches or one by one. Exceptions become answers.

Numpy is imported when the first block is answered.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from ..dataclass import dataclass
from ..engine.auto import loads
from ..engine.batch import batching, bits_of, run_batch
from ..engine.budget import Budget
from ..engine.check import PORTION, without_repeats
from ..engine.contract import Batch, Request
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection, select
from ..engine.road import refuse_undeclared
from ..errors import (
    BackendMissing,
    BadOption,
    FormatError,
    LimitReached,
    SudokuModelsError,
    Unsupported,
    WrongAnswer,
)
from ..puzzle import Puzzle, clashes
from ..verbs.results import Status, marked
from ..verbs.task import Task, begun
from .columns import NUMBER, TEXT, Kinds, Same, listed, patched
from .rows import MANY, NINE, Rows, is_plain

FEW, EVERY = 16, 1 << 30
"""The most rows in a piece of work: if each is answered by itself, and if they are answered together."""

BAD_INPUT, UNSUPPORTED, WRONG, FAILED = "bad input", "unsupported", "WRONG", "failed"
"""The statuses of rows without an answer, whatever is asked: what is wrong with the row, a question that the backend
does not take, an answer that the model contradicts, any other error. A limit that comes first is ``unknown``."""


@dataclass(frozen=True)
class RowAnswer:
    """The answer to one row: its values by column, and what the verb returned or raised."""

    values: dict[str, Any]
    found: Any = None
    error: Exception | None = None


class BlockAnswers(dict[str, Any]):
    """Columns of answers by name, each with a value for every row (see ``columns``).

    ``record`` describes how the answers of a batch were found; ``alone`` holds the rows that were answered one by one,
    and is not sent along when the columns go to another process.
    """

    record: Record | None = None
    alone: Mapping[int, RowAnswer]

    def __init__(self, columns: Mapping[str, Any], record: Record | None = None) -> None:
        super().__init__(columns)
        self.record, self.alone = record, {}

    def __reduce__(self) -> Any:
        return BlockAnswers, (dict(self),)

    def put(self, alone: Mapping[int, RowAnswer]) -> BlockAnswers:
        for name, column in self.items():
            self[name] = patched(column, {row: answer.values.get(name) for row, answer in alone.items()})
        self.alone = {**self.alone, **alone}
        return self

    def at(self, row: int) -> RowAnswer:
        values = {name: listed(column[row : row + 1])[0] for name, column in self.items()}
        return self.alone.get(row) or RowAnswer(values)

    def column(self, name: str) -> Any:
        """Return a column; one that is not there has no values."""
        return self[name] if name in self else Same(None, len(self["status"]))

    def lists(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """Yield the values of some columns, row by row."""
        return zip(*(listed(self.column(name)) for name in names), strict=True)


@dataclass(frozen=True)
class Verb:
    """A question for every row; ``kinds`` maps the columns of its answers to their types.

    ``status`` is one of a few words; ``reason`` says why the answer is incomplete: an error in the row, a clash, or the
    limit that was reached; ``backend`` is the backend that answered; ``seconds`` is the wall-clock time for the row, or
    its share of a batch. Without a ``__call__`` of its own each row is answered by itself.
    """

    jobs: int = field(default=1, kw_only=True)
    kinds: ClassVar[Kinds] = {}

    @property
    def first(self) -> int:
        """The number of rows to answer one by one before blocks are worthwhile."""
        return 0

    @property
    def batching(self) -> bool:
        """Return whether rows may be answered in batches, without loading anything."""
        return True

    @property
    def workers(self) -> int:
        """The number of threads that can work on several blocks, according to the question's own limits."""
        return 1

    def most(self, seen: int) -> int:
        """Return the largest useful number of rows in a piece of work, where ``seen`` rows are known so far."""
        return EVERY if self.batching else FEW

    def __call__(self, rows: Rows) -> BlockAnswers:
        return self.nothing(len(rows)).put({row: self.one(found) for row, found in rows.puzzles()})

    def ask(self, puzzle: Puzzle) -> RowAnswer:
        """Answer one puzzle; raises what its verb raises."""
        raise NotImplementedError

    def one(self, problem: Any) -> RowAnswer:
        """Answer one row: a puzzle, or a model if the verb takes models.

        An exception, or an error in the row (a FormatError instead of a puzzle), becomes its status and reason.
        """
        try:
            if isinstance(problem, Exception):
                raise problem
            answer = self.ask(problem)
            values = {**dict.fromkeys(self.kinds), **answer.values}
            if values["status"] in _ANSWERED:
                only = values["status"] not in _OPEN or values.get("unique") is True or values.get("count") == 1
                values["status"] = marked(values["status"], problem, only)
            return replace(answer, values=values)
        except Exception as error:
            return failed(error, self.kinds)

    def nothing(self, n: int) -> BlockAnswers:
        """Return columns without values."""
        return BlockAnswers({name: [None] * n for name in self.kinds})


class Several(Verb):
    """A question with several answers for each row, each in a separate row of answers."""

    def several(self, problem: Any) -> Iterator[RowAnswer]:
        """Yield the answers to one row, each as soon as it is found."""
        raise NotImplementedError


@dataclass(frozen=True)
class Asking(Verb):
    """A question for a backend, in batches if it takes them, otherwise row by row. ``limits`` are those of ``solve``.

    This is where it is decided how a row is answered. Classic boards with givens only go in batches to a backend that
    takes them, which ``auto`` looks for if there are more than ``MANY`` rows, unless a limit applies to single rows.
    Any other row is answered alone: its structure is compiled once and kept. ``shared`` means that threads work on
    whole blocks, so that each batch runs on a single thread.
    """

    backend: BackendLike = "auto"
    limits: Mapping[str, Any] = field(default_factory=dict)
    shared: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """Raise errors that concern the call, not a single row: an unknown keyword or backend, or a wrong number."""
        begun(self.limits)
        if self.backend != "auto":
            select(self.backend)
        if self.jobs < 1:
            raise ValueError(f"jobs is {self.jobs}: at least 1 is expected")

    @cached_property
    def _engine(self) -> Selection | None:
        """The engine that could take batches, which need not be loaded; None if there is none."""
        budget = begun(self.limits)
        single = any(value for name, value in self.limits.items() if name not in ("workers", "confirm", "budget"))
        limited = single or budget.left is not None or budget.memory is not None
        return None if limited else batching(NINE.model, self.backend, load=False)

    @property
    def batching(self) -> bool:
        """Return whether classic boards can be answered in batches, without loading anything."""
        return self._engine is not None

    @property
    def first(self) -> int:
        """The number of rows to answer one by one: none if the backend is named, as its engine is loaded anyway."""
        return MANY if self.backend == "auto" else 0

    def most(self, seen: int) -> int:
        """Return the largest useful number of rows in a piece of work: few if each is answered by itself."""
        return FEW if self.engine(seen) is None else EVERY

    @property
    def workers(self) -> int:
        """The requested number of threads, as far as the machine has them; they work on blocks of rows."""
        return min(int(self.limits.get("workers", 1)), os.cpu_count() or 1)

    def engine(self, seen: int) -> Selection | None:
        """Return the engine that answers this number of rows in batches; None if they are answered one by one."""
        found, budget = self._engine, self.limits.get("budget")
        if budget is not None and budget.cancelled:
            return None  # what is asked now has no time
        if found is None or self.backend != "auto":
            return found
        return found if seen > MANY and loads(NINE.model, found) else None

    def _request(self, limit: int) -> Request:
        return Request(limit=limit, workers=1 if self.shared else self.limits.get("workers", 1))

    def _record(self, selection: Selection) -> Record:
        """Return a new record for a batch; its times cover all rows of the batch."""
        choice = CHOSEN if self.backend == "auto" else ""
        return Record(selection.backend.name, selection.changed, chosen=choice)

    def _solved(self, selection: Selection, boards: Any, limit: int) -> Batch:
        """Solve boards (n, 81) together."""
        return run_batch(NINE.model, selection, boards, self._request(limit), self._record(selection))

    def task(self, problem: Any) -> Task:
        """Return the task of one row, in a child process if there are several jobs.

        Raises what reading it and choosing a backend raise.
        """
        limits = self.limits
        if limits.get("workers", 1) > 1 and is_plain(problem) and self._engine is not None:
            limits = {**limits, "workers": 1}  # threads are slower on a classic board
        return Task.of(problem, self.backend, limits, isolate=self.jobs > 1)

    def __call__(self, rows: Rows) -> BlockAnswers:
        """Answer some rows: classic boards in a batch if there are enough, all others one by one."""
        selection = None if rows.values is None or len(rows.others) == len(rows) else self.engine(rows.seen)
        answers = self.nothing(len(rows)) if selection is None else self.batch(selection, rows)
        return answers.put({row: self.one(found) for row, found in rows.puzzles(plain=selection is None)})

    def batch(self, selection: Selection, rows: Rows) -> BlockAnswers:
        """Answer the classic boards of some rows together."""
        raise NotImplementedError

    def _answers(self, rows: Rows, record: Record, found: Any, good: str, **columns: Any) -> BlockAnswers:
        """Return the answers of a batch; their status is ``good`` where something was ``found`` (bool, n).

        Each row gets its share of the time.
        """
        n, bad = len(rows), str(Status.UNSATISFIABLE)
        for phase in record.phases.values():
            phase.wall, phase.cpu = phase.wall / max(n, 1), phase.cpu / max(n, 1)
        columns["status"] = Same(good, n) if found.all() else [good if there else bad for there in found.tolist()]
        columns["reason"] = clashing(rows, found)
        columns |= {name: Same(value, n) for name, value in how(record).items()}
        return BlockAnswers({name: columns[name] for name in self.kinds}, record)


HOW: Kinds = {"reason": TEXT, "backend": TEXT, "seconds": NUMBER}
"""The last columns of answers that a backend gave."""
CHOSEN = "many classic boards, which it solves in batches"


def refuse_for_all(verb: Asking, solutions: int | None) -> None:
    """Refuse options that a named backend does not declare, once rather than for each row."""
    if verb.backend != "auto":
        asked = {name: value for name, value in verb.limits.items() if name != "budget"}
        refuse_undeclared(select(verb.backend), Request(limit=solutions, **asked))


A = TypeVar("A", bound=Asking)


def within(verb: A, job: Budget, shared: bool = False) -> A:
    """Return the same question as a part of a job."""
    return replace(verb, limits={**verb.limits, "budget": job}, shared=shared)


_OPEN = ("counted", "settled", "solved")
"""The statuses of answers that do not say that there is one solution."""
_ANSWERED = (*_OPEN, "rated", "hinted", "one solution", "unsatisfiable", "no solution")
"""The statuses of answers to puzzles of which drawn rules, or rules in words, may have been ignored."""


def failed(error: Exception, kinds: Iterable[str]) -> RowAnswer:
    """Return the answer for a row that could not be answered."""
    status = next(status for causes, status in _STATUSES if isinstance(error, causes))
    known = {"status": status, "reason": reason_of(error)}
    return RowAnswer({**dict.fromkeys(kinds), **known}, None, error)


@contextmanager
def unsuitable() -> Iterator[None]:
    """Convert the ValueError with which a verb refuses a board or a request to Unsupported."""
    try:
        yield
    except ValueError as error:
        if isinstance(error, SudokuModelsError) and not isinstance(error, FormatError):
            raise
        raise Unsupported(str(error)) from error


_STATUSES = (
    (FormatError, BAD_INPUT),
    ((Unsupported, BackendMissing, BadOption), UNSUPPORTED),
    (WrongAnswer, WRONG),
    (LimitReached, str(Status.UNKNOWN)),
    (Exception, FAILED),
)
"""The status of a row by the first of these kinds of exceptions that it raised."""


def reason_of(error: Exception) -> str:
    """Return the message of an exception, without the place of the row."""
    if isinstance(error, FormatError):
        return str(FormatError(error.message, cell=error.cell))
    if isinstance(error, SudokuModelsError):
        return str(error) or type(error).__name__
    return f"internal error: {type(error).__name__}: {error}"


def clash_text(found: Iterable[Any]) -> str | None:
    """Describe the clashes; return None if there are none."""
    return "; ".join(map(str, found)) or None


def how(record: Record) -> dict[str, Any]:
    """Return the backend that answered and the wall-clock time of all phases.

    The backend is named with its options, but not with those that ``auto`` chose.
    """
    options = "" if record.choice else ",".join(f"{key}={value}" for key, value in record.options.items())
    name = f"{record.backend}:{options}" if options else record.backend
    return {"backend": name or None, "seconds": round(sum(phase.wall for phase in record.phases.values()), 9)}


def clashing(rows: Rows, found: Any) -> Any:
    """Return a column with the clashing givens of rows without a solution; those that were ``found`` have one."""
    import numpy as np

    without = np.flatnonzero(~found)
    texts = {}
    for row in without[~legal_rows(rows.values[without])].tolist():
        texts[row] = clash_text(clashes(NINE, rows[row].givens))
    return patched(Same(None, len(rows)), texts)


def legal_rows(values: Any) -> Any:
    """Return for each row of ``values`` (uint8, n rows of 81, 0 open) whether no house holds a value twice."""
    import numpy as np

    houses, good = [list(house.cells) for house in NINE.houses], np.empty(len(values), bool)
    for start in range(0, len(values), PORTION):
        part = slice(start, start + PORTION)
        good[part] = without_repeats(bits_of(np.ascontiguousarray(values[part].T)), houses)
    return good
