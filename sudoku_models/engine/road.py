"""The one road: model, lowering, backend, run, check. Everything that is solved goes through ``run``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from ..errors import Unsupported
from ..model import Givens, Model, domain, name_of, narrowed_domains
from ..model.domain import integer
from . import isolation, place, portfolio, relay, streams
from .at_once import at_once
from .bounds import MOST_WORKERS, check_number
from .budget import Budget, OutOfTime
from .check import checker_of
from .combined_backends import Begun, Combined, Members
from .confirm import confirm
from .contract import (
    CompiledWithAttempt,
    Ending,
    Feature,
    Reason,
    Request,
    Run,
    Search,
)
from .guard import Guard, guarded
from .prepared import Prepared as Prepared
from .prepared import compiled_by as compiled_by
from .prepared import plan as plan
from .prepared import prepare as prepare
from .record import Record, Stopwatch
from .registry import BackendLike, Selection, select

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
    then a share of it. ``isolate`` forces a child process. Raises Unsupported for features
    that the backend did not declare, BadOption and BackendMissing for the specification. Pulling solutions raises
    WrongAnswer for a solution that contradicts the model and BackendFailed for an engine that raised or died.
    """
    selection, record = select(spec), record or Record()
    request = request or Request()
    clock = Budget(request.time_limit, request.memory_limit, budget)
    if budget is not None:
        request = replace(request, time_limit=clock.left, memory_limit=clock.memory)
    if type(request.domains) is Givens and (answered := at_once(model, selection, request, record, isolate)):
        return answered
    request = normal(model, request)
    record.backend, record.seed = selection.backend.name, request.seed
    if type(selection.options) is not Begun:
        record.options = selection.changed
    refuse_undeclared(selection, request, model)
    if model.objective:
        record.bound = model.objective.best_within(narrowed_domains(model.domains, request.domains))
    return Run(_search(model, selection, request, clock, record, isolate), clock, record)


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
    limit = Budget(request.time_limit).seconds
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
    usual = type(limit) is type(workers) is type(seed) is int and request.memory_limit is None
    if usual and limit > 0 and 0 < workers <= MOST_WORKERS and seed >= 0:  # type: ignore[operator]
        return
    for name in ("limit", "workers", "memory_limit", "seed"):
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


def _search(
    model: Model,
    selection: Selection,
    request: Request,
    clock: Budget,
    record: Record,
    isolate: bool,
    before: Guard | None = None,
) -> Search:
    """Search in this process or in a child; ``before`` saw the solutions that other engines already yielded."""
    isolated = place.isolated(selection, request, model)
    if clock.expired:
        return Ending(Reason.TIME)
    if request.trace is not None and (isolate or isolated):
        raise Unsupported(f"{selection}: a search in another process cannot be traced")
    if isolate or (isolated and not place.attempts(selection, request, model)):
        return (yield from _in_child(model, selection, request, clock, record, before))
    if isinstance(selection.backend, relay.Relay):
        return (yield from _in_turn(model, selection, request, clock, record))
    try:
        return (yield from _here(model, selection, request, clock, record, before, isolated))
    except place.Large:
        if request.trace is not None:
            raise Unsupported(f"{selection}: a search in another process cannot be traced") from None
        return (yield from _in_child(model, selection, request, clock, record, before))


def _here(
    model: Model,
    selection: Selection,
    request: Request,
    clock: Budget,
    record: Record,
    before: Guard | None,
    isolated: bool,
) -> Search:
    """Search in this process; an ``isolated`` search is only tried here, and continues in a child."""
    try:
        prepared = prepare(model, selection, record, clock)
    except OutOfTime:
        return Ending(Reason.TIME)
    record.plan = prepared.plan_later
    guard = before or Guard(prepared.checker, selection, request)
    narrowed, watch = guard.asked(inner(prepared, request, clock)), record.stopwatch()
    if clock.expired:
        return Ending(Reason.TIME)
    if not isolated and prepared.lowered.functional and streams.fits(prepared.compiled, guard, narrowed):
        return (yield from _streamed(prepared, narrowed, guard, clock, record))
    if not isolated:
        source = guarded(selection, lambda: prepared.compiled.run(narrowed))
    elif (settled := _attempt(prepared, narrowed)) is not None:
        source = settled
    else:
        return (yield from _in_child(model, selection, request, clock, record, before))
    try:
        ending = yield from checked(guard.beyond(source), guard, clock, record, watch)
    finally:
        place.learn(selection, model, prepared.seconds, source.record.worked("encode"))
    if isolated and guard.objective and guard.wanted and source.ending.reason is Reason.GAVE_UP:
        return (yield from _in_child(model, selection, request, clock, record, guard))
    return ending


def _streamed(prepared: Prepared[Any], request: Request, guard: Guard, clock: Budget, record: Record) -> Search:
    """Take solutions out of blocks."""
    before = record.spent("run")
    blocks = guarded(prepared.selection, lambda: prepared.compiled.blocks(request, record))
    source = streams.stepped(prepared.selection, blocks)
    try:
        ending = yield from streams.SolutionStream(guard, clock, record.stopwatch()).solutions(source)
    finally:
        source.close()
        place.learn(prepared.selection, prepared.model, prepared.seconds, record.worked("encode"))
    if ending.reason is Reason.EXHAUSTED:
        confirm(guard, clock, record, record.spent("run") - before)
    return ending


def _in_turn(model: Model, selection: Selection, request: Request, clock: Budget, record: Record) -> Search:
    """Let the members of a relay search, each as it would alone; features the relay does not declare are refused."""
    guard = Guard(checker_of(model), selection, request)

    def begin(member: Selection) -> Search:
        refuse_undeclared(member, request, model)
        return _search(model, member, request, clock, record, False, guard)

    return relay.search(selection, guard, record, begin)


def _attempt(prepared: Prepared[Any], request: Request) -> Run | None:
    compiled: CompiledWithAttempt = prepared.compiled
    return guarded(prepared.selection, lambda: compiled.attempt(request))


def inner(prepared: Prepared[Any], request: Request, clock: Budget) -> Request:
    """Return the request for the lowered model: the time that is left, solutions distinguished by stated variables."""
    keep = request.keep
    if keep is None and not prepared.lowered.functional and not prepared.model.objective:
        keep = prepared.model.names
    if keep is request.keep and clock.left is None:
        return request
    return replace(request, time_limit=clock.left, keep=keep)


def _in_child(
    model: Model, selection: Selection, request: Request, clock: Budget, record: Record, before: Guard | None = None
) -> Search:
    """Run in a child process; ``before`` saw the improvements so far, of which the child knows nothing."""
    record.isolated = True
    if isinstance(selection.options, Begun):
        selection = replace(selection, options=Members(selection.options.members))
    guard = before or Guard(checker_of(model), selection, request)
    several = isinstance(selection.backend, Combined)  # each member confirms its own answers
    start = portfolio.run if isinstance(selection.backend, portfolio.Portfolio) else isolation.run
    asked = replace(guard.asked(request), time_limit=clock.left, confirm=request.confirm and several)
    source = start(model, selection, asked, clock)
    watch = record.stopwatch()
    try:
        return (yield from checked(guard.beyond(source), guard, clock, record, watch))
    finally:
        record.plan, child = source.record.plan, source.record
        if child.backend and isinstance(selection.backend, relay.Relay):
            record.backend, record.options = child.backend, child.options
        if child.phases:  # for a child that was killed, only the times of lowering and compiling are known
            each = child.worked("encode") if "run" in child.phases else request.time_limit or 0.0
            place.learn(selection, model, child.worked("lower", "compile") or None, each)


def checked(source: Run, guard: Guard, clock: Budget, record: Record, watch: Stopwatch) -> Search:
    """Pull solutions and check them; what an engine with a quirk reports as nonexistent is confirmed by another one."""
    before = record.spent("run")
    ending = yield from _checked(source, guard, clock, record, watch)
    if ending.reason is Reason.EXHAUSTED:
        confirm(guard, clock, record, record.spent("run") - before)
    return ending


def _checked(source: Run, guard: Guard, clock: Budget, record: Record, watch: Stopwatch) -> Search:
    """Pull solutions from a backend's run, check each one on the stated model, and time everything.

    With an objective the engine itself ends when the time is up, so everything it has found by then arrives.
    """
    objective = guard.objective is not None
    try:
        while guard.wanted:
            try:
                solution = guarded(guard.selection, source.__next__)
            except StopIteration:
                break
            watch.lap("run")
            stated = guard.checked(solution)
            watch.lap("check")
            if objective:
                guard.tighten(record, source.record.bound)
            try:
                yield stated
            finally:
                watch.restart()  # the caller's time, up to closing the run, does not count
            late = clock.expired and not objective  # the engine's own clock was paused during the checks
            if late and guard.wanted:
                return Ending(Reason.TIME)
        return _ending(source, guard)
    finally:
        source.close()
        watch.lap("run")
        _merge(record, source.record)
        guard.tighten(record, source.outcome.bound)


def _ending(source: Run, guard: Guard) -> Ending:
    outcome = source.outcome
    proves = Feature.PROVE in guard.selection.capabilities.features
    reason = Reason.GAVE_UP if outcome.complete and not proves else outcome.reason
    return guard.ended(Ending(reason if guard.wanted else Reason.LIMIT, outcome.bound))


def _merge(record: Record, inner: Record) -> None:
    """Merge the backend's own record: its phases are parts of what was timed as the run.

    CPU time in another process was not seen from here, so it is added instead.
    """
    record.sizes = {**record.sizes, **inner.sizes}
    record.notes += [note for note in inner.notes if note not in record.notes]
    record.confirm(inner.confirmed)
    for name, phase in inner.phases.items():
        if name != "run":
            record.add(name, phase.wall, phase.cpu)
            record.add("run", -phase.wall, 0.0 if record.isolated else -phase.cpu)
        elif record.isolated:
            record.add("run", 0.0, phase.cpu)
