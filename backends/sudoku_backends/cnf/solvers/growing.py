"""A formula that grows inside a solver: further constraints as clauses, perhaps under a literal that turns them on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sudoku_models.engine.budget import Budget, GaveUp
from sudoku_models.engine.contract import Reason, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.model import Constraint, Domain, Model, Objective, Variable

from ..encoding.cost import Cost
from ..encoding.formula import NOTHING
from ..encoding.options import EncodingOptions
from ..encoding.plain import native_of
from ..encoding.structure import Structure
from ..propagation.prepare import Preparation
from .improving import tightened
from .of_pysat import SOLVERS
from .oracle import Oracle, OutOfBudget, one_of_each
from .pysat import PysatOptions


class Growing:
    """A model in a solver that is kept. ``literals`` has the literal that says that a variable, by its name, has a
    value.

    Each group of constraints is encoded separately, over the values that its variables have, and renumbered. ``dead``
    is true if what was stated has no solution, whatever is assumed.
    """

    def __init__(self, model: Model, options: PysatOptions) -> None:
        self._options: EncodingOptions = replace(options, reduction="none", propagate="none")
        self.oracle = Oracle(SOLVERS[options.solver], NOTHING, Budget())
        self.literals: dict[str, dict[int, int]] = {}
        self.taken, self.dead = 0, False
        self.state(model)

    def fresh(self) -> int:
        """Return a new literal."""
        self.taken += 1
        return self.taken

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = (), when: int = 0) -> None:
        """State constraints, after any new variables; if ``when`` is a literal, they hold when that is true."""
        if not self.dead:
            scope = dict.fromkeys(x for constraint in constraints for x in constraint.scope)
            known = (Variable(x, self.literals[x]) for x in scope if x in self.literals)
            self.state(Model([*known, *variables], constraints), when)

    def state(self, model: Model, when: int = 0) -> None:
        """State a model, which may have variables that are known already."""
        problem = Preparation(Structure(model), self._options)({})[0]
        native = native_of(problem)
        numbers = [0, *(self._literal(name, value) for name, value in native.candidates)]
        numbers += [self.fresh() for _ in range(native.variables - len(native.candidates))]
        for clause in native.clauses:
            self._clause([numbers[lit] if lit > 0 else -numbers[-lit] for lit in clause], when)

    def _literal(self, name: str, value: int) -> int:
        found = self.literals.setdefault(name, {})
        if value not in found:
            found[value] = self.fresh()
        return found[value]

    def _clause(self, clause: list[int], when: int) -> None:
        if when:
            clause.append(-when)
        if clause:
            self.oracle.add(clause)
        else:
            self.dead = True

    def assumed(self, domains: Mapping[str, Domain]) -> list[int] | None:
        """Return the literals that narrow domains; None if one of them is empty."""
        found = []
        for name, values in domains.items():
            known = self.literals[name]
            left = [value for value in values if value in known]
            if not left:
                return None
            found += [known[left[0]]] if len(left) == 1 else [-known[v] for v in known if v not in values]
        return found


class PysatAssuming:
    """One solver, which keeps what it learned; domains and switches are assumptions.

    What belongs to one search alone (the solutions already found, the bound of an objective) is turned on by a literal
    of that search, which is false ever after.
    """

    def __init__(self, model: Model, options: PysatOptions) -> None:
        self.model, self._growing = model, Growing(model, options)

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = (), switch: bool = False) -> int:
        """Add clauses to the solver, perhaps behind a literal."""
        grown = self.model.with_(*(() if switch else constraints), variables=variables)
        when = self._growing.fresh() if switch else 0
        self._growing.add((), variables)
        self._growing.add(constraints, when=when)
        self.model = grown
        return when

    def close(self) -> None:
        """Release the solver."""
        self._growing.oracle.close()

    def search(self, request: Request, budget: Budget, record: Record, switches: Sequence[int] = ()) -> Search:
        """Search with all clauses added so far; with patience, within one slice of conflicts for each solution."""
        growing, oracle = self._growing, self._growing.oracle
        narrow = None if growing.dead else growing.assumed(request.domains)
        asking = _Asking(
            self.model, growing, growing.fresh(), None if narrow is None else [*narrow, *switches], request
        )
        oracle.clock, oracle.once = budget, request.patience is not None
        try:
            ending = yield from pulled(asking.solutions(record), request, record.stopwatch())
            failed = oracle.core() if ending.reason is Reason.EXHAUSTED and narrow is not None else ()
            return replace(ending, failed=tuple(literal for literal in failed if literal in switches))
        except OutOfBudget:
            raise GaveUp from None
        finally:
            asking.end()
            record.sizes |= {"variables": growing.taken, **oracle.counters()}


class _Asking:
    """One search. ``on`` is its literal; if ``assumed`` is None, there is no solution."""

    def __init__(self, model: Model, growing: Growing, on: int, assumed: list[int] | None, request: Request) -> None:
        self.model, self.growing, self.on, self.assumed = model, growing, on, assumed
        self.keep = frozenset(model.names if request.keep is None else request.keep)
        if request.seed:
            growing.oracle.prefer(one_of_each((list(v.values()) for v in growing.literals.values() if v), request.seed))

    def solutions(self, record: Record) -> Iterator[Solution]:
        """Yield each solution once; with an objective, only those that improve."""
        if self.assumed is None:
            return
        if self.model.objective:
            cost = self._cost(self.model.objective)
            yield from tightened(cost, self.growing.taken, self.ask, self.read, record)
            return
        clauses: list[list[int]] = []
        while (model := self.ask(clauses, self.growing.taken)) is not None:
            yield (solution := self.read(model))
            values = zip(self.model.names, solution, strict=True)
            clauses = [[-self.growing.literals[x][v] for x, v in values if x in self.keep]]

    def ask(self, clauses: Sequence[list[int]], variables: int) -> list[int] | None:
        """Add clauses for this run alone and return a model; None if there is none."""
        growing = self.growing
        growing.taken = max(growing.taken, variables)
        for clause in clauses:
            growing.oracle.add([*clause, -self.on])
        return growing.oracle.model() if growing.oracle.solve([self.on, *(self.assumed or ())]) else None

    def read(self, model: list[int]) -> Solution:
        """Return the values under a model."""
        return _read(self.model, self.growing.literals, model)

    def _cost(self, objective: Objective) -> Cost:
        """Return the objective as a cost over the values that are left to each variable in this run."""
        excluded = {-lit for lit in self.assumed or ()}
        open_ones = {
            x: [(lit, v) for v, lit in self.growing.literals[x].items() if lit not in excluded] for x in objective.terms
        }
        return Cost.over(objective, open_ones, {})

    def end(self) -> None:
        """Turn off what belongs to this run."""
        self.growing.oracle.add([-self.on])


def _read(model: Model, literals: Mapping[str, Mapping[int, int]], true: Sequence[int]) -> Solution:
    """Return the values of a model's variables under the literals of a solver's model."""
    return tuple([next(v for v, lit in literals[x].items() if true[lit - 1] > 0) for x in model.names])
