"""The backend ``highs``: linear programs over 0 and 1, by HiGHS.

HiGHS and OR-tools cannot be loaded in one process, so every run belongs into a child process; this package imports the
engine only where a program is solved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import (
    CompiledBase,
    HouseSumsBackend,
    HouseSumsOptions,
    candidate,
    complete,
    variable_name,
)
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Feature, Improving, Isolate, Quirk, Request, Search, Solution
from sudoku_models.engine.numbers import Numbers, measured, sums_of
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.exports.zero_one import CAPABILITIES, refuses_model
from sudoku_models.model import (
    AllDifferent,
    Compare,
    Constraint,
    Count,
    Domain,
    InDomain,
    Linear,
    Model,
    Objective,
    Or,
    Table,
    VariableLike,
    narrowed_domains,
)

if TYPE_CHECKING:
    from .engine import LoadedProgram


SPREAD = 200_000
"""The largest range of a sum: rows hold up to a tolerance of 1e-6, relative to such numbers."""

NUMBERS = Numbers(spreads=dict.fromkeys((Linear, Count, Objective), SPREAD))
"""Offsets do not matter: the least value of each variable is taken out of the rows."""

NEAR = 1_000
"""Sums whose range is no larger are far from any tolerance."""


def _wide_sums(model: Model) -> bool:
    return any(measured(stated, model.domains)[1] > NEAR for stated in sums_of(model))


QUIRKS = (
    Quirk(
        "floating point",
        "rows hold up to a tolerance, so that from 10^11 on solutions are lost, and from 10^14 on optima are wrong",
        "HiGHS 1.11 to 1.15 (older ones crash on objectives)",
        "the least value of each variable is taken out of the rows, a sum may vary by 200,000, and what is wide is"
        " confirmed",
        _wide_sums,
    ),
)


@dataclass(frozen=True)
class BoundedRow:
    """``low <= sum of weight times column <= high``."""

    terms: Mapping[int, int]
    low: float
    high: float


@dataclass
class ZeroOneProgram:
    """``columns`` are the variable and the value of each of the first columns; auxiliaries follow.

    ``costs`` are to be minimised, or maximised if ``maximize``; ``offset`` is added to them.
    """

    columns: list[tuple[str, int]]
    width: int
    rows: list[BoundedRow] = field(default_factory=list)
    costs: dict[int, int] = field(default_factory=dict)
    offset: int = 0
    maximize: bool = False

    def highs(self) -> Any:
        """Return the program as a live ``highspy.Highs``; raise Unsupported in a process that has loaded OR-tools."""
        from .engine import load

        return load(self)

    def decode(self, values: Sequence[float]) -> dict[str, int]:
        """Return the value of each variable under the values of the columns."""
        return {name: value for (name, value), x in zip(self.columns, values, strict=False) if x > 0.5}

    def read(self, values: Sequence[float], model: Model) -> tuple[int, ...]:
        """Return the same in the order of the model's variables."""
        found = self.decode(values)
        return tuple([found[name] for name in model.names])


def closed(program: ZeroOneProgram, domains: Mapping[str, Domain]) -> list[int]:
    """Return the columns that narrower domains set to 0."""
    left = {name: frozenset(values) for name, values in domains.items()}
    return [i for i, (name, value) in enumerate(program.columns) if name in left and value not in left[name]]


INFINITE = float("inf")


def program_of(model: Model) -> ZeroOneProgram:
    """State a model."""
    return _RowWriter(model).program


class _RowWriter:
    """Makes the program: a column for each value of each variable, and a row for each demand on them."""

    def __init__(self, model: Model) -> None:
        self.domains = model.domains
        columns = [(name, value) for name, values in model.domains.items() for value in values]
        self.column = {pair: number for number, pair in enumerate(columns)}
        self.program = ZeroOneProgram(columns, len(columns))
        for name in model.names:
            self.row(self.values(name, self.domains[name]), 1, 1)
        for constraint in model.constraints:
            self.add(constraint)
        if model.objective:
            self.optimise(model.objective)

    def row(self, columns: Iterable[int], low: float, high: float) -> None:
        """Add a row in which every weight is 1."""
        self.program.rows.append(BoundedRow(dict.fromkeys(columns, 1), low, high))

    def fresh(self) -> int:
        """Return a new column."""
        self.program.width += 1
        return self.program.width - 1

    def values(self, x: str, values: Iterable[int]) -> list[int]:
        """Return the columns of those values that a variable may have."""
        return [self.column[x, v] for v in values if (x, v) in self.column]

    def add(self, constraint: Constraint) -> None:
        """State a constraint of one of the accepted kinds."""
        match constraint:
            case AllDifferent(xs=xs):
                self.different(xs)
            case InDomain(x=x, values=values):
                self.row(self.values(x, values), 1, 1)
            case Or(parts=parts):
                self.row((c for p in parts if isinstance(p, InDomain) for c in self.values(p.x, p.values)), 1, INFINITE)
            case Linear(coeffs=coeffs, xs=xs, op=op, k=k):
                self.linear(coeffs, xs, op, k)
            case Count(xs=xs, values=values, op=op, y=y):
                self.count(xs, frozenset(values), op, y)
            case Compare() | Table():
                self.relation(constraint)

    def different(self, xs: Sequence[str]) -> None:
        """State that each value occurs at most once, or exactly once if there are no values to spare."""
        places: dict[int, list[int]] = defaultdict(list)
        for x in xs:
            for value in self.domains[x]:
                places[value].append(self.column[x, value])
        low = 1 if len(places) == len(xs) else 0
        for columns in places.values():
            self.row(columns, low, 1)
        if len(places) < len(xs):
            self.row((), 1, 1)

    def weights(self, coeffs: Iterable[int], xs: Iterable[str]) -> tuple[dict[int, int], int]:
        """Return what each column adds to a weighted sum of variables, and the constant rest.

        The least value of each variable belongs to that rest: large numbers would be lost in the engine's tolerances.
        """
        found, rest = defaultdict[int, int](int), 0
        for c, x in zip(coeffs, xs, strict=True):
            least = self.domains[x][0] if self.domains[x] else 0
            rest += c * least
            for value in self.domains[x]:
                found[self.column[x, value]] += c * (value - least)
        return {column: weight for column, weight in found.items() if weight}, rest

    def total(self, weights: Mapping[int, int], op: str, k: int) -> None:
        """State how a weighted sum of columns compares with a number."""
        low = sum(min(weight, 0) for weight in weights.values()) - 2
        high = sum(max(weight, 0) for weight in weights.values()) + 2
        self.program.rows.append(BoundedRow(weights, *_range(op, max(low, min(k, high)))))

    def linear(self, coeffs: Iterable[int], xs: Iterable[str], op: str, k: int) -> None:
        """State a sum of variables, each as the sum of its values times their columns."""
        weights, rest = self.weights(coeffs, xs)
        self.total(weights, op, k - rest)

    def count(self, xs: Iterable[str], values: frozenset[int], op: str, y: str | int) -> None:
        """State the number of variables that have some values."""
        other, rest = self.weights((-1,), (y,)) if isinstance(y, str) else ({}, -y)
        found: dict[int, int] = defaultdict(int, other)
        for x in xs:
            for column in self.values(x, values):
                found[column] += 1
        self.total(found, op, -rest)

    def relation(self, constraint: Compare | Table) -> None:
        """State a constraint that is a set of tuples."""
        scope = constraint.scope
        if not scope:
            self.row((), 0, 0) if constraint.holds({}) else self.row((), 1, 1)
        elif len(scope) == 1:
            self.row(
                self.values(scope[0], [v for v in self.domains[scope[0]] if constraint.holds({scope[0]: v})]), 1, 1
            )
        elif len(scope) == 2:
            self.pairs(constraint, *scope)
        elif isinstance(constraint, Table):
            (self.one_of if constraint.allowed else self.none_of)(constraint)

    def pairs(self, constraint: Constraint, x: str, y: str) -> None:
        """Add one row for each value of the first variable, with that value and all that it excludes."""
        for a in self.domains[x]:
            excluded = [b for b in self.domains[y] if not constraint.holds({x: a, y: b})]
            if excluded:
                self.row([self.column[x, a], *self.values(y, excluded)], 0, 1)

    def one_of(self, table: Table) -> None:
        """Add a column for each tuple, one of which is 1; a value is taken when one of its tuples is."""
        chosen, having = [], defaultdict[int, list[int]](list)
        for columns in self._tuples(table):
            chosen.append(self.fresh())
            for column in columns:
                having[column].append(chosen[-1])
        self.row(chosen, 1, 1)
        for x in table.scope:
            for column in self.values(x, self.domains[x]):
                self.program.rows.append(BoundedRow({column: -1, **dict.fromkeys(having[column], 1)}, 0, 0))

    def none_of(self, table: Table) -> None:
        """Forbid each tuple: at least one of its columns is 0."""
        for columns in self._tuples(table):
            self.row(columns, 0, len(columns) - 1)

    def _tuples(self, table: Table) -> Iterator[list[int]]:
        """Yield the columns of each tuple that the domains allow and that gives no variable two values."""
        for values in table.tuples:
            pairs = dict(zip(table.xs, values, strict=True))
            if tuple(pairs[x] for x in table.xs) == values and all(pair in self.column for pair in pairs.items()):
                yield [self.column[pair] for pair in pairs.items()]

    def optimise(self, objective: Objective) -> None:
        """Give the program the weights of the objective, its constant and its direction."""
        self.program.costs, rest = self.weights(objective.terms.values(), objective.terms)
        self.program.offset, self.program.maximize = objective.constant + rest, not objective.minimizes


def _range(op: str, k: int) -> tuple[float, float]:
    return {
        "==": (k, k),
        "<=": (-INFINITE, k),
        "<": (-INFINITE, k - 1),
        ">=": (k, INFINITE),
        ">": (k + 1, INFINITE),
    }[op]


class Highs(HouseSumsBackend):
    """The backend ``highs``."""

    name = "highs"
    capabilities = Capabilities(
        kinds=CAPABILITIES.kinds,
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT, Feature.SEED}),
        requires=("highspy", "numpy"),
        install="sudoku-models[highs]",
        conflicts=("ortools",),
        isolate=Isolate.ALWAYS,
        refuses=CAPABILITIES.refuses,
        refuses_model=refuses_model,
        numbers=NUMBERS,
        quirks=QUIRKS,
        adds=("house-sums",),
    )

    def compile(self, model: Model, options: HouseSumsOptions) -> CompiledProgram:
        """State a model that the capabilities accept."""
        return CompiledProgram(model)


BACKEND = Highs()


class CompiledProgram(CompiledBase):
    """A model as a linear program. A run imports the engine, which fails next to OR-tools: it belongs in a child
    process.
    """

    label = "highs"

    def __init__(self, model: Model) -> None:
        self.model, self._program = model, program_of(model)

    @property
    def native(self) -> ZeroOneProgram:
        """A fresh program as plain data; its method ``highs`` turns it into a live ``highspy.Highs``."""
        return program_of(self.model)

    @cached_property
    def _column(self) -> dict[tuple[str, int], int]:
        return {pair: number for number, pair in enumerate(self._program.columns)}

    def variable(self, cell: VariableLike) -> dict[int, int]:
        """Return the columns of a variable by value: exactly one is 1. Raise KeyError if there is no such variable."""
        name = variable_name(self.model, cell)
        return {value: self._column[name, value] for value in self.model.domains[name]}

    def literal(self, cell: VariableLike, value: int) -> int:
        """Return the column that is 1 exactly when a variable has a value.

        Raise KeyError if the variable does not exist or cannot have the value.
        """
        return self._column[candidate(self.model, cell, value)]

    def decode(self, answer: Any) -> dict[str, int]:
        """Return the values by name in a ``HighsSolution``, or in the values of all columns.

        Raise ValueError if a variable has no value: the answer is not a solution in whole numbers.
        """
        found = self._program.decode(getattr(answer, "col_value", answer))
        return complete({name: found.get(name) for name in self.model.names})

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield all solutions, or those on the way to the best."""
        from .engine import LoadedProgram

        watch, program = record.stopwatch(), self._program
        record.sizes |= {"variables": program.width, "constraints": len(program.rows)}
        solver = LoadedProgram(program, request.seed, clock)
        watch.lap("encode")
        if self.model.objective is None:
            solutions = ProgramEnumeration(self.model, program, solver, request).solutions()
            return (yield from pulled(solutions, request, watch))
        with closing(self._on_the_way(solver, request, record)) as found:
            return (yield from pulled(found, request, watch, Improving(self.model).new))

    def _on_the_way(self, solver: LoadedProgram, request: Request, record: Record) -> Generator[Solution, None, None]:
        """Solve once; yield the improving solutions as the engine reports them, then the best one."""
        solver.begin(closed(self._program, request.domains))
        with closing(solver.improving(partial(setattr, record, "bound"))) as found:
            for values in found:
                yield self._program.read(values, self.model)


Part = tuple[Mapping[str, Domain], list[Solution]]
"""A part of the space, and the solutions known in it."""


class ProgramEnumeration:
    """The solutions of a program, one for each choice of the kept variables.

    After each solution the part where it was found is split by the values of a kept variable, so that few known ones
    are left in each part: every row that forbids one makes the program harder.
    """

    def __init__(self, model: Model, program: ZeroOneProgram, solver: LoadedProgram, request: Request) -> None:
        self.model, self.program, self.solver = model, program, solver
        self.domains = narrowed_domains(model.domains, request.domains)
        self.kept = model.names if request.keep is None else tuple(dict.fromkeys(request.keep))
        self.column = {pair: number for number, pair in enumerate(program.columns)}

    def solutions(self) -> Generator[Solution, None, None]:
        """Yield every solution."""
        waiting: list[Part] = [(self.domains, [])]
        while waiting:
            domains, known = waiting.pop()
            self.solver.begin(closed(self.program, domains))
            for solution in known:
                self._forbid(solution)
            values = self.solver.solve()
            if values is not None:
                known.append(self.program.read(values, self.model))
                yield known[-1]
                waiting += self._split(domains, known)

    def _split(self, domains: Mapping[str, Domain], known: list[Solution]) -> Iterator[Part]:
        """Yield the parts by the values of the kept variable with the fewest; none if all are decided."""
        open_ones = [name for name in self.kept if len(domains[name]) > 1]
        if open_ones:
            name = min(open_ones, key=lambda x: len(domains[x]))
            at = self.model.index[name]
            for value in domains[name]:
                yield {**domains, name: (value,)}, [s for s in known if s[at] == value]

    def _forbid(self, solution: Solution) -> None:
        values = dict(zip(self.model.names, solution, strict=True))
        self.solver.forbid([self.column[name, values[name]] for name in self.kept])
