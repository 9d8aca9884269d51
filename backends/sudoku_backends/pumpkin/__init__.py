"""The backend ``pumpkin``: Pumpkin, a solver by lazy clause generation, by its package ``pumpkin-solver``.

On anything that it does not expect it ends the whole process, so every run belongs in a child process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import BackendBase, CompiledBase, NoOptions
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Feature, Isolate, Projection, Request, Search, Solution
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.errors import Unsupported
from sudoku_models.exports.common import settled
from sudoku_models.model import Constraint, Domain, InDomain, Linear, Model, Objective, kinds

if TYPE_CHECKING:
    from .engine import PumpkinEngine


KINDS: frozenset[type[Constraint]] = frozenset(
    {
        kinds.AllDifferent,
        kinds.Compare,
        kinds.Count,
        kinds.Element,
        kinds.InDomain,
        kinds.Linear,
        kinds.MinMax,
        kinds.Or,
        kinds.Table,
    }
)

LARGEST = 2**28
"""The largest absolute value of a variable, and of a sum or one of its partial sums: the engine counts in 32 bits."""

NUMBERS = Numbers(
    value=LARGEST, stated=LARGEST, sums=dict.fromkeys((kinds.Compare, kinds.Count, Linear, Objective), LARGEST)
)

WIDEST = 100_000
"""The largest number of values that may be missing within the domain of a variable: each is taken out separately."""


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is refused; None if it is accepted."""
    if isinstance(constraint, kinds.Or) and not all(isinstance(part, InDomain) for part in constraint.parts):
        return "an Or is a clause only when its parts are domains"
    return None


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large; None if it is not."""
    for variable in model.variables:
        values = variable.domain
        holes = values[-1] - values[0] + 1 - len(values) if values else 0
        if holes > WIDEST:
            return f"{variable.name} lacks {holes} values between its ends: at most {WIDEST} are taken out"
    return None


class Pumpkin(BackendBase):
    """The backend ``pumpkin``."""

    name = "pumpkin"
    capabilities = Capabilities(
        kinds=KINDS,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.PROOF}),
        requires=("pumpkin_solver",),
        install="sudoku-models[pumpkin]",
        isolate=Isolate.ALWAYS,
        refuses=refuses,
        refuses_model=refuses_model,
        numbers=NUMBERS,
    )

    def compile(self, model: Model, options: NoOptions) -> CompiledPumpkin:
        """Take a model that the capabilities accept."""
        return CompiledPumpkin(model)


BACKEND = Pumpkin()


@dataclass(frozen=True)
class NativePumpkin:
    """A live model with its variables by name, and the Boolean of each (name, value), which the caller may extend."""

    model: Any
    variables: Mapping[str, Any]
    literals: Mapping[tuple[str, int], Any]


class CompiledPumpkin(CompiledBase):
    """A model for Pumpkin. Each run states it to its own solver, since the engine's models cannot be copied."""

    label = "pumpkin"

    @property
    def native(self) -> NativePumpkin:
        """A fresh ``pumpkin_solver.Model`` with the model, its variables and the Booleans of their values."""
        engine = self._engine({}, Budget())
        pairs = [(name, value) for name in self.model.names for value in engine.domains.get(name, ())]
        return NativePumpkin(engine.solver, engine.variables, {pair: engine.equal(*pair) for pair in pairs})

    def of_variable(self, name: str) -> str:
        """Return the name of a variable, its key in ``native.variables``."""
        return name

    def of_value(self, name: str, value: int) -> tuple[str, int]:
        """Return the key in ``native.literals`` of the Boolean that is true exactly when a variable has a value.

        Raise Unsupported if a constraint on that variable alone forbids it.
        """
        if value not in settled(self.model).domains[name]:
            raise Unsupported(f"pumpkin has no Boolean for {name} = {value}, which a constraint on it forbids")
        return name, value

    def values_in(self, answer: Any) -> dict[str, int]:
        """Return the values by name, given a ``NativePumpkin`` and a ``Solution`` of its model as a pair."""
        native, solution = answer
        return {name: solution.int_value(native.variables[name]) for name in self.model.names}

    def proof(self, domains: Mapping[str, Domain] | None = None) -> list[str]:
        """Return the engine's proof that the model, narrowed by ``domains``, has no solution, in its format DRCP.

        Nothing in this package checks it. Raise ValueError if there is a solution.
        """
        from .engine import proof_of

        return proof_of(settled(self.model.narrowed(domains or {})))

    def _engine(self, domains: Mapping[str, Domain], clock: Budget) -> PumpkinEngine:
        from .engine import PumpkinEngine

        return PumpkinEngine(settled(self.model.narrowed(domains)), clock)

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """State the model to a solver, and yield what it finds."""
        watch = record.stopwatch()
        engine = self._engine(request.domains, clock)
        record.sizes |= {"variables": len(self.model.variables), "constraints": len(self.model.constraints)}
        watch.lap("encode")
        return (yield from pulled(self._solutions(engine, request), request, watch))

    def _solutions(self, engine: PumpkinEngine, request: Request) -> Iterator[Solution]:
        """Ask one solver repeatedly, each time with the solutions found forbidden, or for something better."""
        objective, names = self.model.objective, self.model.names
        kept = [names[i] for i in Projection(self.model, request.keep).positions]
        while (values := engine.ask()) is not None:
            yield tuple([values[name] for name in names])
            if objective:
                engine.add(objective.better_than(objective.value(values)))
            else:
                engine.forbid({name: values[name] for name in kept})
