"""The backend under test, the questions for it, and the comparison of its answers; its checks, and why one does not
apply.
"""

from __future__ import annotations

import faulthandler
import math
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ..engine import tree
from ..engine.contract import Capabilities, Compiled, Feature, Outcome, Request, Run, Solution
from ..engine.registry import BackendLike, Selection, select
from ..engine.road import plan, run
from ..errors import Unsupported
from ..model import AllDifferent, Constraint, Domain, Model, Variable, brute_force
from .examples import structure

T = TypeVar("T")

SolveNative = Callable[[Any, Sequence[Any], Sequence[Any]], Any]
"""Asks an engine, without the library, for an answer to a native model (which it may change) in which all of some
literals are true and all of others false; None if there is none."""


class Kind(StrEnum):
    """The reasons why a check does not apply to a backend, or fails."""

    FEATURE = "feature"  # the backend does not declare what the check is about
    CONSTRAINT = "constraint"  # it takes no such constraint, nor does a rewrite lead to one that it takes
    FAMILY = "family"  # it takes one family of models only
    PLATFORM = "platform"  # this system does not tell what the check measures
    DEFECT = "defect"  # the backend, or its engine, does it wrongly


class NotApplicable(Exception):
    """A check does not apply, by what the backend declares."""

    def __init__(self, kind: Kind, reason: str) -> None:
        super().__init__(f"not applicable ({kind}): {reason}")
        self.kind, self.reason = kind, reason


@dataclass(frozen=True)
class Gap:
    """A check that a backend is known to fail. Strict: when it passes, the suite is red until the gap is removed."""

    check: str
    kind: Kind
    reason: str


def require(condition: object, message: str) -> None:
    """Raise AssertionError with the message if the condition is false, even with ``python -O``."""
    if not condition:
        raise AssertionError(message)


def raises(error: type[Exception], what: str, step: Callable[[], object]) -> str:
    """Return the message of the error that a step raises; AssertionError if it raises nothing, or without a message."""
    try:
        step()
    except error as raised:
        require(str(raised), f"{what}: {error.__name__} without a message")
        return str(raised)
    raise AssertionError(f"{what}: {error.__name__} is expected, and nothing is raised")


def values_of(model: Model, solutions: Iterable[Solution]) -> list[int]:
    """Return what the model's objective is in each solution."""
    assert model.objective
    return [model.objective.value(dict(zip(model.names, solution, strict=True))) for solution in solutions]


@dataclass
class Subject:
    """A backend under test. ``ran`` counts the cases whose answers were actually compared.

    ``reference`` is the trusted backend for boards out of reach of brute force. ``share`` is the fraction of the random
    cases to run: below 1 for an engine that takes long to start. ``solve_native`` asks the engine itself, see
    ``SolveNative``. A check is cut off after ``limit`` seconds.
    """

    selection: Selection
    reference: BackendLike = "backtracking:strategy=fewest"
    share: float = 1.0
    solve_native: SolveNative | None = None
    limit: float = 300.0
    ran: int = 0

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

    def taken(self, cases: Iterable[T], model_of: Callable[[T], Any] = lambda model: model) -> Iterator[T]:
        """Yield the cases whose models the backend accepts; NotApplicable at the end if there was none.

        A case is a model, or ``model_of`` returns its model.
        """
        refusal, some = None, False
        for case in cases:
            why = self.refusal(model_of(case))
            if why is None:
                some = True
                yield case
            refusal = refusal or why
        if refusal and not some:
            raise refusal

    def small(self) -> tuple[Model, int]:
        """Return a model that the backend accepts, and its number of solutions."""
        xs = [Variable(f"x{i}", range(1, 5)) for i in range(4)]
        known = ((Model(xs, [AllDifferent(xs)]), 24), (structure(2, 2), 288), (structure(3, 3), 10**9))
        for model, count in known[:-1]:
            if self.refusal(model) is None:
                return model, count
        return self.takes(known[-1][0]), known[-1][1]

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
        self,
        model: Model,
        domains: Mapping[str, Domain] | None = None,
        keep: tuple[str, ...] | None = None,
        ask: Callable[[Request], Run] | None = None,
    ) -> None:
        """Compare the backend's answers with brute force: neither more nor fewer, each once.

        What answers a request is the backend itself, or ``ask``.
        """
        domains, enumerates = domains or {}, self.has(Feature.ENUMERATE)
        truth = list(brute_force(model.narrowed(domains)))
        at = range(len(model.names)) if keep is None else [model.index[name] for name in keep]
        label = f"{self.selection} on\n{model}\nwith domains {dict(domains)}, keep {keep}: "
        request = Request(domains, None if enumerates else 1, keep if enumerates else None, confirm=False)
        with ask(request) if ask else run(model, self.selection, request) as answers:
            found = list(answers)
        if enumerates:
            self._same(truth, list(at), label, found, answers.outcome)
        else:
            self._one_of(truth, label, next(iter(found), None), answers.outcome)
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


class Wrapper:
    """Passes everything on to the backend inside, whose options are fixed. Subclasses change what they are about."""

    def __init__(self, inner: BackendLike) -> None:
        self.inner = select(inner)
        self.name = f"{type(self).__name__.lower()}-{self.inner}"

    @property
    def Options(self) -> type:  # noqa: N802
        """The options of the backend inside."""
        return self.inner.backend.Options

    @property
    def capabilities(self) -> Capabilities:
        """Those of the backend inside."""
        return self.inner.capabilities

    def capabilities_with(self, options: Any) -> Capabilities:
        """The same for all options: they were fixed when the wrapper was made."""
        return self.capabilities

    def compile(self, model: Model, options: Any) -> Compiled:
        """Compile with the backend inside and its own options."""
        return self.inner.backend.compile(model, self.inner.options)


class Restricted(Wrapper):
    """The backend inside, taking only ``kinds``."""

    def __init__(self, inner: BackendLike, kinds: Iterable[type[Constraint]]) -> None:
        super().__init__(inner)
        self.kinds = frozenset(kinds)
        self.name += "-" + "-".join(sorted(kind.__name__ for kind in self.kinds))

    @property
    def capabilities(self) -> Capabilities:
        """Those of the backend inside, for fewer kinds."""
        return replace(self.inner.capabilities, kinds=self.kinds & self.inner.capabilities.kinds)


# checks, with a limit: one that takes too long, or too much memory, is cut off and named

MEMORY = 4 << 30
"""The most bytes by which the memory of this process may grow in a check (on Linux)."""


Models = Callable[[], Iterable[Model]]


@dataclass(frozen=True)
class Check:
    """A named check; calling it runs it on a subject. An exception says what is wrong.

    It applies to a backend that declares ``features`` and accepts at least one of the ``models``, if there are any.

    After ``subject.limit`` seconds the check is cut off: AssertionError with its name. If the engine does not even let
    an exception through (it works without returning to Python, or catches everything), the process ends a little later
    and prints where it was to ``terminal``, the number of an open file (default: standard error).
    """

    name: str
    function: Callable[[Subject], None]
    features: tuple[Feature, ...] = ()
    models: Models | None = None

    def refusal(self, subject: Subject) -> NotApplicable | None:
        """Return why the check does not apply to a backend, by what that declares; None if it does."""
        try:
            subject.needs(*self.features)
            next(subject.taken(self.models()), None) if self.models else None
        except NotApplicable as reason:
            return reason
        return None

    def __call__(self, subject: Subject, terminal: int | None = None) -> None:
        """Run the check; NotApplicable if it does not apply."""
        if refusal := self.refusal(subject):
            raise refusal
        with _limited(f"the check {self.name} of {subject.selection}", subject.limit, terminal), _less_memory():
            self.function(subject)


def check(*features: Feature, on: Models | None = None) -> Callable[[Callable[[Subject], None]], Check]:
    """Make a check of a function, named after it, for backends with these features that accept a model of ``on``."""
    models = cache(lambda: tuple(on())) if on else None  # many backends are asked whether they accept them
    return lambda function: Check(function.__name__, function, features, models)


class _CutOff(BaseException):
    """The limit of a check is reached: no Exception, for adapters may catch those."""


@contextmanager
def _limited(what: str, seconds: float, terminal: int | None) -> Iterator[None]:
    """Raise AssertionError in what runs inside, in the main thread, when it has taken too long."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    reached = False

    def cut_off(signum: int, frame: object) -> None:
        nonlocal reached
        reached = True
        raise _CutOff

    before = signal.signal(signal.SIGALRM, cut_off)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)  # again and again: an adapter may swallow the first exception
    faulthandler.dump_traceback_later(1.2 * seconds + 5, exit=True, file=terminal or sys.__stderr__ or 2)
    try:
        yield
    except (_CutOff, Exception):
        if not reached:
            raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()
    if reached:
        raise AssertionError(f"{what} was cut off after {seconds:g} s")


@contextmanager
def _less_memory() -> Iterator[None]:
    """Let what takes much more memory than this process has now raise MemoryError, before the machine swaps."""
    if not tree.SEEN:
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    most = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize() + MEMORY
    if before[0] == resource.RLIM_INFINITY or before[0] > most:
        resource.setrlimit(resource.RLIMIT_DATA, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
