"""The one road: model, lowering, backend, search, check. Everything that is solved goes through ``run``.

A search takes place in this process, or in a child process that can be killed (``place_of``); that is the only branch.
``found`` is the part that a child does too: lower, compile, search. Everything after it is done here, for every search:
blocks are checked as they come, limits end the search wherever they are noticed, and what an engine with a quirk
reports as nonexistent is confirmed by another one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum
from functools import cached_property, partial
from typing import Any, Generic, overload

from ..dataclass import dataclass
from ..errors import BackendFailed, BackendMissing, Unsupported, WrongAnswer
from ..lowering import Branches, Lowered, lower
from ..model import Givens, Model, domain, name_of, narrowed_domains
from ..model.domain import integer
from ..model.model import TOO_DEEP
from . import tree
from .budget import MOST_WORKERS, Budget, Interruption, check_number
from .check import Guard, guarded, without_auxiliaries
from .combined import Combined
from .contract import (
    C_co,
    Capabilities,
    Compiled,
    Compiler,
    Derived,
    Ending,
    Feature,
    Isolate,
    Quirk,
    Reason,
    Request,
    Run,
    Search,
)
from .record import Record
from .registry import BackendLike, Selection, installed, is_ours, ranked, select

TRIED = 20_000_000
"""The patience of a search in this process before one in a child: at most about two seconds."""

MODEST = 25_000
"""Under a time limit larger models are stated in a child, as that may take more than a quarter of a second."""

CONFIRMING = 2.0
"""Seconds that confirming may take in any case; else as long as the run took."""

APART = 20_000
"""Larger models are confirmed in another process, where a time limit also ends their lowering."""

_INTS = frozenset({int, type(None)})


def run(
    model: Model,
    spec: BackendLike,
    request: Request | None = None,
    record: Record | None = None,
    *,
    isolate: bool = False,
    budget: Budget | None = None,
) -> Run:
    """Run a request on a backend: return a Run of checked solutions over all variables of ``model``, in its order.

    Limits apply from here on, compiling included. ``budget`` is that of the whole job: the limits of the request are
    then a share of it. ``isolate`` forces a child process. Raises Unsupported for features that the backend did not
    declare, BadOption and BackendMissing for the specification. Pulling solutions raises WrongAnswer for a solution
    that contradicts the model and BackendFailed for an engine that raised or died.
    """
    selection, record = select(spec), record or Record()
    request = normal(model, request or Request())
    if budget is None or request.time_limit is not None or request.memory_limit is not None:
        budget = Budget(request.time_limit, request.memory_limit, budget)
        request = request.but(time_limit=None, memory_limit=None)
    if budget.memory is not None:
        check_number("memory_limit", integer(budget.memory, "memory_limit"))
    record.backend, record.seed = selection.backend.name, request.seed
    if getattr(selection.options, "more", tuple) is tuple:  # otherwise some members are not chosen yet
        record.options = selection.changed
    refuse_undeclared(selection, request, model)
    if model.objective:
        record.bound = model.objective.best_within(narrowed_domains(model.domains, request.domains))
    guard = Guard(model, selection, request)
    return Run(search(selection, request, budget, record, guard, isolate), budget, record)


def refuse_undeclared(selection: Selection, request: Request, model: Model | None = None) -> None:
    """Raise Unsupported if a request needs a feature that the backend did not declare."""
    features = selection.capabilities.features
    for feature in needed(request, model is not None and model.objective is not None):
        if feature not in features:
            raise Unsupported(f"{selection} does not declare {feature.value!r}, which this request needs")


def needed(request: Request, objective: bool = False) -> Sequence[Feature]:
    """Return the features that a backend must declare for a request."""
    if request.limit == request.workers == 1 and not (request.seed or objective or request.hint or request.trace):
        return ()
    asked = {
        Feature.OBJECTIVE: objective,
        Feature.ENUMERATE: request.limit != 1 and not objective,
        Feature.SEED: request.seed != 0,
        Feature.WORKERS: request.workers != 1,
        Feature.TRACE: request.trace is not None,
        Feature.HINT: bool(request.hint),
    }
    return [feature for feature, wanted in asked.items() if wanted]


def normal(model: Model, request: Request) -> Request:
    """Check the request and normalise its domains to names."""
    domains, limit, workers, seed = request.domains, request.limit, request.workers, request.seed
    usual = type(limit) is type(workers) is type(seed) is int and request.memory_limit is request.patience is None
    if not (usual and limit > 0 and 0 < workers <= MOST_WORKERS and seed >= 0):  # type: ignore[operator]
        for name in ("limit", "workers", "memory_limit", "patience", "seed"):
            value = getattr(request, name)
            if value is not None or name in ("workers", "seed"):
                check_number(name, integer(value, name))
    if request.hint:
        if not isinstance(request.hint, Mapping):
            raise TypeError(f"hint is {request.hint!r:.60}: a dict of values by variable is expected")
        hint = {name_of(x): integer(value, name_of(x)) for x, value in request.hint.items()}
        if unknown := sorted(hint.keys() - model.index.keys()):
            raise ValueError(f"{unknown[0]} is not a variable of the model")
        request = request.but(hint=hint)
    if request.keep is not None and model.objective:
        raise ValueError("keep cannot be combined with an objective: each solution is better than the one before")
    if type(domains) is not Givens or not _INTS.issuperset(map(type, domains.cells)):
        domains = {name_of(x): domain(values) for x, values in domains.items()}
        request = request.but(domains=domains)
    elif domains.names == model.names and not request.keep:
        return request
    if not (domains.keys() <= model.index.keys() and model.index.keys() >= set(request.keep or ())):
        unknown = sorted({*domains, *(request.keep or ())} - model.index.keys())
        raise ValueError(f"{unknown[0]} is not a variable of the model")
    return request


class Place(Enum):
    """Where a search takes place."""

    HERE = "in this process"
    TRIED = "first in this process, with patience, then in a child"
    APART = "in a child"


def place_of(selection: Selection, budget: Budget, model: Model) -> Place:
    """Return where a search takes place.

    A child can be killed, so it is used for a limit of memory, for engines that ask for it, and for a time limit that
    the engine does not observe by itself, or if the work before its search may be long compared with the limit. An
    engine that cannot be loaded beside a module of this process is loaded in a child too.
    """
    able, limited = selection.capabilities, budget.left is not None
    if tree.inside:
        return Place.HERE
    foreign = tree.on_command_line and not is_ours(selection)
    prompt = not limited or model.size <= MODEST or ("prepared", selection.key) in model.memo
    loaded = sys.modules.keys()
    clashes = not loaded.isdisjoint(able.conflicts) and loaded.isdisjoint(able.requires)
    if budget.memory is not None or foreign or not prompt or clashes:
        return Place.APART
    blind = limited and (Feature.TIME_LIMIT not in able.features or able.isolate is Isolate.IF_LIMITED)
    if able.isolate is not Isolate.ALWAYS and not blind:
        return Place.HERE
    return Place.TRIED if Feature.PATIENCE in able.features else Place.APART


def search(
    selection: Selection, request: Request, budget: Budget, record: Record, guard: Guard, isolate: bool = False
) -> Search:
    """Return a search that yields checked blocks. The guard may have seen solutions of other engines."""
    if isinstance(selection.backend, Combined):
        return selection.backend.search(selection, request, budget, record, guard, isolate)
    model = guard.checker.model
    place = Place.APART if isolate else place_of(selection, budget, model)
    if place is not Place.HERE:
        if request.trace is not None:
            raise Unsupported(f"{selection}: a search in another process cannot be traced")
        return _apart(selection, request, budget, record, guard, place is Place.TRIED)
    return checked(partial(found, model, selection, guard.asked(request), budget), budget, record, guard)


def _apart(selection: Selection, request: Request, budget: Budget, record: Record, guard: Guard, tried: bool) -> Search:
    """Search in a child process; if the engine is ``tried`` here first, only if that gave up."""
    if budget.expired:
        return Ending(Reason.TIME)
    if tried:
        patient = request.but(patience=request.patience or TRIED)
        here = partial(found, guard.checker.model, selection, guard.asked(patient), budget)
        ending = yield from checked(here, budget, record, guard)
        if ending.reason is not Reason.GAVE_UP or not guard.left or request.patience is not None:
            return ending
    from . import workers  # most processes never start another

    guard.next_engine(selection)
    apart = partial(workers.search, guard.checker.model, [selection], guard.asked(request), budget)
    return (yield from checked(apart, budget, record, guard))


def found(model: Model, selection: Selection, request: Request, budget: Budget, record: Record) -> Search:
    """Lower, compile, and return a search that yields an engine's blocks over the stated variables, unchecked: the part
    that a child process does.
    """
    prepared = prepare(model, selection, record, budget)
    record.planned = prepared.plan_later
    if request.keep is None and not prepared.lowered.functional and not model.objective:
        request = request.but(keep=model.names)
    budget.check()
    width, compiled = len(prepared.lowered.model.names), prepared.compiled
    if not isinstance(search := compiled.search(request, budget, record), Generator):
        raise TypeError(f"its search is a {type(search).__name__}: a generator is expected")
    return search if width == len(model.names) else without_auxiliaries(search, width, model)


def checked(begin: Callable[[Record], Search], budget: Budget, record: Record, guard: Guard) -> Search:
    """Check blocks as they come, and time everything; limits end the search wherever they are noticed. What an engine
    with a quirk reports as nonexistent is confirmed.

    ``begin`` begins the search with a record of its own, which becomes a part of the run's. Both have one stopwatch.
    """
    watch, ending = record.stopwatch(), Ending(Reason.LIMIT)
    inner = Record(phases=record.phases, running=watch)
    source: Search | None = None
    try:
        source = guarded(guard.selection, begin, inner)
        while guard.left:
            block = guarded(guard.selection, next, source)
            watch.lap("run")
            if inner.bound is not None:
                guard.tighten(record, inner.bound)
            rows = guard.checked(block, budget.check)
            watch.lap("check")
            if len(rows) or not len(block):  # an empty block is the end of a turn
                try:
                    yield rows
                finally:
                    watch.restart()  # the caller's time, up to closing the run, does not count
            if guard.left and guard.proves(record):
                ending = Ending(Reason.EXHAUSTED, record.bound)
                break
            if guard.left and guard.objective is None:
                budget.check()
    except StopIteration as stop:
        ending = guarded(guard.selection, Ending.of, stop.value)
    except Interruption as stop:
        ending = Ending.at(stop)
    finally:
        if source is not None:
            source.close()
        watch.lap("run")
        record.take(inner)
        guard.tighten(record, inner.bound)
    guard.tighten(record, ending.bound)
    ending = guard.ended(ending)
    if ending.reason is Reason.EXHAUSTED and guard.selection.capabilities.quirks:
        confirm(guard, budget, record)
    return ending


# ---------------------------------------------------------------- a model in a backend's form


@dataclass(frozen=True)
class Prepared(Generic[C_co]):
    """A model lowered and compiled for one backend with its options; kept on the model.

    ``compiled`` has the backend's own type if ``prepare`` was given a backend, not its name.
    """

    model: Model = field(repr=False)
    selection: Selection
    lowered: Lowered = field(repr=False)
    compiled: C_co = field(repr=False)

    @property
    def plan(self) -> tuple[str, ...]:
        """The plan as lines of text: what became of the constraints, then what the engine derived from them."""
        return self.plan_later()

    @cached_property
    def plan_later(self) -> Callable[[], tuple[str, ...]]:
        """A function that writes the plan; it needs neither the model nor its compiled form."""
        compiled: Any = self.compiled
        found: Sequence[Derived] = compiled.derived() if self.selection.capabilities.derives else ()
        return partial(_lines, self.lowered.tree, self.selection.backend.name, found)


def _lines(tree: Branches, name: str, found: Sequence[Derived]) -> tuple[str, ...]:
    return (*str(tree).splitlines(), *(one.line(name) for one in found))


@dataclass(frozen=True)
class Planned(Lowered):
    """A model in a backend's terms. Printing it compiles it and shows the plan with what the engine derives."""

    stated: Model = field(repr=False, compare=False)
    selection: Selection

    def __str__(self) -> str:
        if not self.selection.capabilities.derives:
            return super().__str__()
        return "\n".join(prepare(self.stated, self.selection).plan)


@overload
def prepare(
    model: Model, spec: Compiler[C_co], record: Record | None = None, budget: Budget | None = None
) -> Prepared[C_co]: ...
@overload
def prepare(
    model: Model, spec: BackendLike, record: Record | None = None, budget: Budget | None = None
) -> Prepared[Any]: ...
def prepare(model: Model, spec: Any, record: Record | None = None, budget: Budget | None = None) -> Prepared[Any]:
    """Lower and compile a model for a backend; done once for each model object, backend and options.

    Raises Unsupported if no rewrites lead to what the backend accepts, OutOfTime if the time is spent first.
    """
    selection, budget = select(spec), budget or Budget()
    kept = model.memo.get(("prepared", selection.key))
    if isinstance(kept, Prepared):
        return kept
    watch = (record or Record()).stopwatch()
    budget.check()
    lowered = plan(model, selection, budget.check)
    watch.lap("lower")
    budget.check()
    compiled: Any = compiled_by(selection, lowered.model)
    watch.lap("compile")
    found: Prepared[Any] = model.memo.setdefault(
        ("prepared", selection.key), Prepared(model, selection, lowered, compiled)
    )
    return found


def compiled_by(selection: Selection, model: Model) -> Compiled:
    """Return a lowered model compiled by a backend; BackendFailed for any exception that is not ours."""
    compiling = selection.backend.compile
    try:
        return guarded(selection, compiling, model, selection.options, fails="could not compile the model")
    except BackendFailed as failed:
        if isinstance(failed.__cause__, RecursionError):
            raise Unsupported(f"{selection} does not accept this model: {TOO_DEEP}") from failed
        raise


def plan(model: Model, spec: BackendLike, check: Callable[[], object] | None = None) -> Lowered:
    """Return the model in the backend's terms. Printing it shows the rewrites and what the engine derives.

    Raises Unsupported if no rewrites lead to what the backend accepts; ``check`` is called during the work, and what it
    raises ends the work.
    """
    selection = select(spec)
    if isinstance(selection.backend, Combined):
        raise Unsupported(f"{selection} has no plan of its own: ask for the plan of a member")
    key = "plan", selection.key
    kept = model.memo.get(key)
    if not isinstance(kept, Lowered):
        lowered = planned(model, selection.capabilities, selection, check)
        kept = model.memo[key] = Planned(lowered.model, lowered.functional, lowered.tree, model, selection)
    return kept


def planned(
    model: Model, capabilities: Capabilities, target: object, check: Callable[[], object] | None = None
) -> Lowered:
    """Return the model rewritten for these capabilities; ``target`` is named as their owner in an Unsupported error.

    ``check`` is called during the work; an exception from it ends the work.
    """
    taken = capabilities.kinds
    try:
        lowered = lower(model, taken, capabilities.accepts, target, check, capabilities.adds, capabilities.doubted)
        reason = capabilities.accepts_whole(lowered.model)  # each constraint was checked when it was lowered
    except RecursionError:
        reason = TOO_DEEP
    if reason:
        raise Unsupported(f"{target} does not accept this model: {reason}")
    return lowered


# ---------------------------------------------------------------- what an engine with a quirk reports as nonexistent


def confirm(guard: Guard, budget: Budget, record: Record) -> None:
    """Confirm that there are no solutions beyond those of an exhausted run, and record which engine confirmed it.

    "No solution", "no other solution" and "no better solution" cannot be checked on the model, as a solution can. If a
    quirk of the engine could affect the model, a second engine is asked for one more solution than the first one found,
    or for a better one. Raises WrongAnswer, naming both engines, if the second one finds another solution, or fewer.
    """
    model, request = guard.checker.model, guard.request
    quirks = touching(model, guard.selection) if request.confirm else ()
    if quirks:
        watch = record.stopwatch()
        with budget.part(max(CONFIRMING, record.spent("run"))) as mine:
            record.confirm(_confirmed(guard, mine) or f"not confirmed ({quirks[0].name}): no other engine")
        watch.lap("confirm")


def touching(model: Model, selection: Selection) -> tuple[Quirk, ...]:
    """Return the quirks of an engine that could affect a model; Unsupported if it does not accept the model."""
    declared = selection.capabilities.quirks
    if not declared:
        return ()
    key = ("quirks", str(selection))
    kept = model.memo.get(key)
    if not isinstance(kept, tuple):
        lowered = plan(model, selection).model
        kept = model.memo[key] = tuple(quirk for quirk in declared if quirk.touches(lowered))
    return kept


def _confirmed(guard: Guard, clock: Budget) -> str:
    """Ask other engines until one settles the question; return the result, empty if none accepts the model.

    An engine that gives up before its time is up leaves the question to the next one.
    """
    gave_up, first = "", guard.selection
    model, known, request = _question(guard)
    for other in _others(first):
        if clock.expired:
            return "not confirmed: out of time"
        try:
            if touching(model, other):
                continue
            with run(model, other, request, isolate=model.size > APART, budget=clock) as found:
                count, outcome = sum(map(len, found.blocks())), found.outcome
        except (Unsupported, BackendMissing, BackendFailed):
            continue
        if count > known:
            better = "better than the best" if guard.objective else f"beyond the {guard.count} that it found"
            what = better if guard.count else "where it found none"
            lost = f"{first} lost a solution: {other} has one {what}, which the model accepts"
            raise WrongAnswer(lost, first.backend.name)
        if outcome.complete and count < known:
            raise WrongAnswer(f"{other} finds {count} of the {known} solutions that {first} found", other.backend.name)
        if outcome.reason is not Reason.GAVE_UP:
            return str(other) if outcome.complete else f"not confirmed: {other} was out of time"
        gave_up = f"not confirmed: {other} gave up"
    return gave_up


def _question(guard: Guard) -> tuple[Model, int, Request]:
    """Return the question for a second engine: a model, how many solutions of it are known, and the request."""
    model, objective, request = guard.checker.model, guard.objective, guard.request
    known = 0 if objective else guard.count
    if objective:
        better = [] if guard.best is None else [objective.better_than(guard.best)]
        model = model.without_objective().with_(*better)
    return model, known, Request(request.domains, known + 1, keep=request.keep, confirm=False)


def _others(first: Selection) -> Iterator[Selection]:
    """Yield the engines that can confirm: other engines than the first, then the same engine with other options."""
    name = first.backend.name
    yield from installed(other for other in ranked() if other != name)
    yield from (select(f"{name}:{quirk.instead}") for quirk in first.capabilities.quirks if quirk.instead)
