"""Where a run takes place: in this process, or in a child that can be killed.

A limit of time covers what an engine does before it ever looks at a clock: lowering, compiling, stating the model anew
for each run. What that costs is measured whenever it is done, here or in a child, and kept on the model. What was not
measured yet is begun here when the model is of modest size: the clock is read while it is lowered, and the size of what
comes out tells whether the rest is short beside the limit. A child costs more than most models do: a third of a second
until it is up, and the load of the engine.
"""

from __future__ import annotations

from typing import NamedTuple

from ..model import Model
from . import process
from .contract import Feature, Isolate, Request
from .portfolio import NAME
from .registry import Selection

PROMPT = 0.25
"""Seconds of stating that may pass in this process whatever the limit."""

SHARE = 0.25
"""The part of a limit that stating may take in this process."""

LARGE = 200_000
"""Models of a size beyond this are not even lowered just to see something: that takes seconds."""

MODEST = 50_000
"""Models of a size beyond this are not begun in this process under a limit, unless they are known to be short."""

RATE = 1e-5
"""Seconds that compiling and stating take for each unit of the size of a lowered model, by most engines at worst."""


class Large(Exception):
    """What a model was lowered to is too large to be stated in this process within the limit."""


class StatingTime(NamedTuple):
    """CPU seconds that stating a model to an engine took: ``once`` for a model, ``each`` for a run."""

    once: float
    each: float


def isolated(selection: Selection, request: Request, model: Model) -> bool:
    """Does this run belong in a child process?"""
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
    """Tell whether a backend is of this package: of others it is not known what they print, or whether they exit."""
    return type(selection.backend).__module__.startswith(("sudoku_backends.", "sudoku_models."))


def takes_batches(selection: Selection) -> bool:
    """Tell whether a backend answers many puzzles in one call, which is done in this process."""
    declared = Feature.BATCH in selection.capabilities.features
    return declared and (is_ours(selection) or not process.on_command_line)


def attempts(selection: Selection, request: Request, model: Model) -> bool:
    """Is a run that belongs in a child tried in this process first?"""
    if request.memory_limit is not None or Feature.ATTEMPT not in selection.capabilities.features:
        return False
    if process.on_command_line and not is_ours(selection):
        return False
    return request.time_limit is None or is_prompt(selection, request, model)


def is_prompt(selection: Selection, request: Request, model: Model) -> bool:
    """Is what comes before the search short beside the limit of time, or the model so modest that it is begun?"""
    assert request.time_limit is not None
    known = model.memo.get(_key(selection))
    if isinstance(known, StatingTime):
        once = 0.0 if prepared_key(selection) in model.memo else known.once
        return once + known.each <= _allowed(request.time_limit)
    return model.size <= MODEST


def weigh(selection: Selection, model: Model, lowered: Model, limit: float | None, spent: float) -> None:
    """Raise Large when a model that took this many ``seconds`` to lower belongs in a child with a limit of time."""
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
    """Return the key by which a model keeps something for a backend with its options; by default its compiled form."""
    return what, selection.key


def _key(selection: Selection) -> tuple[str, str]:
    return prepared_key(selection, "stating")
