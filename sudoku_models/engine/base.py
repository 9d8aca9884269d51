"""Base classes for adapters: the trivial members, and refusals (with the reason) of what an engine lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..dataclass import dataclass
from ..errors import Unsupported
from ..model import Constraint, Model, Variable, VariableLike, domain_text, name_of
from .budget import Budget, Interruption
from .contract import Assuming, Capabilities, Compiled, Ending, Feature, Request, Run, Search
from .record import Record


@dataclass(frozen=True)
class NoOptions:
    """No options."""


@dataclass(frozen=True)
class HouseSumsOptions:
    """``house_sums`` adds the sums that houses and cages imply together."""

    house_sums: bool = True


class BackendBase:
    """A backend declares ``capabilities``, or overrides ``capabilities_with`` where they depend on its options."""

    name: str
    Options: type = NoOptions

    @property
    def capabilities(self) -> Capabilities:
        """What the backend can do with its default options."""
        return self.capabilities_with(self.Options())

    def capabilities_with(self, options: Any) -> Capabilities:
        """What the backend can do with these options."""
        return self.capabilities

    def refuse(self, model: Model, options: Any) -> None:
        """Raise Unsupported, with the reason, if the backend rejects the model as a whole."""
        reason = self.capabilities_with(options).accepts_model(model)
        if reason:
            raise Unsupported(f"{self.name}: {reason}")


class HouseSumsBackend(BackendBase):
    """A backend with the option ``house_sums``: ``capabilities`` are the same for all, but that false adds no sums."""

    Options: type = HouseSumsOptions

    def capabilities_with(self, options: Any) -> Capabilities:
        """Return the capabilities, without additions if the options ask for none."""
        return self.capabilities if options.house_sums else self._without_sums

    @cached_property
    def _without_sums(self) -> Capabilities:
        return replace(self.capabilities, adds=())


class CompiledBase:
    """A compiled form overrides ``search`` and ``assume`` as far as its engine supports them; the rest are refused.

    So are its maps, unless it says what stands for a name (``of_variable``), for a name and a value of its domain
    (``of_value``), and which values an answer gives the names (``values_in``).

    ``label`` is the backend's name in messages; ``options`` are those of the run, if it has any.
    """

    label: str = "this backend"
    options: Any = None

    def __init__(self, model: Model, options: Any = None) -> None:
        self.model, self.options = model, options

    def run(self, request: Request) -> Run:
        """Start a search whose solutions are not checked, within the limits of the request."""
        budget, record = Budget(request.time_limit, request.memory_limit), self.record(request)
        return Run(ended(self.search(request, budget, record)), budget, record)

    def record(self, request: Request) -> Record:
        """Return a new record for a run."""
        options = {} if self.options is None else vars(self.options).copy()
        return Record(backend=self.label, options=options, seed=request.seed)

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Yield solutions; return how the search ended."""
        raise NotImplementedError

    def assume(self) -> Assuming:
        """Refuse: the engine keeps nothing between runs."""
        raise keeps_nothing(self.label)

    def variable(self, cell: VariableLike) -> Any:
        """Return the term for a variable in each new copy of the native model; Unsupported if there is none."""
        return self.of_variable(variable_name(self.model, cell))

    def literal(self, cell: VariableLike, value: int) -> Any:
        """Return the term that is true in the native model exactly if a variable has a value.

        KeyError for an unknown variable or value, here and in ``variable``; Unsupported if there is no such term.
        """
        name = variable_name(self.model, cell)
        if value not in self.model.domains[name]:
            raise KeyError(f"{name} is never {value}: its values are {domain_text(self.model.domains[name])}")
        return self.of_value(name, value)

    def decode(self, answer: Any) -> dict[str, int]:
        """Return the values, by name, in an answer of the engine for a native model; ValueError if a variable has none.

        Unsupported if the engine has no map of its answers.
        """
        found = self.values_in(answer)
        lacking = next((name for name in self.model.names if found.get(name) is None), None)
        if lacking is not None:
            raise ValueError(f"the answer gives {lacking} no value: the solution of a native model is expected")
        return {name: found[name] for name in self.model.names}

    def of_variable(self, name: str) -> Any:
        """Return the term for the variable of that name."""
        raise self._no_map("variables")

    def of_value(self, name: str, value: int) -> Any:
        """Return the term that is true exactly if the variable of that name has this value of its domain."""
        raise self._no_map("values of variables")

    def values_in(self, answer: Any) -> Mapping[str, Any]:
        """Return the values, by name, in an answer; a variable without one has None or is missing."""
        raise self._no_map("answers")

    def _no_map(self, what: str) -> Unsupported:
        return Unsupported(f"{self.label} has no map of {what}: extend the model itself with model.with_(...)")


def keeps_nothing(label: str) -> Unsupported:
    """Return the refusal of a session."""
    reason = "it keeps nothing between runs; make a new model with model.with_(...)"
    return Unsupported(f"{label} does not declare {Feature.ASSUME.value!r}: {reason}")


class StatedAnew:
    """The form of ``Compiled.assume`` for an engine that keeps nothing: it states again what a search assumes.

    What was stated for the last search is kept for the next one with the same constraints.
    """

    def __init__(self, model: Model, state: Callable[[Model], Compiled]) -> None:
        self.model, self._state = model, state
        self._parts: list[tuple[Constraint, ...]] = []
        self._last: tuple[Model, Sequence[int], Compiled] | None = None

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = (), switch: bool = False) -> int:
        """Remember constraints; see the contract."""
        self.model = self.model.with_(*(() if switch else constraints), variables=variables)
        self._parts += [tuple(constraints)] if switch else []
        return len(self._parts) if switch else 0

    def search(self, request: Request, budget: Budget, record: Record, switches: Sequence[int] = ()) -> Search:
        """Search a model with the constraints of the switches; all of these fail together."""
        if self._last is None or self._last[0] is not self.model or self._last[1] != switches:
            stated = self.model.with_(*(c for number in switches for c in self._parts[number - 1]))
            self._last = self.model, switches, self._state(stated)
        ending = yield from self._last[2].search(request, budget, record)
        return replace(ending, failed=tuple(switches))

    def close(self) -> None:
        """Forget the last model."""
        self._last = None


def variable_name(model: Model, cell: VariableLike) -> str:
    """Return a variable's name; KeyError if the model has no such variable."""
    name = name_of(cell)
    if name not in model.index:
        raise KeyError(f"{name} is not a variable of the model")
    return name


def ended(search: Search) -> Search:
    """Yield what a search yields, and return an Ending also where it ends by an exception."""
    try:
        return (yield from search)
    except Interruption as stop:
        return Ending.at(stop)
