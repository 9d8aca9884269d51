"""(d) Limits: on solutions and on time."""

from __future__ import annotations

import time

from ...engine.contract import Feature, Reason
from ...model import AllDifferent, Model, Variable
from ..examples import parity
from ..pace import PaceMeter
from ..random_boards import structure
from ..subject import Subject, require
from .conformance_check import checks

TIME = 0.3
"""The time limit of a request, in seconds."""

LIMITS = (TIME, 8 * TIME, 64 * TIME)
"""Limits tried in turn, in seconds, because a busy machine may need more for the first solution."""

SLACK = 2.5
"""The most CPU seconds, at the machine's pace, that a run may take beyond its limit."""

PATIENCE = 300.0
"""Seconds of wall time after which a run with a limit counts as endless."""


def small(subject: Subject) -> tuple[Model, int]:
    """Return a model that the backend accepts, and its number of solutions."""
    xs = [Variable(f"x{i}", range(1, 5)) for i in range(4)]
    candidates = ((Model(xs, [AllDifferent(xs)]), 24), (structure(2, 2), 288), (classic(), 10**9))
    for model, count in candidates:
        if subject.refusal(model) is None:
            return model, count
    subject.takes(candidates[-1][0])
    raise AssertionError("not reached")


def classic() -> Model:
    """Return the empty 9x9 Sudoku."""
    return structure(3, 3)


def limited_solutions(subject: Subject) -> None:
    """Exactly the requested number of solutions; a limit above their total number ends complete."""
    subject.needs(Feature.ENUMERATE)
    model, count = small(subject)
    for limit in (1, 2, 3, 7, 23, 24, 25, 70, 287, 288, 289):
        found, outcome = subject.all(model, limit=limit)
        require(len(found) == min(limit, count), f"limit {limit} of {count}: {len(found)} solutions came")
        require(len(set(found)) == len(found), f"limit {limit}: a solution came twice")
        require(outcome.count == len(found), f"limit {limit}: {outcome.count} are counted, {len(found)} came")
        if limit < count:
            require(outcome.reason is Reason.LIMIT, f"limit {limit} of {count}: it ended by {outcome.reason}")
        if limit > count and subject.has(Feature.PROVE):
            require(outcome.complete, f"limit {limit} of {count}: it ended by {outcome.reason}")
        require(limit >= count or not outcome.complete, f"limit {limit} of {count}: complete is claimed")
        subject.ran += 1


def time_limit_while_solutions_come(subject: Subject) -> None:
    """Counting an uncountable number ends by the time limit, soon after it."""
    subject.needs(Feature.ENUMERATE)
    _ends_in_time(subject, classic(), limit=None)


def time_limit_while_none_comes(subject: Subject) -> None:
    """A search that finds nothing ends by the time limit too, or with its proof."""
    _ends_in_time(subject, parity(200), limit=1)


def no_time_at_all(subject: Subject) -> None:
    """A limit of nearly zero gives no wrong answer: a solution or unknown, never unsatisfiable."""
    model, _ = small(subject)
    for limit in (0.0, 1e-6, 1e-3):
        found, outcome = subject.first(model, time_limit=limit)
        unknown = outcome.count == 0 and outcome.reason is Reason.TIME
        require(found is not None or unknown, f"time limit {limit}: the outcome is {outcome}")


def consumer_time_is_free(subject: Subject) -> None:
    """Time that the consumer spends between two solutions does not count against the limit."""
    subject.needs(Feature.ENUMERATE)
    model, _ = small(subject)
    for limit in LIMITS:
        with subject.run(model, limit=None, time_limit=limit) as found:
            if next(found, None) is None:
                continue  # a busy machine: the engine was not even started
            time.sleep(1.5 * limit)
            if next(found, None) is not None:
                return
    raise AssertionError(f"a limit of {limit} s: nothing came after a pause of the consumer: {found.outcome}")


class Stop:
    """Checks that a run which begins now ends by its limit, whatever else the machine is doing."""

    def __init__(self) -> None:
        self._began, self._meter = time.perf_counter(), PaceMeter()

    def ended(self) -> float:
        """Return the seconds of wall time until now, when the run has ended."""
        took, spent = time.perf_counter() - self._began, self._meter.spent()
        require(took < PATIENCE, f"a limit of {TIME} s: it ended after {took:.2f} s")
        require(spent <= TIME + SLACK, f"a limit of {TIME} s: it ended after {spent:.2f} s of CPU time")
        return took


def _ends_in_time(subject: Subject, model: Model, limit: int | None) -> None:
    subject.takes(model)
    stop = Stop()
    with subject.run(model, limit=limit, time_limit=TIME) as found:
        for _ in found:
            pass
        took = stop.ended()
        early = found.outcome.reason is Reason.TIME and took < 0.5 * TIME
        require(not early, f"a limit of {TIME} s: it gave up for want of time after {took:.2f} s")
        require(limit or found.outcome.reason is Reason.TIME, f"it ended by {found.outcome.reason}")
        ended = found.outcome.reason in (Reason.TIME, Reason.EXHAUSTED, Reason.GAVE_UP)
        require(ended, f"it ended by {found.outcome.reason}")


CHECKS = checks(
    limited_solutions,
    time_limit_while_solutions_come,
    time_limit_while_none_comes,
    no_time_at_all,
    consumer_time_is_free,
)
