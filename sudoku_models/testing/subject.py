"""The backend under test, the questions for it, and the comparison of its answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..engine.contract import Feature, Outcome, Request, Run, Solution
from ..engine.registry import BackendLike, Selection, select
from ..engine.road import plan, run
from ..errors import Unsupported
from ..model import Domain, Model, brute_force
from .gap import Kind, NotApplicable

T = TypeVar("T")

SolveNative = Callable[[Any, Sequence[Any], Sequence[Any]], Any]
"""Asks an engine, without the library, for an answer to a native model (which it may change) in which all of some
literals are true and all of others false; None if there is none."""


def require(condition: object, message: str) -> None:
    """Raise AssertionError with the message if the condition is false, even with ``python -O``."""
    if not condition:
        raise AssertionError(message)


@dataclass
class Subject:
    """A backend under test. ``ran`` counts the cases whose answers were actually compared.

    ``reference`` is the trusted backend for boards out of reach of brute force. ``share`` is the fraction of the random
    cases to run: below 1 for an engine that takes long to start. ``solve_native`` asks the engine itself, see
    ``SolveNative``.
    """

    selection: Selection
    reference: BackendLike = "backtracking:strategy=fewest"
    share: float = 1.0
    solve_native: SolveNative | None = None
    ran: int = 0
    passed: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, spec: BackendLike) -> Subject:
        """Make a subject from whatever names a backend."""
        return cls(select(spec))

    def some(self, cases: int) -> int:
        """Return how many of a number of random cases to run, at least one."""
        return max(1, math.ceil(cases * self.share))

    def part(self, cases: Sequence[T]) -> list[T]:
        """Return the share of a list to use, evenly spaced."""
        count = min(self.some(len(cases)), len(cases))
        return [cases[i * len(cases) // count] for i in range(count)]

    def has(self, feature: Feature) -> bool:
        """Return whether the backend declares a feature."""
        return feature in self.selection.capabilities.features

    def needs(self, *features: Feature) -> None:
        """Raise NotApplicable for the first feature that the backend does not declare."""
        for feature in features:
            if not self.has(feature):
                raise NotApplicable(Kind.FEATURE, f"{self.selection} does not declare {feature.value!r}")

    def refusal(self, model: Model) -> NotApplicable | None:
        """Return why the backend does not accept a model, None if it does."""
        try:
            plan(model, self.selection)
        except Unsupported as error:
            family = self.selection.capabilities.refuses_model(model)
            return NotApplicable(Kind.FAMILY if family else Kind.CONSTRAINT, str(error))
        return None

    def takes(self, model: Model) -> Model:
        """Return the model; NotApplicable if the backend does not accept it."""
        refusal = self.refusal(model)
        if refusal:
            raise refusal
        return model

    def taken(self, models: Iterable[Model]) -> Iterator[Model]:
        """Yield the models that the backend accepts; NotApplicable at the end if there was none."""
        refusal, some = None, False
        for model in models:
            why = self.refusal(model)
            if why is None:
                some = True
                yield model
            refusal = refusal or why
        if refusal and not some:
            raise refusal

    def run(self, model: Model, **request: Any) -> Run:
        """Start a request."""
        return run(model, self.selection, Request(**{"confirm": False, **request}))

    def all(self, model: Model, **request: Any) -> tuple[list[Solution], Outcome]:
        """Return all solutions of the request (without a limit) and the outcome."""
        with self.run(model, **{"limit": None, **request}) as found:
            return list(found), found.outcome

    def first(self, model: Model, **request: Any) -> tuple[Solution | None, Outcome]:
        """Return the first solution, if any, and the outcome."""
        with self.run(model, **request) as found:
            return next(found, None), found.outcome

    def agrees(
        self, model: Model, domains: Mapping[str, Domain] | None = None, keep: tuple[str, ...] | None = None
    ) -> None:
        """Compare the backend's answers with brute force: neither more nor fewer, each once."""
        domains = domains or {}
        truth = list(brute_force(model.narrowed(domains)))
        at = range(len(model.names)) if keep is None else [model.index[name] for name in keep]
        label = f"{self.selection} on\n{model}\nwith domains {dict(domains)}, keep {keep}: "
        if self.has(Feature.ENUMERATE):
            self._same(truth, list(at), label, *self.all(model, domains=domains, keep=keep))
        else:
            self._one_of(truth, label, *self.first(model, domains=domains))
        self.ran += 1

    def _same(self, truth: list[Solution], at: list[int], label: str, found: list[Solution], outcome: Outcome) -> None:
        wrong = [solution for solution in found if solution not in set(truth)]
        require(not wrong, f"{label}{wrong[:3]} are no solutions")
        kept = [tuple(solution[i] for i in at) for solution in found]
        require(len(set(kept)) == len(kept), f"{label}a solution came twice among {kept[:20]}")
        require(outcome.count == len(found), f"{label}{len(found)} solutions came, {outcome.count} are counted")
        if self.has(Feature.PROVE):
            lost = {tuple(solution[i] for i in at) for solution in truth} - set(kept)
            require(not lost, f"{label}{sorted(lost)[:3]} are missing ({len(lost)} of them)")
            require(outcome.complete, f"{label}the search ended by {outcome.reason} with every solution found")
        else:
            require(not outcome.complete, f"{label}completeness is claimed without the feature 'prove'")

    def _one_of(self, truth: list[Solution], label: str, found: Solution | None, outcome: Outcome) -> None:
        require(found is None or found in truth, f"{label}{found} is not a solution")
        if not self.has(Feature.PROVE):
            require(not outcome.complete, f"{label}completeness is claimed without the feature 'prove'")
        elif found is None:
            require(not truth and outcome.complete, f"{label}no solution was found; there are {len(truth)}")
