"""Which backend answers when none is named: the first that is installed and takes the model.

The order is what the backends declare (``Places`` in their capabilities), those of other packages too. The choice
depends on the problem, on what is asked and on what is installed, and the answer never on what was solved before: the
same call gives the same answer, also where there are several solutions. A compiled engine that is slow to load and then
the quickest of all is for many puzzles: of one call, or of many calls. In these it answers what has one answer alone;
until then a form of it does in plain Python, so that a process with one puzzle loads next to nothing.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from ..errors import BackendMissing, BadOption, Unsupported
from ..model import AllDifferent, InDomain, Model, square_of
from . import place, portfolio, relay
from .combined_backends import Begun, Members
from .contract import Feature
from .orders import ranked
from .place import LARGE
from .record import Clock, OutOfTime
from .registry import Selection, load, select
from .road import plan, prepare

PATIENCE = {"plain": 50_000, "houses": 300_000, "mixed": 5_000_000}
"""How often the backend that goes first looks at a constraint, for each solution, before the next one goes on: 0.005,
0.03 and 0.5 seconds or so. The solver of clauses goes on with houses quickly, and half a second is what others need for
models with more. On hard plain boards of 16 and 25 a side 50,000 did best of the numbers from 1,000 to a million."""

OFTEN = 200
"""After this number of puzzles of one model, asked one by one, an engine for many is worth the time of its loading."""

AT_ONCE, LOADED = "which has nothing to load", "loaded for many such puzzles"
"""Why a backend settles what has one answer."""

HOUSES = ((144, PATIENCE["houses"]), (256, 150_000))
"""The patience with houses by the number of variables, and beyond that as with plain boards. The solver of clauses
proved five of six jigsaws of 25 a side sooner, five of eleven of 16 a side, none of eight of 12 a side."""

MEDIUM = range(10, 37)
"""Sides of plain boards that the backend which goes first is asked for one solution of, too. From a cold start it took
0.28 seconds where the solver of clauses took 0.26, and then a tenth to a half of its time. Smaller boards take little
time, and never wait for an engine that is compiled when it is used for the first time."""

BEYOND, PASSES = MEDIUM[-1], "hard=pass"
"""Plain boards of a greater side are large: hard ones are not left to one engine. The option with which the first one
gives up what it does not settle at once."""

SMALL = 36
"""Models with as many variables are small: while the engine that goes first is not loaded, one in plain Python begins.
From a cold start that answers a puzzle in 0.2 seconds instead of 0.36, and where it gives up 0.04 are lost."""

TRIES = 3
"""After as many small models in one process the engine that goes first is worth the time of its loading."""

PLANNING = 0.25
"""The part of a limit of time that may be spent on lowering a model to see whether a backend takes it."""


class Choice(NamedTuple):
    """A backend and why it was chosen."""

    selection: Selection
    reason: str


def batch_backend(model: Model) -> Selection | None:
    """Return an installed backend that takes batches of a model; None when there is none."""
    return _accepting(ranked("batches"), model)


def _accepting(specs: Iterable[str], model: Model) -> Selection | None:
    """Return the first of some backends that is installed and takes a model as it is."""
    for spec in specs:
        with suppress(BackendMissing, BadOption):
            selection = select(spec)
            takes = selection.capabilities
            if takes.kinds >= model.kinds() and takes.accepts_model(model) is None:
                return selection
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
    if not alone and not needs - _SETTLED:
        settling = _settling(model, needs) or _for_small(model, needs)
        if settling is not None:
            return settling
    return _chosen(model, needs, time_limit, alone)


_tried = 0
"""How many small models were given to a backend that has nothing to load."""


def _for_small(model: Model, needs: frozenset[Feature]) -> Choice | None:
    """Return the choice of a backend that has nothing to load for a small model, before the one that goes first.

    None where that is loaded already, and where none goes first.
    """
    global _tried
    if len(model.names) > SMALL or _tried >= TRIES or model.objective:
        return None
    begins = _ranking(model, needs, False, "mixed")[0]
    if not begins or any(module in sys.modules for name in begins for module in load(name).capabilities.requires):
        return None
    specs = (f"{name}:{load(name).capabilities.places.small_with}" for name in ranked("small"))
    selection = _accepting(specs, model)
    if selection is None:
        return None
    _tried += 1
    return _before(model, needs, selection, AT_ONCE)


def _chosen(model: Model, needs: frozenset[Feature], time_limit: float | None, alone: bool) -> Choice:
    """Return the choice among the backends that take every puzzle of a model; made once."""
    found = model.memo.get(("auto", needs, alone))
    if not isinstance(found, Choice):
        clock = Clock(None if time_limit is None else PLANNING * time_limit)
        clock.resume()
        found = _choose(model, needs, clock, alone)
        if not clock.expired:
            model.memo["auto", needs, alone] = found
    return found


_SETTLED = frozenset({Feature.ENUMERATE})
"""What may be asked of an engine that answers only what has one answer."""


def _settling(model: Model, needs: frozenset[Feature]) -> Choice | None:
    """Return the choice of a backend that settles puzzles with one answer, before others; None where there is none.

    First it is one that has nothing to load; where many puzzles were asked, the quickest.
    """
    asked = model.memo["asked"] = model.memo.get("asked", 0) + 1
    found = model.memo.get(("settling", needs))
    often = asked > OFTEN or _is_loaded(model)
    if found is None or (often and not found[0]):
        found = model.memo["settling", needs] = often, _settled(model, needs, often)
    choice: Choice | None = found[1]
    return choice


def _settled(model: Model, needs: frozenset[Feature], often: bool) -> Choice | None:
    if often:
        selection = _accepting((f"{name}:several=pass" for name in ranked("settling")), model)
        if selection is not None and loads(model, selection):
            return _before(model, needs, selection, LOADED)
    specs = ((name, load(name).capabilities.places.at_once) for name in ranked("settling"))
    selection = _accepting((f"{name}:{options},several=pass" for name, options in specs if options), model)
    return None if selection is None else _before(model, needs, selection, AT_ONCE)


def _is_loaded(model: Model) -> bool:
    """Tell whether a backend for many was loaded already, for this model, because many were asked at once."""
    for name in ranked("settling"):
        with suppress(BackendMissing, BadOption):
            if place.prepared_key(select(name)) in model.memo:
                return True
    return False


def _before(model: Model, needs: frozenset[Feature], settling: Selection, why: str) -> Choice:
    """Return the choice of a backend that settles what has one answer, before those that take every puzzle."""

    def others() -> tuple[Selection, ...]:
        chosen = _chosen(model, needs, None, False).selection
        return tuple(chosen.options) if isinstance(chosen.backend, relay.Relay) else (chosen,)

    reason = (
        f"the model has {_described(model)}; {settling.backend.name}, {why}, answers those with one solution or none"
    )
    return Choice(Selection(relay.BACKEND, Begun(settling, others)), reason)


def _choose(model: Model, needs: frozenset[Feature], clock: Clock, alone: bool) -> Choice:
    passed: list[str] = []
    order = "houses" if _houses_alone(model) else "mixed"
    patience = _patience(model, order, Feature.ENUMERATE not in needs and is_plain(model))
    first, names = _ranking(model, needs, alone, order)
    tried = (*first, *names)
    why = f"the model has {_described(model)}; tried in the order {', '.join(tried)}"
    for number, name in enumerate(tried, 1):
        begins = number <= len(first)
        try:
            selection = _declaring(f"{name}:patience={patience}" if begins else name, needs)
            with suppress(OutOfTime):
                if model.size <= LARGE:
                    plan(model, selection, clock.check)
        except (BackendMissing, BadOption, Unsupported) as error:
            passed.append(f"{name}: {error}")
            continue
        choice = "; ".join([why, *(f"not {reason}" for reason in passed)])
        if not begins and (large := None if alone else _for_large(model, needs, name, choice)):
            return large
        if begins and (others := tuple(_installed(names, needs))):
            return _in_turn(selection, others, choice)
        return Choice(select(name), choice)
    raise Unsupported("no backend takes this model: " + "; ".join(passed))


def _patience(model: Model, order: str, plain: bool) -> int:
    """Return how often the backend that goes first looks at a constraint before it gives up."""
    if order != "houses" or plain:
        return PATIENCE["plain" if plain else order]
    return next((patience for most, patience in HOUSES if len(model.names) <= most), PATIENCE["plain"])


def quick(model: Model) -> Selection | None:
    """Return a backend that settles many models at once and gives up on others soon; None where none takes the model.

    For questions that come in great numbers, another engine behind it.
    """
    for name in ranked("first"):
        with suppress(BackendMissing, BadOption, Unsupported):
            selection = select(f"{name}:patience={PATIENCE['houses']}")
            plan(model, selection)
            return selection
    return None


def _in_turn(first: Selection, others: Sequence[Selection], why: str) -> Choice:
    """Return the choice of a first backend that may give up, with others that go on."""
    turn = f"after {first.options.patience:,} looks at constraints without an answer, {others[0].backend.name} goes on"
    return Choice(_relay(first, *others), f"{why}; {turn}")


@lru_cache(maxsize=64)
def _relay(*members: Selection) -> Selection:
    """Return the relay of some backends: what it can do is found out once."""
    return Selection(relay.BACKEND, Members(members))


def _declaring(name: str, needs: frozenset[Feature]) -> Selection:
    """Return a backend that is installed and declares features; Unsupported when it does not."""
    selection = select(name)
    if lacking := needs - selection.capabilities.features:
        raise Unsupported(f"it does not declare {', '.join(sorted(lacking))}")
    return selection


def _for_large(model: Model, needs: frozenset[Feature], name: str, why: str) -> Choice | None:
    """Return the choice for a plain board that is large: a second engine goes on beside the first, or in its place.

    None for other models, and where there is no such engine.
    """
    if len(model.names) <= BEYOND**2 or needs or not is_plain(model):
        return None
    for other in ranked("large"):
        with suppress(BackendMissing, BadOption, Unsupported):
            begins = select(f"{name}:{PASSES}")
            second = select(f"{other}:{load(other).capabilities.places.large_with}")
            both = Selection(portfolio.BACKEND, Members((select(name), second)))
            goes_on, how = (both, "beside it") if cores() > 1 else (second, "in its place, for there is one core")
            told = f"where it does not settle a puzzle of a board beyond {BEYOND} a side, {second} goes on {how}"
            return Choice(Selection(relay.BACKEND, Members((begins, goes_on))), f"{why}; {told}")
    return None


def cores() -> int:
    """Return how many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _installed(names: Sequence[str], needs: frozenset[Feature]) -> Iterator[Selection]:
    """Yield those of the backends that are installed and declare features."""
    for name in names:
        with suppress(BackendMissing, BadOption, Unsupported):
            yield _declaring(name, needs)


def _ranking(
    model: Model, needs: frozenset[Feature], alone: bool, order: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the backends that go first and may give up, and the others in their order; ``alone``: none goes first.

    None goes first for objectives and for a solution of a small or large plain board either, nor where a search is
    watched.
    """
    alone = alone or Feature.TRACE in needs or bool(model.objective)
    medium = len(model.names) in {n * n for n in MEDIUM}
    starts = not alone and (Feature.ENUMERATE in needs or medium or not is_plain(model))
    return ranked("first") if starts else (), ranked(order)


def _houses_alone(model: Model) -> bool:
    return not model.objective and model.kinds() <= {AllDifferent, InDomain}


def _described(model: Model) -> str:
    """Say what a model has."""
    if model.objective:
        return "an objective"
    used = Counter(map(type, model.constraints))
    houses = used.pop(AllDifferent, 0)
    used.pop(InDomain, None)
    others = ", ".join(f"{number} {name}" for name, number in sorted((kind.__name__, n) for kind, n in used.items()))
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
