"""The questions for rows: solve, find several solutions, count, candidates, validate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ..dataclass import dataclass
from ..engine.batch import run_candidates
from ..engine.contract import BatchStatus, Reason
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection
from ..errors import FormatError, LimitReached
from ..formats.kinds.pencilmarks import marks_line
from ..puzzle import Puzzle, clashes
from ..verbs.results import Status, marked
from ..verbs.smallest_conflict import core
from ..verbs.solving import solutions, validate
from .columns import INTEGER, TEXT, TRUTH, Kinds, Same, boards, marks, where_known
from .question import (
    HOW,
    Asking,
    BlockAnswers,
    RowAnswer,
    Several,
    Verb,
    clash_text,
    failed,
    how,
    legal_rows,
)
from .rows import MANY, NINE, Rows


@dataclass(frozen=True)
class Solving(Asking):
    """Solve every row; with ``unique``, check whether the solution is the only one. ``jobs`` is as in ``solve_many``.

    ``alphabet`` holds the symbols for solutions.
    """

    unique: bool = False
    alphabet: str | None = None
    kinds: ClassVar[Kinds] = {"solution": TEXT, "status": TEXT, "unique": TRUTH, **HOW}

    def engine(self, seen: int) -> Selection | None:
        """Return the engine that solves many boards; None if their values have other symbols."""
        return None if self.alphabet else super().engine(seen)

    def batch(self, selection: Selection, rows: Rows) -> BlockAnswers:
        batch = self._solved(selection, rows.values, 2 if self.unique else 1)
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

    @property
    def batching(self) -> bool:
        """Return False: no backend finds several solutions in batches."""
        return False

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

    @classmethod
    def up_to(cls, limit: int | None, backend: BackendLike, limits: Mapping[str, Any]) -> Counting:
        """Check the limit; raise ValueError if it is less than one."""
        if limit is not None and limit < 1:
            raise ValueError(f"limit is {limit}: at least 1 is expected")
        return cls(backend, limits, limit)

    @property
    def batching(self) -> bool:
        """Return whether classic boards can be counted in batches: only up to a limit."""
        return self.limit is not None and super().batching

    def most(self, seen: int) -> int:
        """Return the number of rows to count together: fewer if each may have many solutions."""
        return min(super().most(seen), max(1, SOLUTIONS // (self.limit or 1)))

    def engine(self, seen: int) -> Selection | None:
        """Return the engine that counts solutions of many boards, up to a limit."""
        return None if self.limit is None else super().engine(seen)

    def batch(self, selection: Selection, rows: Rows) -> BlockAnswers:
        assert self.limit is not None
        batch = self._solved(selection, rows.values, self.limit + 1)
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
        record = self._record(selection)
        watch = record.stopwatch()
        masks = run_candidates(NINE.model, selection, rows.values, self._request(2))
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

    @property
    def first(self) -> int:
        """The number of rows to check one by one."""
        return MANY

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

    @property
    def batching(self) -> bool:
        """Return False: each board is checked separately."""
        return False

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
