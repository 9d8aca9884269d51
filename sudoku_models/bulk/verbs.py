"""What is asked of every row: solve, count, candidates, validate. A verb takes some rows and returns columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..engine.contract import BatchStatus
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection
from ..errors import FormatError
from ..formats.kinds.pencilmarks import marks_line
from ..puzzle import Puzzle
from ..verbs.results import WITHOUT_DRAWN, Status
from ..verbs.solving import validate
from .columns import INTEGER, NUMBER, TEXT, TRUTH, Values, WordColumn, as_list, boards, marks, nothing
from .rows import Rows
from .where import NINE, Alone, Where

Answers = dict[str, Any]
"""Columns of answers by name, each with a value for every row: lists, or a ``Column`` each."""

Answer = dict[str, Any]
"""The answer to one row."""

BAD_INPUT, FAILED = "bad input", "failed"
Kinds = Mapping[str, str]


@dataclass(frozen=True)
class Verb:
    """A question to every row; ``kinds`` are the columns of its answers and what each holds.

    ``status`` is one of few words, "bad input" or failed where there is no answer at all; ``error`` says what is wrong
    with a row, or why it has no answer; ``seconds`` is the wall time that the row took, its share of a batch.
    """

    kinds: ClassVar[Kinds] = {}

    @property
    def threads(self) -> bool:
        """Tell whether threads of this process can work on several blocks at once."""
        return True

    def __call__(self, rows: Rows) -> Answers:
        """Answer a block of rows: a list as long as the block for each column of ``kinds``."""
        raise NotImplementedError

    def _columns(self, n: int) -> Answers:
        return {name: [None] * n for name in self.kinds}


def put(answers: Answers, row: int, **values: Any) -> None:
    """Enter the answer to a row."""
    for name, value in values.items():
        answers[name][row] = value


@dataclass(frozen=True)
class Asking(Verb):
    """A question to a backend: in batches where it takes them, else row by row. ``limits`` are those of ``solve``."""

    backend: BackendLike = "auto"
    limits: Mapping[str, Any] = field(default_factory=dict)
    jobs: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        """Refuse what is an error of the call, not of each row."""
        assert self.where

    @property
    def where(self) -> Where:
        """Where rows are answered; ``jobs`` threads are around blocks that are answered in batches."""
        return Where(self.backend, self.limits, self.jobs, by_block=True)

    @property
    def threads(self) -> bool:
        """Tell whether threads can work at once: where boards are answered in batches, without the interpreter."""
        return self.where.engine is not None

    def __call__(self, rows: Rows) -> Answers:
        """Answer some rows."""
        where = self.where
        selection = self._engine(where, rows.seen)
        answers: Answers = self._columns(len(rows))
        if selection is not None and len(rows.others) < len(rows):
            answers = self._in_batch(where, selection, rows)
        plain = selection is None
        if plain or rows.others:
            answers = {name: as_list(column) for name, column in answers.items()}
            alone = where if where.engine is None else replace(where, jobs=1)  # or the threads are around this
            self._singly(alone, list(rows.puzzles(plain)), answers)
        return answers

    def _engine(self, where: Where, seen: int) -> Selection | None:
        return where.batches(seen)

    def _in_batch(self, where: Where, selection: Selection, rows: Rows) -> Answers:
        """Answer the classic boards of some rows."""
        raise NotImplementedError

    def _singly(self, where: Where, waiting: list[tuple[int, Any]], answers: Answers) -> None:
        one = partial(asked, partial(self._one, where.row), kinds=self.kinds)
        found = where.each(one, (puzzle for _, puzzle in waiting))
        for (row, _), answer in zip(waiting, found, strict=True):
            put(answers, row, **answer)

    def _one(self, alone: Alone, puzzle: Puzzle) -> Answer:
        """Answer one row."""
        raise NotImplementedError


@dataclass(frozen=True)
class Solving(Asking):
    """Solve every row; with ``unique`` tell whether the solution is the only one. ``jobs`` is as for ``solve_many``."""

    unique: bool = False
    kinds: ClassVar[Kinds] = {"solution": TEXT, "status": TEXT, "unique": TRUTH, "error": TEXT, "seconds": NUMBER}

    def _in_batch(self, where: Where, selection: Selection, rows: Rows) -> Answers:
        batch = where.batch(selection, rows.values, 2 if self.unique else 1)
        n, found = len(rows), batch.count > 0
        known = None if found.all() else found
        return {
            "solution": boards(batch.values, known),
            "status": WordColumn(_SOLVED, found.astype(np.uint8)),
            "unique": Values(batch.count == 1) if self.unique else nothing(n),
            "error": nothing(n),
            "seconds": _shares(batch.record, n),
        }

    def _one(self, alone: Alone, puzzle: Puzzle) -> Answer:
        result = alone.task(puzzle).solved(self.unique)
        return {
            "solution": None if result.grid is None else result.grid.to_line(),
            "status": str(result.status),
            "unique": result.unique,
            "error": result.reason or None,
            "seconds": seconds_of(result.record),
        }


_SOLVED = (str(Status.UNSATISFIABLE), str(Status.SOLVED))


def _shares(record: Record, n: int) -> Values:
    """Return for each row its share of the time of a batch."""
    return Values(np.full(n, seconds_of(record) / max(n, 1)))


def seconds_of(record: Record) -> float:
    """Return the wall time of all phases."""
    return sum(phase.wall for phase in record.phases.values())


@dataclass(frozen=True)
class Counting(Asking):
    """Count the solutions of every row, up to ``limit``; ``exact`` says whether these are all.

    The status is counted, unsatisfiable, unknown (stopped by a limit of time), "bad input" or failed.
    """

    limit: int | None = None
    kinds: ClassVar[Kinds] = {"count": INTEGER, "exact": TRUTH, "status": TEXT, "error": TEXT, "seconds": NUMBER}

    @classmethod
    def up_to(cls, limit: int | None, backend: BackendLike, limits: Mapping[str, Any]) -> Counting:
        """Count up to ``limit``; ValueError when that is less than one."""
        if limit is not None and limit < 1:
            raise ValueError(f"limit is {limit}: at least 1 is expected")
        return cls(backend, limits, limit)

    def _engine(self, where: Where, seen: int) -> Selection | None:
        return None if self.limit is None else where.batches(seen)

    def _in_batch(self, where: Where, selection: Selection, rows: Rows) -> Answers:
        assert self.limit is not None
        batch = where.batch(selection, rows.values, self.limit + 1)
        return {
            "count": Values(np.minimum(batch.count, self.limit).astype(np.int64)),
            "exact": Values(batch.status == BatchStatus.EXHAUSTED),
            "status": WordColumn((str(Status.UNSATISFIABLE), _COUNTED), (batch.count > 0).astype(np.uint8)),
            "error": nothing(len(rows)),
            "seconds": _shares(batch.record, len(rows)),
        }

    def _one(self, alone: Alone, puzzle: Puzzle) -> Answer:
        found = alone.task(puzzle).of_all("count").counted(self.limit)
        stopped = not found.exact and (self.limit is None or found.value < self.limit)
        error = "stopped by a limit" if stopped else None
        status = Status.UNKNOWN if stopped else _COUNTED if found.value else Status.UNSATISFIABLE
        seconds = seconds_of(found.record)
        return {"count": found.value, "exact": found.exact, "status": str(status), "error": error, "seconds": seconds}


_COUNTED = "counted"


@dataclass(frozen=True)
class Marking(Asking):
    """Tell the candidates of every row; ``jobs`` of them at once, each in a child process.

    ``candidates`` is a text with a place for every value of every cell, as in the format ``pencilmarks``; null unless
    they are settled. The status is settled, unsatisfiable, unknown (stopped by a limit), "bad input" or failed.
    """

    kinds: ClassVar[Kinds] = {"candidates": TEXT, "status": TEXT, "error": TEXT, "seconds": NUMBER}

    def _engine(self, where: Where, seen: int) -> Selection | None:
        return where.marking(seen)

    def _in_batch(self, where: Where, selection: Selection, rows: Rows) -> Answers:
        masks, record = where.masks(selection, rows.values)
        n, found = len(rows), masks[:, 0] != 0
        return {
            "candidates": marks(masks, None if found.all() else found),
            "status": WordColumn((str(Status.UNSATISFIABLE), _SETTLED), found.astype(np.uint8)),
            "error": nothing(n),
            "seconds": _shares(record, n),
        }

    def _one(self, alone: Alone, puzzle: Puzzle) -> Answer:
        found = alone.task(puzzle).of_all("candidates").marked()
        line = None
        if found.complete and found.solvable:
            line = marks_line(puzzle.shape, [found.values[name] for name in puzzle.shape.names])
        status = _SETTLED if line else Status.UNSATISFIABLE if found.complete else Status.UNKNOWN
        seconds = seconds_of(found.record)
        return {"candidates": line, "status": str(status), "error": found.reason or None, "seconds": seconds}


_SETTLED = "settled"


@dataclass(frozen=True)
class Validating(Verb):
    """Check for every row whether it is a legal board, and how full it is; ``reason`` names the clashes.

    The status is legal, illegal or "bad input".
    """

    kinds: ClassVar[Kinds] = {"status": TEXT, "clues": INTEGER, "complete": TRUTH, "reason": TEXT, "error": TEXT}

    def __call__(self, rows: Rows) -> Answers:
        """Answer some rows."""
        legal, clues = legal_rows(rows.values), np.count_nonzero(rows.values, axis=1)
        n = len(rows)
        answers: Answers = {
            "status": WordColumn(("legal",), np.zeros(n, np.uint8)),
            "clues": Values(clues),
            "complete": Values(clues == 81),
            "reason": nothing(n),
            "error": nothing(n),
        }
        slow = sorted({*rows.others, *np.flatnonzero(~legal).tolist()})
        if slow:
            answers = {name: as_list(column) for name, column in answers.items()}
        for row in slow:
            ((_, puzzle),) = rows.part(row, row + 1).puzzles()
            put(answers, row, **asked(_validated, puzzle, self.kinds))
        return answers


def _validated(puzzle: Puzzle) -> Answer:
    found = validate(puzzle)
    return {
        "status": "legal" if found.legal else "illegal",
        "clues": puzzle.clues,
        "complete": puzzle.clues == puzzle.shape.cells,
        "reason": "; ".join(map(str, found.clashes)) or None,
    }


_ANSWERED = ("counted", "settled", "rated")
"""What a row came to that holds of the puzzle without its drawn rules, where it has such."""


def asked(ask: Callable[[Puzzle], dict[str, Any]], puzzle: Puzzle | FormatError, kinds: Iterable[str]) -> Answer:
    """Return the answer to one puzzle; what it raises is its error."""
    try:
        if isinstance(puzzle, Exception):
            raise puzzle
        answer = ask(puzzle)
        if puzzle.left_out and answer["status"] in _ANSWERED:
            answer["status"] += WITHOUT_DRAWN
        return answer
    except Exception as error:
        return {**dict.fromkeys(kinds), **_of_error(error)}


def _of_error(error: Exception) -> Answer:
    if isinstance(error, FormatError):
        return {"status": BAD_INPUT, "error": str(FormatError(error.message, cell=error.cell))}
    return {"status": FAILED, "error": str(error) or type(error).__name__}


def legal_rows(values: Any) -> Any:
    """Tell for each row of ``values`` (uint8, n rows of 81, 0 open) whether no house holds a value twice.

    The bits of a house's values are added: where no two are alike the sum is what they are together.
    """
    good = np.ones(len(values), bool)
    for start in range(0, len(values), PORTION):
        bits = np.uint16(1) << np.ascontiguousarray(values[start : start + PORTION].T).astype(np.uint16)
        bits >>= np.uint16(1)  # of an open cell nothing is left
        for house in NINE.houses:
            first, second, *others = house.cells
            together, total = bits[first] | bits[second], bits[first] + bits[second]
            for cell in others:
                together |= bits[cell]
                total += bits[cell]
            good[start : start + PORTION] &= together == total
    return good


PORTION = 4096
"""Boards whose houses are looked at side by side: they stay in the processor's cache."""
