"""``explain``, ``hint`` and ``path`` for every row of a source, with the answers as columns.

The objects that they return are kept beside the columns: JSON records contain more than a column can hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path as FilePath
from typing import Any, ClassVar

from ..bulk.into import AnswerSummary, answered_into
from ..bulk.questions import BlockAnswers, RowAnswer, Several, Verb, failed, how, unsuitable
from ..bulk.rows import INTEGER, NUMBER, TEXT, TRUTH, Kinds, Rows
from ..engine.budget import Budget
from ..engine.machine_code.library import possible
from ..engine.registry import BackendLike
from ..puzzle import Puzzle
from ..verbs.results import marked
from ..verbs.task import Problem
from .explaining import explain
from .explanation import Conflict, Explanation, NoSolution, Repair
from .hinting import State, hint
from .paths import Path, path, told
from .rating import rate

ENDED = {"time limit": "unknown", "contradiction": "unsatisfiable"}
"""The status of a path that does not reach the solution, if it differs from the name of its end."""


@dataclass(frozen=True)
class Explained:
    """An explanation, and the further reasons and repairs that were requested."""

    explanation: Explanation
    further: tuple[Conflict | Repair, ...] = ()


@dataclass(frozen=True)
class ExplainVerb(Verb):
    """Explain every row, with ``more`` further reasons and repairs; ``time_limit`` (seconds) applies to each row.

    The status is that of an ``Explanation``; ``reason`` says what was not settled in time.
    """

    backend: BackendLike = "auto"
    time_limit: float | None = None
    more: int = 0
    batching: ClassVar[bool] = False
    kinds: ClassVar[Kinds] = {
        "text": TEXT, "conflict": TEXT, "repair": TEXT, "differ": TEXT, "redundant": TEXT,
        "status": TEXT, "reason": TEXT, "backend": TEXT, "seconds": NUMBER,
    }  # fmt: skip

    def ask(self, puzzle: Problem) -> RowAnswer:
        found = explain(puzzle, self.backend, time_limit=self.time_limit)
        further = tuple(islice(found.more(), self.more)) if isinstance(found, NoSolution) else ()
        values = {
            "text": "\n".join([str(found), *(f"  {one}" for one in further)]),
            "conflict": _text(getattr(found, "reason", None)),
            "repair": _text(getattr(found, "repair", None)),
            "differ": " ".join(getattr(found, "differ", ())) or None,
            "redundant": "; ".join(map(str, getattr(found, "redundant", ()))) or None,
            "status": marked(found.status, puzzle, found.status == "one solution"),
            "reason": found.limit or None,
        }
        return RowAnswer(values | how(found.record), Explained(found, further))


def _text(found: object) -> str | None:
    return None if found is None else str(found)


@dataclass(frozen=True)
class HintVerb(Verb):
    """Find the next step of every row; the options are those of ``hint``.

    The status is hinted, "wrong entry", "no step", unsatisfiable, or unknown if a limit was reached first; ``reason``
    says why there is no step.
    """

    state: State | None = None
    cell: str | None = None
    time_limit: float | None = None
    assume_unique: bool = False
    technique: str | None = None
    batching: ClassVar[bool] = False
    kinds: ClassVar[Kinds] = {"text": TEXT, "level": TEXT, "status": TEXT, "reason": TEXT}

    def ask(self, puzzle: Problem) -> RowAnswer:
        """Find the next step of one puzzle or model."""
        with unsuitable():
            found = hint(
                puzzle,
                self.state,
                cell=self.cell,
                technique=self.technique,
                time_limit=self.time_limit,
                assume_unique=self.assume_unique,
            )
        values = {"text": str(found), "level": found.level or None, "status": found.status, "reason": found.end or None}
        return RowAnswer(values, found)


@dataclass(frozen=True)
class Walked:
    """A row of a path: its step (or its end) as data, and its lines of text."""

    step: dict[str, Any]
    lines: str


@dataclass(frozen=True)
class PathVerb(Several):
    """Find the path of every row; the answer has a row for each step and one for the end.

    The status is solved, unsatisfiable, unknown if a limit was reached first, or the way in which the path ended.
    """

    time_limit: float | None = None
    assume_unique: bool = False
    order: str = "level"
    batching: ClassVar[bool] = False
    kinds: ClassVar[Kinds] = {
        "stage": INTEGER, "level": TEXT, "placed": TEXT, "removed": TEXT, "text": TEXT, "status": TEXT, "reason": TEXT,
    }  # fmt: skip

    def walk(self, problem: Problem) -> Path:
        """Return the path of one puzzle or model; the time limit covers its text too."""
        clock = Budget(self.time_limit).start()
        found = path(problem, assume_unique=self.assume_unique, order=self.order, budget=clock)
        found.ladder.budget = clock
        return found

    def status(self, problem: Problem, found: Path) -> str:
        status = ENDED.get(found.end, found.end)
        return marked(status, problem, True) if status == "solved" else status

    def several(self, problem: Any) -> Iterator[RowAnswer]:
        """Yield the steps of one puzzle or model, and the end."""
        try:
            if isinstance(problem, Exception):
                raise problem
            found = self.walk(problem)
            status = self.status(problem, found)
            for number, step, lines in told(found):
                yield _row(found._record(number, step), "\n".join(lines), status)
        except Exception as error:
            yield failed(error, self.kinds)


def _row(record: dict[str, Any], lines: str, status: str) -> RowAnswer:
    """Return the answer for a record of a path; cells with values are written as in "R1C1=4 R2C3=5"."""
    pairs = {
        name: " ".join(f"{fact['cell']}={fact['value']}" for fact in record.get(name, ())) or None
        for name in ("placed", "removed")
    }
    said = {"stage": record.get("stage"), "level": record["level"], "text": record.get("text", lines)}
    return RowAnswer({**dict.fromkeys(PathVerb.kinds), **said, **pairs, "status": status}, Walked(record, lines))


# ----------------------------------------------------------------------------
# Rate many puzzles in the one stream: from a file or a table to a file, in order and in constant memory.


UNRATED = {"contradiction": "unsatisfiable", "several solutions": "several solutions"}
"""The status of a problem without exactly one solution, by how its path ended."""


@dataclass(frozen=True)
class RatingVerb(Verb):
    """Rate every row.

    The status is rated, harder if a limit or the end of the ladder was reached first, unsatisfiable if steps show it,
    or "several solutions".
    """

    limit: float | None = None
    kinds: ClassVar[Kinds] = {
        "level": TEXT, "exact": TRUTH, "stages": TEXT, "se": NUMBER, "status": TEXT, "reason": TEXT,
    }  # fmt: skip

    def __call__(self, rows: Rows) -> BlockAnswers:
        """Answer some rows, classic boards together if compiled kernels are available."""
        answers, quick = self.nothing(len(rows)), possible()
        if quick:
            _rate_classics(rows, self.limit, answers)
        return answers.put({row: self.one(puzzle) for row, puzzle in rows.puzzles(plain=not quick)})

    def ask(self, puzzle: Puzzle) -> RowAnswer:
        rating = rate(puzzle, time_limit=self.limit)
        found = rating.to_json()
        stages = " ".join(f"{level}:{number}" for level, number in found["stages"].items())
        status = "rated" if found["exact"] else UNRATED.get(found["end"], "harder")
        status = marked(status, puzzle) if status == "several solutions" else status
        se = rating.se.value / 10 if rating.se else None
        answer = {"level": found["level"], "exact": found["exact"], "stages": stages, "se": se}
        return RowAnswer({**answer, "status": status, "reason": None}, rating)


def _rate_classics(rows: Rows, limit: float | None, answers: BlockAnswers) -> None:
    """Enter the ratings of the classic boards among some rows, on both scales."""
    from .classic import STATUSES, rate_arrays

    numbers = [row for row in range(len(rows)) if row not in rows.others]
    level, se = (rate_arrays(rows.values[numbers], scale, time_limit=limit) for scale in ("level", "se"))
    columns = {
        "level": [text or None for text in level.texts()],
        "exact": level.exact.tolist(),
        "stages": level.stages_texts(),
        "se": [value / 10 if value else None for value in se.values.tolist()],
        "status": [STATUSES[i] for i in level.status.tolist()],
    }
    for name, column in columns.items():
        for row, value in zip(numbers, column, strict=True):
            answers[name][row] = value


def rate_into(
    source: Any,
    target: str | FilePath,
    *,
    time_limit: float | None = None,
    executor: Executor | None = None,
    column: str | None = None,
) -> AnswerSummary:
    """Rate every row of a source and write it with its rating to a file, which appears when it is complete.

    The columns are ``level``, ``exact``, ``stages`` (level:number, separated by spaces), ``se`` (null
    except for classic 9x9 boards), ``status`` (rated, harder, unsatisfiable, "several solutions", "bad input", failed)
    and ``reason``. ``time_limit`` (seconds) applies to each row; ``executor`` (of processes) works on several pieces in
    parallel. Everything else is as for ``solve_into``.
    """
    return answered_into(source, target, RatingVerb(time_limit), executor, column)
