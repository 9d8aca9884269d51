"""Cores: which parts of a model contradict each other, and none of them in vain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import LimitReached, Unsupported, WrongAnswer
from ..lowering import lower
from ..model import Constraint, Domain, InDomain, Model
from .contract import CompiledWithCore, Feature, Request
from .record import Clock, Record
from .registry import BackendLike, Selection, select
from .road import run

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """Something that may be part of a contradiction: some constraints, or some narrowed domains, under one label."""

    label: Any
    constraints: tuple[Constraint, ...] = ()
    domains: Mapping[str, Domain] = field(default_factory=dict)

    @property
    def stated(self) -> tuple[Constraint, ...]:
        """The part in constraints alone."""
        return (*self.constraints, *(InDomain(x, values) for x, values in self.domains.items()))


def core(
    base: Model, parts: Sequence[Part], spec: BackendLike, request: Request | None = None, record: Record | None = None
) -> list[Part] | None:
    """Return parts that contradict each other (and ``base``), none of which could be left out; None without a conflict.

    Found by deletion: a part stays out when the others still have no solution. A backend of the feature ``core``
    tells where to begin. ``request`` holds limits, for all of it together. LimitReached, when they come first, has in
    ``known`` a list of parts that contradict each other but may be more than it takes, or None when nothing is known.
    Unsupported when the backend proves nothing.
    """
    selection = select(spec)
    if Feature.PROVE not in selection.capabilities.features:
        raise Unsupported(f"{selection} does not declare {Feature.PROVE.value!r}, which a core needs")
    search = _Search(base.without_objective(), parts, selection, request or Request(), record or Record())
    found = search.minimal()
    return None if found is None else [parts[i] for i in found]


class _Search:
    def __init__(
        self, base: Model, parts: Sequence[Part], selection: Selection, request: Request, record: Record
    ) -> None:
        self.base, self.parts, self.selection = base, parts, selection
        self.request, self.record = request, record
        self.clock = Clock(request.time_limit)
        self.clock.resume()
        self.known: Numbers | None = None
        self._model: tuple[Numbers, Model] = ((), base)

    def minimal(self) -> Numbers | None:
        """Delete blocks of parts, large ones first: single ones at the end, which is what makes it minimal."""
        current = self.start()
        if current is None:
            return None
        block = len(current) // 2
        while block > 0:
            current = self.without_blocks(current, block)
            block //= 2
        return () if current and self.contradict(()) else current

    def without_blocks(self, current: Numbers, block: int) -> Numbers:
        """Leave out each block of parts without which the others still contradict each other."""
        at = 0
        while at < len(current):
            rest = current[:at] + current[at + block :]
            if self.contradict(rest):
                self.known = current = rest
            else:
                at += block
        return current

    def start(self) -> Numbers | None:
        """Return parts that contradict each other, as few as can be had at once; None when all have a solution."""
        every = tuple(range(len(self.parts)))
        if Feature.CORE in self.selection.capabilities.features:
            told = self.told()
            if told is None and self.contradict(every):
                raise WrongAnswer(f"{self.selection} denies a contradiction that there is", self.selection.backend.name)
            if told is None:
                return None
            every = tuple(sorted(told))
            if not self.contradict(every):
                raise WrongAnswer(f"{self.selection} claims a contradiction that is none", self.selection.backend.name)
        elif not self.contradict(every):
            return None
        self.known = every
        return every

    def told(self) -> Sequence[int] | None:
        """Ask the engine which parts contradict each other, all of them lowered for it one by one."""
        capabilities = self.selection.capabilities
        base = lower(self.base, capabilities.kinds, capabilities.accepts, str(self.selection)).model
        stated = []
        for part in self.parts:
            alone = Model(base.variables, part.stated)
            step = lower(alone, capabilities.kinds, capabilities.accepts, str(self.selection)).model
            stated.append(step.constraints)
            base = base.with_(variables=step.variables[len(base.variables) :])
        compiled: CompiledWithCore = self.selection.backend.compile(base, self.selection.options)  # type: ignore[assignment]
        return compiled.core(stated, replace(self.request, time_limit=self.clock.left))

    def contradict(self, numbers: Numbers) -> bool:
        """Tell whether some parts have no solution together; LimitReached when that is not settled in time."""
        chosen = [self.parts[i] for i in numbers]
        domains: dict[str, Domain] = {}
        for part in chosen:
            for x, values in part.domains.items():
                domains[x] = tuple(v for v in values if v in domains.get(x, values))
        request = replace(self.request, domains=domains, limit=1, time_limit=self.clock.left)
        with run(self.model(numbers), self.selection, request, Record()) as found:
            solution, outcome = next(found, None), found.outcome
        for phase, spent in outcome.record.phases.items():
            self.record.add(phase, spent.wall, spent.cpu)
        self.record.confirm(outcome.record.confirmed)
        if solution is None and not outcome.complete:
            known = None if self.known is None else [self.parts[i] for i in self.known]
            raise LimitReached(f"the core is not settled: {outcome.reason}", known)
        return solution is None

    def model(self, numbers: Numbers) -> Model:
        """Return the model of some parts' constraints: the last one again while only domains differ."""
        stating = tuple(i for i in numbers if self.parts[i].constraints)
        if stating != self._model[0]:
            self._model = (stating, self.base.with_(*(c for i in stating for c in self.parts[i].constraints)))
        return self._model[1]
