"""The backend ``pumpkin``: Pumpkin, a solver by lazy clause generation, by its package ``pumpkin-solver``.

On anything that it does not expect it ends the whole process, so every run belongs in a child process.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudoku_models.engine.base import BackendBase, CompiledBase, NoOptions
from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import Capabilities, Feature, Isolate, Projection, Request, Search, Solution
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.errors import Unsupported
from sudoku_models.exports.common import no_clause, settled
from sudoku_models.exports.zero_one import tuples_of
from sudoku_models.lazy import Loaded
from sudoku_models.lowering.arithmetic import merged
from sudoku_models.model import Constraint, Domain, Linear, Model, Objective, kinds

pumpkin: Any = Loaded("pumpkin_solver")
stated: Any = Loaded("pumpkin_solver.constraints")

STATED: dict[type[Constraint], str] = {
    kinds.AllDifferent: "all_different",
    kinds.Compare: "compare",
    kinds.Count: "count",
    kinds.Element: "element",
    kinds.InDomain: "among",
    kinds.Linear: "total",
    kinds.MinMax: "ends",
    kinds.Or: "disjunction",
    kinds.Table: "table",
}
"""The kinds that the engine takes, each with the method that states it."""

LARGEST = 2**28
"""The largest absolute value of a variable, and of a sum or one of its partial sums: the engine counts in 32 bits."""

NUMBERS = Numbers(
    value=LARGEST, stated=LARGEST, sums=dict.fromkeys((kinds.Compare, kinds.Count, Linear, Objective), LARGEST)
)

WIDEST = 100_000
"""The largest number of values that may be missing within the domain of a variable: each is taken out separately."""


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large; None if it is not."""
    for variable in model.variables:
        values = variable.domain
        holes = values[-1] - values[0] + 1 - len(values) if values else 0
        if holes > WIDEST:
            return f"{variable.name} lacks {holes} values between its ends: at most {WIDEST} are taken out"
    return None


class Pumpkin(BackendBase):
    name = "pumpkin"
    capabilities = Capabilities(
        kinds=frozenset(STATED),
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.PROOF}),
        requires=("pumpkin_solver",),
        install="sudoku-models[pumpkin]",
        isolate=Isolate.ALWAYS,
        refuses=no_clause,
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
        with tempfile.TemporaryDirectory(prefix="sudoku-models-") as folder:
            path = Path(folder, "proof.drcp")
            engine = self._engine(domains or {}, Budget(), path)
            if engine.ask() is not None:
                raise ValueError("there is a solution, so there is no proof that there is none")
            del engine  # the file is whole when the engine has gone
            return path.read_text(encoding="utf-8").splitlines()

    def _engine(self, domains: Mapping[str, Domain], clock: Budget, proof: Path | None = None) -> PumpkinEngine:
        return PumpkinEngine(settled(self.model.narrowed(domains)), clock, proof)

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


# ---------------------------------------------------------------- the engine at work


class PumpkinEngine:
    """A model of the engine, asked repeatedly.

    Once the engine has seen a contradiction it accepts no more variables or Booleans: ``impossible`` is true from then
    on.
    """

    def __init__(self, model: Model, clock: Budget, proof: Path | None = None) -> None:
        self.solver: Any = pumpkin.Model(proof=proof and str(proof))
        self.domains: Mapping[str, Domain] = model.domains
        self.variables: dict[str, Any] = {}
        self._clock, self._booleans = clock, dict[tuple[str, int], Any]()
        for number, (name, values) in enumerate(model.domains.items()):
            self.variables[name] = self.solver.new_integer_variable(values[0], values[-1], name=f"v{number}")
        for name, values in model.domains.items():
            present = frozenset(values)
            for value in range(values[0], values[-1] + 1):
                if value not in present:
                    self._post(stated.NotEquals, [self.variables[name]], value)
        for constraint in model.constraints:
            self.add(constraint)

    @property
    def impossible(self) -> bool:
        """Whether the engine has found a contradiction already."""
        return bool(self.solver.is_inconsistent())

    def add(self, constraint: Constraint) -> None:
        if not self.impossible:
            getattr(self, STATED[type(constraint)])(constraint)

    def forbid(self, values: Mapping[str, int]) -> None:
        """Demand that some variable has another value."""
        if not self.impossible:
            self.clause(self.equal(name, value).negate() for name, value in values.items())

    def ask(self) -> dict[str, int] | None:
        """Return the values of a solution; None if there is none. Raise OutOfTime."""
        if self._clock.expired:
            raise OutOfTime
        found = self.solver.satisfy(timeout=self._clock.left)
        if isinstance(found, pumpkin.SatisfactionResult.Unsatisfiable):
            return None
        if not isinstance(found, pumpkin.SatisfactionResult.Satisfiable):
            raise OutOfTime
        solution = found._0
        return {name: solution.int_value(variable) for name, variable in self.variables.items()}

    def equal(self, name: str, value: int) -> Any:
        """Return the Boolean that says that a variable has a value of its domain."""
        if (name, value) not in self._booleans:
            predicate = pumpkin.Predicate(self.variables[name], pumpkin.Comparator.Equal, value)
            tag = self.solver.new_constraint_tag()
            self._booleans[name, value] = self.solver.predicate_as_boolean(predicate, tag)
        return self._booleans[name, value]

    def clause(self, booleans: Iterable[Any]) -> None:
        """Demand that one of some Booleans is true; an empty list is a contradiction."""
        self._post(stated.Clause, list(booleans))

    def linear(self, terms: list[Any], op: str, k: int) -> None:
        """Compare a sum of expressions with a number."""
        if op in (">", ">="):
            self.linear([term.scaled(-1) for term in terms], {">": "<", ">=": "<="}[op], -k)
        elif op == "<":
            self.linear(terms, "<=", k - 1)
        elif not terms:
            if not {"<=": k >= 0, "==": k == 0, "!=": k != 0}[op]:
                self.clause(())
        else:
            kind = {"<=": stated.LessThanOrEquals, "==": stated.Equals, "!=": stated.NotEquals}[op]
            self._post(kind, terms, k)

    def total(self, c: Linear) -> None:
        """Compare a weighted sum with a number."""
        self.linear(self.scaled(merged(c)), c.op, c.k)

    def scaled(self, factors: Mapping[str, int]) -> list[Any]:
        """Return variables times factors, without those whose factor is 0."""
        return [self.variables[x].scaled(f) if f != 1 else self.variables[x] for x, f in factors.items() if f]

    def of_number(self, value: int) -> Any:
        return self.solver.new_integer_variable(value, value)

    def all_different(self, c: kinds.AllDifferent) -> None:
        """State that no two have the same value; too few values are beyond the engine's own reasoning."""
        self._post(stated.AllDifferent, [self.variables[x] for x in c.xs])
        if len(c.xs) > len({value for x in c.xs for value in self.domains[x]}):
            self.clause(())

    def compare(self, c: kinds.Compare) -> None:
        """Compare one variable with another one and a number."""
        factors = {c.x: 1}
        factors[c.y] = factors.get(c.y, 0) - 1
        self.linear(self.scaled(factors), c.op, c.c)

    def count(self, c: kinds.Count) -> None:
        """Compare the number of variables that have one of some values, a sum of Booleans, with a number."""
        ones = [self.equal(x, v) for x in c.xs for v in sorted(set(c.values)) if v in self.domains[x]]
        terms = [one.as_integer() for one in ones]
        if isinstance(c.y, str):
            self.linear([*terms, self.variables[c.y].scaled(-1)], c.op, 0)
        else:
            self.linear(terms, c.op, c.y)

    def element(self, c: kinds.Element) -> None:
        """State that the variable at a place has a value; places outside have no values."""
        for place in self.domains[c.i]:
            if not 0 <= place < len(c.xs):
                self._post(stated.NotEquals, [self.variables[c.i]], place)
        right = self.variables[c.y] if isinstance(c.y, str) else self.of_number(c.y)
        self._post(stated.Element, self.variables[c.i], [self.variables[x] for x in c.xs], right)

    def among(self, c: kinds.InDomain) -> None:
        """State that a variable has one of some values."""
        self.clause(self.equal(c.x, v) for v in c.values if v in self.domains[c.x])

    def ends(self, c: kinds.MinMax) -> None:
        """State the least or the largest of some variables."""
        xs = [self.variables[x] for x in c.xs]
        for kind, end in ((stated.Minimum, c.lo), (stated.Maximum, c.hi)):
            if end is not None:
                self._post(kind, xs, self.variables[end] if isinstance(end, str) else self.of_number(end))

    def disjunction(self, c: kinds.Or) -> None:
        """State that some variable has one of its values."""
        parts = [part for part in c.parts if isinstance(part, kinds.InDomain)]
        self.clause(self.equal(part.x, v) for part in parts for v in part.values if v in self.domains[part.x])

    def table(self, c: kinds.Table) -> None:
        """State that the values are one of some tuples, or none of them."""
        rows = [list(row) for row in tuples_of(c, self.domains)]
        kind = stated.Table if c.allowed else stated.NegativeTable
        self._post(kind, [self.variables[x] for x in c.scope], rows)

    def _post(self, kind: Callable[..., Any], *arguments: Any) -> None:
        self.solver.add_constraint(kind(*arguments, self.solver.new_constraint_tag()))
