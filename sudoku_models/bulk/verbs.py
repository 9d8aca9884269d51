"""What is asked of every row: solve, count, validate. A verb is given some rows and returns columns of answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..engine.auto import batch_backend, loads
from ..engine.batch import run_batch
from ..engine.contract import Batch, BatchStatus, Feature, Request
from ..engine.registry import BackendLike, Selection, select
from ..errors import FormatError
from ..formats.arrays import to_lines
from ..puzzle import Puzzle
from ..verbs.results import WITHOUT_DRAWN, Count, Result, Status
from ..verbs.solving import count, solve_many, validate
from ..verbs.task import Limits
from .rows import NINE, Rows

Answers = dict[str, list[Any]]
"""Columns of answers by name, each with a value for every row."""

Answer = dict[str, Any]
"""The answer to one row."""

BAD_INPUT, FAILED = "bad input", "failed"
TEXT, TRUTH, NUMBER, INTEGER = "text", "truth", "number", "integer"
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

    def __post_init__(self) -> None:
        """Refuse what is an error of the call, not of each row: a keyword or a backend that is none."""
        Limits.of(self.limits)
        if self.backend != "auto":
            select(self.backend)

    @property
    def threads(self) -> bool:
        """Tell whether threads can work at once: where boards are answered in batches, without the interpreter."""
        return self._for_many() is not None

    def selection(self, many: bool) -> Selection | None:
        """Return what answers classic boards in batches: the backend named, or for ``auto`` one for ``many`` rows."""
        found = self._for_many()
        if found is None or self.backend != "auto":
            return found
        return found if many and loads(NINE.model, found) else None

    def _for_many(self) -> Selection | None:
        if any(value for name, value in self.limits.items() if name != "workers"):
            return None
        if self.backend == "auto":
            return batch_backend(NINE.model)
        named = select(self.backend)
        return named if Feature.BATCH in named.capabilities.features else None

    def _batch(self, rows: Rows, selection: Selection, limit: int) -> tuple[Batch, float]:
        request = Request(limit=limit, workers=self.limits.get("workers", 1))
        start = time.perf_counter()
        batch = run_batch(NINE.model, selection, rows.values, request)
        return batch, (time.perf_counter() - start) / max(len(rows), 1)


@dataclass(frozen=True)
class Solving(Asking):
    """Solve every row; with ``unique`` tell whether the solution is the only one. ``jobs`` is as for ``solve_many``."""

    unique: bool = False
    jobs: int = 1
    kinds: ClassVar[Kinds] = {"solution": TEXT, "status": TEXT, "unique": TRUTH, "error": TEXT, "seconds": NUMBER}

    def __call__(self, rows: Rows) -> Answers:
        """Answer some rows."""
        selection = self.selection(rows.many)
        answers = self._columns(len(rows)) if selection is None else self._in_batch(rows, selection)
        waiting = list(rows.puzzles(plain=selection is None))
        jobs = 1 if self.threads else self.jobs  # which are then threads around this
        options: dict[str, Any] = {"jobs": jobs, "unique": self.unique, "on_error": "return", **self.limits}
        results = solve_many((puzzle for _, puzzle in waiting), self.backend, **options)
        for (row, _), result in zip(waiting, results, strict=True):
            put(answers, row, **_of_result(result))
        return answers

    def _in_batch(self, rows: Rows, selection: Selection) -> Answers:
        batch, seconds = self._batch(rows, selection, 2 if self.unique else 1)
        lines, counts = to_lines(batch.values).decode().splitlines(), batch.count.tolist()
        return {
            "solution": [line if n else None for line, n in zip(lines, counts, strict=True)],
            "status": [str(Status.SOLVED if n else Status.UNSATISFIABLE) for n in counts],
            "unique": [n == 1 for n in counts] if self.unique else [None] * len(rows),
            "error": [None] * len(rows),
            "seconds": [seconds] * len(rows),
        }


def _of_result(result: Result | Exception) -> Answer:
    if isinstance(result, Exception):
        return {"solution": None, "unique": None, "seconds": None, **_of_error(result)}
    return {
        "solution": None if result.grid is None else result.grid.to_line(),
        "status": str(result.status),
        "unique": result.unique,
        "error": result.reason or None,
        "seconds": sum(phase.wall for phase in result.record.phases.values()),
    }


def _of_error(error: Exception) -> Answer:
    if isinstance(error, FormatError):
        return {"status": BAD_INPUT, "error": str(FormatError(error.message, cell=error.cell))}
    return {"status": FAILED, "error": str(error) or type(error).__name__}


@dataclass(frozen=True)
class Counting(Asking):
    """Count the solutions of every row, up to ``limit``; ``exact`` tells whether these are all.

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

    def __call__(self, rows: Rows) -> Answers:
        """Answer some rows."""
        selection = None if self.limit is None else self.selection(rows.many)
        answers = self._columns(len(rows)) if selection is None else self._in_batch(rows, selection)
        for row, puzzle in rows.puzzles(plain=selection is None):
            put(answers, row, **asked(self._one, puzzle, self.kinds))
        return answers

    def _in_batch(self, rows: Rows, selection: Selection) -> Answers:
        assert self.limit is not None
        batch, seconds = self._batch(rows, selection, self.limit + 1)
        return {
            "count": np.minimum(batch.count, self.limit).tolist(),
            "exact": (batch.status == BatchStatus.EXHAUSTED).tolist(),
            "status": [_counted(n) for n in batch.count.tolist()],
            "error": [None] * len(rows),
            "seconds": [seconds] * len(rows),
        }

    def _one(self, puzzle: Puzzle) -> Answer:
        found: Count = count(puzzle, self.backend, limit=self.limit, **self.limits)
        stopped = not found.exact and (self.limit is None or found.value < self.limit)
        seconds = sum(phase.wall for phase in found.record.phases.values())
        error = "stopped by a limit" if stopped else None
        status = str(Status.UNKNOWN) if stopped else _counted(found.value)
        return {"count": found.value, "exact": found.exact, "status": status, "error": error, "seconds": seconds}


def _counted(count: int) -> str:
    return "counted" if count else str(Status.UNSATISFIABLE)


@dataclass(frozen=True)
class Validating(Verb):
    """Tell of every row whether it is a legal board, and how full it is; ``reason`` names the clashes.

    The status is legal, illegal or "bad input".
    """

    kinds: ClassVar[Kinds] = {"status": TEXT, "clues": INTEGER, "complete": TRUTH, "reason": TEXT, "error": TEXT}

    def __call__(self, rows: Rows) -> Answers:
        """Answer some rows."""
        legal, clues = legal_rows(rows.values), np.count_nonzero(rows.values, axis=1)
        n = len(rows)
        answers: Answers = {
            "status": ["legal"] * n, "clues": clues.tolist(), "complete": (clues == 81).tolist(),
            "reason": [None] * n, "error": [None] * n,
        }  # fmt: skip
        slow = {*rows.others, *np.flatnonzero(~legal).tolist()}
        for row in sorted(slow):
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


def legal_rows(values: Any) -> Any:
    """Tell for each row of ``values`` (uint8, n rows of 81, 0 open) whether no house holds a value twice.

    The bits of a house's values are added: where no two are alike the sum is what they are together.
    """
    good = np.ones(len(values), bool)
    for start in range(0, len(values), PORTION):
        bits = _BITS[values[start : start + PORTION].T]
        for cells in NINE.houses:
            together, total = np.zeros_like(bits[0]), np.zeros_like(bits[0])
            for cell in cells.cells:
                together |= bits[cell]
                total += bits[cell]
            good[start : start + PORTION] &= together == total
    return good


PORTION = 4096
"""Boards whose houses are looked at side by side: they stay in the processor's cache."""

_BITS = np.array([0, *(1 << k for k in range(9))], np.uint16)
