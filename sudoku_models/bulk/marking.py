"""The verb of candidates: of every row which values its cells have in solutions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from ..engine.batch import run_candidates, tells_candidates
from ..engine.contract import Request
from ..engine.registry import Selection
from ..formats.pencilmarks import marks_line
from ..model import Domain
from ..puzzle import Puzzle
from ..verbs.results import Candidates, Status
from ..verbs.solving import candidates_of
from ..verbs.task import Limits
from .many import mapped
from .rows import NINE, Rows
from .verbs import NUMBER, TEXT, Answer, Answers, Asking, Kinds, asked, put

_SETTLED = "settled"
_VALUES = [tuple(v for v in range(1, 10) if mask >> (v - 1) & 1) for mask in range(512)]


@dataclass(frozen=True)
class Marking(Asking):
    """Tell the candidates of every row; ``jobs`` of them at once, each in a child process.

    ``candidates`` is a text with a place for every value of every cell, as in the format ``pencilmarks``; null unless
    they are settled. The status is settled, unsatisfiable, unknown (stopped by a limit), "bad input" or failed.
    """

    jobs: int = 1
    kinds: ClassVar[Kinds] = {"candidates": TEXT, "status": TEXT, "error": TEXT, "seconds": NUMBER}

    def __call__(self, rows: Rows) -> Answers:
        """Answer some rows."""
        selection = self.selection(rows.many)
        if selection is not None and not tells_candidates(NINE.model, selection):
            selection = None
        answers = self._columns(len(rows)) if selection is None else self._in_batch(rows, selection)
        waiting = list(rows.puzzles(plain=selection is None))
        jobs = 1 if self.threads else self.jobs  # which are then threads around this
        one = partial(asked, partial(self._one, jobs > 1), kinds=self.kinds)
        for (row, _), found in zip(waiting, mapped(one, (puzzle for _, puzzle in waiting), jobs, None), strict=True):
            put(answers, row, **found)
        return answers

    def _in_batch(self, rows: Rows, selection: Selection) -> Answers:
        request = Request(limit=2, workers=self.limits.get("workers", 1))
        start = time.perf_counter()
        masks = run_candidates(NINE.model, selection, rows.values, request).tolist()
        lines = [_line(map(_VALUES.__getitem__, row)) if row[0] else None for row in masks]
        seconds = (time.perf_counter() - start) / max(len(rows), 1)
        return {
            "candidates": lines,
            "status": [_SETTLED if line else str(Status.UNSATISFIABLE) for line in lines],
            "error": [None] * len(rows),
            "seconds": [seconds] * len(rows),
        }

    def _one(self, isolate: bool, puzzle: Puzzle) -> Answer:
        found = candidates_of(puzzle, self.backend, Limits.of(self.limits), isolate)
        line = None
        if found.complete and found.solvable:
            line = marks_line(puzzle.shape, [found.values[name] for name in puzzle.shape.names])
        seconds = sum(phase.wall for phase in found.record.phases.values())
        return {"candidates": line, "status": _status(found), "error": found.reason or None, "seconds": seconds}


def _line(marks: Iterator[Domain]) -> str:
    return marks_line(NINE, list(marks))


def _status(found: Candidates) -> str:
    if not found.complete:
        return str(Status.UNKNOWN)
    return _SETTLED if found.solvable else str(Status.UNSATISFIABLE)
