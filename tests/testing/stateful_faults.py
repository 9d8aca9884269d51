"""Faults that show with an objective, in a session, or in the maps to the native model."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sudoku_models.engine.contract import Ending, Reason, Request, Run, Solution
from sudoku_models.errors import Unsupported
from sudoku_models.model import InDomain, Model

from .faults import Faulty


class HoldsBack(Faulty):
    """Keeps what it has found until the time is up."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        first = next(found)
        time.sleep(found.budget.left or 0)
        yield first
        yield from found


class StopsOneTooEarly(Faulty):
    """Keeps the best solution to itself, and says that none is better than the one before."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        if not model.objective:
            yield from found
            return
        came = list(found)
        yield from came[:-1] or came


class WrongDirection(Faulty):
    """Maximises where it is to minimise."""

    def model(self, model: Model) -> Model:
        objective = model.objective
        return model.with_(objective=replace(objective, sense="maximize")) if objective else model


class WorseInBetween(Faulty):
    """Yields a solution that is no better than the one before."""

    def solutions(self, found: Run, request: Request, model: Model) -> Iterator[Solution]:
        came = list(found) if model.objective else []
        yield from came[1:] + came[:1] if came else found


class CompleteAtTheFirst(Faulty):
    """Calls a first solution the best one."""

    def request(self, request: Request, model: Model) -> Request:
        return replace(request, limit=1) if model.objective else request

    def ending(self, ending: Ending) -> Ending:
        return Ending(Reason.EXHAUSTED)


class TimeoutIsTheBest(Faulty):
    """Calls the best solution so far the best one, and its value the bound."""

    def request(self, request: Request, model: Model) -> Request:
        return replace(request, limit=request.limit or 2) if model.objective else request

    def ending(self, ending: Ending) -> Ending:
        return Ending(Reason.EXHAUSTED, ending.bound) if ending.reason is Reason.LIMIT else ending


class ForgetsNegatives(Faulty):
    """Reads every coefficient of an objective as positive."""

    def model(self, model: Model) -> Model:
        objective = model.objective
        return model.with_(objective=replace(objective, coeffs=map(abs, objective.coeffs))) if objective else model


class BoundOutOfReach(Faulty):
    """Claims as a bound what solutions exceed."""

    def ending(self, ending: Ending) -> Ending:
        return Ending(ending.reason, 1000)


class ForgetsWhatWasAdded(Faulty):
    """Takes no more than the first constraint that is added to a session."""

    def session(self, session: Any) -> Any:
        add, count = session.add, [0]

        def once(constraints: Any, variables: Any = ()) -> None:
            count[0] += 1
            add(constraints if count[0] == 1 else [], variables)

        session.add = once
        return session


class RemembersInSessions(Faulty):
    """The domains of a session's run are still in force in the next."""

    def session(self, session: Any) -> Any:
        search = session.search
        domains: dict[str, Any] = {}

        def narrower(request: Request, *content: Any) -> Any:
            domains.update(request.domains)
            return search(replace(request, domains=dict(domains)), *content)

        session.search = narrower
        return session


class SpoiltByRefusals(Faulty):
    """Adds what comes before a constraint that it refuses."""

    def session(self, session: Any) -> Any:
        add = session.add

        def hasty(constraints: Any, variables: Any = ()) -> None:
            add(constraints[:1], variables)
            if len(constraints) > 1:
                raise Unsupported("one constraint at a time")

        session.add = hasty
        return session


class _Maps:
    """The maps of a compiled form, one of which subclasses change."""

    def __init__(self, compiled: Any) -> None:
        self.variable, self.literal, self.decode = compiled.variable, compiled.literal, compiled.decode


class AnotherLiteral(Faulty):
    """Takes the literal of the next value for that of a value."""

    def maps(self, compiled: Any) -> Any:
        maps = _Maps(compiled)
        maps.literal = lambda x, value: compiled.literal(x, value) and InDomain(x, (value % 4 + 1,))
        return maps


class OneWayLiteral(Faulty):
    """Its literals are true of the value above, too."""

    def maps(self, compiled: Any) -> Any:
        maps = _Maps(compiled)
        maps.literal = lambda x, value: compiled.literal(x, value) and InDomain(x, (value, value + 1))
        return maps


class DecodesBackwards(Faulty):
    """Gives each variable the value of another one."""

    def maps(self, compiled: Any) -> Any:
        maps = _Maps(compiled)
        maps.decode = lambda answer: compiled.decode(answer[::-1])
        return maps


class StumblesOverAMap(Faulty):
    """Has no literals, and does not say so."""

    def maps(self, compiled: Any) -> Any:
        return object()


FAULTS: dict[type[Faulty], str] = {
    HoldsBack: "improvements_as_they_are_found",
    StopsOneTooEarly: "best_of_a_board",
    WrongDirection: "objectives",
    WorseInBetween: "best_of_a_board",
    CompleteAtTheFirst: "objectives_cut_short",
    TimeoutIsTheBest: "best_of_a_board",
    ForgetsNegatives: "odd_objectives",
    BoundOutOfReach: "objectives_cut_short",
    ForgetsWhatWasAdded: "sessions_grow",
    RemembersInSessions: "sessions_grow",
    SpoiltByRefusals: "sessions_outlive_refusals",
    AnotherLiteral: "maps_lead_both_ways",
    OneWayLiteral: "maps_lead_both_ways",
    DecodesBackwards: "maps_lead_both_ways",
    StumblesOverAMap: "maps_or_reasons",
}
"""Each fault, and a check that must catch it."""
