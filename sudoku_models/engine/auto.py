"""Which backend answers when none is named: the first that is installed and takes the model.

The choice depends on the problem, on what is asked and on what is installed, never on what was solved before: the same
call gives the same answer, also where there are several solutions. A compiled engine that takes batches, slow to load
and then the quickest of all, is for many puzzles in one call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from ..errors import BackendMissing, BadOption, Unsupported
from ..model import AllDifferent, InDomain, Model, square_of
from . import relay
from .combined import Members
from .contract import Feature
from .place import LARGE
from .record import Clock, OutOfTime
from .registry import Selection, select
from .road import plan, prepare

HOUSES = ("pycosat", "cp-sat", "python-constraint", "backtracking")
"""For models of houses alone, where a SAT solver with a small encoding is quickest to start and to answer."""

MIXED = ("cp-sat", "pycosat", "backtracking", "python-constraint")
"""For models with other constraints."""

FIRST = "native"
"""Goes before all of them, but not for objectives and a solution of a plain board, nor where a search is watched or one
engine works alone: the quickest on most models, and up as soon as any."""

PATIENCE = {HOUSES: 300_000, MIXED: 5_000_000}
"""How often that one looks at a constraint, for each solution, before the next goes on: 0.03 and 0.5 seconds or so.
The solver of clauses goes on with houses quickly, and half a second is what others need for models with more."""

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


def choose(
    model: Model, needs: frozenset[Feature] = frozenset(), time_limit: float | None = None, alone: bool = False
) -> Choice:
    """Return the backend for a model that declares the features ``needs``; Unsupported when no installed one does.

    It may be made of several that work in turn, unless it has to be one engine ``alone``.
    Where lowering the model takes more than a part of the ``time_limit`` (seconds), the backend is taken that is next,
    without knowing whether it takes the model: that shows when it is asked.
    """
    found = model.memo.get(("auto", needs, alone))
    if not isinstance(found, Choice):
        clock = Clock(None if time_limit is None else PLANNING * time_limit)
        clock.resume()
        found = _choose(model, needs, clock, alone)
        if not clock.expired:
            model.memo["auto", needs, alone] = found
    return found


def _choose(model: Model, needs: frozenset[Feature], clock: Clock, alone: bool) -> Choice:
    passed: list[str] = []
    names, why = _ranking(model, needs, alone)
    for number, name in enumerate(names, 1):
        try:
            selection = _declaring(_begun(name, names), needs)
            with suppress(OutOfTime):
                if model.size <= LARGE:
                    plan(model, selection, clock.check)
        except (BackendMissing, BadOption, Unsupported) as error:
            passed.append(f"{name}: {error}")
            continue
        told = "; ".join([why, *(f"not {reason}" for reason in passed)])
        if name == FIRST and (others := tuple(_installed(names[number:], needs))):
            return _in_turn(selection, others, told)
        return Choice(select(name), told)
    raise Unsupported("no backend takes this model: " + "; ".join(passed))


def quick(model: Model) -> Selection | None:
    """Return a backend that settles many models at once and gives up on others soon; None where none takes the model.

    For questions that come in great numbers, another engine behind it.
    """
    try:
        selection = select(f"{FIRST}:patience={PATIENCE[HOUSES]}")
        plan(model, selection)
    except (BackendMissing, BadOption, Unsupported):
        return None
    return selection


def _begun(name: str, names: Sequence[str]) -> str:
    """Return the specification of one of the backends: the first may give up, where there are others behind it."""
    return f"{name}:patience={PATIENCE[HOUSES if names[1:] == HOUSES else MIXED]}" if name == FIRST else name


def _in_turn(first: Selection, others: Sequence[Selection], why: str) -> Choice:
    """Return the choice of a first backend that may give up, with others that go on."""
    turn = f"after {first.options.patience:,} looks at constraints in vain {others[0].backend.name} goes on"
    return Choice(Selection(relay.BACKEND, Members((first, *others))), f"{why}; {turn}")


def _declaring(name: str, needs: frozenset[Feature]) -> Selection:
    """Return a backend that is installed and declares features; Unsupported when it does not."""
    selection = select(name)
    if lacking := needs - selection.capabilities.features:
        raise Unsupported(f"it does not declare {', '.join(sorted(lacking))}")
    return selection


def _installed(names: Sequence[str], needs: frozenset[Feature]) -> Iterator[Selection]:
    """Yield those of the backends that are installed and declare features."""
    for name in names:
        with suppress(BackendMissing, BadOption, Unsupported):
            yield _declaring(name, needs)


def _ranking(model: Model, needs: frozenset[Feature], alone: bool) -> tuple[Sequence[str], str]:
    """Return the backends in the order in which they are tried, and why; ``alone``: none is to go on for another."""
    alone = alone or Feature.TRACE in needs or bool(model.objective)
    names: tuple[str, ...] = HOUSES if _houses_alone(model) else MIXED
    if not alone and (Feature.ENUMERATE in needs or not is_plain(model)):
        names = (FIRST, *names)
    return names, f"the model has {_told(model)}; tried in the order {', '.join(names)}"


def _houses_alone(model: Model) -> bool:
    return not model.objective and all(isinstance(c, AllDifferent | InDomain) for c in model.constraints)


def _told(model: Model) -> str:
    """Say what a model has."""
    if model.objective:
        return "an objective"
    used = Counter(type(constraint).__name__ for constraint in model.constraints)
    houses = used.pop(AllDifferent.__name__, 0)
    used.pop(InDomain.__name__, None)
    others = ", ".join(f"{number} {name}" for name, number in sorted(used.items()))
    if others:
        return f"{others} beside {houses} AllDifferent" if houses else others
    return f"nothing but {houses} AllDifferent"


def is_plain(model: Model) -> bool:
    """Tell whether a model is a square board with rows, columns and rectangular boxes, and nothing else."""
    square = square_of(model)
    return square is not None and bool(square.boxes) and all(_is_rectangle(box, square.n) for box in square.boxes)


def _is_rectangle(box: Sequence[int], n: int) -> bool:
    rows, columns = {cell // n for cell in box}, {cell % n for cell in box}
    return len(rows) * len(columns) == n
