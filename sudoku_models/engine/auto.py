"""Choose a backend when none is named: the first one that is installed and accepts the model.

Backends, including those of other packages, declare their places in the order (``Places`` in their capabilities). The
choice depends on the problem, the question and what is installed. The answer never depends on what was solved before:
the same call gives the same answer, even if there are several solutions. A compiled engine that is slow to load but
then the fastest is used for many puzzles, in one call or in many; in those calls it answers only puzzles with at most
one solution. Until it is loaded, the first engine does this if the process has used it before; otherwise the plain
Python form does, so that a process that solves one puzzle loads next to nothing.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import NamedTuple

from ..errors import BackendMissing, BadOption, Unsupported
from ..model import AllDifferent, Constraint, InDomain, Model, square_of
from .budget import Budget, OutOfTime
from .combined import PORTFOLIO, RELAY, Begun, Members, Relay
from .contract import Feature
from .orders import ranked
from .prepared import LARGE, USED, prepared_key
from .registry import Selection, in_order, load, select
from .road import plan, prepare

PATIENCE = {"plain": 50_000, "houses": 300_000, "mixed": 5_000_000}
"""How often the first backend may look at a constraint, for each solution, before the next one takes over: about 0.005,
0.03 and 0.5 seconds. The clause solver takes over quickly if there are only houses; half a second is what other
engines need for models with other constraints. On hard plain boards with sides 16 and 25, 50,000 did best of the
numbers from 1,000 to a million.
"""

OFTEN = 200
"""After this number of puzzles of one model, asked one by one, it is worth loading a batch engine."""

AT_ONCE, IN_USE, LOADED = "which loads nothing", "which is loaded already", "loaded for many such puzzles"
"""Why a backend settles puzzles that have at most one solution."""

COLD, READY, BATCHES = range(3)
"""What may settle such puzzles: what loads nothing, the first engine, or one for batches."""

HOUSES = ((144, PATIENCE["houses"]), (256, 150_000))
"""The patience for models of houses, by the number of variables; larger models have the patience of plain boards. The
clause solver was faster on five of six 25x25 jigsaws, on five of eleven 16x16 ones and on none of eight 12x12 ones.
"""

MEDIUM = range(10, 37)
"""Sides of plain boards for which the first backend is also asked for a single solution. From a cold start it took 0.28
seconds and the clause solver 0.26; later it took a tenth to a half of the clause solver's time. Smaller boards take
little time and never wait for an engine that is compiled on first use.
"""

MEDIUM_CELLS = frozenset(side**2 for side in MEDIUM)
"""The numbers of cells of these boards."""

BEYOND, PASSES = MEDIUM[-1], "hard=pass"
"""Plain boards with a longer side are large: hard ones are not left to one engine. The option makes the first engine
give up whatever it cannot settle immediately.
"""

SMALL = 36
"""Models with at most this number of variables are small: a plain Python engine starts on them until the first engine
is loaded. From a cold start this answers a puzzle in 0.2 seconds instead of 0.36; if it gives up, 0.04 are lost.
"""

TRIES = 3
"""After this number of small models in one process, it is worth loading the first engine."""

PLANNING = 0.25
"""The share of a time limit that may be spent on lowering a model to see whether a backend accepts it."""


class Choice(NamedTuple):
    """A backend, and a function that says why it was chosen; it does not need the model."""

    selection: Selection
    explain: Callable[[], str]

    @property
    def reason(self) -> str:
        """Why the backend was chosen."""
        return self.explain()


def batch_backend(model: Model) -> Selection | None:
    """Return an installed backend that takes batches of a model; None if there is none."""
    return _accepting(ranked("batches"), model)


def _accepting(specs: Iterable[str], model: Model) -> Selection | None:
    """Return the first installed backend, of those given, that accepts a model as it is."""
    for spec in specs:
        with suppress(BackendMissing, BadOption):
            selection = select(spec)
            takes = selection.capabilities
            if takes.kinds >= model.kinds() and takes.accepts_model(model) is None:
                return selection
    return None


def loads(model: Model, selection: Selection) -> bool:
    """Load a backend's engine and compile a model for it; return whether the installed engine can be loaded at all."""
    try:
        prepare(model, selection)
    except BackendMissing:
        return False
    return True


def choose(
    model: Model, needs: frozenset[Feature] = frozenset(), time_limit: float | None = None, alone: bool = False
) -> Choice:
    """Return the backend for a model that declares the features ``needs``; Unsupported if no installed one does.

    The backend may be a relay of several engines, unless ``alone`` asks for a single one.
    If lowering the model takes too large a share of the ``time_limit`` (seconds), the next backend is taken
    without checking that it accepts the model; this shows when it runs.
    """
    if not alone and not needs - _SETTLED:
        settling = _settling(model, needs) or _for_small(model, needs)
        if settling is not None:
            return settling
    return _chosen(model, needs, time_limit, alone)


_tried = 0
"""How many small models were given to a backend that loads nothing."""


def _for_small(model: Model, needs: frozenset[Feature]) -> Choice | None:
    """Return a backend that loads nothing, for a small model, to be tried before the first engine.

    None if the first engine is already loaded, or if there is none.
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
    """Return the choice among the backends that accept every puzzle of a model; made once."""
    found = model.memo.get(("auto", needs, alone))
    if not isinstance(found, Choice):
        clock = Budget(None if time_limit is None else PLANNING * time_limit)
        clock.start()
        found = _choose(model, needs, clock, alone)
        if not clock.expired:
            model.memo["auto", needs, alone] = found
    return found


_SETTLED = frozenset({Feature.ENUMERATE})
"""The features that an engine which answers only puzzles with at most one solution may need."""


def _settling(model: Model, needs: frozenset[Feature]) -> Choice | None:
    """Return a backend that settles puzzles with at most one solution before others are tried; None if there is none.

    At first this is one that loads nothing; then the first engine, once it was used; after many puzzles, the fastest.
    """
    asked = model.memo["asked"] = model.memo.get("asked", 0) + 1
    found = model.memo.get(("settling", needs))
    stage = BATCHES if asked > OFTEN or _is_loaded(model) else READY if not _first().isdisjoint(USED) else COLD
    if found is None or stage > found[0]:
        found = model.memo["settling", needs] = stage, _settled(model, needs, stage)
    choice: Choice | None = found[1]
    return choice


@lru_cache(maxsize=1)
def _first() -> frozenset[str]:
    """Return the names of the backends that may be first, without loading them."""
    return frozenset(in_order("first"))


def _settled(model: Model, needs: frozenset[Feature], stage: int) -> Choice | None:
    if stage == BATCHES:
        selection = _accepting((f"{name}:several=pass" for name in ranked("settling")), model)
        if selection is not None and loads(model, selection):
            return _before(model, needs, selection, LOADED)
    specs = ((name, load(name).capabilities.places.at_once) for name in ranked("settling"))
    selection = _accepting((f"{name}:{options},several=pass" for name, options in specs if options), model)
    if selection is None:
        return None
    used = [name for name in ranked("first") if name in USED] if stage != COLD else []
    options = [(name, load(name).capabilities.places.settling_with) for name in used]
    ready = _accepting((f"{name}:{chosen}" for name, chosen in options if chosen), model)
    return _before(model, needs, selection, AT_ONCE) if ready is None else _before(model, needs, ready, IN_USE)


def _is_loaded(model: Model) -> bool:
    """Return whether a batch backend is already loaded for this model, after many puzzles in one call."""
    for name in ranked("settling"):
        with suppress(BackendMissing, BadOption):
            if prepared_key(select(name)) in model.memo:
                return True
    return False


def _before(model: Model, needs: frozenset[Feature], settling: Selection, why: str) -> Choice:
    """Return a choice that starts with a backend for puzzles with at most one solution, followed by those that accept
    every puzzle.
    """

    def others() -> tuple[Selection, ...]:
        chosen = _chosen(model, needs, None, False).selection
        return tuple(chosen.options) if isinstance(chosen.backend, Relay) else (chosen,)

    contains = _contents(model)

    def reason() -> str:
        return f"the model has {contains()}; {settling.backend.name}, {why}, answers those with one solution or none"

    return Choice(Selection(RELAY, Begun(settling, others)), reason)


def _choose(model: Model, needs: frozenset[Feature], clock: Budget, alone: bool) -> Choice:
    passed: list[str] = []
    order = "houses" if _houses_alone(model) else "mixed"
    patience = _patience(model, order, Feature.ENUMERATE not in needs and is_plain(model))
    first, names = _ranking(model, needs, alone, order)
    tried = (*first, *names)
    contains = _contents(model)

    def why() -> str:
        begin = f"the model has {contains()}; tried in the order {', '.join(tried)}"
        return "; ".join([begin, *(f"not {reason}" for reason in passed)])

    for number, name in enumerate(tried, 1):
        begins = number <= len(first)
        try:
            selection = _declaring(f"{name}:patience={patience}" if begins else name, needs)
            _refuse_clash(selection)
            with suppress(OutOfTime):
                if model.size <= LARGE:
                    plan(model, selection, clock.check)
        except (BackendMissing, BadOption, Unsupported) as error:
            passed.append(f"{name}: {error}")
            continue
        if not begins and (large := None if alone else _for_large(model, needs, name, why)):
            return large
        if begins and (others := tuple(_installed(names, needs))):
            return _in_turn(selection, others, why)
        return Choice(select(name), why)
    raise Unsupported("no backend accepts this model: " + "; ".join(passed))


def _refuse_clash(selection: Selection) -> None:
    """Raise BackendMissing if a module is loaded beside which an engine that was not used yet cannot be loaded."""
    loaded = [module for module in selection.capabilities.conflicts if module in sys.modules]
    if loaded and selection.backend.name not in USED:
        raise BackendMissing(f"it cannot be loaded beside {loaded[0]}, which is loaded")


def _patience(model: Model, order: str, plain: bool) -> int:
    """Return how often the first backend looks at a constraint before it gives up."""
    if order != "houses" or plain:
        return PATIENCE["plain" if plain else order]
    return next((patience for most, patience in HOUSES if len(model.names) <= most), PATIENCE["plain"])


def quick(model: Model, check: Callable[[], object] | None = None) -> Selection | None:
    """Return a backend that settles many models quickly and soon gives up on the others; None if none accepts the
    model.

    For long series of questions, with another engine to answer what this one gives up. ``check`` is called during the
    work; an exception from it ends the work.
    """
    for name in ranked("first"):
        with suppress(BackendMissing, BadOption, Unsupported):
            selection = select(f"{name}:patience={PATIENCE['houses']}")
            plan(model, selection, check)
            return selection
    return None


def _in_turn(first: Selection, others: Sequence[Selection], why: Callable[[], str]) -> Choice:
    """Return the choice of a first backend that may give up, followed by others."""

    def reason() -> str:
        limit = f"after {first.options.patience:,} looks at constraints without an answer"
        return f"{why()}; {limit}, {others[0].backend.name} takes over"

    return Choice(_relay(first, *others), reason)


@lru_cache(maxsize=64)
def _relay(*members: Selection) -> Selection:
    """Return the relay of several backends; what it can do is determined once."""
    return Selection(RELAY, Members(members))


def _declaring(name: str, needs: frozenset[Feature]) -> Selection:
    """Return a backend that is installed and declares features; Unsupported when it does not."""
    selection = select(name)
    if lacking := needs - selection.capabilities.features:
        raise Unsupported(f"it does not declare {', '.join(sorted(lacking))}")
    return selection


def _for_large(model: Model, needs: frozenset[Feature], name: str, why: Callable[[], str]) -> Choice | None:
    """Return the choice for a large plain board: a second engine runs beside the first, or takes over from it.

    None for other models, and if there is no such engine.
    """
    if len(model.names) <= BEYOND**2 or needs or not is_plain(model):
        return None
    for other in ranked("large"):
        with suppress(BackendMissing, BadOption, Unsupported):
            begins = select(f"{name}:{PASSES}")
            second = select(f"{other}:{load(other).capabilities.places.large_with}")
            both = Selection(PORTFOLIO, Members((select(name), second)))
            goes_on, how = (
                (both, "runs beside it") if cores() > 1 else (second, "takes over, for lack of a second core")
            )
            then = f"if it does not settle a puzzle on a board with a side above {BEYOND}, {second} {how}"
            return Choice(Selection(RELAY, Members((begins, goes_on))), partial(_both, why, then))
    return None


def _both(why: Callable[[], str], then: str) -> str:
    return f"{why()}; {then}"


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _installed(names: Sequence[str], needs: frozenset[Feature]) -> Iterator[Selection]:
    """Yield the given backends that are installed and declare the features."""
    for name in names:
        with suppress(BackendMissing, BadOption, Unsupported):
            yield _declaring(name, needs)


def _ranking(
    model: Model, needs: frozenset[Feature], alone: bool, order: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the backends that start and may give up, and then the others in order; with ``alone`` none may give up.

    None starts in this way if there is an objective, if one solution of a small or large plain board is wanted, or if
    the search is traced.
    """
    alone = alone or Feature.TRACE in needs or bool(model.objective)
    medium = len(model.names) in MEDIUM_CELLS
    starts = not alone and (Feature.ENUMERATE in needs or medium or not is_plain(model))
    return ranked("first") if starts else (), ranked(order)


def _houses_alone(model: Model) -> bool:
    return not model.objective and model.kinds() <= {AllDifferent, InDomain}


def _contents(model: Model) -> Callable[[], str]:
    """Return a function that describes what a model contains, without the model."""
    return partial(_described, bool(model.objective), model.counts)


def _described(improves: bool, counts: Mapping[type[Constraint], int]) -> str:
    """Describe what a model contains."""
    if improves:
        return "an objective"
    used = Counter(counts)
    houses = used.pop(AllDifferent, 0)
    used.pop(InDomain, None)
    others = ", ".join(f"{number} {name}" for name, number in sorted((kind.__name__, n) for kind, n in used.items()))
    if others:
        return f"{others} beside {houses} AllDifferent" if houses else others
    return f"nothing but {houses} AllDifferent"


def is_plain(model: Model) -> bool:
    """Return whether a model is a square board with rows, columns and rectangular boxes, and nothing else."""
    square = square_of(model)
    return square is not None and bool(square.boxes) and all(_is_rectangle(box, square.n) for box in square.boxes)


def _is_rectangle(box: Sequence[int], n: int) -> bool:
    rows, columns = {cell // n for cell in box}, {cell % n for cell in box}
    return len(rows) * len(columns) == n
