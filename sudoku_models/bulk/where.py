"""Decides where a row is answered: in a batch, alone in this process, or alone in a child process.

The decision is made here for everything with many puzzles: ``solve_many``, files, tables, frames, arrays, the command
line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..engine.auto import batch_backend, loads
from ..engine.batch import answers_candidates, run_batch, run_candidates, takes_batches
from ..engine.contract import Batch, Request
from ..engine.record import Record
from ..engine.registry import BackendLike, Selection, select
from ..engine.road import refuse_undeclared
from ..errors import Unsupported
from ..puzzle import Shape
from ..verbs.task import Alone, Limits

NINE = Shape.square(9)

MANY = 1_000
"""The number of puzzles above which a batch is worth loading a compiled engine."""

CHOSEN = "many classic boards, which it solves in batches"


@dataclass(frozen=True)
class Where:
    """The backend and its limits, for boards of a shape; ``jobs`` pieces of work are done at the same time.

    A board of the ``shape`` (by default classic) with givens only is answered in a batch if the backend takes batches
    (``auto`` finds one, for more than ``MANY`` rows) and no limit applies to single rows. Any other row is answered
    alone: its structure is compiled once and kept; in a child process if there are several jobs.
    """

    backend: BackendLike = "auto"
    limits: Mapping[str, Any] = field(default_factory=dict)
    jobs: int = 1
    shape: Shape = NINE

    def __post_init__(self) -> None:
        """Raise errors that concern the call, not a single row: an unknown keyword or backend, or a wrong number."""
        Limits.of(self.limits)
        if self.backend != "auto":
            select(self.backend)
        if self.jobs < 1:
            raise ValueError(f"jobs is {self.jobs}: at least 1 is expected")

    def checked(self, solutions: int | None) -> None:
        """Refuse options that a named backend does not declare, once rather than for each row."""
        if self.backend != "auto":
            asked = {name: value for name, value in self.limits.items() if name != "budget"}
            refuse_undeclared(select(self.backend), Request(limit=solutions, **asked))

    @cached_property
    def engine(self) -> Selection | None:
        """The engine that could take batches: the named backend, or one that ``auto`` finds; None if there is none."""
        if any(value for name, value in self.limits.items() if name not in ("workers", "confirm", "budget")):
            return None
        budget = Limits.of(self.limits).begun()
        if budget.left is not None or budget.memory is not None:
            return None
        found = batch_backend(self.shape.model) if self.backend == "auto" else select(self.backend)
        return found if found is not None and takes_batches(found) else None

    @property
    def chosen(self) -> bool:
        """Return whether the backend was chosen by ``auto``."""
        return self.backend == "auto"

    def batches(self, seen: int = MANY + 1) -> Selection | None:
        """Return the engine that answers boards in a batch; None if there are too few rows or no such engine."""
        found = self.engine
        if found is None or not self.chosen:
            return found
        return found if seen > MANY and loads(self.shape.model, found) else None

    def needed(self) -> Selection:
        """Return the engine that takes batches; raise Unsupported if ``auto`` finds none."""
        if not self.chosen:
            return select(self.backend)  # which refuses what it does not take itself
        found = self.engine
        if found is None:
            raise Unsupported("no installed backend takes batches of this shape: pip install 'sudoku-models[fast]'")
        return found

    def marking(self, seen: int = MANY + 1) -> Selection | None:
        """Return the engine that finds candidates in a batch; None if there are too few rows or no such engine."""
        found = self.batches(seen)
        return found if found is not None and answers_candidates(self.shape.model, found) else None

    def batch(self, selection: Selection, values: Any, limit: int) -> Batch:
        """Answer boards (n, cells) together; the record's times cover all of them."""
        return run_batch(self.shape.model, selection, values, self._request(limit), self._record())

    def masks(self, selection: Selection, values: Any) -> tuple[Any, Record]:
        """Return the candidates of boards (n, cells) as masks, and the record."""
        record = self._record(selection)
        watch = record.stopwatch()
        masks = run_candidates(self.shape.model, selection, values, self._request(2))
        watch.lap("run")
        return masks, record

    def on_one_thread(self) -> Where:
        """Return a copy with one worker, for threads that each work on a block of rows."""
        return replace(self, limits={**self.limits, "workers": 1}) if "workers" in self.limits else self

    def _record(self, selection: Selection | None = None) -> Record:
        choice = CHOSEN if self.chosen else ""
        return Record(selection.backend.name, selection.changed, choice=choice) if selection else Record(choice=choice)

    def _request(self, limit: int) -> Request:
        return Request(limit=limit, workers=self.limits.get("workers", 1))

    @cached_property
    def row(self) -> Alone:
        """The function that answers a row alone: in a child process if several rows are answered in parallel."""
        return Alone(self.backend, Limits.of(self.limits), self.jobs > 1)
