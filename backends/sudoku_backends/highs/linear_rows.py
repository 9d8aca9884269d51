"""States models as linear programs: each constraint as rows over the columns of its variables' values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sudoku_models.model import (
    AllDifferent,
    Compare,
    Constraint,
    Count,
    InDomain,
    Linear,
    Model,
    Objective,
    Or,
    Table,
)

from .program import BoundedRow, ZeroOneProgram

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
