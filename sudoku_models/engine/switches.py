"""Parts of a model that are switched on for each question, in an engine that keeps what it learns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from ..errors import BackendMissing, BadOption, LimitReached, Unsupported, WrongAnswer
from ..lowering import lower
from ..model import Constraint, Domain, InDomain, Model
from .auto import quick
from .budget import Budget
from .check import Checker
from .contract import Feature, Request, Solution
from .core import Part
from .orders import ranked
from .prepared import LARGE, RATE
from .record import Record
from .registry import BackendLike, Selection, select
from .road import plan, run

SLOW_RATE = 1e-4
"""Seconds that stating parts one by one takes for each unit of size of a large model."""


@runtime_checkable
class SwitchedParts(Protocol):
    """Parts of one model inside an engine. Mutable; bound to the thread that made it."""

    def ask(
        self, numbers: Sequence[int], domains: Mapping[str, Domain], time_limit: float | None, once: bool = False
    ) -> tuple[Solution | None, Sequence[int]]:
        """Return a solution of the model with some parts; or None, and those of the parts that contradict each other.

        ``domains`` narrow the model's variables for this question. ``once``: stop after about a tenth of a second of
        work, measured by what the engine does and not by a clock.

        LimitReached if the time (seconds) or that work was not enough.
        """

    def close(self) -> None:
        """Release the engine."""


@runtime_checkable
class CompiledWithSwitches(Protocol):
    """A compiled model whose further parts can be switched on for each question."""

    def switches(self, parts: Sequence[Sequence[Constraint]], check: Callable[[], object]) -> SwitchedParts:
        """State parts, each a group of constraints that ``capabilities`` accept, over the variables of the model.

        ``check`` is called during the work; an exception from it ends the work.
        """


@dataclass(frozen=True)
class SwitchAnswer:
    """A solution by the names of the model's variables; or None and the indexes of parts that contradict each other."""

    values: Mapping[str, int] | None
    core: tuple[int, ...] = ()


A = TypeVar("A", SwitchAnswer, SwitchAnswer | None)
Turn = Callable[[tuple[int, ...], Mapping[str, Domain]], SwitchAnswer | None]


class Switches:
    """Asks, again and again, which parts of a model have a solution together.

    Every solution is checked on the model and on the parts that were switched on: WrongAnswer if one breaks them. At
    each question two engines each take a short turn before one of them works it out: one keeps what it learns, and one
    states the chosen parts anew and is quick if whole rules contradict each other. The one that answered last starts
    the next time. Their turns are measured in work, so that the same questions have the same answers. If stating all
    parts would take longer than the limit, only the second engine is used.
    """

    def __init__(
        self,
        base: Model,
        parts: Sequence[Part],
        spec: BackendLike = "auto",
        time_limit: float | None = None,
        budget: Budget | None = None,
    ) -> None:
        """State the model and its parts; ``time_limit`` (seconds), or the ``budget`` of a larger job, covers this and
        all questions together.

        LimitReached if stating takes longer, or is expected to.
        """
        self.base, self.parts = Model(base.variables, base.constraints), tuple(parts)
        self._judge, self._assumed = base.judge, frozenset(i for i, part in enumerate(self.parts) if part.assumed)
        self.clock, self.asked = Budget(time_limit, None, budget), 0
        with self.clock:
            self._choose(spec)
            watch = self.record.stopwatch()
            self._inside = None if self._late else self._stated()
            watch.lap("compile")
        self._checkers: dict[tuple[int, ...], Checker] = {}
        self._last: tuple[list[int], Model] = [], self.base
        self._turns: list[Turn] = [self._within, self._anew]

    def _choose(self, spec: BackendLike) -> None:
        """Choose the engine that keeps the parts, and the one that states them anew."""
        together = whole(self.base, self.parts)
        self._quick = quick(together, self._look) if spec == "auto" else None
        self._late = self._quick is not None and _is_late(together, self.clock.left)
        if self._late and self._quick:
            self.selection = select(self._quick.backend)
        else:
            self.selection = select(spec) if spec != "auto" else keeping(self.base, self.parts, self._look)
        if Feature.PROVE not in self.selection.capabilities.features:
            raise Unsupported(
                f"{self.selection} does not declare {Feature.PROVE.value!r}, which finding what is missing needs"
            )
        self.record = Record(backend=self.selection.backend.name, options=self.selection.changed)

    def _look(self) -> None:
        if self.clock.expired:
            raise LimitReached("time limit")

    def _stated(self) -> SwitchedParts | None:
        """State everything to an engine that keeps it; None if the backend has no such form."""
        capabilities, name = self.selection.capabilities, str(self.selection)
        model = lower(self.base, capabilities.kinds, capabilities.accepts, name, self._check_time).model
        stated: list[tuple[Constraint, ...]] = []
        for part in self.parts:
            if all(capabilities.accepts(constraint) is None for constraint in part.stated):
                stated.append(part.stated)
                continue
            alone = Model(model.variables, part.stated)
            step = lower(alone, capabilities.kinds, capabilities.accepts, name, self._check_time).model
            stated.append(step.constraints)
            model = model.with_(variables=step.variables[len(model.variables) :])
        size = model.size + sum(c.size for part in stated for c in part)
        self._check_time(stating_takes(size))
        compiled = self.selection.backend.compile(model, self.selection.options)
        return compiled.switches(stated, self._check_time) if isinstance(compiled, CompiledWithSwitches) else None

    def _check_time(self, expected: float = 0.0) -> None:
        """Raise LimitReached if time is up, or if the expected seconds of stating do not fit into the time left."""
        if self.clock.left is not None and (self.clock.expired or expected > self.clock.left):
            needs = f"about {expected:.0f} s, so a longer time limit is needed" if expected else "longer than the limit"
            raise LimitReached(f"stating all rules to {self.selection} takes {needs}")

    def ask(self, numbers: Iterable[int], domains: Mapping[str, Domain] | None = None) -> SwitchAnswer:
        """Return a solution of some parts with narrowed domains, or a contradiction; LimitReached if time is up."""
        chosen, narrow = tuple(numbers), domains or {}
        return self._checked(lambda: self._briefly(chosen, narrow) or self._at_length(chosen, narrow), chosen, narrow)

    def attempt(self, numbers: Iterable[int]) -> SwitchAnswer | None:
        """Ask the same with little work; None if that was not enough."""
        chosen = tuple(numbers)
        return self._checked(lambda: self._briefly(chosen, {}), chosen, {})

    def _checked(self, ask: Callable[[], A], chosen: tuple[int, ...], narrow: Mapping[str, Domain]) -> A:
        """Ask, with the clock running, and check any solution found."""
        watch = self.record.stopwatch()
        self.asked += 1
        self.clock.start()
        try:
            answer = ask()
        finally:
            self.clock.stop()
            watch.lap("run")
        if answer is not None and answer.values is not None:
            self._check(answer.values, chosen, narrow)
        return answer

    def _briefly(self, chosen: tuple[int, ...], narrow: Mapping[str, Domain]) -> SwitchAnswer | None:
        """Let each engine take its turn; the one that answers starts the next time."""
        for turn in self._turns:
            with suppress(LimitReached):
                if answer := turn(chosen, narrow):
                    self._turns.sort(key=lambda other: other != turn)
                    return answer
        return None

    def _within(self, chosen: tuple[int, ...], narrow: Mapping[str, Domain], once: bool = True) -> SwitchAnswer | None:
        """Ask the engine that holds all parts; None if there is none."""
        if self._inside is None:
            return None
        solution, core = self._inside.ask(chosen, narrow, self.clock.left, once)
        if solution is None:
            return SwitchAnswer(None, tuple(sorted(core)))
        return SwitchAnswer(dict(zip(self.base.names, solution, strict=False)))

    def _anew(self, chosen: tuple[int, ...], narrow: Mapping[str, Domain]) -> SwitchAnswer | None:
        """Ask the engine that states the parts anew, within its patience; None if there is none."""
        if self._quick is None:
            return None
        self._look()
        return self._stated_anew(self._quick, chosen, narrow, None)  # it stops by its patience, without a child process

    def _at_length(self, chosen: tuple[int, ...], narrow: Mapping[str, Domain]) -> SwitchAnswer:
        return self._within(chosen, narrow, once=False) or self._stated_anew(
            self.selection, chosen, narrow, self.clock.left
        )

    def _stated_anew(
        self, selection: Selection, chosen: tuple[int, ...], narrow: Mapping[str, Domain], time_limit: float | None
    ) -> SwitchAnswer:
        model, domains = self._narrowed(chosen, narrow)
        with run(model, selection, Request(domains, time_limit=time_limit), Record()) as found:
            solution, outcome = next(found, None), found.outcome
        if solution is None and not outcome.complete:
            raise LimitReached(f"{selection} did not settle it: {outcome.reason}")
        return (
            SwitchAnswer(None, chosen)
            if solution is None
            else SwitchAnswer(dict(zip(model.names, solution, strict=True)))
        )

    def _narrowed(self, chosen: tuple[int, ...], narrow: Mapping[str, Domain]) -> tuple[Model, Mapping[str, Domain]]:
        """Return the model with some parts, whose domains are kept apart, so that one model serves many choices."""
        stated, domains = list[Constraint](), dict(narrow)
        kept = [i for i in chosen if self.parts[i].constraints]
        for i in chosen:
            left = {x: tuple(v for v in domains.get(x, d) if v in d) for x, d in self.parts[i].domains.items()}
            if all(left.values()):
                domains |= left
            else:  # no value is left: the engine must see both
                stated += [InDomain(x, d) for x, d in self.parts[i].domains.items()]
        if not stated and self._last[0] == kept:
            return self._last[1], domains
        model = self.base.with_(*(c for i in kept for c in self.parts[i].constraints), *stated)
        if not stated:
            self._last = kept, model
        return model, domains

    def _check(self, values: Mapping[str, int], chosen: Sequence[int], narrow: Mapping[str, Domain]) -> None:
        fault = self._checker(chosen).fault(tuple(values[x] for x in self.base.names), narrow)
        broken = fault or next((str(self.parts[i].label) for i in chosen if not self.holds(i, values)), None)
        if broken:
            raise WrongAnswer(
                f"{self.selection}: a solution of some parts breaks one of them: {broken}", str(self.selection)
            )

    def _checker(self, chosen: Sequence[int]) -> Checker:
        """Return the checker for solutions of some parts, with a judge if everything holds that the judge assumes."""
        judged = self._judge is not None and self._assumed.issubset(chosen)
        key = tuple(i for i in chosen if self.parts[i].rules) if judged else ()
        if key not in self._checkers:
            rules = (rule for i in key for rule in self.parts[i].rules)
            judge = self._judge.of(rules) if key and self._judge is not None else None
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

    def __enter__(self) -> Switches:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def stating_takes(size: int) -> float:
    """Return the expected seconds for stating a lowered model of some size to an engine that keeps it."""
    return size * (RATE if size < LARGE else SLOW_RATE)


def _is_late(model: Model, time_limit: float | None) -> bool:
    """Return whether a model is too large for stating its parts one by one within a limit."""
    return time_limit is not None and model.size > LARGE and model.size * SLOW_RATE > time_limit


def whole(base: Model, parts: Sequence[Part]) -> Model:
    """Return a model with all parts in force and without an objective."""
    return base.without_objective().with_(*(c for part in parts for c in part.stated))


def keeping(base: Model, parts: Sequence[Part], check: Callable[[], object] | None = None) -> Selection:
    """Return the first installed backend that accepts a model with its parts; Unsupported if there is none.

    ``check`` is called during the work; an exception from it ends the work.
    """
    model, passed = whole(base, parts), []
    for name in ranked("keeping"):
        try:
            selection = select(name)
            plan(model, selection, check)
        except (BackendMissing, BadOption, Unsupported) as error:
            passed.append(f"{name}: {error}")
        else:
            return selection
    raise Unsupported("no backend accepts this model with its parts: " + "; ".join(passed))
