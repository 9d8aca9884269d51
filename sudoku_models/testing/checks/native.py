"""Compiled models: immutable, usable by many threads; a model that the caller may extend is a new copy."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from ...engine.contract import Feature, Reason, Request, Solution
from ...engine.road import prepare
from ...model import Model
from ..subject import Subject, require
from .conformance_check import checks
from .limits import small


def runs_leave_no_trace(subject: Subject) -> None:
    """Domains and limits of one request do not affect the next; two simultaneous runs do not disturb each other."""
    model, _ = small(subject)
    whole = _some(subject, model)
    name = model.names[0]
    for value in model.domains[name]:
        narrow, _ = subject.first(model, domains={name: (value,)})
        require(narrow and narrow[0] == value, f"{name} = {value}: {narrow} came")
        require(_some(subject, model) == whole, f"after a request with {name} = {value} the whole model answers anew")
    if subject.has(Feature.ENUMERATE):
        with subject.run(model, limit=None) as one, subject.run(model, limit=None, domains={name: (2,)}) as two:
            for _ in range(6):
                require(next(two)[0] == 2, "two runs at once disturb each other")
                next(one)


def _some(subject: Subject, model: Model) -> list[Solution]:
    limit = 24 if subject.has(Feature.ENUMERATE) else 1
    with subject.run(model, limit=limit) as found:
        return list(found)


def threads_share_a_model(subject: Subject) -> None:
    """Eight requests in four threads on one compiled model are all answered correctly."""
    model, _ = small(subject)
    name = model.names[0]
    values = [model.domains[name][i % 4] for i in range(8)]

    def ask(value: int) -> bool:
        found, _ = subject.first(model, domains={name: (value,)})
        return found is not None and found[0] == value

    with ThreadPoolExecutor(4) as threads:
        require(all(threads.map(ask, values)), "threads get each other's answers")


def native_is_fresh(subject: Subject) -> None:
    """Each ``native`` is another object (or one that cannot be changed), and the record has sizes."""
    model, _ = small(subject)
    compiled = prepare(model, subject.selection).compiled
    one, two = compiled.native, compiled.native
    require(one is not None, "there is no native model")
    require(one is not two or one is model, "the native model is handed out twice")
    with subject.run(model) as found:
        next(found)
    sizes = found.outcome.record.sizes
    require(sizes and all(type(n) is int and n >= 0 for n in sizes.values()), f"sizes are numbers: {sizes}")


def limits_on_the_compiled_model(subject: Subject) -> None:
    """The compiled model itself, without the road, stops at the limit, reports why it ended, and proves the rest."""
    model, count = small(subject)
    compiled = prepare(model, subject.selection).compiled
    for limit in (1, 2, 5) if subject.has(Feature.ENUMERATE) else (1,):
        with compiled.run(Request(limit=limit)) as run:
            found = list(run)
        require(len(set(found)) == len(found) == limit, f"limit {limit}: {found}")
        require(run.outcome.reason is Reason.LIMIT, f"limit {limit} of {count}: it ended by {run.outcome.reason}")
    with compiled.run(Request({model.names[0]: ()})) as run:
        require(not list(run), "a solution came although a domain is empty")
        proved = run.outcome.complete or not subject.has(Feature.PROVE)
        require(proved, f"with an empty domain it ended by {run.outcome.reason}")


CHECKS = checks(runs_leave_no_trace, threads_share_a_model, native_is_fresh, limits_on_the_compiled_model)
