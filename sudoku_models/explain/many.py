"""Rate many puzzles in the one stream: from a file or a table to a file, in order and in constant memory."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..bulk.blocks import blocks_of
from ..bulk.columns import NUMBER, TEXT, TRUTH, Kinds
from ..bulk.into import AnswerSummary, answered, merged
from ..bulk.question import BlockAnswers, RowAnswer, Verb
from ..bulk.rows import Rows
from ..bulk.sinks import written
from ..engine.machine_code.library import possible
from ..formats.options import Options
from ..puzzle import Puzzle
from ..verbs.task import Alone
from .rating import rate

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
        answers, quick, alone = self.nothing(len(rows)), possible(), self.where.row
        if quick:
            _rate_classics(rows, self.limit, answers)
        return answers.put({row: self.one(alone, puzzle) for row, puzzle in rows.puzzles(plain=not quick)})

    def ask(self, alone: Alone, puzzle: Puzzle) -> RowAnswer:
        """Rate one puzzle."""
        rating = rate(puzzle, time_limit=self.limit)
        found = rating.to_json()
        stages = " ".join(f"{level}:{number}" for level, number in found["stages"].items())
        status = "rated" if found["exact"] else UNRATED.get(found["end"], "harder")
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
    target: str | Path,
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
    summary, verb = AnswerSummary(), RatingVerb(time_limit)
    with written(target, verb.kinds) as sink:
        for block, answers in answered(blocks_of(source, Options(column=column)), verb, 1, executor):
            sink.write(merged(block.columns, answers))
            summary.add(answers)
    return summary
