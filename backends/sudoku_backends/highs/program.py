"""Models as linear programs over 0 and 1: a column for each value of each variable, and rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
)

KINDS: frozenset[type[Constraint]] = frozenset({AllDifferent, Compare, Count, InDomain, Linear, Or, Table})

INFINITE = float("inf")

WIDEST, LARGEST, SPREAD = 4_000, 200_000, 200_000
"""The most values of a variable, the most pairs of values of a constraint on two, and the most that a sum may vary by:
rows hold up to a tolerance of 1e-6, relative to such numbers."""


@dataclass(frozen=True)
class Row:
    """``low <= sum of weight times column <= high``."""

    terms: Mapping[int, int]
    low: float
    high: float


@dataclass
class Program:
    """``columns`` says which value of which variable each of the first columns stands for; auxiliaries follow.

    ``costs`` is to be minimised or, where ``maximize``, maximised; ``offset`` is added to it.
    """

    columns: list[tuple[str, int]]
    width: int
    rows: list[Row] = field(default_factory=list)
    costs: dict[int, int] = field(default_factory=dict)
    offset: int = 0
    maximize: bool = False

    def highs(self) -> Any:
        """Return the program as a live ``highspy.Highs``; ImportError beside OR-tools."""
        from .engine import load

        return load(self)

    def decode(self, values: Sequence[float]) -> dict[str, int]:
        """Return the value of each variable under the values of the columns."""
        return {name: value for (name, value), x in zip(self.columns, values, strict=False) if x > 0.5}

    def read(self, values: Sequence[float], model: Model) -> tuple[int, ...]:
        """Return the same in the order of the model's variables."""
        found = self.decode(values)
        return tuple([found[name] for name in model.names])


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint is no rows, or None."""
    if isinstance(constraint, Or) and not all(isinstance(part, InDomain) for part in constraint.parts):
        return "an Or is a row only when its parts are domains"
    if isinstance(constraint, Linear | Count) and constraint.op == "!=":
        return "a sum that must not be a number is no row"
    return None


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large, or None."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} become columns"
    for constraint in model.constraints:
        if isinstance(constraint, Compare):
            pairs = len(model.domains[constraint.x]) * len(model.domains[constraint.y])
            if pairs > LARGEST:
                return f"{pairs} pairs of values of one constraint are too many: {LARGEST} are taken"
        spread = _spread(model, constraint) if isinstance(constraint, Linear | Count) else 0
        if spread > SPREAD:
            return f"a sum that varies by {spread} is too large to be exact: at most {SPREAD} is taken"
    if model.objective and (spread := _spread(model, model.objective)) > SPREAD:
        return f"an objective that varies by {spread} is too large to be exact: at most {SPREAD} is taken"
    return None


def _spread(model: Model, constraint: Linear | Count | Objective) -> int:
    if isinstance(constraint, Count):
        return len(constraint.xs) + (_width(model, constraint.y) if isinstance(constraint.y, str) else 0)
    return sum(abs(c) * _width(model, x) for c, x in zip(constraint.coeffs, constraint.xs, strict=True))


def _width(model: Model, x: str) -> int:
    values = model.domains[x]
    return values[-1] - values[0] if values else 0


def program_of(model: Model) -> Program:
    """State a model."""
    return _Writer(model).program


class _Writer:
    def __init__(self, model: Model) -> None:
        self.domains = model.domains
        columns = [(name, value) for name, values in model.domains.items() for value in values]
        self.column = {pair: number for number, pair in enumerate(columns)}
        self.program = Program(columns, len(columns))
        for name in model.names:
            self.row(self.values(name, self.domains[name]), 1, 1)
        for constraint in model.constraints:
            self.add(constraint)
        if model.objective:
            self.optimise(model.objective)

    def row(self, columns: Iterable[int], low: float, high: float) -> None:
        """Add a row in which every weight is 1."""
        self.program.rows.append(Row(dict.fromkeys(columns, 1), low, high))

    def fresh(self) -> int:
        """Return a new column."""
        self.program.width += 1
        return self.program.width - 1

    def values(self, x: str, values: Iterable[int]) -> list[int]:
        """Return the columns of those values that a variable may have."""
        return [self.column[x, v] for v in values if (x, v) in self.column]

    def add(self, constraint: Constraint) -> None:
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
        places: dict[int, list[int]] = defaultdict(list)
        for x in xs:
            for value in self.domains[x]:
                places[value].append(self.column[x, value])
        low = 1 if len(places) == len(xs) else 0
        for columns in places.values():
            self.row(columns, low, 1)
        if len(places) < len(xs):
            self.row((), 1, 1)

    def weights(self, coeffs: Iterable[int], xs: Iterable[str]) -> dict[int, int]:
        """Return what each column adds to a weighted sum of variables."""
        found: dict[int, int] = defaultdict(int)
        for c, x in zip(coeffs, xs, strict=True):
            for value in self.domains[x]:
                found[self.column[x, value]] += c * value
        return {column: weight for column, weight in found.items() if weight}

    def linear(self, coeffs: Iterable[int], xs: Iterable[str], op: str, k: int) -> None:
        self.program.rows.append(Row(self.weights(coeffs, xs), *_range(op, k)))

    def count(self, xs: Iterable[str], values: frozenset[int], op: str, y: str | int) -> None:
        found: dict[int, int] = defaultdict(int, self.weights((-1,), (y,)) if isinstance(y, str) else {})
        for x in xs:
            for column in self.values(x, values):
                found[column] += 1
        self.program.rows.append(Row(found, *_range(op, y if isinstance(y, int) else 0)))

    def relation(self, constraint: Compare | Table) -> None:
        """A constraint that is a set of tuples."""
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
        """One row for each value of the first variable, with that and all that it excludes."""
        for a in self.domains[x]:
            excluded = [b for b in self.domains[y] if not constraint.holds({x: a, y: b})]
            if excluded:
                self.row([self.column[x, a], *self.values(y, excluded)], 0, 1)

    def one_of(self, table: Table) -> None:
        """A column for each tuple, one of which is 1; a value is taken where one of its tuples is."""
        chosen, having = [], defaultdict[int, list[int]](list)
        for columns in self._tuples(table):
            chosen.append(self.fresh())
            for column in columns:
                having[column].append(chosen[-1])
        self.row(chosen, 1, 1)
        for x in table.scope:
            for column in self.values(x, self.domains[x]):
                self.program.rows.append(Row({column: -1, **dict.fromkeys(having[column], 1)}, 0, 0))

    def none_of(self, table: Table) -> None:
        for columns in self._tuples(table):
            self.row(columns, 0, len(columns) - 1)

    def _tuples(self, table: Table) -> Iterator[list[int]]:
        """Yield the columns of each tuple that the domains allow and that gives no variable two values."""
        for values in table.tuples:
            pairs = dict(zip(table.xs, values, strict=True))
            if tuple(pairs[x] for x in table.xs) == values and all(pair in self.column for pair in pairs.items()):
                yield [self.column[pair] for pair in pairs.items()]

    def optimise(self, objective: Objective) -> None:
        self.program.costs = self.weights(objective.terms.values(), objective.terms)
        self.program.offset, self.program.maximize = objective.constant, not objective.minimizes


def _range(op: str, k: int) -> tuple[float, float]:
    return {
        "==": (k, k),
        "<=": (-INFINITE, k),
        "<": (-INFINITE, k - 1),
        ">=": (k, INFINITE),
        ">": (k + 1, INFINITE),
    }[op]


def closed(program: Program, domains: Mapping[str, Domain]) -> list[int]:
    """Return the columns that narrower domains set to 0."""
    left = {name: frozenset(values) for name, values in domains.items()}
    return [i for i, (name, value) in enumerate(program.columns) if name in left and value not in left[name]]
