"""Cores: parts of a model that contradict each other, none of which is superfluous."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..errors import BackendFailed, LimitReached, Unsupported, WrongAnswer
from ..lowering import lower
from ..model import Constraint, Domain, InDomain, Judge, Model
from . import workers
from .budget import Budget, Interruption, OutOfMemory
from .check import guarded
from .contract import CompiledWithCore, Feature, Reason, Request
from .record import Record
from .registry import BackendLike, Selection, select
from .road import Place, compiled_by, normal, place_of, refuse_undeclared, run
from .workers import bare, portable

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """A part that may belong to a contradiction: a group of constraints, or of narrowed domains, under one label.

    ``rules`` are the rules that the constraints express, for the base's judge. A judge assumes boards on which every
    ``assumed`` part (a house) holds; solutions of fewer parts are checked but not judged.
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


def core(
    base: Model,
    parts: Sequence[Part],
    spec: BackendLike,
    request: Request | None = None,
    record: Record | None = None,
    quick: BackendLike | None = None,
) -> list[Part] | None:
    """Return parts that contradict each other (and ``base``), none of which could be left out; None if there is no
    conflict.

    Found by deletion: a part is dropped if the others still have no solution. A backend with the feature ``core``
    provides the starting point. ``quick``, a backend that gives up after little work, is asked first, about the last
    parts before the others; what it settles is not asked again. A run must prove that the core has no solution and that
    there is one without any single part, and each such solution is checked. ``request`` holds limits for the whole
    work; limits, isolation and errors are as for a run. If a limit is reached, LimitReached has in ``known`` a list of
    parts that contradict each other but may not be minimal, or None if nothing is known. Unsupported if the backend
    proves nothing.
    """
    selection = select(spec)
    if Feature.PROVE not in selection.capabilities.features:
        raise Unsupported(f"{selection} does not declare {Feature.PROVE.value!r}, which a core needs")
    request = normal(base, request or Request())
    refuse_undeclared(selection, replace(request, limit=1))
    search = _Search(base.without_objective(), parts, selection, request, record or Record())
    search.quick = None if quick is None else select(quick)
    found = search.minimal()
    return None if found is None else [parts[i] for i in found]


class _GaveUp(Exception):
    """An engine that gives up after little work has given up."""


class _Search:
    def __init__(
        self, base: Model, parts: Sequence[Part], selection: Selection, request: Request, record: Record
    ) -> None:
        self.base, self.parts, self.selection = base, parts, selection
        self.request, self.record = request, record
        self.clock = Budget(request.time_limit, request.memory_limit).start()
        self.known: Numbers | None = None
        self.quick: Selection | None = None
        self._model: tuple[Numbers | None, Model] = (None, base)

    def minimal(self) -> Numbers | None:
        """Return a core, as far as little work can settle it if an engine for that is named."""
        try:
            return self.in_blocks() if self.quick is None else self.quickly(self.quick)
        except _GaveUp:
            return self.in_blocks()

    def quickly(self, quick: Selection) -> Numbers | None:
        """Leave out one part after another, the last first; ask the other engine only if little work does not settle
        it.
        """
        waiting, kept, open_ = [*range(len(self.parts))], list[int](), list[int]()
        if not self.contradict(tuple(waiting), quick):
            return None
        while waiting:
            tried = waiting.pop()
            try:
                needed = not self.contradict(tuple(sorted((*kept, *waiting))), quick)
            except _GaveUp:
                open_.append(tried)
                needed = True
            kept += [tried] if needed else []
            self.known = tuple(sorted((*kept, *waiting)))
        for tried in open_:
            rest = tuple(sorted(set(kept) - {tried}))
            if self.contradict(rest):
                self.known, kept = rest, [*rest]
        return () if kept and self.contradict(()) else tuple(sorted(kept))

    def in_blocks(self) -> Numbers | None:
        """Delete blocks of parts, large ones first; deleting single parts at the end makes the core minimal."""
        current = self.start()
        if current is None:
            return None
        block = len(current) // 2
        while block > 0:
            current = self.without_blocks(current, block)
            block //= 2
        return () if current and self.contradict(()) else current

    def without_blocks(self, current: Numbers, block: int) -> Numbers:
        """Leave out each block without which the other parts still contradict each other."""
        at = 0
        while at < len(current):
            rest = current[:at] + current[at + block :]
            if self.contradict(rest):
                self.known = current = rest
            else:
                at += block
        return current

    def start(self) -> Numbers | None:
        """Return parts that contradict each other, as few as can be found in one step; None if all have a solution."""
        every = tuple(range(len(self.parts)))
        if Feature.CORE in self.selection.capabilities.features:
            reported = self.reported_by_engine()
            if reported is None and self.contradict(every):
                raise WrongAnswer(
                    f"{self.selection} missed a contradiction",
                    self.selection.backend.name,
                )
            if reported is None:
                return None
            every = tuple(sorted(reported))
            if not self.contradict(every):
                raise WrongAnswer(f"{self.selection} returned a core that has a solution", self.selection.backend.name)
        elif not self.contradict(every):
            return None
        self.known = every
        return every

    def reported_by_engine(self) -> Sequence[int] | None:
        """Ask the engine which parts contradict each other, in a child process if a run would use one."""
        question = _Question(bare(self.base), [part.stated for part in self.parts], self.selection)
        request = replace(self.request, time_limit=self.clock.left, memory_limit=None)
        if place_of(self.selection, self.clock, self.model(tuple(range(len(self.parts))))) is Place.HERE:
            return question(request)
        sent = replace(question, spec=portable(self.selection))
        try:
            return workers.call(partial(sent, request), self.selection, self.clock)
        except Interruption as stop:
            reason = Reason.MEMORY if isinstance(stop, OutOfMemory) else Reason.TIME
            raise LimitReached(f"the core is not known: {reason}") from None

    def contradict(self, numbers: Numbers, quick: Selection | None = None) -> bool:
        """Return whether some parts have no solution together; LimitReached if that is not settled in time.

        Raises _GaveUp if the engine ``quick`` did not settle it.
        """
        chosen = [self.parts[i] for i in numbers]
        domains: dict[str, Domain] = {}
        for part in chosen:
            for x, values in part.domains.items():
                domains[x] = tuple(v for v in values if v in domains.get(x, values))
        request = replace(self.request, domains=domains, limit=1, time_limit=None, memory_limit=None)
        with run(self.model(numbers), quick or self.selection, request, Record(), budget=self.clock) as found:
            solution, outcome = next(found, None), found.outcome
        for phase, spent in outcome.record.phases.items():
            self.record.add(phase, spent.wall, spent.cpu)
        self.record.confirm(outcome.record.confirmed)
        if solution is None and outcome.reason is Reason.GAVE_UP and quick:
            raise _GaveUp
        if solution is None and not outcome.complete:
            known = None if self.known is None else [self.parts[i] for i in self.known]
            raise LimitReached(f"the core is not known: {outcome.reason}", known)
        return solution is None

    def model(self, numbers: Numbers) -> Model:
        """Return the model of some parts' constraints: the previous one if only domains differ."""
        stating = tuple(i for i in numbers if self.parts[i].constraints or self.parts[i].rules or self.parts[i].assumed)
        if stating != self._model[0]:
            base, chosen = self.base, [self.parts[i] for i in stating]
            constraints = (*base.constraints, *(c for part in chosen for c in part.constraints))
            self._model = (stating, Model(base.variables, constraints, judge=self.judge(chosen)))
        return self._model[1]

    def judge(self, chosen: Sequence[Part]) -> Judge | None:
        """Return the judge for solutions of some parts; None if a part is left out that the judge assumes."""
        assumed = sum(part.assumed for part in self.parts)
        if self.base.judge is None or sum(part.assumed for part in chosen) < assumed:
            return None
        return self.base.judge.of(rule for part in chosen for rule in part.rules)


@dataclass(frozen=True)
class _Question:
    """Asks an engine which parts contradict each other, each part lowered for it separately; can be sent to a child."""

    base: Model
    parts: Sequence[tuple[Constraint, ...]]
    spec: BackendLike

    def __call__(self, request: Request) -> Sequence[int] | None:
        """Return the engine's answer; BackendFailed if it raises."""
        selection = select(self.spec)
        capabilities = selection.capabilities
        base = lower(self.base, capabilities.kinds, capabilities.accepts, str(selection)).model
        stated = []
        for part in self.parts:
            alone = Model(base.variables, part)
            step = lower(alone, capabilities.kinds, capabilities.accepts, str(selection)).model
            stated.append(step.constraints)
            base = base.with_(variables=step.variables[len(base.variables) :])
        compiled: CompiledWithCore = compiled_by(selection, base)  # type: ignore[assignment]
        return guarded(selection, lambda: _numbers(compiled.core(stated, request), len(stated), selection))


def _numbers(core: Any, parts: int, selection: Selection) -> Numbers | None:
    """Return an engine's answer; raise BackendFailed if it is not a list of the numbers of parts."""
    if core is None:
        return None
    listed = tuple(core) if isinstance(core, Iterable) else ()
    if not isinstance(core, Iterable) or any(type(i) is not int or not 0 <= i < parts for i in listed):
        raise BackendFailed(f"{selection} returned the core {core!r:.60}: numbers from 0 to {parts - 1} are expected")
    return listed
