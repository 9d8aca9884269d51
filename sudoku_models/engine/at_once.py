"""Answer one puzzle of givens directly, if the engine can: without a search, a clock or a child process.

This is part of the road: the answer is checked like the solutions of any run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..model import Model
from . import place
from .combined_backends import Begun, Members
from .contract import Ending, Reason, Request, Run, Solution
from .guard import Guard, guarded
from .prepared import Prepared
from .record import Record
from .registry import Selection


class AnsweredRun(Run):
    """A run that is settled before its solutions are pulled."""

    def __init__(self, solutions: Sequence[Solution], reason: Reason, record: Record) -> None:
        self.record, self._count, self._ending = record, 0, None
        self._solutions, self._reason = solutions, reason

    def __next__(self) -> Solution:
        if self._ending is None:
            if self._count < len(self._solutions):
                self._count += 1
                return self._solutions[self._count - 1]
            self._ending = Ending(self._reason)
        raise StopIteration

    def close(self) -> None:
        """End the run; do nothing if it has already ended."""
        self._ending = self._ending or Ending(Reason.CLOSED)


def at_once(model: Model, selection: Selection, request: Request, record: Record, isolate: bool) -> Run | None:
    """Return the answer to givens without limits if the prepared engine can give it directly; otherwise None.

    For a relay, its first member is asked. The answer is checked like that of any run.
    """
    if type(selection.options) is Members:
        return None
    member = selection.options.first if type(selection.options) is Begun else selection
    prepared = model.memo.get(place.prepared_key(member))
    if not isinstance(prepared, Prepared) or prepared.at_once is None or isolate or not _plain(request, model):
        return None
    if place.isolated(member, request, model):
        return None
    watch = record.stopwatch()
    found = guarded(member, partial(prepared.at_once, request.domains, request.limit))
    if found is None:
        return None
    solution, reason = found
    watch.lap("run")
    checked = () if solution is None else (Guard(prepared.checker, member, request).checked(solution),)
    watch.lap("check")
    record.backend, record.options, record.plan = member.backend.name, member.changed, prepared.plan_later
    return AnsweredRun(checked, reason, record)


def _plain(request: Request, model: Model) -> bool:
    """Return whether a request asks for solutions of the model with some givens, and for nothing else."""
    counted = request.limit is None or (type(request.limit) is int and request.limit > 0)
    unlimited = request.time_limit is None and request.memory_limit is None
    usual = request.workers == 1 and not request.seed and request.keep is None and request.trace is None
    givens: Any = request.domains
    return counted and unlimited and usual and givens.names == model.names
