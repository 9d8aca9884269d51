"""The 0-1 linear form of a model, which OPB and MPS write.

A column of 0 or 1 for each value of each open variable, one for each tuple of a table; rows that are sums of columns
with factors. A variable with one value left has no column: its value is a number in the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..engine.contract import Capabilities, Feature
from ..lowering.arithmetic import merged
from ..model import (
    OPERATORS,
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
from .common import no_clause

Terms = dict[int, int]
"""The factor of each column, by its number from 0."""


WIDEST = 4_000
"""The most values of a variable for an engine that uses such columns."""

PAIRS = 200_000
"""The most pairs of values of two variables that are compared."""


@dataclass
class ColumnSum:
    """Columns with factors, and a number."""

    terms: Terms = field(default_factory=dict)
    constant: int = 0

    def add(self, other: ColumnSum, factor: int = 1) -> ColumnSum:
        """Add another sum, times a factor, to this one; return this one."""
        self.constant += factor * other.constant
        for column, value in other.terms.items():
            self.terms[column] = self.terms.get(column, 0) + factor * value
        return self


@dataclass(frozen=True)
class ColumnRow:
    """``sum(factor * column) op bound``; ``op`` is one of ``<=``, ``>=`` and ``==``, and some factor is not 0."""

    terms: Terms
    op: str
    bound: int


def refuses(constraint: Constraint) -> str | None:
    """Return why a constraint cannot be written as rows, or None."""
    if isinstance(constraint, Linear | Count) and constraint.op == "!=":
        return "a sum that differs from a number is not a row"
    return no_clause(constraint)


CAPABILITIES = Capabilities(
    kinds=frozenset({AllDifferent, Compare, Count, InDomain, Linear, Or, Table}),
    features=frozenset({Feature.OBJECTIVE}),
    refuses=refuses,
)


class ZeroOne:
    """A model as columns and rows.

    ``meanings`` has for each column, by its number, the variable and the value that it has if the column is 1; None for
    the tuple of a table. ``decided`` are the variables without columns: those of one value.
    ``goal`` is the objective as a sum, if there is one.
    """

    fewest = 2
    """The number of values from which on a variable has columns."""

    def __init__(self, model: Model) -> None:
        """State a model that CAPABILITIES accept, without empty domains (see ``settled``)."""
        self.domains: Mapping[str, Domain] = model.domains
        self.objective: Objective | None = model.objective
        self.meanings: list[tuple[str, int] | None] = []
        self.rows: list[ColumnRow] = []
        self.decided = {name: values[0] for name, values in model.domains.items() if len(values) == 1 < self.fewest}
        self.columns: dict[str, dict[int, int]] = {}
        for name, values in model.domains.items():
            if name not in self.decided:
                self.columns[name] = {value: self.column((name, value)) for value in values}
                self.row(self.chosen(name, values), "==", 1)
        for constraint in model.constraints:
            getattr(self, _STATED[type(constraint)])(constraint)

    @property
    def goal(self) -> ColumnSum | None:
        """The objective over the columns; None if there is none."""
        o = self.objective
        if o is None:
            return None
        return self.weighted(o.terms).add(ColumnSum({}, o.constant))

    def values(self, ones: Iterable[int]) -> dict[str, int]:
        """Return the values by name when these columns are 1; others than the form's are ignored."""
        width = len(self.meanings)
        named = (self.meanings[column] for column in ones if 0 <= column < width)
        return {**self.decided, **dict(meaning for meaning in named if meaning)}

    def column(self, meaning: tuple[str, int] | None) -> int:
        """Add a column and return its number."""
        self.meanings.append(meaning)
        return len(self.meanings) - 1

    def row(self, total: ColumnSum, op: str, bound: int) -> None:
        """Add ``total op bound``; if no column is left, it holds or is a contradiction."""
        bound -= total.constant
        terms = {column: factor for column, factor in total.terms.items() if factor}
        if op in "<>":
            op, bound = op + "=", bound + (1 if op == ">" else -1)
        if terms:
            self.rows.append(ColumnRow(terms, op, bound))
        elif not OPERATORS[op](0, bound):
            first = 0 if self.meanings else self.column(None)
            self.rows.append(ColumnRow({first: 1}, ">=", 2))

    def chosen(self, name: str, values: Iterable[int]) -> ColumnSum:
        """Return the sum that is 1 when a variable has one of the values, else 0."""
        if name in self.decided:
            return ColumnSum({}, int(self.decided[name] in values))
        columns = self.columns[name]
        return ColumnSum({columns[v]: 1 for v in values if v in columns})

    def weighted(self, factors: Mapping[str, int]) -> ColumnSum:
        """Return the sum of variables' values times their factors."""
        total = ColumnSum()
        for name, factor in factors.items():
            for value in self.domains[name]:
                total.add(self.chosen(name, (value,)), factor * value)
        return total

    def in_domain(self, c: InDomain) -> None:
        """The variable has one of the values."""
        self.row(self.chosen(c.x, c.values), ">=", 1)

    def clause(self, c: Or) -> None:
        """Some variable has one of its values."""
        wanted: dict[str, set[int]] = {}
        for part in c.parts:
            assert isinstance(part, InDomain)
            wanted.setdefault(part.x, set()).update(part.values)
        total = ColumnSum()
        for name, values in wanted.items():
            total.add(self.chosen(name, values))
        self.row(total, ">=", 1)

    def all_different(self, c: AllDifferent) -> None:
        """Each value stands at most once; exactly once where there are as many values as variables."""
        values = sorted({value for x in c.xs for value in self.domains[x]})
        for value in values:
            total = ColumnSum()
            for x in c.xs:
                total.add(self.chosen(x, (value,)))
            self.row(total, "==" if len(values) == len(c.xs) else "<=", 1)
        if len(values) < len(c.xs):
            self.row(ColumnSum(), ">=", 1)

    def compare(self, c: Compare) -> None:
        """A row for each value where two variables are to be equal or to differ, else one for their difference."""
        if c.op not in ("==", "!="):
            self.row(self.weighted({c.x: 1}).add(self.weighted({c.y: 1}), -1), c.op, c.c)
            return
        for value in sorted({*self.domains[c.x], *(v + c.c for v in self.domains[c.y])}):
            left, right = self.chosen(c.x, (value,)), self.chosen(c.y, (value - c.c,))
            if c.op == "==":
                self.row(left.add(right, -1), "==", 0)
            elif (left.terms or left.constant) and (right.terms or right.constant):
                self.row(left.add(right), "<=", 1)

    def linear(self, c: Linear) -> None:
        """One row: the weighted columns of all values."""
        self.row(self.weighted(merged(c)), c.op, c.k)

    def count(self, c: Count) -> None:
        """One row: the columns of the counted values, less those of the number where it is a variable."""
        total, values = ColumnSum(), frozenset(c.values)
        for x in c.xs:
            total.add(self.chosen(x, values))
        if isinstance(c.y, str):
            self.row(total.add(self.weighted({c.y: 1}), -1), c.op, 0)
        else:
            self.row(total, c.op, c.y)

    def table(self, c: Table) -> None:
        """One of the tuples is the one and names the values; or not all values of a tuple are there at once."""
        tuples = tuples_of(c, self.domains)
        if not c.allowed:
            for row in tuples:
                total = ColumnSum()
                for x, value in zip(c.scope, row, strict=True):
                    total.add(self.chosen(x, (value,)))
                self.row(total, "<=", len(row) - 1)
            return
        columns = [self.column(None) for _ in tuples]
        self.row(ColumnSum(dict.fromkeys(columns, 1)), "==", 1)
        for place, x in enumerate(c.scope):
            for value in self.domains[x]:
                having = [col for col, row in zip(columns, tuples, strict=True) if row[place] == value]
                self.row(ColumnSum(dict.fromkeys(having, 1)).add(self.chosen(x, (value,)), -1), "==", 0)


class EngineForm(ZeroOne):
    """The form for engines that are asked many times: every variable has columns, and may have an empty domain.

    The numbers are small, since the least value of each variable is taken out of the sums. Pairs of values are excluded
    by rows of ones, from which engines conclude more than from a difference.
    """

    fewest = 0

    def weighted(self, factors: Mapping[str, int]) -> ColumnSum:
        """Return the sum of variables' values times their factors: the least values, and what others add to them."""
        total = ColumnSum()
        for name, factor in factors.items():
            least = min(self.columns[name], default=0)
            more = {column: value - least for value, column in self.columns[name].items()}
            total.add(ColumnSum(more, least), factor)
        return total

    def compare(self, c: Compare) -> None:
        """Exclude pairs of values."""
        if c.x == c.y:
            super().compare(c)
        else:
            self._pairs(c)

    def table(self, c: Table) -> None:
        """Exclude pairs of values, or let one of the tuples name the values."""
        if len(c.scope) == 2:
            self._pairs(c)
        else:
            super().table(c)

    def _pairs(self, constraint: Compare | Table) -> None:
        """Add one row for each value of the first variable, with that value and all that it excludes."""
        x, y = constraint.scope
        for a, column in self.columns[x].items():
            excluded = [other for b, other in self.columns[y].items() if not constraint.holds({x: a, y: b})]
            if excluded:
                self.row(ColumnSum(dict.fromkeys((column, *excluded), 1)), "<=", 1)


def tuples_of(table: Table, domains: Mapping[str, Domain]) -> list[tuple[int, ...]]:
    """Return the tuples that domains leave, over the distinct variables of a table."""
    found = []
    allowed = {x: frozenset(domains[x]) for x in table.scope}
    if len(table.scope) == len(table.xs):
        columns = zip(table.xs, zip(*table.tuples, strict=True), strict=False)
        if all(allowed[x].issuperset(column) for x, column in columns):
            return list(table.tuples)
    for row in table.tuples:
        values = dict(zip(table.xs, row, strict=True))
        if tuple(values[x] for x in table.xs) == row and all(v in allowed[x] for x, v in values.items()):
            found.append(tuple(values[x] for x in table.scope))
    return found


_STATED: dict[type[Constraint], str] = {
    AllDifferent: "all_different",
    Compare: "compare",
    Count: "count",
    InDomain: "in_domain",
    Linear: "linear",
    Or: "clause",
    Table: "table",
}
"""The method that states each kind."""
