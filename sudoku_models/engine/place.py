"""Decide where a run takes place: in this process, or in a child that can be killed.

A time limit includes the work before an engine first checks the clock: lowering, compiling and stating the model for
each run. The cost of that is measured whenever it is done, here or in a child, and kept on the model. If it has not
been measured, a model of modest size is started here: the clock is checked while it is lowered, and the size of the
result shows whether the rest is short compared with the limit. A child costs more than most models do: a third of a
second to start it, and the loading of the engine.
"""

from __future__ import annotations

from typing import NamedTuple

from ..model import Model
from . import process
from .contract import Feature, Isolate, Request
from .portfolio import NAME
from .registry import Selection

PROMPT = 0.25
"""Seconds of stating that are allowed in this process whatever the limit."""

SHARE = 0.25
"""The share of a limit that stating may take in this process."""

LARGE = 200_000
"""Models larger than this are not even lowered for this estimate: that takes seconds."""

MODEST = 50_000
"""Under a time limit, models larger than this do not start in this process unless they are known to be short."""

RATE = 1e-5
"""Seconds that most engines take at worst to compile and state a lowered model, for each unit of its size."""


class Large(Exception):
    """The lowered model is too large to be stated in this process within the limit."""


class StatingTime(NamedTuple):
    """CPU seconds that stating a model to an engine took: ``once`` for the model, ``each`` for every run."""

    once: float
    each: float


def isolated(selection: Selection, request: Request, model: Model) -> bool:
    """Return whether this run belongs in a child process."""
    capabilities = selection.capabilities
    if process.inside_child():
        return selection.backend.name == NAME
    if capabilities.isolate is Isolate.ALWAYS or request.memory_limit is not None:
        return True
    if process.on_command_line and (capabilities.deaf or not is_ours(selection)):
        return True
    if request.time_limit is None:
        return False
    bounded = Feature.TIME_LIMIT in capabilities.features and capabilities.isolate is Isolate.NEVER
    return not bounded or not is_prompt(selection, request, model)


def is_ours(selection: Selection) -> bool:
    """Return whether a backend belongs to this package: others might print something or exit the program."""
    return type(selection.backend).__module__.startswith(("sudoku_backends.", "sudoku_models."))


def takes_batches(selection: Selection) -> bool:
    """Return whether a backend solves many puzzles in one call, which is done in this process."""
    declared = Feature.BATCH in selection.capabilities.features
    return declared and (is_ours(selection) or not process.on_command_line)


def attempts(selection: Selection, request: Request, model: Model) -> bool:
    """Return whether a run that belongs in a child is tried in this process first."""
    if request.memory_limit is not None or Feature.ATTEMPT not in selection.capabilities.features:
        return False
    if process.on_command_line and not is_ours(selection):
        return False
    return request.time_limit is None or is_prompt(selection, request, model)


def is_prompt(selection: Selection, request: Request, model: Model) -> bool:
    """Return whether the work before the search is short compared with the time limit, or the model small enough to
    try.
    """
    assert request.time_limit is not None
    known = model.memo.get(_key(selection))
    if isinstance(known, StatingTime):
        once = 0.0 if prepared_key(selection) in model.memo else known.once
        return once + known.each <= _allowed(request.time_limit)
    return model.size <= MODEST


def weigh(selection: Selection, model: Model, lowered: Model, limit: float | None, spent: float) -> None:
    """Raise Large if a model that took this many seconds to lower belongs in a child with a time limit."""
    if limit is None or process.inside_child():
        return
    expected = RATE * lowered.size
    if expected > _allowed(limit):
        learn(selection, model, spent, expected)
        raise Large


def _allowed(limit: float) -> float:
    return max(PROMPT, SHARE * limit)


def learn(selection: Selection, model: Model, once: float | None, each: float) -> None:
    """Keep the CPU seconds of stating: ``once`` to lower and compile, if that was done, and ``each`` for every run."""
    key = _key(selection)
    known = model.memo.get(key)
    before = known.once if isinstance(known, StatingTime) else 0.0
    model.memo[key] = StatingTime(before if once is None else once, each)


def prepared_key(selection: Selection, what: str = "prepared") -> tuple[str, str]:
    """Return the key by which a model keeps something for a backend with its options, by default its compiled form."""
    return what, selection.key


def _key(selection: Selection) -> tuple[str, str]:
    return prepared_key(selection, "stating")
