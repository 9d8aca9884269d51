"""Where a run takes place: in this process, or in a child that can be killed.

A limit of time covers what an engine does before it ever looks at a clock: lowering, compiling, stating the model anew
for each run. What that costs is measured whenever it is done, here or in a child, and kept on the model. A run with a
limit takes place here only when its stating is known to be short beside the limit.
"""

from __future__ import annotations

from typing import NamedTuple

from ..model import AllDifferent, InDomain, Model
from . import isolation
from .contract import Feature, Isolate, Request
from .portfolio import NAME
from .registry import Selection

PROMPT = 0.1
"""Seconds of stating that may pass in this process whatever the limit."""

SHARE = 0.25
"""The part of a limit that stating may take in this process."""

LARGE = 200_000
"""Models of a size beyond this are not even lowered just to see something: that takes seconds."""

SMALL = 20_000
"""Models of houses alone up to this size take less than ``PROMPT`` to state, once the engine is loaded."""

_loaded: set[str] = set()


class Stating(NamedTuple):
    """Seconds that stating a model to an engine took: ``once`` for a model, ``each`` for a run."""

    once: float
    each: float


def isolated(selection: Selection, request: Request, model: Model) -> bool:
    """Does this run belong in a child process?"""
    capabilities = selection.capabilities
    if isolation.inside_child():
        return selection.backend.name == NAME
    if capabilities.isolate is Isolate.ALWAYS or request.memory_limit is not None:
        return True
    if request.time_limit is None:
        return isolation.must_hear_signals and capabilities.deaf
    bounded = Feature.TIME_LIMIT in capabilities.features and capabilities.isolate is Isolate.NEVER
    return not bounded or not is_prompt(selection, request, model)


def attempts(selection: Selection, request: Request, model: Model) -> bool:
    """Is a run that belongs in a child tried in this process first?"""
    if request.memory_limit is not None or Feature.ATTEMPT not in selection.capabilities.features:
        return False
    return request.time_limit is None or is_prompt(selection, request, model)


def is_prompt(selection: Selection, request: Request, model: Model) -> bool:
    """Is what comes before the search known to be short beside the limit of time?"""
    assert request.time_limit is not None
    known = model.memo.get(_key(selection))
    if isinstance(known, Stating):
        once = 0.0 if prepared_key(selection) in model.memo else known.once
        return once + known.each <= max(PROMPT, SHARE * request.time_limit)
    ready = selection.backend.name in _loaded or not selection.capabilities.requires
    return ready and model.size <= SMALL and model.kinds() <= {AllDifferent, InDomain}


def learn(selection: Selection, model: Model, once: float | None, each: float) -> None:
    """Keep what stating took: seconds of lowering and compiling, if that was done, and of what each run does again."""
    known = model.memo.get(_key(selection))
    before = known.once if isinstance(known, Stating) else 0.0
    model.memo[_key(selection)] = Stating(before if once is None else once, each)


def has_loaded(selection: Selection) -> None:
    """Note that an engine has run in this process."""
    _loaded.add(selection.backend.name)


def prepared_key(selection: Selection) -> tuple[object, ...]:
    """Return the key by which a model keeps its compiled form for a backend with its options."""
    return "prepared", selection.backend.name, id(selection.backend), selection.options


def _key(selection: Selection) -> tuple[object, ...]:
    return "stating", *prepared_key(selection)[1:]
