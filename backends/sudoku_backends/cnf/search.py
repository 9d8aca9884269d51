"""Searching with a SAT solver: one solution after another, better and better ones, and all that under assumptions.

A *solver* here has ``add(clause)``, ``solve(assumptions)``, which returns a model (signed literals in order) or None,
``failed()``, ``counters()`` and ``close()``: python-sat, PicoSAT and programs are each behind such a class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Any

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Reason, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.model import Constraint, Domain, Model, Objective, Variable

from .compiled import CompiledFormula, EncodingOptions
from .formula import NOTHING, Formula, Problem, Structure, structure_of, textbook


class Stated:
    """What the literals of a formula say.

    Literal i + 1 says that the model's variable number ``cells[i]`` has the value ``values[i]``. A literal that says
    nothing about a variable has the cell -1 and the value None. ``fixed`` has the value of each variable, where it is
    known without a search.
    """

    def __init__(self, problem: Problem) -> None:
        structure, reduced = problem.structure, problem.reduced
        auxiliaries = max(0, problem.formula.variables - len(reduced.cell))
        self.cells: list[int] = reduced.cell.tolist() + [-1] * auxiliaries
        self._stating = list(range(len(reduced.cell)))  # where a literal is a value, for some are helpers
        self.values: list[int | None] = structure.table[reduced.column].tolist() + [None] * auxiliaries
        self.fixed = [None if column < 0 else structure.values[column] for column in reduced.fixed.tolist()]

    @cached_property
    def literals(self) -> list[dict[int, int]]:
        """The literals of each variable's open values."""
        found: list[dict[int, int]] = [{} for _ in self.fixed]
        for literal, (cell, value) in enumerate(zip(self.cells, self.values, strict=True), 1):
            if value is not None:
                found[cell][value] = literal
        return found

    def new(self, cell: int = -1, value: int | None = None) -> int:
        """Return a new literal: that a variable has a value it could not have before, or an auxiliary."""
        self.cells.append(cell)
        self.values.append(value)
        if value is not None:
            self.literals[cell][value] = len(self.cells)
            self._stating.append(len(self.cells) - 1)
        return len(self.cells)

    def row(self, model: Sequence[int]) -> Solution:
        """Return the value of each variable under a model."""
        row: list[Any] = self.fixed.copy()
        for i in self._stating:
            if i < len(model) and model[i] > 0:
                row[self.cells[i]] = self.values[i]
        return tuple(row)

    def blocking(self, row: Solution, kept: frozenset[int]) -> list[int]:
        """Return the clause that forbids a solution: one of its open values in the kept variables must change."""
        places = enumerate(zip(self.cells, self.values, strict=True), 1)
        return [-literal for literal, (cell, value) in places if cell in kept and row[cell] == value]

    def preferred(self, request: Request, index: Mapping[str, int]) -> list[int]:
        """Return what to try first: a value of each open variable, drawn by the seed, then those of the hint.

        The literals of the values come with the negations of those of the variables' other values.
        """
        rng, chosen = Random(request.seed), list[tuple[dict[int, int], int]]()
        if request.seed:
            chosen += [(literals, rng.choice(list(literals.values()))) for literals in self.literals if literals]
        for x, value in (request.hint or {}).items():
            literals = self.literals[index[x]]
            chosen += [(literals, literals[value])] if value in literals else []
        return [literal if literal == one else -literal for literals, one in chosen for literal in literals.values()]


def search(
    compiled: CompiledFormula, request: Request, record: Record, load: Callable[[Formula, Stated], Any]
) -> Search:
    """Narrow and encode the model, load what is left to a solver, and yield what it finds."""
    watch = record.stopwatch()
    problem = compiled.problem(request.domains, record)
    stated = Stated(problem)
    solver = None if problem.impossible or problem.decided else load(problem.formula, stated)
    watch.lap("encode")
    try:
        if problem.impossible:
            found: Iterator[Solution] = iter(())
        elif solver is None:
            found = _decided(compiled.model, stated, record)
        else:
            found = answers(solver, stated, compiled.model, request, record)
        return (yield from pulled(found, request, watch))
    finally:
        if solver is not None:
            record.sizes |= solver.counters()
            solver.close()


def _decided(model: Model, stated: Stated, record: Record) -> Iterator[Solution]:
    if model.objective:
        record.bound = Cost(model.objective, model.index, stated).bound
    yield stated.row([])


def kept_of(model: Model, request: Request) -> frozenset[int]:
    """Return the positions of the variables that distinguish solutions."""
    return frozenset(range(len(model.names)) if request.keep is None else map(model.index.__getitem__, request.keep))


def answers(
    solver: Any,
    stated: Stated,
    model: Model,
    request: Request,
    record: Record,
    assumed: Sequence[int] = (),
    on: Sequence[int] = (),
) -> Iterator[Solution]:
    """Yield solutions: each question forbids the last one or, with an objective, asks for a better one.

    ``on`` is the literal of this search, if the solver is to be used again: all that is added holds only under it.
    """
    guard = [-literal for literal in on]

    def ask(clauses: Sequence[list[int]]) -> list[int] | None:
        for clause in clauses:
            solver.add([*clause, *guard])
        found: list[int] | None = solver.solve([*on, *assumed])
        return found

    if model.objective:
        cost = Cost(model.objective, model.index, stated, frozenset(-literal for literal in assumed))
        yield from _improving(cost, stated, ask, record)
        return
    kept, found = kept_of(model, request), ask([])
    while found is not None:
        yield (row := stated.row(found))
        forbidden = stated.blocking(row, kept)
        found = ask([forbidden]) if forbidden else None


def _improving(
    cost: Cost, stated: Stated, ask: Callable[[Sequence[list[int]]], list[int] | None], record: Record
) -> Iterator[Solution]:
    """Yield solutions, each better than the one before; when they end, none is better than the last."""
    record.bound = cost.bound
    totals: Adders | None = None
    model = ask([])
    while model is not None:
        yield stated.row(model)
        most = cost.spent(model) - 1
        if most < 0:
            return
        clauses: list[list[int]] = []
        if totals is None:
            totals = Adders(cost.groups, len(stated.cells))
            clauses += totals.clauses
            for _ in range(totals.variables - len(stated.cells)):
                stated.new()
        clauses += totals.at_most(most)
        record.sizes["clauses"] = record.sizes.get("clauses", 0) + len(clauses)
        record.sizes["variables"] = totals.variables
        model = ask(clauses)


class AssumingFormula:
    """A model in one solver, which keeps what it learned; domains and switches are assumptions.

    Each group of further constraints is encoded separately, over the values that its variables have, and renumbered.
    What belongs to one search alone (the solutions already found, the bound of an objective) is turned on by a literal
    of that search, which is false ever after.
    """

    def __init__(self, model: Model, options: EncodingOptions, load: Callable[[Formula], Any]) -> None:
        self.model, self._options = model, replace(options, reduction="none", propagate="none")
        problem = textbook(structure_of(model), {}, self._options)
        self._impossible = problem.impossible
        self._stated = Stated(problem)
        self._solver = load(NOTHING if problem.impossible else problem.formula)

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = (), switch: bool = False) -> int:
        """Add clauses to the solver, perhaps behind a literal."""
        whole = self.model.with_(*constraints, variables=variables)
        if variables:
            self._stated.fixed += [None] * len(variables)
            self._stated.literals.extend({} for _ in variables)
            self._state(whole, Model(variables), [])
        when = [self._stated.new()] if switch else []
        if constraints:
            scope = dict.fromkeys(x for constraint in constraints for x in constraint.scope)
            known = [Variable(x, self._stated.literals[whole.index[x]]) for x in scope]
            self._state(whole, Model(known, constraints), when)
        self.model = self.model.with_(variables=variables) if switch else whole
        return when[0] if when else 0

    def _state(self, whole: Model, part: Model, when: Sequence[int]) -> None:
        """Add the clauses of a part of a model, behind a literal if one is given."""
        problem, stated = textbook(Structure(part), {}, self._options), self._stated
        own, numbers = Stated(problem), [0]
        for cell, value in zip(own.cells, own.values, strict=True):
            if value is None:
                numbers.append(stated.new())
                continue
            cell = whole.index[part.names[cell]]
            numbers.append(stated.literals[cell].get(value) or stated.new(cell, value))
        guard = [-literal for literal in when]
        for clause in problem.formula:
            renumbered = [numbers[literal] if literal > 0 else -numbers[-literal] for literal in clause] + guard
            if renumbered:
                self._solver.add(renumbered)
            else:
                self._impossible = True

    def search(self, request: Request, budget: Budget, record: Record, switches: Sequence[int] = ()) -> Search:
        """Search with all clauses added so far, as ``Assuming`` says; patience is as for ``Compiled.search``."""
        narrow, stated, solver = self._narrowed(request.domains), self._stated, self._solver
        if narrow is None:
            return (yield from pulled((), request, record.stopwatch()))
        solver.clock, solver.once = budget, request.patience is not None
        solver.prefer(stated.preferred(request, self.model.index))
        on = [stated.new()]
        found = answers(solver, stated, self.model, request, record, [*narrow, *switches], on)
        try:
            ending = yield from pulled(found, request, record.stopwatch())
            failed = set(solver.failed() if ending.reason is Reason.EXHAUSTED else ())
            return replace(ending, failed=tuple(switch for switch in switches if switch in failed))
        finally:
            solver.add([-on[0]])
            record.sizes |= {"variables": len(stated.cells), **solver.counters()}

    def _narrowed(self, domains: Mapping[str, Domain]) -> list[int] | None:
        """Return the literals that narrow domains; None if there is no solution at all, or none in these domains."""
        found: list[int] = []
        for name, values in domains.items():
            known = self._stated.literals[self.model.index[name]]
            left = [value for value in values if value in known]
            if not left:
                return None
            found += [known[left[0]]] if len(left) == 1 else [-known[v] for v in known if v not in values]
        return None if self._impossible else found

    def close(self) -> None:
        self._solver.close()


# ---------------------------------------------------------------- objectives: a cost of the open values, and bounds
# The cost as a binary number defines auxiliary literals once. A bound then needs a few more clauses, and so does each
# lower bound, so that a solver that is kept can use under the next bound what it learned under the first.

Group = tuple[tuple[int, int], ...]
"""The literals of one cell, exactly one of which is true, each with its cost; the cheapest costs 0."""


class Cost:
    """The cost of an assignment beyond ``least``, the part common to all: the sum over the groups of their true
    literals.

    A cost is the objective's value, or its negation if the objective is to be maximised. ``bound`` is the value that no
    solution improves on; literals that are ``excluded`` cannot be true.
    """

    def __init__(
        self, objective: Objective, index: Mapping[str, int], stated: Stated, excluded: frozenset[int] = frozenset()
    ) -> None:
        sign = 1 if objective.minimizes else -1
        least, self.groups = sign * objective.constant, list[Group]()
        for x, c in objective.terms.items():
            value = stated.fixed[index[x]]
            open_values = stated.literals[index[x]].items() if value is None else [(value, 0)]
            costs = [(literal, sign * c * v) for v, literal in open_values if literal not in excluded]
            cheapest = min(cost for _, cost in costs)
            least += cheapest
            if any(cost != cheapest for _, cost in costs):
                self.groups.append(tuple((literal, cost - cheapest) for literal, cost in costs))
        self.bound = sign * least

    def spent(self, model: list[int]) -> int:
        """Return the cost, beyond the least, of a model of the formula (its signed literals in order)."""
        return sum(cost for group in self.groups for literal, cost in group if model[literal - 1] > 0)


Clause = list[int]


class Adders:
    """The cost as a binary number, by full adders; a bound is a comparison with it.

    ``clauses`` define auxiliary literals from ``taken + 1`` up to ``variables``. After Een and Sorensson, "Translating
    pseudo-Boolean constraints into SAT" (2006), section 5.2.
    """

    def __init__(self, groups: Sequence[Group], taken: int) -> None:
        self.variables, self.clauses = taken, list[Clause]()
        buckets: dict[int, list[int]] = defaultdict(list)
        for group in groups:
            self._read(group, buckets)
        self._digits: list[int] = []
        while len(self._digits) <= max(buckets, default=-1):
            self._digits.append(self._reduced(buckets, len(self._digits)))

    def fresh(self) -> int:
        self.variables += 1
        return self.variables

    def _read(self, group: Group, buckets: dict[int, list[int]]) -> None:
        """Put the binary digits of a group's cost into the buckets of their places."""
        for place in range(max(cost for _, cost in group).bit_length()):
            having = [literal for literal, cost in group if cost >> place & 1]
            if not having:
                continue
            digit = having[0] if len(having) == 1 else self.fresh()
            if len(having) > 1:
                self.clauses += [[-literal, digit] for literal in having]
                self.clauses.append([-digit, *having])
            buckets[place].append(digit)

    def _reduced(self, buckets: dict[int, list[int]], place: int) -> int:
        """Add up the digits of a place until one is left, carrying to the next place; return 0 if there was none."""
        bucket = buckets[place]
        while len(bucket) > 1:
            taken = [bucket.pop(0) for _ in range(min(3, len(bucket)))]
            total, carry = self.fresh(), self.fresh()
            self._define(taken, total, carry)
            bucket.append(total)
            buckets[place + 1].append(carry)
        return bucket[0] if bucket else 0

    def _define(self, digits: Sequence[int], total: int, carry: int) -> None:
        """State ``2 * carry + total == sum of two or three digits``, row by row of the truth table."""
        for row in range(1 << len(digits)):
            wrong = [-digit if row >> i & 1 else digit for i, digit in enumerate(digits)]
            count = row.bit_count()
            self.clauses.append([*wrong, total if count & 1 else -total])
            self.clauses.append([*wrong, carry if count > 1 else -carry])

    def at_most(self, most: int) -> list[Clause]:
        """Compare digit by digit: where the bound has a 0 and the cost a 1, a higher digit of the cost is less."""
        if most >= 1 << len(self._digits):
            return []
        found = []
        for place, digit in enumerate(self._digits):
            if digit and not most >> place & 1:
                higher = range(place + 1, len(self._digits))
                less = [-self._digits[p] for p in higher if most >> p & 1 and self._digits[p]]
                certain = any(most >> p & 1 and not self._digits[p] for p in higher)
                found += [] if certain else [[-digit, *less]]
        return found
