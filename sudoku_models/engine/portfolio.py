"""Several backends at the same time, each in its own process: the first answer wins and the others are killed.

Written ``portfolio:(pycosat)|(cp-sat:workers=2)``. The record names the winner. With an objective all of them improve
side by side until one has proved its best solution optimal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..errors import BackendCrashed, WrongAnswer
from ..model import Constraint, Model
from . import isolation, process
from .budget import Budget, OutOfTime
from .combined_backends import ALONE, Combined, Members
from .contract import Capabilities, Ending, Feature, Improving, Isolate, Reason, Request, Run, Search, Solution
from .record import Record
from .registry import Selection

NAME = "portfolio"


class Portfolio(Combined):
    """A backend made of others that work side by side; each lowers the model itself.

    It declares the features that all members declare, and proves if any member does: a member that cannot prove gives
    up, and the others continue.
    """

    name = NAME

    def capabilities_with(self, options: Members) -> Capabilities:
        """Return what every member can do; all kinds are accepted, since each member lowers the model itself."""
        declared = [member.capabilities.features for member in options.members] or [frozenset()]
        proves = {Feature.PROVE} & frozenset.union(*declared)
        features = (frozenset.intersection(*declared) - ALONE) | proves
        return Capabilities(frozenset(Constraint.kinds.values()), features, isolate=Isolate.ALWAYS)


BACKEND = Portfolio()


def run(model: Model, selection: Selection, request: Request, clock: Budget) -> Run:
    """Start every member in a child process; yield the solutions of the first that answers, or all improvements."""
    record = Record()
    return Run(_search(model, selection.options.members, request, clock, record), Budget(), record)


def _search(model: Model, members: tuple[Selection, ...], request: Request, clock: Budget, record: Record) -> Search:
    running: dict[process.Child, Selection] = {}
    together = model.objective is not None and request.limit != 1
    asked = replace(request, limit=None) if together else request  # not every solution is an improvement
    try:
        for member in sorted(members, key=lambda member: not process.is_warm(member)):  # so that none loses its child
            running[process.take(member)] = member
        for child, member in running.items():
            child.start(model, member, replace(asked, time_limit=clock.left), clock)
        if together:
            return (yield from ImprovingMembers(model, running, request, clock, record).search())
        frame = _first_answer(running, request, clock, record)
        if isinstance(frame, Ending):
            return frame
        winner = running[frame.child]
        record.notes.append(f"won by {winner}")
        for child in [child for child in running if child is not frame.child]:
            del running[child]
            child.release()
        return (yield from isolation.pulled(frame.child, winner, request, clock, record, frame))
    except OutOfTime:
        return Ending(Reason.TIME)
    finally:
        for child in running:
            child.release()


def _first_answer(
    running: dict[process.Child, Selection], request: Request, clock: Budget, record: Record
) -> process.Message | Ending:
    """Wait for a solution or a proof; members that fail or give up drop out, and the last member's result counts."""
    while True:
        frame = isolation.receive(list(running), clock, request.memory_limit, isolation.GRACE)
        if isinstance(frame, Ending) or frame.kind == "solution" or _proof(frame) or _last(running, frame, record):
            return frame


def _last(running: dict[process.Child, Selection], frame: process.Message, record: Record) -> bool:
    """Drop a member, unless it is the last one."""
    member = running[frame.child]
    record.notes.append(f"{member} dropped out: {_why(member, frame)}")
    if len(running) == 1:
        return True
    del running[frame.child]
    frame.child.finished = frame.kind == "end"
    frame.child.release()
    return False


def _proof(frame: process.Message) -> bool:
    return frame.kind == "end" and frame.content[0].reason is Reason.EXHAUSTED


def _why(member: Selection, frame: process.Message) -> Any:
    return frame.content[0].reason if frame.kind == "end" else isolation.failure(member, frame)


class ImprovingMembers:
    """Members that improve side by side: every solution better than all before is yielded, whichever member found it.

    It ends with a member's proof, or when the best value of one equals the bound of another. Members that fail or give
    up drop out, and the last member's result counts.
    """

    def __init__(
        self, model: Model, running: dict[process.Child, Selection], request: Request, clock: Budget, record: Record
    ) -> None:
        assert model.objective
        self.objective, self.improving = model.objective, Improving(model)
        self.running, self.request, self.clock, self.record = running, request, clock, record
        self.came = dict.fromkeys(running, 0)

    def search(self) -> Search:
        """Yield improvements as they arrive."""
        while True:
            frame = isolation.receive(list(self.running), self.clock, self.request.memory_limit, isolation.GRACE)
            if isinstance(frame, Ending):
                return frame
            member = self.running[frame.child]
            if frame.kind == "solution":
                yield from self._improved(frame)
            elif _proof(frame) or _last(self.running, frame, self.record):
                return (yield from self._ended(frame))
            elif frame.kind == "end":
                self._tighten(frame.content[1].bound)
            if self.improving.best is not None and self.improving.best == self.record.bound:
                self.record.notes.append(f"won by {member}")
                return Ending(Reason.EXHAUSTED)

    def _improved(self, frame: process.Message) -> Iterator[Solution]:
        child, (solution, bound) = frame.child, frame.content
        self.came[child] += 1
        if self.came[child] % (process.AHEAD // 2) == 0 and not self.clock.expired:
            with suppress(BackendCrashed):  # a frame will report it
                child.send(("more", process.AHEAD // 2))
        self._tighten(bound)
        if self.improving.new(solution):
            yield solution

    def _tighten(self, bound: int | None) -> None:
        known = self.record.bound
        if bound is not None and (known is None or self.objective.improves(known, bound)):
            self.record.bound = bound

    def _ended(self, frame: process.Message) -> Search:
        """End with a member's last answer; WrongAnswer if it denies a solution that was found."""
        member, bound = self.running[frame.child], self.record.bound
        ending = yield from isolation.pulled(frame.child, member, self.request, self.clock, self.record, frame)
        self._tighten(bound)
        if ending.reason is Reason.EXHAUSTED:
            if ending.bound is None and self.improving.best is not None:
                raise WrongAnswer(f"{member} claims that there is no solution, but one was found", member.backend.name)
            self.record.notes.append(f"won by {member}")
        return ending
