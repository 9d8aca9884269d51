"""A model in CP-SAT's terms: the forms ``integers`` and ``booleans``, and the native model that a caller may extend.

What is added to the stated variables is determined by them, so that every solution occurs once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from ortools.sat.python import cp_model

from sudoku_models.exports.zero_one import tuples_of
from sudoku_models.model import OPERATORS, Constraint, Domain, Model, Objective, VariableLike, kinds, name_of

from . import CLAUSES

if TYPE_CHECKING:
    Literal = cp_model.LiteralT
    Made = cp_model.Constraint
else:
    Literal = Made = Any

WIDEST = 1_000
"""The largest number of values of a variable that has a literal for each value in native models."""

MOST_BESIDE, MOST_PAIRS = 8, 10_000
"""Forbidden pairs become allowed ones if there are at most 10,000 pairs, and at most 8 for each forbidden one."""

WIDEST_IN_TABLES = 2**31 - 1
"""A larger value makes the engine's table lose rows."""

LARGEST_IN_SUMS = 2**53
"""Larger values are not added up: such a sum might exceed 64 bits."""


class Integers:
    """States a model: one integer variable each, and the engine's global constraints.

    While ``when`` is not empty, what is added holds only if all its literals are true.

    ``clausal`` says that all kinds become clauses over literals of single values.
    """

    clausal = False

    def __init__(self, model: Model) -> None:
        self.stated, self.model = model, cp_model.CpModel()
        self.variables: dict[str, cp_model.IntVar] = {}
        self.literals: dict[tuple[str, int], cp_model.IntVar] = {}
        self.when: list[Literal] = []
        self.has_clauses = self.clausal or any(map(self._becomes_clauses, model.constraints))
        self._inside: dict[tuple[str, tuple[int, ...]], Literal] = {}
        self._outside: dict[tuple[str, int], Literal] = {}
        self._present: dict[tuple[tuple[str, ...], int], Literal] = {}

    def native(self, literals: bool = False) -> NativeCpModel:
        """State everything; with a literal for each value of each variable if ``literals``."""
        for variable in self.stated.variables:
            self.add_variable(variable.name, variable.domain)
        if literals:
            self.add_literals()
        for constraint in self.stated.constraints:
            self.add(constraint)
        if self.stated.objective:
            self.optimise(self.stated.objective)
        return NativeCpModel(self.model, self.variables, self.literals, self)

    def add_variable(self, name: str, values: Domain) -> None:
        """Add a variable; one without a value makes the model impossible."""
        domain = cp_model.Domain.from_values(values or (0,))
        self.variables[name] = self.model.new_int_var_from_domain(domain, name)
        if not values:
            self.model.add_bool_or([])

    def add_literals(self) -> None:
        """Add a literal for each value of each variable that has not too many; they follow the variables, in their
        order.
        """
        for name, values in self.stated.domains.items():
            for value in values if len(values) <= WIDEST else ():
                literal = self.model.new_bool_var(f"{name}={value}")
                self.channel(name, (value,), literal)
                self.literals[name, value] = self._inside[name, (value,)] = literal

    def add(self, constraint: Constraint) -> None:
        """State a constraint of an accepted kind by the engine's own constraint, or by sums of literals.

        It is enforced only where the literals in ``when`` are true. TypeError for a kind that is not accepted.
        """
        match constraint:
            case kinds.AllDifferent(xs=xs):
                self.all_different(xs)
            case kinds.InDomain(x=x, values=values):
                self._domain(x, frozenset(values), True)
            case kinds.Table():
                self.table(constraint)
            case kinds.Compare(x=x, op=op, y=y, c=c):
                self.linear((1, -1), (x, y), op, c)
            case kinds.Linear(coeffs=coeffs, xs=xs, op=op, k=k):
                self.linear(coeffs, xs, op, k)
            case kinds.Element(xs=xs, i=i, y=y):
                self.element(xs, i, y)
            case kinds.Count(xs=xs, values=values, op=op, y=y):
                self.compare(sum(self.inside(x, values) for x in xs), op, y)
            case kinds.NValue(xs=xs, op=op, y=y):
                self.compare(self.distinct(xs), op, y)
            case kinds.MinMax(xs=xs, lo=lo, hi=hi):
                self.ends(xs, lo, hi)
            case kinds.MultisetEqual(xs=xs, ys=ys):
                self.multiset(xs, ys)
            case kinds.Or(parts=parts):
                self.alternatives(parts)
            case kinds.Circuit(xs=xs):
                self.circuit(xs)
            case kinds.Inverse(xs=xs, ys=ys):
                for x in constraint.scope:
                    self._domain(x, range(len(xs)), True)
                self.model.add_inverse(*([self.variables[x] for x in side] for side in (xs, ys)))
            case kinds.NoOverlap(starts=xs, durations=durations):
                self.model.add_no_overlap(self.tasks(xs, durations))
            case kinds.Cumulative(starts=xs, durations=durations, demands=demands, capacity=capacity):
                self.model.add_cumulative(self.tasks(xs, durations), demands, capacity)
            case _:
                raise TypeError(f"CP-SAT has no form for {type(constraint).__name__}")

    def optimise(self, objective: Objective) -> None:
        total = sum(c * self.variables[x] for x, c in objective.terms.items()) + objective.constant
        (self.model.minimize if objective.minimizes else self.model.maximize)(total)

    def post(self, made: Made) -> None:
        """Make what was added hold only if ``when`` is true."""
        if self.when:
            made.only_enforce_if(self.when)

    def impossible(self) -> None:
        """State that there is no solution if ``when`` is true."""
        self.model.add_bool_or([~literal for literal in self.when])

    def all_different(self, xs: Iterable[str]) -> None:
        self.post(self.model.add_all_different([self.variables[x] for x in xs]))

    def table(self, c: kinds.Table) -> None:
        """Add a Table. Only allowed tuples of several variables become a table of the engine.

        Forbidden pairs become allowed ones if the model has no clauses, which must not share variables with such a
        table.
        """
        xs, allowed, rows = c.scope, c.allowed, tuples_of(c, self.stated.domains)
        if not allowed and not self.has_clauses and self._are_pairs(xs):
            barred, allowed = frozenset(rows), True
            rows = [pair for pair in product(*(self.stated.domains[x] for x in xs)) if pair not in barred]
        if not xs or (allowed and not rows):
            if bool(rows) != allowed:
                self.impossible()
        elif len(xs) == 1:
            self._domain(xs[0], {row[0] for row in rows}, allowed)
        elif not allowed:
            for row in rows:
                self.post(self.model.add_bool_or(list(map(self._never, xs, row))))
        elif max(abs(value) for row in rows for value in row) > WIDEST_IN_TABLES:
            cells = ([self.inside(x, (value,)) for x, value in zip(xs, row, strict=True)] for row in rows)
            self.post(self.model.add_bool_or(list(map(self._all_of, cells))))
        else:
            self.post(self.model.add_allowed_assignments([self.variables[x] for x in xs], rows))

    def _becomes_clauses(self, c: Constraint) -> bool:
        """Return whether a constraint is stated as clauses: all forbidden tables are, except those of many pairs."""
        if not isinstance(c, kinds.Table):
            return isinstance(c, CLAUSES)
        if c.allowed or len(c.scope) < 2:
            return False
        pairs = prod(len(self.stated.domains[x]) for x in c.xs)
        return not self._are_pairs(c.xs) or pairs > MOST_BESIDE * len(c.tuples)

    def _are_pairs(self, xs: Sequence[str]) -> bool:
        """Return whether these are two variables with not too many pairs of values."""
        return len(xs) == len(set(xs)) == 2 and prod(len(self.stated.domains[x]) for x in xs) <= MOST_PAIRS

    def _never(self, x: str, value: int) -> Literal:
        """Return the literal that is true exactly when ``x`` does not have a value."""
        found = self._outside.get((x, value))
        if found is None:
            found = self._outside[x, value] = ~self.inside(x, (value,))
        return found

    def _all_of(self, literals: Sequence[Literal]) -> Literal:
        """Return a literal that is true exactly when all of some literals are."""
        every = self.model.new_bool_var("")
        self.model.add_bool_and(literals).only_enforce_if(every)
        self.model.add_bool_or([every, *(~literal for literal in literals)])
        return every

    def _domain(self, x: str, values: Collection[int], allowed: bool) -> None:
        """Narrow a variable to some values, or to all others."""
        left = [value for value in self.stated.domains[x] if (value in values) == allowed]
        if left:
            domain = cp_model.Domain.from_values(left)
            self.post(self.model.add_linear_expression_in_domain(self.variables[x], domain))
        else:
            self.impossible()

    def linear(self, coeffs: Iterable[int], xs: Iterable[str], op: str, k: int) -> None:
        terms: dict[str, int] = {}
        for c, x in zip(coeffs, xs, strict=True):
            terms[x] = terms.get(x, 0) + c
        self.compare(sum(c * self.variables[x] for x, c in terms.items() if c), op, k)

    def compare(self, total: Any, op: str, y: str | int) -> None:
        """Compare a sum (or a plain number) with a variable or a number."""
        made = OPERATORS[op](total, self.term(y))
        if not isinstance(made, bool):
            self.post(self.model.add(made))
        elif not made:
            self.impossible()

    def term(self, y: str | int) -> cp_model.IntVar | int:
        """Return the variable of that name, or the number."""
        return self.variables[y] if isinstance(y, str) else y

    def element(self, xs: Sequence[str], i: str, y: str | int) -> None:
        """Add an Element; when it holds, the index points into the list."""
        index = self.variables[i]
        if not any(0 <= place < len(xs) for place in self.stated.domains[i]):
            self.impossible()
            return
        self.post(self.model.add_linear_constraint(index, 0, len(xs) - 1))
        self.post(self.model.add_element(index, [self.variables[x] for x in xs], self.term(y)))

    def distinct(self, xs: Iterable[str]) -> Any:
        """Return the number of distinct values."""
        names = tuple(dict.fromkeys(xs))
        values = sorted({value for x in names for value in self.stated.domains[x]})
        return sum(self._presence(names, value) for value in values)

    def _presence(self, xs: tuple[str, ...], value: int) -> Literal:
        if (xs, value) not in self._present:
            literal = self._present[xs, value] = self.model.new_bool_var("")
            self.model.add_max_equality(literal, [self.inside(x, (value,)) for x in xs])
        return self._present[xs, value]

    def ends(self, xs: Iterable[str], lo: str | int | None, hi: str | int | None) -> None:
        """Add a MinMax."""
        variables = [self.variables[x] for x in dict.fromkeys(xs)]
        if lo is not None:
            self.post(self.model.add_min_equality(self.term(lo), variables))
        if hi is not None:
            self.post(self.model.add_max_equality(self.term(hi), variables))

    def multiset(self, xs: Iterable[str], ys: Iterable[str]) -> None:
        """State that every value occurs equally often on both sides."""
        xs, ys = list(xs), list(ys)
        for value in sorted({value for x in (*xs, *ys) for value in self.stated.domains[x]}):
            left, right = (sum(self.inside(x, (value,)) for x in side) for side in (xs, ys))
            made = left == right
            if not isinstance(made, bool):
                self.post(self.model.add(made))
            elif not made:
                self.impossible()

    def alternatives(self, parts: Iterable[Constraint]) -> None:
        """State that one of the domains holds, or the other part, which is enforced when none of the domains holds.

        Domains of one variable become one.
        """
        parts, inside = list(parts), defaultdict[str, set[int]](set)
        for part in parts:
            if isinstance(part, kinds.InDomain):
                inside[part.x].update(part.values)
        literals = [self.inside(x, sorted(values)) for x, values in inside.items()]
        others = [part for part in parts if not isinstance(part, kinds.InDomain)]
        if not others:
            self.post(self.model.add_bool_or(literals))
            return
        outside = self.when
        self.when = [*outside, *(~literal for literal in literals)]
        self.add(others[0])
        self.when = outside

    def circuit(self, xs: Sequence[str]) -> None:
        """Add a Circuit: an arc for each value, chosen exactly if the variable has the value."""
        for i, x in enumerate(xs):
            self._domain(x, [v for v in range(len(xs)) if v != i or len(xs) == 1], True)
        places = range(len(xs))
        arcs = [(i, j, self.inside(x, (j,))) for i, x in enumerate(xs) for j in self.stated.domains[x] if j in places]
        arcs = [arc for arc in arcs if arc[0] != arc[1]]
        if arcs:
            self.model.add_circuit(arcs)
        elif len(xs) > 1:
            self.impossible()

    def tasks(self, xs: Sequence[str], durations: Sequence[int]) -> list[Any]:
        pairs = zip(xs, durations, strict=True)
        return [self.model.new_fixed_size_interval_var(self.variables[x], duration, "") for x, duration in pairs]

    def inside(self, x: str, values: Iterable[int]) -> Literal:
        """Return the literal that is true exactly when ``x`` has one of the values."""
        key = x, tuple(values)
        known = self._inside.get(key)
        if known is None:
            known = self._inside[key] = self._among(x, frozenset(key[1]))
        return known

    def _among(self, x: str, wanted: frozenset[int]) -> Literal:
        domain = self.stated.domains[x]
        found = tuple(v for v in domain if v in wanted)
        others = tuple(v for v in domain if v not in wanted)
        if not found or not others:
            return self.model.new_constant(bool(found))
        if (x, found) not in self._inside:
            literal = self._inside[x, found] = self.fresh_literal(x, found)
            self._inside[x, others] = ~literal
        return self._inside[x, found]

    def fresh_literal(self, x: str, values: Sequence[int]) -> Literal:
        """Make the literal that is true exactly when ``x`` has one of some, but not all, of its values."""
        variable, domain = self.variables[x], self.stated.domains[x]
        if domain == (0, 1):
            return variable if tuple(values) == (1,) else ~variable
        literal = self.model.new_bool_var("")
        self.channel(x, values, literal)
        return literal

    def channel(self, x: str, values: Sequence[int], literal: cp_model.IntVar) -> None:
        """Make a literal true exactly when ``x`` has one of some values."""
        others = [v for v in self.stated.domains[x] if v not in values]
        for which, condition in ((values, literal), (others, ~literal)):
            inside = cp_model.Domain.from_values(list(which))
            self.model.add_linear_expression_in_domain(self.variables[x], inside).only_enforce_if(condition)


class Booleans(Integers):
    """States a model with a literal for each value of each variable; integers are channelled to them."""

    clausal = True

    def add_variable(self, name: str, values: Domain) -> None:
        """Add an integer and a literal for each of its values; exactly one of these is true."""
        super().add_variable(name, values)
        literals = [self.model.new_bool_var(f"{name}={value}") for value in values]
        self.literals.update({(name, value): literal for value, literal in zip(values, literals, strict=True)})
        if values and max(-values[0], values[-1]) <= LARGEST_IN_SUMS:
            self.model.add_exactly_one(literals)
            terms = zip(values, literals, strict=True)
            self.model.add(self.variables[name] == sum(value * literal for value, literal in terms))
        elif values:
            for value, literal in zip(values, literals, strict=True):
                self.channel(name, (value,), literal)

    def add_literals(self) -> None:
        """Add nothing: the literals are there already."""

    def fresh_literal(self, x: str, values: Sequence[int]) -> Literal:
        """Return a literal for "``x`` has one of these values"; the literal of a single value exists already."""
        return self.literals[x, values[0]] if len(values) == 1 else super().fresh_literal(x, values)

    def all_different(self, xs: Iterable[str]) -> None:
        """State that each value occurs at most once; exactly once if the numbers of values and variables are equal."""
        xs = list(xs)
        if self.when:
            super().all_different(xs)
            return
        values = sorted({value for x in xs for value in self.stated.domains[x]})
        for value in values:
            literals = [self.literals[x, value] for x in xs if (x, value) in self.literals]
            if len(values) == len(xs):
                self.model.add_exactly_one(literals)
            else:
                self.model.add_at_most_one(literals)
        if len(values) < len(xs):
            self.impossible()


@dataclass(frozen=True)
class NativeCpModel:
    """A live ``CpModel`` and its variables by name, which the caller may extend and solve.

    ``literals`` maps (name, value) to a boolean variable; in the form ``integers`` a variable of many values (see
    ``WIDEST``) has none, and ``literal`` makes them on demand.
    """

    model: cp_model.CpModel
    variables: Mapping[str, cp_model.IntVar]
    literals: Mapping[tuple[str, int], cp_model.IntVar]
    builder: Integers = field(repr=False)

    def variable(self, cell: VariableLike) -> cp_model.IntVar:
        """Return the engine's variable; raise KeyError if no variable has that name."""
        return self.variables[name_of(cell)]

    def literal(self, cell: VariableLike, value: int) -> cp_model.LiteralT:
        """Return a literal that is true exactly when a variable has a value; it is made if there is none yet.

        Raise KeyError if the variable does not exist or cannot have the value.
        """
        name = name_of(cell)
        if value not in self.builder.stated.domains[name]:
            raise KeyError(f"{name} is never {value}")
        return self.builder.inside(name, (value,))

    def decode(self, solver: Any) -> dict[str, int]:
        """Return the values, by name, in a solver's answer or in a callback's solution."""
        return {name: solver.value(variable) for name, variable in self.variables.items()}
