"""Many ratings in the one stream: from a file or a table to a file, in order and in constant memory."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from ..bulk.blocks import blocks_of
from ..bulk.columns import TEXT, TRUTH
from ..bulk.into import Summary, answered, merged
from ..bulk.rows import Rows
from ..bulk.sinks import written
from ..bulk.verbs import Answer, Answers, Kinds, Verb, asked, put
from ..formats.options import Options
from ..puzzle import Puzzle
from .rating import rate

UNRATED = {"contradiction": "unsatisfiable", "several solutions": "several solutions"}
"""The status of what has not one solution, by how its path ended."""


@dataclass(frozen=True)
class Rating(Verb):
    """Rate every row.

    The status is rated, harder where a limit or the end of the ladder came first, unsatisfiable where steps show it, or
    "several solutions".
    """

    limit: float | None = None
    kinds: ClassVar[Kinds] = {"level": TEXT, "exact": TRUTH, "stages": TEXT, "status": TEXT, "error": TEXT}

    def __call__(self, rows: Rows) -> Answers:
        """Answer some rows."""
        answers = self._columns(len(rows))
        for row, puzzle in rows.puzzles():
            put(answers, row, **asked(partial(_rated, self.limit), puzzle, self.kinds))
        return answers


def _rated(limit: float | None, puzzle: Puzzle) -> Answer:
    found = rate(puzzle, time_limit=limit).to_json()
    stages = " ".join(f"{level}:{number}" for level, number in found["stages"].items())
    status = "rated" if found["exact"] else UNRATED.get(found["end"], "harder")
    return {"level": found["level"], "exact": found["exact"], "stages": stages, "status": status, "error": None}


def rate_into(
    source: Any,
    target: str | Path,
    *,
    time_limit: float | None = None,
    executor: Executor | None = None,
    column: str | None = None,
) -> Summary:
    """Rate every row of a source and write it with its rating to a file, which appears when it is complete.

    The columns are ``level``, ``exact``, ``stages`` (level:number, by blanks), ``status`` (rated, harder,
    unsatisfiable, "several solutions", "bad input", failed) and ``error``. ``time_limit`` (seconds) is for each row;
    ``executor`` (of processes) works on several pieces at once. All else is as for ``solve_into``.
    """
    summary, verb = Summary(), Rating(time_limit)
    with written(target, verb.kinds) as sink:
        for block, answers in answered(blocks_of(source, Options(column=column)), verb, 1, executor):
            sink.write(merged(block.columns, answers))
            summary.add(answers)
    return summary
