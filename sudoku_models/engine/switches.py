"""Models that grow in one kept engine: sessions, and parts that are switched on for each question, with their cores."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import Any, TypeVar

from ..dataclass import dataclass
from ..errors import BackendFailed, LimitReached, Unsupported, WrongAnswer
from ..lowering import Branches, Lowered, lower
from ..model import Constraint, Domain, InDomain, Model, Variable
from .auto import choose
from .base import ended, keeps_nothing
from .budget import Budget
from .check import Checker, Guard, guarded, without_auxiliaries
from .contract import Assuming, Closable, Feature, Reason, Request, Run, Search, Solution
from .record import Record
from .registry import BackendLike, Selection, installed, is_patient, ranked, select
from .road import (
    Place,
    Prepared,
    checked,
    compiled_by,
    needed,
    normal,
    place_of,
    plan,
    prepare,
    refuse_undeclared,
    run,
)

RATE, SLOW_RATE, LARGE = 1e-5, 1e-4, 200_000
"""Seconds that stating parts one by one takes for each unit of size of a model, and of a large one; where such begin.
"""

BRIEF = 1_000_000
"""The patience of a short turn: about a tenth of a second of work."""


@dataclass(frozen=True)
class Part:
    """A part that may belong to a contradiction: a group of constraints, or of narrowed domains, under one label.

    ``rules`` are the rules that the constraints express, for the base's judge, which also judges by the rules that the
    base states. A judge assumes boards on which every ``assumed`` part (a house) holds; solutions of fewer parts are
    checked but not judged.
    """

    label: Any
    constraints: tuple[Constraint, ...] = ()
    domains: Mapping[str, Domain] = field(default_factory=dict)
    rules: tuple[Any, ...] = ()
    assumed: bool = False

    @property
    def stated(self) -> tuple[Constraint, ...]:
        """The part with its domains turned into constraints."""
        return (*self.constraints, *(InDomain(x, values) for x, values in self.domains.items()))


@dataclass(frozen=True)
class SwitchAnswer:
    """A solution by the names of the model's variables; or None and the indexes of parts that contradict each other."""

    values: Mapping[str, int] | None
    core: tuple[int, ...] = ()


A = TypeVar("A", SwitchAnswer, SwitchAnswer | None)
T = TypeVar("T")
Chosen = tuple[int, ...]
Narrow = Mapping[str, Domain]


def addition(
    selection: Selection, before: Model, constraints: Sequence[Constraint], check: Callable[[], object] | None = None
) -> tuple[Lowered, tuple[Variable, ...]]:
    """Return constraints lowered for an engine that has a model already, and the variables that they need beyond its.

    What could be added to a model as a whole is not added to them.
    """
    able = selection.capabilities
    step = lower(Model(before.variables, constraints), able.kinds, able.accepts, str(selection), check)
    return step, step.model.variables[len(before.variables) :]


class Switches(Closable):
    """Asks, again and again, which parts of a model have a solution together.

    Every solution is checked on the model and on the parts that were switched on: WrongAnswer if one breaks them. An
    engine that keeps what it learns is asked, in this process alone. If stating all parts to it would take longer than
    the limit, or if there is none, the chosen parts are stated anew for each question.
    """

    def __init__(
        self,
        base: Model,
        parts: Sequence[Part],
        spec: BackendLike = "auto",
        budget: Budget | None = None,
        *,
        request: Request | None = None,
        record: Record | None = None,
    ) -> None:
        """State the model and its parts; the ``budget`` covers this and all questions together. ``request`` has the
        seed and the workers of each question.

        LimitReached if stating takes longer, or is expected to; Unsupported if the backend proves nothing, or does not
        declare what the request needs.
        """
        self.base, self.parts = Model(base.variables, base.constraints), tuple(parts)
        self.request = replace(request or Request(), limit=1, time_limit=None, memory_limit=None)
        self.clock = Budget(within=budget)
        self._judge, self._rules = base.judge, base.rules
        self._assumed = frozenset(i for i, part in enumerate(self.parts) if part.assumed)
        self._checkers: dict[Chosen | None, Checker] = {}
        self._last: tuple[Chosen, Model] = (), self.base
        self.record = record or Record()
        with self.clock:
            self._choose(spec)
            watch = self.record.stopwatch()
            self._inside = None if self._late or not self._keeps() else self._stated()
            watch.lap("compile")

    def _choose(self, spec: BackendLike) -> None:
        together, needs = whole(self.base, self.parts), frozenset(needed(self.request))
        self._late = spec == "auto" and _is_late(together, self.clock.left)
        if self._late:
            self.selection = choose(together, needs | {Feature.PROVE}, self.clock).selection
        elif spec == "auto":
            self.selection = keeping(self.base, self.parts, self._look, needs)
        else:
            self.selection = select(spec)
        if Feature.PROVE not in self.selection.capabilities.features:
            raise Unsupported(
                f"{self.selection} does not declare {Feature.PROVE.value!r}, which finding what is missing needs"
            )
        refuse_undeclared(self.selection, self.request)
        self.record.backend, self.record.options = self.selection.backend.name, self.selection.changed

    def _keeps(self) -> bool:
        """Return whether the engine keeps parts, and may work in this process."""
        able = Feature.ASSUME in self.selection.capabilities.features
        return able and place_of(self.selection, self.clock, self.base) is Place.HERE

    def _look(self) -> None:
        if self.clock.expired:
            raise LimitReached("time limit")

    def _stated(self) -> Assuming | None:
        """State everything to an engine that keeps it, each part behind a switch."""
        capabilities = self.selection.capabilities
        lowered = addition(self.selection, Model(self.base.variables), self.base.constraints, self._check_time)[0].model
        stated, grown = [], lowered
        for part in self.parts:
            constraints, variables = part.stated, tuple[Variable, ...]()
            if any(capabilities.accepts(constraint) for constraint in constraints):
                step, variables = addition(self.selection, grown, constraints, self._check_time)
                grown, constraints = grown.with_(variables=variables), step.model.constraints
            stated.append((constraints, variables))
        self._check_time(stating_takes(grown.size + sum(c.size for constraints, _ in stated for c in constraints)))
        self._width = len(grown.names)
        every = grown.with_(*(c for constraints, _ in stated for c in constraints))
        self._doubted = any(quirk.touches(every) for quirk in capabilities.quirks)
        compiled: Any = compiled_by(self.selection, lowered)
        engine: Assuming = compiled.assume()
        self._numbers: dict[int, int] = {}
        for number, (constraints, variables) in enumerate(stated):
            self._check_time()
            try:
                self._numbers[guarded(self.selection, engine.add, constraints, variables, True)] = number
            except Unsupported:  # it cannot be switched: the parts are stated anew for each question
                engine.close()
                return None
        self._switch = {number: switch for switch, number in self._numbers.items()}
        return engine

    def _check_time(self, expected: float = 0.0) -> None:
        """Raise LimitReached if time is up, or if the expected seconds of stating do not fit into the time left."""
        if self.clock.left is not None and (self.clock.expired or expected > self.clock.left):
            needs = f"about {expected:.0f} s, so a longer time limit is needed" if expected else "longer than the limit"
            raise LimitReached(f"stating all rules to {self.selection} takes {needs}")

    def ask(self, numbers: Iterable[int], domains: Narrow | None = None) -> SwitchAnswer:
        """Return a solution of some parts with narrowed domains, or a contradiction; LimitReached if time is up."""
        chosen, narrow = tuple(numbers), domains or {}
        return self._checked(lambda: self._within(chosen, narrow) or self._run(chosen, narrow), chosen, narrow)

    def attempt(self, numbers: Iterable[int]) -> SwitchAnswer | None:
        """Ask the same with little work; None if that was not enough."""
        chosen = tuple(numbers)
        with suppress(LimitReached):
            return self._checked(lambda: self._within(chosen, {}, BRIEF), chosen, {})
        return None

    def proved(self, numbers: Iterable[int]) -> bool:
        """Return whether some parts have no solution, by a search that states them anew and is confirmed if need be."""
        chosen = tuple(numbers)
        return self._checked(lambda: self._run(chosen, {}), chosen, {}).values is None

    def _checked(self, ask: Callable[[], A], chosen: Chosen, narrow: Narrow) -> A:
        """Ask, with the clock running, and check any solution found."""
        watch = self.record.stopwatch()
        try:
            with self.clock:
                answer = ask()
        finally:
            watch.lap("run")
        if answer is not None and answer.values is not None:
            self._check(answer.values, chosen, narrow)
        return answer

    def _within(self, chosen: Chosen, narrow: Narrow, patience: int | None = None) -> SwitchAnswer | None:
        """Ask the engine that holds all parts; None if there is none, or if it cannot be trusted with the answer."""
        if self._inside is None:
            return None
        request = replace(self.request, domains=narrow, patience=patience)
        switches = [self._switch[i] for i in chosen]
        search = guarded(self.selection, self._inside.search, request, self.clock, Record(), switches)
        with Run(ended(without_auxiliaries(search, self._width, self.base))) as found:
            solution = guarded(self.selection, next, found, None)
            ending = found.ending
        if solution is not None and len(solution) != len(self.base.names):
            wrong = f"it has {len(solution)} values for {len(self.base.names)} variables"
            raise WrongAnswer(f"{self.selection} returned a wrong solution: {wrong}", self.selection.backend.name)
        if solution is not None:
            return SwitchAnswer(dict(zip(self.base.names, solution, strict=True)))
        if ending.reason is not Reason.EXHAUSTED:
            raise LimitReached(str(ending.reason))
        if type(ending.failed) is not tuple or not {*ending.failed} <= {*switches}:
            named = f"{ending.failed!r:.60}: switches that it was given are expected"
            raise BackendFailed(f"{self.selection} returned the core {named}")
        if self._doubted:
            return None
        return SwitchAnswer(None, tuple(sorted(self._numbers[switch] for switch in ending.failed)))

    def _run(self, chosen: Chosen, narrow: Narrow) -> SwitchAnswer:
        """Ask the engine in a run, to which the parts are stated anew; domains are kept apart, so that one model serves
        many choices.
        """
        domains = dict(narrow)
        for i in chosen:
            for x, values in self.parts[i].domains.items():
                domains[x] = tuple(v for v in domains.get(x, values) if v in values)
                if not domains[x]:  # no engine is needed
                    return SwitchAnswer(None, tuple(j for j in chosen if x in self.parts[j].domains))
        kept = tuple(i for i in chosen if self.parts[i].constraints)
        if self._last[0] != kept:
            self._last = kept, self.base.with_(*(c for i in kept for c in self.parts[i].constraints))
        model = self._last[1]
        with run(model, self.selection, replace(self.request, domains=domains), budget=self.clock) as found:
            solution, outcome = next(found, None), found.outcome
        self.record.confirm(outcome.record.confirmed)
        if solution is not None:
            return SwitchAnswer(dict(zip(model.names, solution, strict=True)))
        if not outcome.complete:
            raise LimitReached(str(outcome.reason))
        return SwitchAnswer(None, chosen)

    def _check(self, values: Mapping[str, int], chosen: Sequence[int], narrow: Narrow) -> None:
        fault = self._checker(chosen).fault(tuple(values[x] for x in self.base.names), narrow)
        broken = fault or next((str(self.parts[i].label) for i in chosen if not self.holds(i, values)), None)
        if broken:
            raise WrongAnswer(
                f"{self.selection}: a solution of some parts breaks one of them: {broken}", str(self.selection)
            )

    def _checker(self, chosen: Sequence[int]) -> Checker:
        """Return the checker for solutions of some parts, with a judge if everything holds that the judge assumes."""
        judged = self._judge is not None and self._assumed.issubset(chosen)
        key = tuple(i for i in chosen if self.parts[i].rules) if judged else None
        if key not in self._checkers:
            rules = [*self._rules, *(rule for i in key or () for rule in self.parts[i].rules)]
            judge = self._judge.of(rules) if judged and rules and self._judge is not None else None
            self._checkers[key] = Checker(Model(self.base.variables, self.base.constraints, judge=judge))
        return self._checkers[key]

    def holds(self, number: int, values: Mapping[str, int]) -> bool:
        """Return whether values satisfy a part."""
        part = self.parts[number]
        inside = all(values[x] in domain for x, domain in part.domains.items())
        return inside and all(c.holds(values) for c in part.constraints)

    def limit(self, seconds: float | None) -> None:
        """Allow this much time from now on; None for no limit."""
        self.clock = Budget(seconds)

    def close(self) -> None:
        """Release the engine."""
        if self._inside is not None:
            self._inside.close()


def stating_takes(size: int) -> float:
    """Return the expected seconds for stating a lowered model of some size to an engine that keeps it."""
    return size * (RATE if size < LARGE else SLOW_RATE)


def _is_late(model: Model, time_limit: float | None) -> bool:
    """Return whether a model is too large for stating its parts one by one within a limit."""
    return time_limit is not None and model.size > LARGE and model.size * SLOW_RATE > time_limit


def whole(base: Model, parts: Sequence[Part]) -> Model:
    """Return a model with all parts in force and without an objective."""
    return base.without_objective().with_(*(c for part in parts for c in part.stated))


def keeping(
    base: Model,
    parts: Sequence[Part],
    check: Callable[[], object] | None = None,
    needs: frozenset[Feature] = frozenset(),
) -> Selection:
    """Return the first installed backend that accepts a model with its parts, preferably one that keeps them.

    Unsupported if there is none that declares the features ``needs``. ``check`` is called during the work; an exception
    from it ends the work.
    """
    model, passed = whole(base, parts), []
    able = installed((name for name in ranked(houses=True) if not is_patient(name)), needs | {Feature.PROVE})
    alone = [select(one.backend) for one in able]
    for selection in sorted(alone, key=lambda one: Feature.ASSUME not in one.capabilities.features):
        try:
            plan(model, selection, check)
        except Unsupported as error:
            passed.append(f"{selection}: {error}")
        else:
            return selection
    raise Unsupported("no backend accepts this model with its parts: " + "; ".join(passed))


def minimal(parts: Iterable[T], contradict: Callable[[list[T]], Iterable[T] | None], block: int = 1) -> list[T]:
    """Return some of ``parts`` that contradict each other and of which none can be left out.

    ``contradict`` returns those of the parts it is given that contradict each other, None if all of them have a
    solution. Blocks of parts are left out first, of ``block`` parts and then half as many.
    """
    left = list(parts)
    while block and left:
        kept: list[T] = []
        waiting = left
        while waiting:
            tried, waiting = waiting[:block], waiting[block:]
            found = contradict([*kept, *waiting])
            if found is None:
                kept += tried
            else:
                core = {*found}
                kept, waiting = ([i for i in some if i in core] for some in (kept, waiting))
        left, block = kept, block // 2
    return left


def core(
    base: Model,
    parts: Sequence[Part],
    spec: BackendLike,
    request: Request | None = None,
    record: Record | None = None,
) -> list[Part] | None:
    """Return parts that contradict each other (and ``base``), none of which could be left out; None if there is no
    conflict.

    Found by deletion: a part is dropped if the others still have no solution. A backend with the feature ``assume``
    also names, at each question, the parts that it used. A run must prove that the core has no solution, and each
    solution without one of its parts is checked. ``request`` holds limits for the whole work; limits, isolation and
    errors are as for a run. If a limit is reached, LimitReached has in ``known`` a list of parts that contradict each
    other but may not be minimal, or None if nothing is known. Unsupported if the backend proves nothing.
    """
    request = normal(base, request or Request())
    budget = Budget(request.time_limit, request.memory_limit)
    known: list[int] | None = None
    try:
        with Switches(base, parts, spec, budget=budget, request=request, record=record) as switches:

            def contradict(numbers: Iterable[int]) -> Iterable[int] | None:
                nonlocal known
                answer = switches.ask(numbers)
                if answer.values is None:
                    known = [*answer.core]
                return None if answer.values is not None else answer.core

            found = contradict(range(len(parts)))
            if found is None:
                return None
            reports = len([*found]) < len(parts)
            found = minimal(found, contradict, 1 if reports else len(parts) // 2)
            if not switches.proved(found):
                engine = switches.selection
                raise WrongAnswer(f"{engine} returned a core that has a solution", engine.backend.name)
    except LimitReached as stopped:
        reached = None if known is None else [parts[i] for i in sorted(known)]
        raise LimitReached(f"the core is not known: {stopped}", reached) from None
    return [parts[i] for i in sorted(found)]


# sessions


class Session(Closable):
    """A model on a backend with the feature ``assume``, which keeps as much of its work as it can between runs.

    ``model`` is the model as stated so far. A session belongs to the thread that made it and has one run at a time: an
    open run ends when the next one begins and when a constraint is added. Use it in a ``with`` block, or close it.
    """

    def __init__(self, model: Model, spec: BackendLike) -> None:
        """Begin with a model; Unsupported if the backend has no sessions or does not accept the model."""
        self.selection = select(spec)
        if Feature.ASSUME not in self.selection.capabilities.features:
            raise keeps_nothing(str(self.selection))
        prepared = prepare(model, self.selection)
        self._prepared = prepared
        self._engine = prepared.compiled.assume()
        self._thread = threading.get_ident()
        self._open: Run | None = None
        self._closed = False

    @property
    def model(self) -> Model:
        """The model as it was stated, with all added constraints."""
        return self._prepared.model

    def add(self, *constraints: Constraint) -> None:
        """Add constraints over the model's variables, of any kind that can be lowered for the backend.

        ValueError if one names something that is not a variable; Unsupported if the backend cannot take one. Then none
        is added, and an open run continues unless the engine itself refused the constraint.
        """
        self._belongs()
        stated = self.model.with_(*constraints)
        before, capabilities = self._prepared.lowered.model, self.selection.capabilities
        step, variables = addition(self.selection, before, constraints)
        whole = before.with_(*step.model.constraints, variables=variables)
        reason = capabilities.accepts_model(whole)
        if reason:
            raise Unsupported(f"{self.selection} does not accept this model: {reason}")
        self._settle()
        self._engine.add(step.model.constraints, variables)
        functional = self._prepared.lowered.functional and step.functional
        tree = Branches()
        tree.take_in(self._prepared.lowered.tree)
        tree.take_in(step.tree)
        lowered = Lowered(whole, functional, tree)
        self._prepared = Prepared(stated, self.selection, lowered, self._prepared.compiled)

    def run(self, request: Request | None = None, record: Record | None = None) -> Run:
        """Start a request under all constraints added so far; return a Run of checked solutions, like ``road.run``.

        It runs in this process: Unsupported for a limit that the backend does not observe by itself.
        """
        self._belongs()
        request, record = normal(self.model, request or Request()), record or Record()
        refuse_undeclared(self.selection, request, self.model)
        if request.memory_limit is not None:
            raise Unsupported("a session runs in this process, where memory cannot be limited")
        if request.time_limit is not None and Feature.TIME_LIMIT not in self.selection.capabilities.features:
            raise Unsupported(
                f"a session runs in this process, where {self.selection} cannot be stopped by a time limit"
            )
        self._settle()
        record.backend, record.options = self.selection.backend.name, self.selection.changed
        record.seed, record.planned = request.seed, tuple(str(self._prepared.lowered.tree).splitlines())
        budget = Budget(request.time_limit)
        self._open = _SessionRun(self._search(self._prepared, request, budget, record), budget, record)
        return self._open

    def _search(self, prepared: Prepared[Any], request: Request, budget: Budget, record: Record) -> Search:
        guard = Guard(prepared.model, self.selection, request)
        if request.keep is None and not prepared.lowered.functional and not prepared.model.objective:
            request = replace(request, keep=prepared.model.names)
        width = len(prepared.lowered.model.names)

        def begun(inner: Record) -> Search:
            return without_auxiliaries(self._engine.search(request, budget, inner), width, prepared.model)

        return (yield from checked(begun, budget, record, guard))

    def close(self) -> None:
        """End an open run and release the engine."""
        if not self._closed:
            self._settle()
            self._engine.close()
            self._closed = True

    def _settle(self) -> None:
        """End the open run, only in the thread of the session."""
        self._belongs()
        if self._open is not None:
            self._open.close()

    def _belongs(self) -> None:
        """Raise RuntimeError in another thread, or if the session is closed."""
        _refuse_thread(self._thread)
        if self._closed:
            raise RuntimeError("the session is closed")


class _SessionRun(Run):
    """A run of a session: only the thread that began it can advance and end it."""

    def __init__(self, search: Search, budget: Budget, record: Record) -> None:
        super().__init__(search, budget, record)
        self._thread = threading.get_ident()

    def __next__(self) -> Solution:
        _refuse_thread(self._thread)
        return super().__next__()

    def close(self) -> None:
        if self._ending is None:
            _refuse_thread(self._thread)
        super().close()


def _refuse_thread(thread: int) -> None:
    if threading.get_ident() != thread:
        raise RuntimeError("a session belongs to the thread that made it: make one in each thread")
