"""The one road: model, lowering, backend, search, check. Everything that is solved goes through ``run``.

A search takes place in this process, or in a child process that can be killed (``place_of``); that is the only branch.
``found`` is the part that a child does too: lower, compile, search. Everything after it is done here, for every search:
blocks are checked as they come, limits end the search wherever they are noticed, and what an engine with a quirk
reports as nonexistent is confirmed by another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from functools import partial
from itertools import chain
from typing import Any

from ..errors import Unsupported
from ..model import Givens, Model, domain, name_of, narrowed_domains
from ..model.domain import integer
from . import workers
from .bounds import MOST_WORKERS, check_number
from .budget import Budget, GaveUp, OutOfMemory, OutOfTime
from .check import FEW, Guard, checker_of, guarded
from .combined import Begun, Combined
from .confirm import confirm
from .contract import Block, Compiled, Ending, Feature, Isolate, Reason, Request, Run, Search
from .prepared import Large, is_prompt
from .prepared import Prepared as Prepared
from .prepared import compiled_by as compiled_by
from .prepared import plan as plan
from .prepared import prepare as prepare
from .record import Record, Stopwatch
from .registry import BackendLike, Selection, is_ours, select

TRIED = 20_000_000
"""The patience of a search in this process before one in a child: at most about two seconds."""

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
    return begun(model, spec, request, record, budget, isolate)[0]


def begun(
    model: Model,
    spec: BackendLike,
    request: Request | None,
    record: Record | None,
    budget: Budget | None,
    isolate: bool = False,
) -> tuple[Run, Guard]:
    """Return a run and its guard; see ``run``."""
    selection, record = select(spec), record or Record()
    request = normal(model, request or Request())
    if budget is None or request.time_limit is not None or request.memory_limit is not None:
        budget = Budget(request.time_limit, request.memory_limit, budget)
        request = replace(request, time_limit=None, memory_limit=None)
    if budget.memory is not None:
        check_number("memory_limit", integer(budget.memory, "memory_limit"))
    record.backend, record.seed = selection.backend.name, request.seed
    if type(selection.options) is not Begun:  # whose other members are not chosen yet
        record.options = selection.changed
    refuse_undeclared(selection, request, model)
    if model.objective:
        record.bound = model.objective.best_within(narrowed_domains(model.domains, request.domains))
    guard = Guard(checker_of(model), selection, request)
    return Run(search(model, selection, request, budget, record, guard, isolate), budget, record), guard


def refuse_undeclared(selection: Selection, request: Request, model: Model | None = None) -> None:
    """Raise Unsupported if a request needs a feature that the backend did not declare."""
    features = selection.capabilities.features
    objective = model is not None and model.objective is not None
    if request.limit == request.workers == 1 and not (request.seed or objective) and request.trace is None:
        return
    asked = {
        Feature.OBJECTIVE: objective,
        Feature.ENUMERATE: request.limit != 1 and not objective,
        Feature.SEED: request.seed != 0,
        Feature.WORKERS: request.workers != 1,
        Feature.TRACE: request.trace is not None,
    }
    for feature, wanted in asked.items():
        if wanted and feature not in features:
            raise Unsupported(f"{selection} does not declare {feature.value!r}, which this request needs")


def normal(model: Model, request: Request) -> Request:
    """Check the request and normalise its domains to names."""
    _check_numbers(request)
    limit = None if request.time_limit is None else Budget(request.time_limit).seconds
    if limit != request.time_limit:
        request = replace(request, time_limit=limit)
    if request.keep is not None and model.objective:
        raise ValueError("keep cannot be combined with an objective: each solution is better than the one before")
    domains = request.domains
    if not _as_written(domains):
        domains = {name_of(x): domain(values) for x, values in domains.items()}
        request = replace(request, domains=domains)
    if type(domains) is Givens and domains.names == model.names and not request.keep:
        return request
    if not (domains.keys() <= model.index.keys() and model.index.keys() >= set(request.keep or ())):
        unknown = sorted({*domains, *(request.keep or ())} - model.index.keys())
        raise ValueError(f"{unknown[0]} is not a variable of the model")
    return request


def _check_numbers(request: Request) -> None:
    limit, workers, seed = request.limit, request.workers, request.seed
    usual = type(limit) is type(workers) is type(seed) is int and request.memory_limit is request.patience is None
    if usual and limit > 0 and 0 < workers <= MOST_WORKERS and seed >= 0:  # type: ignore[operator]
        return
    for name in ("limit", "workers", "memory_limit", "patience", "seed"):
        value = getattr(request, name)
        if value is not None or name in ("workers", "seed"):
            check_number(name, integer(value, name))


def _as_written(domains: Mapping[Any, Any]) -> bool:
    """Return whether domains are already normal: givens by name, each with one value."""
    if type(domains) is Givens:
        return _INTS.issuperset(map(type, domains.cells))
    values = domains.values()
    if not ({str}.issuperset(map(type, domains)) and {tuple}.issuperset(map(type, values))):
        return False
    return {1}.issuperset(map(len, values)) and {int}.issuperset(map(type, chain.from_iterable(values)))


class Place(Enum):
    """Where a search takes place."""

    HERE = "in this process"
    TRIED = "first in this process, with patience, then in a child"
    APART = "in a child"


def place_of(selection: Selection, budget: Budget, model: Model) -> Place:
    """Return where a search takes place.

    A child can be killed, so it is used for a limit of memory, for engines that ask for it, and for a time limit that
    the engine does not observe by itself, or if the work before its search may be long compared with the limit.
    """
    able, limited = selection.capabilities, budget.left is not None
    if workers.inside_child():
        return Place.HERE
    foreign = workers.on_command_line and not is_ours(selection)
    if budget.memory is not None or foreign or (limited and not is_prompt(model, selection)):
        return Place.APART
    deaf = workers.on_command_line and able.deaf
    blind = limited and (Feature.TIME_LIMIT not in able.features or able.isolate is Isolate.IF_LIMITED)
    if able.isolate is not Isolate.ALWAYS and not deaf and not blind:
        return Place.HERE
    return Place.TRIED if Feature.PATIENCE in able.features else Place.APART


def search(
    model: Model,
    selection: Selection,
    request: Request,
    budget: Budget,
    record: Record,
    guard: Guard,
    isolate: bool = False,
) -> Search:
    """Yield checked blocks; return how the search ended. The guard may have seen solutions of other engines."""
    if isinstance(selection.backend, Combined):
        return (yield from selection.backend.search(model, selection, request, budget, record, guard, isolate, search))
    place = Place.APART if isolate else place_of(selection, budget, model)
    if request.trace is not None and place is not Place.HERE:
        raise Unsupported(f"{selection}: a search in another process cannot be traced")
    if budget.expired:
        return Ending(Reason.TIME)
    before, ending = record.spent("run"), None
    if place is not Place.APART:
        tried = request if place is Place.HERE else replace(request, patience=request.patience or TRIED)
        try:
            here = partial(found, model, selection, guard.asked(tried), budget)
            ending = yield from checked(here, budget, record, guard)
        except Large:
            if request.trace is not None:
                raise Unsupported(f"{selection}: a search in another process cannot be traced") from None
    gave_up = ending is not None and ending.reason is Reason.GAVE_UP and guard.wanted
    if ending is None or (place is Place.TRIED and gave_up and request.patience is None):
        guard.next_engine(selection)
        apart = partial(workers.search, model, [selection], guard.asked(request), budget)
        ending = yield from checked(apart, budget, record, guard)
    if ending.reason is Reason.EXHAUSTED and selection.capabilities.quirks:
        confirm(guard, budget, record, record.spent("run") - before)
    return ending


def found(model: Model, selection: Selection, request: Request, budget: Budget, record: Record) -> Search:
    """Yield an engine's blocks, unchecked: the part of a search that a child process does."""
    prepared = prepare(model, selection, record, budget)
    record.plan = prepared.plan_later
    if request.keep is None and not prepared.lowered.functional and not model.objective:
        request = replace(request, keep=model.names)
    budget.check()
    compiled: Compiled = prepared.compiled
    return (yield from compiled.search(request, budget, record))


def checked(begin: Callable[[Record], Search], budget: Budget, record: Record, guard: Guard) -> Search:
    """Check blocks as they come, and time everything; limits end the search wherever they are noticed.

    ``begin`` begins the search with a record of its own, which becomes a part of the run's.
    """
    inner, watch, ending = Record(), record.stopwatch(), Ending(Reason.LIMIT)
    source = begin(inner)
    try:
        while guard.wanted:
            block = guarded(guard.selection, next, source)
            watch.lap("run")
            if inner.bound is not None:
                guard.tighten(record, inner.bound)
            yield from _checked(block, budget, guard, watch)
            if guard.wanted and guard.objective is None:
                budget.check()
    except StopIteration as stop:
        ending = guarded(guard.selection, Ending.of, stop.value)
    except OutOfTime:
        ending = Ending(Reason.TIME)
    except OutOfMemory:
        ending = Ending(Reason.MEMORY)
    except GaveUp:
        ending = Ending(Reason.GAVE_UP)
    finally:
        source.close()
        watch.lap("run")
        merge(record, inner)
        guard.tighten(record, inner.bound)
    guard.tighten(record, ending.bound)
    return guard.ended(ending)


def _checked(block: Block, budget: Budget, guard: Guard, watch: Stopwatch) -> Iterator[Block]:
    """Yield the solutions of a block that are wanted: a large array as one, all others one by one."""
    if hasattr(block, "ndim"):
        block = guard.array(block)
        if guard.objective is None and len(block) > FEW:
            rows = guard.rows(block, budget.check)
            watch.lap("check")
            try:
                if len(rows):
                    yield rows
            finally:
                watch.restart()
            return
        block = [*map(tuple, block.tolist())]
    elif type(block) is not list:
        block = [block]
    for number, solution in enumerate(block):
        if number:
            if not guard.wanted:
                return
            budget.check()
        stated = guard.one(solution)
        watch.lap("check")
        if stated is not None:
            try:
                yield stated
            finally:
                watch.restart()  # the caller's time, up to closing the run, does not count


def merge(record: Record, inner: Record) -> None:
    """Merge an engine's own record: its phases are parts of what was timed as the run.

    CPU time in another process was not seen from here, so it is added instead.
    """
    record.sizes = {**record.sizes, **inner.sizes}
    record.notes += [note for note in inner.notes if note not in record.notes]
    record.isolated |= inner.isolated
    record.take_plan(inner)
    for name, phase in inner.phases.items():
        if name != "run":
            record.add(name, phase.wall, phase.cpu)
            record.add("run", -phase.wall, 0.0 if inner.isolated else -phase.cpu)
        elif inner.isolated:
            record.add("run", 0.0, phase.cpu)
