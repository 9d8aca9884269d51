"""Which backend answers when none is named: the first that is installed and takes the model.

The choice depends on the problem, on what is asked and on what is installed, never on what was solved before: the same
call gives the same answer, also where there are several solutions. A compiled engine that takes batches, slow to load
and then the quickest of all, is for many puzzles in one call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from ..errors import BackendMissing, BadOption, Unsupported
from ..model import AllDifferent, InDomain, Model
from .contract import Feature
from .place import LARGE
from .record import Clock, OutOfTime
from .registry import Selection, select
from .road import plan, prepare

HOUSES = ("pycosat", "cp-sat", "python-constraint", "backtracking")
"""For models of houses alone, where a SAT solver with a small encoding is quickest to start and to answer."""

MIXED = ("cp-sat", "pycosat", "backtracking", "python-constraint")
"""For models with arithmetic."""


BATCH = ("bitset",)
"""For many puzzles at once."""

PLANNING = 0.25
"""The part of a limit of time that may be spent on lowering a model to see whether a backend takes it."""


class Choice(NamedTuple):
    """A backend and why it was chosen."""

    selection: Selection
    reason: str


def batch_backend(model: Model) -> Selection | None:
    """Return an installed backend that takes batches of a model; None when there is none."""
    try:
        return next(
            selection for selection in map(select, BATCH) if selection.capabilities.accepts_model(model) is None
        )
    except (BackendMissing, BadOption, StopIteration):
        return None


def loads(model: Model, selection: Selection) -> bool:
    """Load a backend's engine and compile a model for it; tell whether what is installed can be loaded at all."""
    try:
        prepare(model, selection)
    except BackendMissing:
        return False
    return True


def choose(model: Model, needs: frozenset[Feature] = frozenset(), time_limit: float | None = None) -> Choice:
    """Return the backend for a model that declares the features ``needs``; Unsupported when no installed one does.

    Where lowering the model takes more than a part of the ``time_limit`` (seconds), the backend is taken that is next,
    without knowing whether it takes the model: that shows when it is asked.
    """
    found = model.memo.get(("auto", needs))
    if not isinstance(found, Choice):
        clock = Clock(None if time_limit is None else PLANNING * time_limit)
        clock.resume()
        found = _choose(model, needs, clock)
        if not clock.expired:
            model.memo["auto", needs] = found
    return found


def _choose(model: Model, needs: frozenset[Feature], clock: Clock) -> Choice:
    passed: list[str] = []
    names, why = _ranking(model)
    for name in names:
        try:
            selection = select(name)
            if lacking := needs - selection.capabilities.features:
                raise Unsupported(f"it does not declare {', '.join(sorted(lacking))}")
            with suppress(OutOfTime):
                if model.size <= LARGE:
                    plan(model, selection, clock.check)
        except (BackendMissing, BadOption, Unsupported) as error:
            passed.append(f"{name}: {error}")
        else:
            return Choice(selection, "; ".join([why, *(f"not {reason}" for reason in passed)]))
    raise Unsupported("no backend takes this model: " + "; ".join(passed))


def _ranking(model: Model) -> tuple[Sequence[str], str]:
    """Return the backends in the order in which they are tried, and why."""
    if model.objective:
        return MIXED, f"the model has an objective; tried in the order {', '.join(MIXED)}"
    used = Counter(type(constraint).__name__ for constraint in model.constraints)
    houses = used.pop(AllDifferent.__name__, 0)
    used.pop(InDomain.__name__, None)
    others = ", ".join(f"{number} {name}" for name, number in sorted(used.items()))
    if others:
        beside = f"{others} beside {houses} AllDifferent" if houses else others
        return MIXED, f"the model has {beside}; tried in the order {', '.join(MIXED)}"
    return HOUSES, f"the model has nothing but {houses} AllDifferent; tried in the order {', '.join(HOUSES)}"
