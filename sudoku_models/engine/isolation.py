"""Run requests in a child process that can be killed: frames over pipes, limits enforced from outside.

POSIX only: on other systems such a run raises Unsupported.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import BackendFailed, Unsupported
from ..model import Model
from .budget import Budget, OutOfTime
from .contract import Ending, Feature, Reason, Request, Run, Search
from .process import AHEAD, Child, Message, take
from .record import Record
from .registry import Selection

if TYPE_CHECKING:
    from selectors import BaseSelector

GRACE = 0.25
"""Seconds after the limit during which an engine that stops at the limit may still report."""

STOPPING = 5.0
"""Seconds that an engine may take to stop after its last solution; then the solution is yielded and the child killed.
"""

LOOK = 0.02
"""Seconds between two checks of the memory of a child and its processes; the kernel checks all the time."""


def run(model: Model, selection: Selection, request: Request, clock: Budget) -> Run:
    """Run a request in a child process; solutions arrive through a pipe. Closing the run early kills the child."""
    if os.name != "posix":
        raise Unsupported(f"{selection}: limits by a child process need Linux or macOS")
    record = Record()
    return Run(_search(model, selection, request, clock, record), Budget(), record)


def _search(model: Model, selection: Selection, request: Request, clock: Budget, record: Record) -> Search:
    child, ending = take(selection), None
    try:
        child.start(model, selection, request, clock)
        ending = yield from pulled(child, selection, request, clock, record)
        return ending
    except OutOfTime:
        ending = Ending(Reason.TIME)
        return ending
    finally:
        if ending and ending.reason is Reason.TIME:
            child.let_load()
        child.release()


def ask(question: Ask, selection: Selection, request: Request, clock: Budget) -> Any:
    """Return a child's answer to a question that is not a run; an Ending if a limit was reached first."""
    child = take(selection)
    try:
        child.begin(selection)
        child.send(("ask", question, replace(request, time_limit=clock.left), time.monotonic()), clock)
        grace = GRACE if Feature.TIME_LIMIT in selection.capabilities.features else 0.0
        frame = receive([child], clock, request.memory_limit, grace)
        if isinstance(frame, Ending):
            return frame
        if frame.kind == "error":
            raise failure(selection, frame)
        child.finished = True
        return frame.content
    except OutOfTime:
        return Ending(Reason.TIME)
    finally:
        child.release()


class Ask(Protocol):
    """A question for a child: picklable data that answers itself there."""

    def __call__(self, request: Request) -> Any:
        """Return the answer, within the limits of the request."""


def pulled(
    child: Child, selection: Selection, request: Request, clock: Budget, record: Record, first: Message | None = None
) -> Search:
    """Yield a started child's solutions as they arrive; ``first`` is a frame that has already been read."""
    grace = GRACE if Feature.TIME_LIMIT in selection.capabilities.features else 0.0
    count = 0
    while True:
        frame = first or receive([child], clock, request.memory_limit, grace)
        first = None
        if isinstance(frame, Ending):
            record.phases.update(child.stated)
            return frame
        if frame.kind == "end":
            return _ended(child, frame, record)
        if frame.kind == "error":
            raise failure(selection, frame)
        count += 1
        solution, record.bound = frame.content
        if count == request.limit:
            patience = Budget(STOPPING if clock.left is None else min(STOPPING, clock.left))
            last = receive([child], patience, request.memory_limit, GRACE)  # an engine may be slow to stop, or never
            if isinstance(last, Message) and last.kind == "end":
                _ended(child, last, record)
        elif count % (AHEAD // 2) == 0 and not clock.expired:
            child.send(("more", AHEAD // 2))
        yield solution


def failure(selection: Selection, frame: Message) -> Exception:
    """Return the exception that an error frame describes."""
    if isinstance(frame.content, Exception):
        return frame.content
    return BackendFailed(f"{selection} failed in its process: {frame.content}")


def _ended(child: Child, frame: Message, record: Record) -> Ending:
    """Read the last frame of a run: how it ended, and the child's record. The child is free again."""
    ending, reported = frame.content
    record.phases.update(reported.phases)
    record.sizes, record.plan, record.bound = reported.sizes, reported.plan, reported.bound
    record.backend, record.options = reported.backend, reported.options
    record.notes += reported.notes
    record.confirm(reported.confirmed)
    child.finished = True
    assert isinstance(ending, Ending)
    return ending


def receive(
    children: Collection[Child], clock: Budget, memory_limit: int | None, grace: float = 0.0
) -> Message | Ending:
    """Wait for the next frame from any of the children; an Ending if a limit is reached before a frame arrives."""
    deadline = None if clock.left is None else time.monotonic() + clock.left + grace
    with _watching(children) as selector:
        while True:
            for child in children:
                frame = child.frame()
                if frame is not None:
                    return Ending(Reason.MEMORY) if child.died_of(frame, memory_limit) else frame
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0 and not selector.select(0):
                return Ending(Reason.TIME)
            if memory_limit is not None and any(child.exceeds(memory_limit) for child in children):
                return Ending(Reason.MEMORY)
            for key, _ in selector.select(left if memory_limit is None else LOOK if left is None else min(left, LOOK)):
                key.data.fill()


def _watching(children: Collection[Child]) -> BaseSelector:
    from selectors import EVENT_READ, DefaultSelector

    selector = DefaultSelector()
    for child in children:
        selector.register(child.output, EVENT_READ, child)
    return selector
