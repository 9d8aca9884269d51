"""Backends that do one thing wrong, to be registered in a test."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from sudoku_models.engine import registry
from sudoku_models.engine.contract import Capabilities, Ending, Feature, Reason, Request, Run, Search
from sudoku_models.engine.record import Clock, Record
from sudoku_models.engine.road import run as true_run
from sudoku_models.errors import BackendCrashed
from sudoku_models.model import AllDifferent, InDomain, Model

Faulty = Callable[[Model, Request, Clock], Search]


@dataclass(frozen=True)
class NoOptions:
    pass


class Planted:
    """A backend whose searches are made by a function."""

    Options = NoOptions

    def __init__(self, name: str, search: Faulty, *features: Feature) -> None:
        self.name, self.search = name, search
        self.capabilities = Capabilities(
            kinds=frozenset({AllDifferent, InDomain}),
            features=frozenset(features or {Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT}),
        )

    def capabilities_with(self, options: NoOptions) -> Capabilities:
        return self.capabilities

    def compile(self, model: Model, options: NoOptions) -> PlantedCompiled:
        return PlantedCompiled(model, self.search)


class PlantedCompiled:
    native = None

    def __init__(self, model: Model, search: Faulty) -> None:
        self.model, self.search = model, search

    def run(self, request: Request) -> Run:
        clock, record = Clock(request.time_limit), Record()
        return Run(self.search(self.model, request, clock), clock, record)


def _solutions(model: Model, request: Request) -> Iterator[tuple[int, ...]]:
    yield from true_run(model, "backtracking", Request(request.domains, request.limit))


def honest(model: Model, request: Request, clock: Clock) -> Search:
    count = 0
    for solution in _solutions(model, request):
        count += 1
        yield solution
    return Ending(Reason.LIMIT if count == request.limit else Reason.EXHAUSTED)


def says_unsatisfiable(model: Model, request: Request, clock: Clock) -> Search:
    yield from ()
    return Ending(Reason.EXHAUSTED)


def says_unique(model: Model, request: Request, clock: Clock) -> Search:
    yield next(_solutions(model, request))
    return Ending(Reason.EXHAUSTED)


def returns_ones(model: Model, request: Request, clock: Clock) -> Search:
    yield (1,) * len(model.names)
    return Ending(Reason.EXHAUSTED)


def repeats_itself(model: Model, request: Request, clock: Clock) -> Search:
    first = next(_solutions(model, request))
    yield first
    yield first
    return Ending(Reason.LIMIT)


def raises(model: Model, request: Request, clock: Clock) -> Search:
    yield from ()
    raise RuntimeError("the engine stumbled")


def crashes(model: Model, request: Request, clock: Clock) -> Search:
    yield from ()
    raise BackendCrashed("the engine's process was killed by signal 11")


def needs_memory(model: Model, request: Request, clock: Clock) -> Search:
    yield from ()
    raise MemoryError


def gives_up(model: Model, request: Request, clock: Clock) -> Search:
    yield from ()
    return Ending(Reason.GAVE_UP)


def takes_all_time(model: Model, request: Request, clock: Clock) -> Search:
    yield from ()
    while not clock.expired:
        time.sleep(0.005)
    return Ending(Reason.TIME)


def finds_one_and_dawdles(model: Model, request: Request, clock: Clock) -> Search:
    yield next(_solutions(model, request))
    return (yield from takes_all_time(model, request, clock))


def interrupts(model: Model, request: Request, clock: Clock) -> Search:
    yield from ()
    raise KeyboardInterrupt


FAULTS: dict[str, Faulty] = {
    "honest": honest,
    "denier": says_unsatisfiable,
    "uniquer": says_unique,
    "ones": returns_ones,
    "repeater": repeats_itself,
    "stumbler": raises,
    "crasher": crashes,
    "glutton": needs_memory,
    "quitter": gives_up,
    "sleeper": takes_all_time,
    "dawdler": finds_one_and_dawdles,
    "interrupter": interrupts,
}


class _Entry:
    def __init__(self, backend: Any) -> None:
        self.backend = backend

    def load(self) -> Any:
        return self.backend


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register all of FAULTS, by name, beside the real backends."""
    real = registry._entry_points()
    added = {name: _Entry(Planted(name, search)) for name, search in FAULTS.items()}
    simple = _Entry(Planted("simple", honest, Feature.PROVE))
    registry._select_text.cache_clear()
    monkeypatch.setattr(registry, "_entry_points", lambda: {**real, **added, "simple": simple})
    yield
    registry._select_text.cache_clear()
