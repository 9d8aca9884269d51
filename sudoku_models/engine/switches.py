"""Parts of a model that are switched on for each question, in an engine that keeps what it learns between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..errors import BackendMissing, BadOption, LimitReached, Unsupported, WrongAnswer
from ..lowering import lower
from ..model import Constraint, Domain, Model
from .check import Checker
from .contract import Feature, Request, Solution
from .core import Part
from .record import Clock, Record
from .registry import BackendLike, Selection, select
from .road import plan, run

KEEPING = ("pysat", "cp-sat")
"""The backends in the order in which they are tried: the first keeps what it learns, both add to a model."""


@runtime_checkable
class SwitchedParts(Protocol):
    """Parts of one model inside an engine. Mutable, of the one thread that made it."""

    def ask(
        self, numbers: Sequence[int], domains: Mapping[str, Domain], time_limit: float | None
    ) -> tuple[Solution | None, Sequence[int]]:
        """Return a solution of the model with some parts; or None, and those of them that contradict each other.

        ``domains`` narrow the model's variables for this question.

        LimitReached when the time (seconds) was not enough.
        """

    def close(self) -> None:
        """Let the engine go."""


@runtime_checkable
class CompiledWithSwitches(Protocol):
    """A compiled model whose further parts can be switched on for each question."""

    def switches(self, parts: Sequence[Sequence[Constraint]]) -> SwitchedParts:
        """State parts, each some constraints that ``capabilities`` accept, over the variables of the model."""


@dataclass(frozen=True)
class Answer:
    """A solution by the names of the model's variables; or None and the numbers of parts that have none together."""

    values: Mapping[str, int] | None
    core: tuple[int, ...] = ()


class Switches:
    """A model with parts, asked again and again which of them have a solution together.

    Every solution is checked on the model and on the parts that were switched on: WrongAnswer for one that breaks them.
    """

    def __init__(
        self, base: Model, parts: Sequence[Part], spec: BackendLike = "auto", time_limit: float | None = None
    ) -> None:
        """State the model and its parts; ``time_limit`` (seconds) is for all questions together."""
        self.base, self.parts = Model(base.variables, base.constraints), tuple(parts)
        self._judge, self._assumed = base.judge, frozenset(i for i, part in enumerate(self.parts) if part.assumed)
        self.selection = keeping(base, parts) if spec == "auto" else select(spec)
        if Feature.PROVE not in self.selection.capabilities.features:
            raise Unsupported(
                f"{self.selection} does not declare {Feature.PROVE.value!r}: it cannot tell what is missing"
            )
        self.record = Record(backend=self.selection.backend.name, options=self.selection.changed)
        self.clock, self.asked = Clock(time_limit), 0
        self._checkers: dict[tuple[int, ...], Checker] = {}
        watch = self.record.stopwatch()
        self.clock.resume()
        self._inside = self._stated()
        self.clock.pause()
        watch.lap("compile")

    def _stated(self) -> SwitchedParts | None:
        """State everything to an engine that keeps it; None where the backend has no such form."""
        capabilities, name = self.selection.capabilities, str(self.selection)
        model = lower(self.base, capabilities.kinds, capabilities.accepts, name).model
        stated: list[tuple[Constraint, ...]] = []
        for part in self.parts:
            if all(capabilities.accepts(constraint) is None for constraint in part.stated):
                stated.append(part.stated)
                continue
            alone = Model(model.variables, part.stated)
            step = lower(alone, capabilities.kinds, capabilities.accepts, name).model
            stated.append(step.constraints)
            model = model.with_(variables=step.variables[len(model.variables) :])
        compiled = self.selection.backend.compile(model, self.selection.options)
        return compiled.switches(stated) if isinstance(compiled, CompiledWithSwitches) else None

    def ask(self, numbers: Iterable[int], domains: Mapping[str, Domain] | None = None) -> Answer:
        """Ask whether some parts have a solution together, with narrowed domains; LimitReached when the time is up."""
        chosen, narrow = tuple(numbers), domains or {}
        watch = self.record.stopwatch()
        self.asked += 1
        self.clock.resume()
        try:
            answer = self._alone(chosen, narrow) if self._inside is None else self._within(self._inside, chosen, narrow)
        finally:
            self.clock.pause()
            watch.lap("run")
        if answer.values is not None:
            self._check(answer.values, chosen, narrow)
        return answer

    def _within(self, inside: SwitchedParts, chosen: tuple[int, ...], narrow: Mapping[str, Domain]) -> Answer:
        solution, core = inside.ask(chosen, narrow, self.clock.left)
        if solution is None:
            return Answer(None, tuple(sorted(core)))
        return Answer(dict(zip(self.base.names, solution, strict=False)))

    def _alone(self, chosen: tuple[int, ...], narrow: Mapping[str, Domain]) -> Answer:
        model = self.base.with_(*(c for i in chosen for c in self.parts[i].stated))
        with run(model, self.selection, Request(narrow, time_limit=self.clock.left), Record()) as found:
            solution, outcome = next(found, None), found.outcome
        if solution is None and not outcome.complete:
            raise LimitReached(f"{self.selection} did not settle it: {outcome.reason}")
        return Answer(None, chosen) if solution is None else Answer(dict(zip(model.names, solution, strict=True)))

    def _check(self, values: Mapping[str, int], chosen: Sequence[int], narrow: Mapping[str, Domain]) -> None:
        fault = self._checker(chosen).fault(tuple(values[x] for x in self.base.names), narrow)
        broken = fault or next((str(self.parts[i].label) for i in chosen if not self.holds(i, values)), None)
        if broken:
            raise WrongAnswer(
                f"{self.selection}: a solution of some parts breaks one of them: {broken}", str(self.selection)
            )

    def _checker(self, chosen: Sequence[int]) -> Checker:
        """Return what checks the solutions of some parts; they are judged where all holds that sentences assume."""
        judged = self._judge is not None and self._assumed.issubset(chosen)
        key = tuple(i for i in chosen if self.parts[i].rules) if judged else ()
        if key not in self._checkers:
            rules = (rule for i in key for rule in self.parts[i].rules)
            judge = self._judge.of(rules) if key and self._judge is not None else None
            self._checkers[key] = Checker(Model(self.base.variables, self.base.constraints, judge=judge))
        return self._checkers[key]

    def holds(self, number: int, values: Mapping[str, int]) -> bool:
        """Tell whether values satisfy a part."""
        part = self.parts[number]
        inside = all(values[x] in domain for x, domain in part.domains.items())
        return inside and all(c.holds(values) for c in part.constraints)

    def no_limit(self) -> None:
        """Take all the time it needs from here on."""
        self.clock = Clock(None)

    def close(self) -> None:
        """Let the engine go."""
        if self._inside is not None:
            self._inside.close()

    def __enter__(self) -> Switches:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def keeping(base: Model, parts: Sequence[Part]) -> Selection:
    """Return the first installed backend that takes a model with its parts; Unsupported when there is none."""
    whole, passed = base.without_objective().with_(*(c for part in parts for c in part.stated)), []
    for name in KEEPING:
        try:
            selection = select(name)
            plan(whole, selection)
        except (BackendMissing, BadOption, Unsupported) as error:
            passed.append(f"{name}: {error}")
        else:
            return selection
    raise Unsupported("no backend takes this model apart: " + "; ".join(passed))
