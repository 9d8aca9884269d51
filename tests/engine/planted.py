"""Backends that misbehave, for tests of the road and of isolation; a child process imports them by this module."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Ending, Feature, Isolate, Reason, Request, Search, Solution
from sudoku_models.engine.record import Record
from sudoku_models.model import AllDifferent, InDomain, Model, brute_force

EVERY = frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT})


@dataclass(frozen=True)
class PlantedOptions:
    """One option of each sort."""

    form: str = field(default="good", metadata={"choices": ("good", "bad")})
    times: int = 1
    fast: bool = False


class Planted:
    """Solves small models by brute force; subclasses do something wrong on the way."""

    Options: type = PlantedOptions
    features = EVERY
    isolate = Isolate.NEVER

    @property
    def name(self) -> str:
        return type(self).__name__.lower()

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(frozenset({AllDifferent, InDomain}), self.features, isolate=self.isolate)

    def capabilities_with(self, options: Any) -> Capabilities:
        return self.capabilities

    def compile(self, model: Model, options: Any) -> Any:
        return Compiled(self, model)

    def solutions(self, model: Model) -> Iterator[Solution]:
        yield from brute_force(model)

    def search(self, model: Model, request: Request, budget: Budget, record: Record) -> Search:
        for count, solution in enumerate(self.solutions(model.narrowed(request.domains)), 1):
            yield solution
            if count == request.limit:
                return Ending(Reason.LIMIT)
        return Ending(Reason.EXHAUSTED)


class Compiled:
    native = None

    def __init__(self, backend: Planted, model: Model) -> None:
        self.backend, self.model = backend, model

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        return self.backend.search(self.model, request, budget, record)


class Clashes(Planted):
    """Cannot be loaded beside a module that is loaded in every test."""

    @property
    def capabilities(self) -> Capabilities:
        return replace(super().capabilities, requires=("xmlrpc.client",), conflicts=("pytest",))


class Gives(Planted):
    """Yields what it was made with, and ends or fails as it was made to."""

    features = EVERY | {Feature.OBJECTIVE}

    def __init__(self, *found: Any, then: Reason | Exception = Reason.EXHAUSTED) -> None:
        self.found, self.then = found, then

    def search(self, model: Model, request: Request, budget: Budget, record: Record) -> Search:
        for count, solution in enumerate(self.found, 1):
            yield solution
            if count == request.limit:
                return Ending(Reason.LIMIT)
        if isinstance(self.then, Exception):
            raise self.then
        return Ending(self.then)


class Isolated(Planted):
    features = EVERY - {Feature.TIME_LIMIT}
    isolate = Isolate.ALWAYS


class RaisesInCompile(Planted):
    def compile(self, model: Model, options: Any) -> Any:
        raise RuntimeError("the model is too beautiful")


class Unproved(Planted):
    features = EVERY - {Feature.PROVE}


class FirstOnly(Planted):
    features = EVERY - {Feature.ENUMERATE}


class NeverStops(Isolated):
    """Finds a solution and then cannot be closed."""

    def solutions(self, model: Model) -> Iterator[Solution]:
        try:
            yield from brute_force(model)
        finally:
            time.sleep(120)


class Parent(Isolated):
    """Starts a process of its own, returns its number as a solution, and never comes back."""

    def solutions(self, model: Model) -> Iterator[Solution]:
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
        yield divmod(process.pid, 2048)
        time.sleep(120)


class Improves(Isolated):
    """Yields given solutions, with a bound for each, and then ends as given or hangs."""

    features = frozenset({Feature.OBJECTIVE, Feature.PROVE})

    def __init__(self, *yields: tuple[Solution, int | None], then: Ending | Exception | None = None) -> None:
        self.yields, self.then = yields, then

    def search(self, model: Model, request: Request, budget: Budget, record: Record) -> Search:
        for solution, record.bound in self.yields:
            yield solution
        if isinstance(self.then, Exception):
            raise self.then
        while self.then is None:
            time.sleep(1)
        return self.then


class Tries(Improves):
    """Gives up behind the first of its solutions when it is tried in process."""

    features = Improves.features | {Feature.PATIENCE}

    def search(self, model: Model, request: Request, budget: Budget, record: Record) -> Search:
        if request.patience is None:
            return (yield from super().search(model, request, budget, record))
        solution, record.bound = self.yields[0]
        yield solution
        return Ending(Reason.GAVE_UP)
