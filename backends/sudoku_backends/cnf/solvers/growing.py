"""A formula that grows inside a solver: further constraints as clauses, perhaps under a literal that turns them on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import (
    Request,
    Search,
    Solution,
)
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.errors import LimitReached
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

EACH = 1000
"""The number of clauses that are stated between two looks at the time."""


class Growing:
    """A model in a solver that is kept. ``literals`` has the literal that says that a variable, by its name, has a
    value.

    Each group of constraints is encoded separately, over the values that its variables have, and renumbered. ``dead``
    is true if what was stated has no solution, whatever is assumed.
    """

    def __init__(self, model: Model, options: PysatOptions, check: Callable[[], object] = lambda: None) -> None:
        """State a model; ``check`` is called during this and later stating, and an exception from it ends the work."""
        self._options: EncodingOptions = replace(options, reduction="none", propagate="none")
        self.check = check
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
        for number, clause in enumerate(native.clauses):
            if number % EACH == 0:
                self.check()
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


class PysatSession:
    """A session: one solver, which keeps what it learned; domains are assumptions.

    What belongs to one run alone (the solutions already found, the bound of an objective) is turned on by a literal of
    that run, which is false ever after.
    """

    def __init__(self, model: Model, options: PysatOptions) -> None:
        self.model, self._growing = model, Growing(model, options)

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = ()) -> None:
        """Add clauses to the solver."""
        grown = self.model.with_(*constraints, variables=variables)
        self._growing.add(constraints, variables)
        self.model = grown

    def close(self) -> None:
        """Release the solver."""
        self._growing.oracle.close()

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Search with all clauses added so far."""
        growing = self._growing
        assumed = None if growing.dead else growing.assumed(request.domains)
        asking = _Asking(self.model, growing, growing.fresh(), assumed, request)
        growing.oracle.clock = clock
        try:
            return (yield from pulled(asking.solutions(record), request, record.stopwatch()))
        finally:
            asking.end()
            record.sizes |= {"variables": growing.taken, **growing.oracle.counters()}


class _Asking:
    """One run of a session. ``on`` is its literal; if ``assumed`` is None, there is no solution."""

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


class PysatSwitches:
    """Parts of a model, each under a literal that turns it on; the solver keeps what it learned."""

    def __init__(
        self,
        model: Model,
        options: PysatOptions,
        parts: Sequence[Sequence[Constraint]],
        check: Callable[[], object] = lambda: None,
    ) -> None:
        self.model, self._growing = model, Growing(model, options, check)
        self._literals = [self._growing.fresh() for _ in parts]
        self._numbers = {literal: number for number, literal in enumerate(self._literals)}
        for literal, constraints in zip(self._literals, parts, strict=True):
            self._growing.add(constraints, when=literal)

    def ask(
        self, numbers: Sequence[int], domains: Mapping[str, Domain], time_limit: float | None, once: bool = False
    ) -> tuple[Solution | None, Sequence[int]]:
        """Return a solution with some parts and domains; or None, and the parts that contradict each other."""
        growing = self._growing
        growing.oracle.clock, growing.oracle.once = Budget(time_limit), once
        growing.oracle.clock.start()
        assumed = growing.assumed(domains)
        if growing.dead or assumed is None:
            return None, ()
        try:
            if growing.oracle.solve([*assumed, *(self._literals[number] for number in numbers)]):
                return _read(self.model, growing.literals, growing.oracle.model()), ()
        except (OutOfTime, OutOfBudget):
            raise LimitReached("pysat did not settle which parts contradict each other") from None
        return None, [self._numbers[literal] for literal in growing.oracle.core() if literal in self._numbers]

    def close(self) -> None:
        """Release the solver."""
        self._growing.oracle.close()


def core(
    model: Model, options: PysatOptions, parts: Sequence[Sequence[Constraint]], request: Request
) -> list[int] | None:
    """Return the numbers of parts that contradict each other, each turned on by a literal; None if none do."""
    clock = Budget(request.time_limit).start()
    try:
        switches = PysatSwitches(model, options, parts, clock.check)
    except OutOfTime:
        raise LimitReached("pysat did not settle which parts contradict each other") from None
    try:
        solution, found = switches.ask(range(len(parts)), {}, clock.left)
        return sorted(found) if solution is None else None
    finally:
        switches.close()


def _read(model: Model, literals: Mapping[str, Mapping[int, int]], true: Sequence[int]) -> Solution:
    """Return the values of a model's variables under the literals of a solver's model."""
    return tuple([next(v for v, lit in literals[x].items() if true[lit - 1] > 0) for x in model.names])
