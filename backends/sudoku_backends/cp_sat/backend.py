"""The backend: options, capabilities, and compiled models."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import BackendBase, CompiledBase, candidate, variable_name
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Ending, Feature, Isolate, Reason, Request, Search
from sudoku_models.engine.record import Record
from sudoku_models.errors import BackendMissing, BadOption, Unsupported
from sudoku_models.model import Domain, Model, VariableLike, name_of

from .export import EXPORTS
from .kinds import KINDS, NUMBERS, refuses
from .quirks import QUIRKS

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from .integers import Integers
    from .native import NativeCpModel
    from .session import CpSatAssuming


FEATURES = frozenset(
    {
        Feature.ENUMERATE,
        Feature.PROVE,
        Feature.OBJECTIVE,
        Feature.ASSUME,
        Feature.TIME_LIMIT,
        Feature.SEED,
        Feature.WORKERS,
    }
)


@dataclass(frozen=True)
class CpSatOptions:
    """``form``: integer variables with global constraints, or a literal for each value with exactly-one constraints.

    ``presolve`` and ``linearization`` (0 to 2) are the engine's parameters of these names. ``workers`` is the number of
    threads that search for a first or best solution, unless a request asks for more. ``house_sums`` adds the sums that
    houses and cages imply together: hard killers take a third to a tenth of the time, others as long as before.
    """

    form: str = field(default="integers", metadata={"choices": ("integers", "booleans")})
    presolve: bool = True
    linearization: int = field(default=1, metadata={"choices": (0, 1, 2)})
    workers: int = 1
    house_sums: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= 10_000:
            raise BadOption(
                f"cp-sat: workers={self.workers}: a number from 1 to 10,000, the most that it takes, is expected"
            )


class CpSat(BackendBase):
    """The backend ``cp-sat``."""

    name = "cp-sat"
    Options = CpSatOptions
    capabilities = Capabilities(
        kinds=KINDS,
        features=FEATURES,
        requires=("ortools",),
        install="ortools",
        conflicts=("highspy",),
        isolate=Isolate.NEVER,
        refuses=refuses,
        numbers=NUMBERS,
        quirks=QUIRKS["integers"],
        adds=("house-sums",),
        exports=EXPORTS,
    )

    def capabilities_with(self, options: CpSatOptions) -> Capabilities:
        """Return the same for all options, except for the quirks (all known ones are of presolve) and for what is
        added.
        """
        return _CAPABILITIES[options.form if options.presolve else "", options.house_sums]

    def compile(self, model: Model, options: CpSatOptions) -> CompiledCpSat:
        """State the model once; runs narrow the domains of a clone. Raise Unsupported if 64 bits do not suffice."""
        self.refuse(model, options)
        _load()
        compiled = CompiledCpSat(model, options)
        refuse_overflow(compiled.base.model)
        return compiled


_CAPABILITIES = {
    (form, sums): replace(CpSat.capabilities, quirks=QUIRKS.get(form, ()), adds=("house-sums",) if sums else ())
    for form in (*QUIRKS, "")
    for sums in (False, True)
}

BACKEND = CpSat()


def refuse_overflow(model: cp_model.CpModel) -> None:
    """Raise Unsupported if the engine finds that a sum may leave 64 bits."""
    if "overflow" in (invalid := model.validate()):
        raise Unsupported(f"cp-sat: sums in the model may leave 64 bits: {' '.join(invalid.split())[:200]}")


def _load() -> None:
    """Load OR-tools; raise BackendMissing if that is impossible, as it is in a process that has loaded highspy."""
    try:
        import ortools.sat.python.cp_model  # noqa: F401
    except ImportError as error:
        if "highspy" not in sys.modules:
            raise BackendMissing(f"cp-sat: OR-tools cannot be loaded: {error}") from error
        raise BackendMissing(
            "cp-sat: OR-tools cannot be loaded in a process that has loaded highspy, whose libraries have the same"
            " names: import ortools.sat.python.cp_model first, or set a memory limit, so that cp-sat runs in another"
            " process"
        ) from error


class CompiledCpSat(CompiledBase):
    """A model as a ``CpModel``; each concurrent run has its own clone, which later runs use again."""

    label = "cp-sat"

    def __init__(self, model: Model, options: CpSatOptions) -> None:
        self.model, self.options = model, options
        self.builder = self.builder_of(model)
        self.base = self.builder.native()
        self._idle: list[cp_model.CpModel] = []

    @property
    def native(self) -> NativeCpModel:
        """A fresh ``CpModel`` with its variables, and a literal for each value of each variable."""
        return self.builder_of(self.model).native(literals=True)

    def builder_of(self, model: Model) -> Integers:
        """Return the builder that states a model in the form of the options."""
        from .booleans import Booleans
        from .integers import Integers

        form = Integers if self.options.form == "integers" else Booleans
        return form(model)

    def variable(self, cell: VariableLike) -> int:
        """Return the index of a variable in the proto of each ``native``; raise KeyError if no variable has that name.

        ``native.model.get_int_var_from_proto_index`` turns it into the live variable, as ``native.variable`` does.
        """
        return int(self.base.variables[variable_name(self.model, cell)].index)

    def literal(self, cell: VariableLike, value: int) -> int:
        """Return the index in each ``native`` of the Boolean that is true exactly when a variable has a value.

        Raise KeyError if the variable does not exist or cannot have the value; Unsupported if it has so many values
        that ``native.literal`` has to make the Boolean.
        """
        index = self._literals.get(candidate(self.model, cell, value))
        if index is None:
            many = (
                f"{name_of(cell)} has {len(self.model.domains[name_of(cell)])} values, too many for a literal of each"
            )
            raise Unsupported(f"cp-sat: {many}: native.literal(cell, value) makes one in a native model")
        return index

    @cached_property
    def _literals(self) -> Mapping[tuple[str, int], int]:
        """The index of each literal of a ``native``."""
        return {pair: literal.index for pair, literal in self.native.literals.items()}

    def decode(self, answer: Any) -> dict[str, int]:
        """Return the values, by name, in the answer of a solver (or a callback's) to a ``native`` or its extension.

        Raise ValueError if it found no solution.
        """
        values = answer.response_proto.solution
        if self.base.variables and not values:
            raise ValueError("the solver has no solution to decode")
        return {name: values[variable.index] for name, variable in self.base.variables.items()}

    def assume(self) -> CpSatAssuming:
        """Begin with this model."""
        from .session import CpSatAssuming

        return CpSatAssuming(self.model, self.options)

    def _sizes_now(self) -> dict[str, int]:
        proto = self.base.model.proto
        return {"variables": len(proto.variables), "constraints": len(proto.constraints)}

    def narrowed(self, domains: Mapping[str, Domain]) -> cp_model.CpModel:
        """Return a fresh ``CpModel`` with narrower domains; it is a contradiction if one of them is empty."""
        narrow, model = self._narrowed(domains), self.base.model.clone()
        if narrow is None:
            model.add_bool_or([])
        else:
            _set_domains(model, narrow)
        return model

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Let the engine work on a model that no other run is using."""
        from .improving import ImprovingTask
        from .task import CpSatTask

        watch = record.stopwatch()
        record.sizes |= self._sizes_now()
        if max(request.workers, self.options.workers) > 1 and request.limit != 1 and not self.model.objective:
            record.notes.append("one worker: CP-SAT enumerates with no more")
        narrow = self._narrowed(request.domains)
        if narrow is None:
            return Ending(Reason.EXHAUSTED)
        model = self._borrowed(narrow)
        watch.lap("encode")
        try:
            task = CpSatTask(self, model, request, clock)
            if self.model.objective:
                task = ImprovingTask(self, model, request, clock, self.model.objective, record)
            return (yield from task.search())
        finally:
            self._give_back(model, narrow)

    def _narrowed(self, domains: Mapping[str, Domain]) -> dict[int, list[int]] | None:
        """Return the narrowed domain of each variable, by index, as flat intervals; None if one is empty."""
        from ortools.sat.python import cp_model

        found: dict[int, list[int]] = {}
        for name, values in domains.items():
            stated = self.model.domains[name]
            left = values if len(values) == 1 and values[0] in stated else tuple(v for v in values if v in stated)
            if not left:
                return None
            one = len(left) == 1
            flat = [left[0], left[0]] if one else cp_model.Domain.from_values(left).flattened_intervals()
            found[self.base.variables[name].index] = flat
        return found

    def _borrowed(self, narrow: Mapping[int, list[int]]) -> cp_model.CpModel:
        """Take a model that no run is using, and narrow its domains: cheaper than a clone for each run."""
        try:
            model = self._idle.pop()
        except IndexError:
            model = self.base.model.clone()
        _set_domains(model, narrow)
        return model

    def _give_back(self, model: cp_model.CpModel, narrow: Mapping[int, list[int]]) -> None:
        stated = self.base.model.proto.variables
        _set_domains(model, {index: list(stated[index].domain) for index in narrow})
        self._idle.append(model)


def _set_domains(model: cp_model.CpModel, domains: Mapping[int, list[int]]) -> None:
    variables = model.proto.variables
    for index, flat in domains.items():
        bounds = variables[index].domain
        bounds.clear()
        bounds.extend(flat)
