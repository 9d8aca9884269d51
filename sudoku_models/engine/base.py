"""What adapters inherit: the trivial members; what an engine does not have is refused, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import Unsupported
from ..model import Model, VariableLike, domain_text, name_of
from .contract import Capabilities, Feature, Request, Run, Search
from .record import Clock, Record


@dataclass(frozen=True)
class NoOptions:
    """There are none."""


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
        """The same for all options."""
        return self.capabilities

    def refuse(self, model: Model, options: Any) -> None:
        """Raise Unsupported with the reason where a model as a whole is not taken."""
        reason = self.capabilities_with(options).accepts_model(model)
        if reason:
            raise Unsupported(f"{self.name}: {reason}")


class CompiledBase:
    """A compiled form overrides ``search``, and of sessions and maps, which are refused, those that its engine has.

    ``label`` is the backend's name in messages; ``options`` are those of the run, if it has any.
    """

    label: str = "this backend"
    options: Any = None

    def run(self, request: Request) -> Run:
        """Start a search; the work begins when the first solution is pulled."""
        clock, record = Clock(request.time_limit), self.record(request)
        return Run(self.search(request, clock, record), clock, record)

    def record(self, request: Request) -> Record:
        """Return the record of a run that begins."""
        options = {} if self.options is None else vars(self.options).copy()
        return Record(backend=self.label, options=options, seed=request.seed)

    def search(self, request: Request, clock: Clock, record: Record) -> Search:
        """Yield solutions, and return how the search ended."""
        raise NotImplementedError

    def session(self) -> Any:
        """Refuse: the engine keeps nothing from one run to the next."""
        raise no_sessions(self.label)

    def variable(self, cell: VariableLike) -> Any:
        """Refuse: nothing in the native model stands for a variable."""
        raise self._no_map("variables")

    def literal(self, cell: VariableLike, value: int) -> Any:
        """Refuse: nothing in the native model is true exactly when a variable has a value."""
        raise self._no_map("values of variables")

    def decode(self, answer: Any) -> dict[str, int]:
        """Refuse: the engine gives no answers of its own kind."""
        raise self._no_map("answers")

    def _no_map(self, what: str) -> Unsupported:
        return Unsupported(f"{self.label} has no map of {what}: extend the model itself, by model.with_(...)")


def no_sessions(label: str) -> Unsupported:
    """Return the refusal of a session."""
    reason = "it keeps nothing from one run to the next; state the model anew by model.with_(...)"
    return Unsupported(f"{label} does not declare {Feature.INCREMENTAL.value!r}: {reason}")


def variable_name(model: Model, cell: VariableLike) -> str:
    """Return the name of a variable; KeyError when the model has none of that name."""
    name = name_of(cell)
    if name not in model.index:
        raise KeyError(f"{name} is not a variable of the model")
    return name


def candidate(model: Model, cell: VariableLike, value: int) -> tuple[str, int]:
    """Return a variable's name with a value; KeyError when there is no such variable, or none of that value."""
    name = variable_name(model, cell)
    if value not in model.domains[name]:
        raise KeyError(f"{name} is never {value}: its values are {domain_text(model.domains[name])}")
    return name, value


def complete(values: Mapping[str, int | None]) -> dict[str, int]:
    """Return the values that an answer gives to variables; ValueError naming one that it gives none."""
    found = {name: value for name, value in values.items() if value is not None}
    if len(found) < len(values):
        lacking = next(name for name in values if name not in found)
        raise ValueError(f"the answer gives {lacking} no value: the solution of a native model is expected")
    return found
