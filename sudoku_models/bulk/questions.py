"""Questions for every row: solve, find several solutions, count, candidates, validate.

A question is answered in batches or row by row (see ``Asking``). Exceptions become answers. Numpy is imported when the
first block is answered.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cached_property
from typing import Any, ClassVar

from ..dataclass import dataclass
from ..engine.auto import loads
from ..engine.batch import batching, bits_of, run_batch, run_candidates
from ..engine.check import PORTION, without_repeats
from ..engine.contract import BatchStatus, Reason, Request
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection, select
from ..errors import (
    BackendMissing,
    BadOption,
    FormatError,
    LimitReached,
    SudokuModelsError,
    Unsupported,
    WrongAnswer,
)
from ..formats.kinds.annotated import marks_line
from ..puzzle import Puzzle, clashes
from ..verbs.results import Status, marked
from ..verbs.smallest_conflict import core
from ..verbs.solving import solutions, validate
from ..verbs.task import Task, begun
from .rows import (
    INTEGER,
    MANY,
    NINE,
    NUMBER,
    TEXT,
    TRUTH,
    Kinds,
    Rows,
    Same,
    boards,
    is_plain,
    listed,
    marks,
    patched,
    where_known,
)

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
        """Enter the answers of rows that were answered one by one, in the place of what stands there."""
        for name, column in self.items():
            self[name] = patched(column, {row: answer.values.get(name) for row, answer in alone.items()})
        self.alone = {**self.alone, **alone}
        return self

    def at(self, row: int) -> RowAnswer:
        """Return the answer to a row; that of a batch has only its values."""
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

    @property
    def _together(self) -> bool:
        """Return whether backends can be asked this about many boards at once."""
        return True

    @cached_property
    def _engine(self) -> Selection | None:
        """The engine that could take batches, which need not be loaded; None if there is none."""
        budget = begun(self.limits)
        single = any(value for name, value in self.limits.items() if name not in ("workers", "confirm", "budget"))
        limited = single or budget.left is not None or budget.memory is not None
        return batching(NINE.model, self.backend, load=False) if self._together and not limited else None

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
        """The requested number of threads that work on blocks of rows, as far as the machine has them."""
        return min(int(self.limits.get("workers", 1)), os.cpu_count() or 1) if self.batching else 1

    def engine(self, seen: int) -> Selection | None:
        """Return the engine that answers this number of rows in batches; None if they are answered one by one."""
        found, budget = self._engine, self.limits.get("budget")
        if budget is not None and budget.cancelled:
            return None  # what is asked now has no time
        if found is None or self.backend != "auto":
            return found
        return found if seen > MANY and loads(NINE.model, found) else None

    def _asked(self, selection: Selection, limit: int) -> tuple[Request, Record]:
        """Return the request for a batch, and a new record, whose times cover all of its rows."""
        choice = CHOSEN if self.backend == "auto" else ""
        request = Request(limit=limit, workers=1 if self.shared else self.limits.get("workers", 1))
        return request, Record(selection.backend.name, selection.changed, chosen=choice)

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


@dataclass(frozen=True)
class Solving(Asking):
    """Solve every row; with ``unique``, check whether the solution is the only one. ``jobs`` is as in ``solve_many``.

    ``alphabet`` holds the symbols for solutions.
    """

    unique: bool = False
    alphabet: str | None = None
    kinds: ClassVar[Kinds] = {"solution": TEXT, "status": TEXT, "unique": TRUTH, **HOW}

    @property
    def _together(self) -> bool:
        """Return whether the values have their usual symbols."""
        return not self.alphabet

    def batch(self, selection: Selection, rows: Rows) -> BlockAnswers:
        batch = run_batch(NINE.model, selection, rows.values, *self._asked(selection, 2 if self.unique else 1))
        found, unique = batch.count > 0, batch.count == 1 if self.unique else Same(None, len(rows))
        solution = where_known(boards(batch.values), found)
        return self._answers(rows, batch.record, found, str(Status.SOLVED), solution=solution, unique=unique)

    def ask(self, puzzle: Puzzle) -> RowAnswer:
        """Solve one puzzle."""
        result = self.task(puzzle).solved(self.unique)
        values = {
            "solution": None if result.grid is None else line_of(result.grid, self.alphabet),
            "status": str(result.status),
            "unique": result.unique,
            "reason": result.reason or clash_text(result.clashes),
        }
        return RowAnswer(values | how(result.record), result)


def line_of(grid: Any, alphabet: str | None) -> str:
    """Return a grid as a line; raise FormatError if the alphabet has too few symbols."""
    try:
        return str(grid.to_line(alphabet))
    except IndexError:
        raise FormatError(f"the alphabet {alphabet!r} has too few symbols for {grid.shape}") from None


@dataclass(frozen=True)
class Enumerating(Several, Asking):
    """Find up to ``limit`` solutions of every row, one row of answers for each; ``nth`` numbers them from 1.

    A puzzle without a solution, or one whose search reached a time limit, has a row without a solution that says so.
    """

    limit: int | None = None
    alphabet: str | None = None
    kinds: ClassVar[Kinds] = {"nth": INTEGER, "solution": TEXT, "status": TEXT, **HOW}
    _together: ClassVar[bool] = False

    def several(self, problem: Any) -> Iterator[RowAnswer]:
        """Yield the answers to one row, each as soon as its solution is found."""
        if isinstance(problem, FormatError):
            yield failed(problem, self.kinds)
            return
        number = 0
        try:
            with solutions(problem, self.backend, limit=self.limit, **self.limits) as found:
                for number, grid in enumerate(found, 1):
                    values = {"nth": number, "solution": line_of(grid, self.alphabet), "reason": None}
                    yield RowAnswer({**values, "status": marked(Status.SOLVED, problem), **how(found.record)}, grid)
                outcome = found.outcome
        except Exception as error:
            yield failed(error, self.kinds)
            return
        if outcome.complete and not number:
            reason = clash_text(clashes(problem.shape, problem.givens))
            yield self._without(marked(Status.UNSATISFIABLE, problem), reason, outcome.record)
        elif not outcome.complete and outcome.reason is not Reason.LIMIT:
            yield self._without(Status.UNKNOWN, outcome.missing, outcome.record)

    def _without(self, status: str, reason: str | None, record: Record) -> RowAnswer:
        return RowAnswer({"nth": None, "solution": None, "status": str(status), "reason": reason, **how(record)})


@dataclass(frozen=True)
class Counting(Asking):
    """Count the solutions of every row, up to ``limit``; ``exact`` says whether these are all.

    The status is counted, unsatisfiable, unknown (stopped by a time limit), or a status of rows without an answer.
    """

    limit: int | None = None
    kinds: ClassVar[Kinds] = {"count": INTEGER, "exact": TRUTH, "status": TEXT, **HOW}

    def __post_init__(self) -> None:
        """Raise errors that concern the call, not a single row."""
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"limit is {self.limit}: at least 1 is expected")
        super().__post_init__()

    @property
    def _together(self) -> bool:
        """Return whether there is a limit, up to which boards can be counted in batches."""
        return self.limit is not None

    def most(self, seen: int) -> int:
        """Return the number of rows to count together: fewer if each may have many solutions."""
        return min(super().most(seen), max(1, SOLUTIONS // (self.limit or 1)))

    def batch(self, selection: Selection, rows: Rows) -> BlockAnswers:
        assert self.limit is not None
        batch = run_batch(NINE.model, selection, rows.values, *self._asked(selection, self.limit + 1))
        count, exact = batch.count.clip(max=self.limit), batch.status == BatchStatus.EXHAUSTED
        return self._answers(rows, batch.record, batch.count > 0, _COUNTED, count=count, exact=exact)

    def ask(self, puzzle: Puzzle) -> RowAnswer:
        """Count the solutions of one puzzle."""
        found = self.task(puzzle).of_all("count").counted(self.limit)
        stopped = not found.exact and (self.limit is None or found.value < self.limit)
        status = str(Status.UNKNOWN) if stopped else _COUNTED if found.value else str(Status.UNSATISFIABLE)
        reason = "stopped by a limit" if stopped else None
        if status == Status.UNSATISFIABLE:
            reason = clash_text(clashes(puzzle.shape, puzzle.givens))
        values = {"count": found.value, "exact": found.exact, "status": status, "reason": reason}
        return RowAnswer(values | how(found.record), found)


_COUNTED = "counted"
SOLUTIONS = 20_000_000
"""The largest number of solutions to count before the first answers are written."""


@dataclass(frozen=True)
class Marking(Asking):
    """Find the candidates of every row; ``jobs`` rows at the same time, each in a child process.

    ``candidates`` is a text with one position for every value of every cell, as in the format ``pencilmarks``; it is
    null unless all are settled. The status is settled, unsatisfiable, unknown (stopped by a limit), or a status of rows
    without an answer.
    """

    kinds: ClassVar[Kinds] = {"candidates": TEXT, "status": TEXT, **HOW}

    def batch(self, selection: Selection, rows: Rows) -> BlockAnswers:
        request, record = self._asked(selection, 2)
        watch = record.stopwatch()
        masks = run_candidates(NINE.model, selection, rows.values, request)
        watch.lap("run")
        found = masks[:, 0] != 0
        return self._answers(rows, record, found, _SETTLED, candidates=where_known(marks(masks), found))

    def ask(self, puzzle: Puzzle) -> RowAnswer:
        """Find the candidates of one puzzle."""
        found = self.task(puzzle).of_all("candidates").marked()
        line = None
        if found.complete and found.solvable:
            line = marks_line(puzzle.shape, [found[name] for name in puzzle.shape.names])
        status = _SETTLED if line else str(Status.UNSATISFIABLE if found.complete else Status.UNKNOWN)
        values = {"candidates": line, "status": status, "reason": found.reason or clash_text(found.clashes)}
        return RowAnswer(values | how(found.record), found)


_SETTLED = "settled"


@dataclass(frozen=True)
class Validating(Verb):
    """Check for every row whether it is a legal board, and count its clues; ``reason`` names the clashes.

    The status is legal, illegal or "bad input".
    """

    kinds: ClassVar[Kinds] = {"status": TEXT, "clues": INTEGER, "complete": TRUTH, "reason": TEXT}
    first: ClassVar[int] = MANY

    def __call__(self, rows: Rows) -> BlockAnswers:
        """Answer some rows."""
        import numpy as np

        legal, clues = legal_rows(rows.values), np.count_nonzero(rows.values, axis=1)
        n = len(rows)
        answers = BlockAnswers({
            "status": Same(_LEGAL, n),
            "clues": clues,
            "complete": clues == 81,
            "reason": Same(None, n),
        })  # fmt: skip
        legal[list(rows.others)] = False
        return answers.put({row: self.one(rows[row]) for row in np.flatnonzero(~legal).tolist()})

    def ask(self, puzzle: Puzzle) -> RowAnswer:
        """Check one board."""
        found = validate(puzzle)
        status = _LEGAL if found.legal else "illegal"
        full = {"clues": puzzle.clues, "complete": puzzle.clues == puzzle.shape.cells}
        return RowAnswer({"status": status, **full, "reason": clash_text(found.clashes)}, found)


_LEGAL = "legal"


@dataclass(frozen=True)
class Explaining(Asking):
    """Check rows as ``Validating`` does; for a legal board without a solution, also find what contradicts each other.

    The status is then unsatisfiable, and ``core`` lists givens, houses and rules; it is unknown if not settled.
    """

    kinds: ClassVar[Kinds] = {**Validating.kinds, "core": TEXT}
    _together: ClassVar[bool] = False

    def ask(self, puzzle: Puzzle) -> RowAnswer:
        """Check one board."""
        first = Validating().ask(puzzle)
        try:
            found = core(puzzle, self.backend, **self.limits) if first.found.legal else None
        except LimitReached as error:
            return RowAnswer({**first.values, "status": str(Status.UNKNOWN), "reason": str(error)}, None, error)
        if found is None:
            return first
        proved = {"status": str(Status.UNSATISFIABLE), "reason": f"no solution: {found}"}
        return RowAnswer({**first.values, **proved, "core": "; ".join(found.parts)}, found)
