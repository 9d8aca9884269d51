"""Confirm with a second engine what an engine with a known quirk reports as nonexistent.

"No solution", "no other solution" and "no better solution" cannot be checked on the model, as a solution can. If a
quirk of the engine could affect the model, a second engine is asked for one more solution than the first one found. It
gets a short time for that (see ``PATIENCE`` and ``SHARE``) within the run's limit; the record has the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..errors import BackendFailed, BackendMissing, Unsupported, WrongAnswer
from ..model import Linear, Model
from .auto import installed
from .budget import Budget
from .check import Guard
from .contract import Feature, Outcome, Reason, Request
from .quirk import Quirk
from .record import Record
from .registry import Selection, ranked, select

PATIENCE, SHARE = 2.0, 1.0
"""Seconds that confirming may take in any case, and as a multiple of the time that the first engine took."""

APART = 20_000
"""Larger models are confirmed in another process, where a time limit also ends their lowering."""


def touching(model: Model, selection: Selection) -> tuple[Quirk, ...]:
    """Return the quirks of an engine that could affect a model; Unsupported if it does not accept the model."""
    from .road import plan

    declared = selection.capabilities.quirks
    if not declared:
        return ()
    key = ("quirks", str(selection))
    found = model.memo.get(key)
    if not isinstance(found, tuple):
        lowered = plan(model, selection).model
        found = model.memo[key] = tuple(quirk for quirk in declared if quirk.touches(lowered))
    return found


def confirm(guard: Guard, budget: Budget, record: Record, spent: float) -> None:
    """Confirm that there are no solutions beyond those of an exhausted run, and record which engine confirmed it.

    ``spent`` is the run's time in seconds. Raises WrongAnswer, naming both engines, if the second one finds
    another solution, or fewer.
    """
    model, request = guard.checker.model, guard.request
    quirks = touching(model, guard.selection) if request.confirm else ()
    if not quirks:
        return
    watch = record.stopwatch()
    patience = max(PATIENCE, SHARE * spent)
    with budget.part(patience) as mine:
        record.confirm(_confirmed(model, request, guard, mine) or f"not confirmed ({quirks[0].name}): no other engine")
    watch.lap("confirm")


def _confirmed(model: Model, request: Request, guard: Guard, clock: Budget) -> str:
    """Ask other engines until one settles the question; return the result, empty if none accepts the model.

    An engine that gives up before its time is up leaves the question to the next one.
    """
    gave_up = ""
    asked, known = _question(model, request, guard)
    for other in _others(guard.selection):
        if clock.expired:
            return "not confirmed: out of time"
        try:
            if touching(asked, other):
                continue
            count, outcome = _asked(asked, other, known, clock)
        except (Unsupported, BackendMissing, BackendFailed):
            continue
        if count > known_count(known):
            raise _wrong(guard, other)
        if outcome.complete and count < known_count(known):
            raise WrongAnswer(
                f"{other} finds {count} of the {known_count(known)} solutions that {guard.selection} found",
                other.backend.name,
            )
        if outcome.reason is not Reason.GAVE_UP:
            return str(other) if outcome.complete else f"not confirmed: {other} was out of time"
        gave_up = f"not confirmed: {other} gave up"
    return gave_up


def known_count(request: Request) -> int:
    """Return how many solutions are known: one fewer than the request's limit."""
    assert request.limit is not None
    return request.limit - 1


def _question(model: Model, request: Request, guard: Guard) -> tuple[Model, Request]:
    """Return the request for a second engine: one more solution than was found, or a better one."""
    plain = Request(request.domains, keep=request.keep, confirm=False)
    if not model.objective:
        return model, replace(plain, limit=guard.count + 1)
    objective, free = model.objective, model.without_objective()
    if guard.best is not None:
        op = "<" if objective.minimizes else ">"
        free = free.with_(Linear(objective.coeffs, objective.xs, op, guard.best - objective.constant))
    return free, replace(plain, limit=1)


def _others(first: Selection) -> Iterator[Selection]:
    """Yield the engines that can confirm: other engines than the first, then the same engine with other options.

    An engine with a quirk that could affect the model confirms nothing.
    """
    name = first.backend.name
    yield from installed(other for other in ranked() if other != name)
    yield from (select(f"{name}:{quirk.instead}") for quirk in first.capabilities.quirks if quirk.instead)


def _asked(model: Model, other: Selection, request: Request, budget: Budget) -> tuple[int, Outcome]:
    """Return how many solutions another engine finds, up to the limit, and the outcome."""
    from .road import run

    features = {Feature.PROVE, Feature.ENUMERATE} if request.limit != 1 else {Feature.PROVE}
    if not features <= other.capabilities.features:
        raise Unsupported(f"{other} does not enumerate solutions")
    with run(model, other, request, isolate=model.size > APART, budget=budget) as found:
        count = sum(1 for _ in found)
        return count, found.outcome


def _wrong(guard: Guard, other: Selection) -> WrongAnswer:
    first = guard.selection
    if guard.objective:
        what = "better than the best" if guard.count else "where it found none"
    else:
        what = f"beyond the {guard.count} that it found" if guard.count else "where it found none"
    return WrongAnswer(f"{first} lost a solution: {other} has one {what}, which the model accepts", first.backend.name)
