"""Core constraints: frozen data with a scope, which can evaluate itself.

``holds`` defines the meaning of a kind. Lowerings, encodings, checks and tests are compared with it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from ..dataclass import dataclass
from .combined import ConstraintLike
from .domain import Domain, domain, fields_only, integer, integers
from .expression import VariableLike, name_of, names_of

if TYPE_CHECKING:
    import numpy as np

    Columns = Mapping[str, np.ndarray[Any, Any]]
    Flags = np.ndarray[Any, np.dtype[np.bool_]]

Values = Mapping[str, int]
Domains = Mapping[str, Domain]

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}
"""The relations of sums, comparisons and counts, by operator."""


FEW_ROWS, MOST_COMBINATIONS = 32, 1 << 16
"""Fewer rows than the first number are evaluated one by one; the second bounds the combinations in a lookup table."""


class Constraint(ConstraintLike):
    """Base class of the core constraints: a frozen dataclass that evaluates itself.

    A subclass defines ``holds``, ``variables()`` and, if possible, a sharper ``possible`` and a faster
    ``holds_many``. It is a kind of constraint unless its name begins with an underscore: then it is a base class.
    """

    kinds: ClassVar[dict[str, type[Constraint]]] = {}
    stated: ClassVar[Mapping[str, Domain]] = {}
    """The domains of the variables, if operators on variables made the constraint; not part of its meaning.

    ``said``, the two sides' difference and the operator, is kept beside it, so that a table prints as it was stated.
    """
    parted: ClassVar[bool] = False
    """Whether the constraint, or one inside it, needs additional variables (see ``parts``)."""

    def __init_subclass__(cls) -> None:
        if not cls.__name__.startswith("_"):
            Constraint.kinds[cls.__name__] = cls

    def variables(self) -> Iterable[str]:
        """Return the names that the constraint mentions, in order, including repeats; by default its ``xs``."""
        return self.xs  # type: ignore[attr-defined, no-any-return]

    def holds(self, values: Values) -> bool:
        """Return whether the constraint is satisfied; ``values`` covers at least the scope."""
        raise NotImplementedError

    @cached_property
    def scope(self) -> tuple[str, ...]:
        """The distinct names that the constraint mentions, in the order of first mention."""
        return tuple(dict.fromkeys(self.variables()))

    @property
    def size(self) -> int:
        """The approximate size of the constraint in an engine: how often it mentions variables, or more."""
        return len(tuple(self.variables()))

    def possible(self, domains: Domains) -> bool:
        """Return whether some choice from ``domains`` may satisfy the constraint; True if in doubt.

        This default is exact if at most one variable of the scope has more than one value left.
        """
        if emptied(self, domains):
            return False
        open_variables = [x for x in self.scope if len(domains[x]) > 1]
        if len(open_variables) > 1:
            return True
        values = {x: domains[x][0] for x in self.scope}
        if not open_variables:
            return self.holds(values)
        last = open_variables[0]
        return any(self.holds({**values, last: value}) for value in domains[last])

    def holds_many(self, columns: Columns) -> Flags:
        """Evaluate many rows at once: ``columns`` maps each name of the scope to an integer array of shape (n,).

        Returns a boolean array of shape (n,), equal row by row to ``holds``; equal rows are evaluated once.
        """
        import numpy as np

        if not self.scope:
            return np.full(rows_of(columns), self.holds({}), dtype=bool)
        arrays = [columns[x] for x in self.scope]
        few = _alike(arrays)
        listed = zip(*[(array if few is None else array[few[0]]).tolist() for array in arrays], strict=True)
        held = np.array([self.holds(dict(zip(self.scope, row, strict=True))) for row in listed], dtype=bool)
        return held if few is None else held[few[1]]

    def __str__(self) -> str:
        from .model_text import constraint_text

        return constraint_text(self)

    __getstate__ = fields_only


def emptied(constraint: Constraint, domains: Domains) -> bool:
    """Return whether a variable of a constraint has no value left."""
    return any(not domains[x] for x in constraint.scope)


def check_operator(op: str) -> str:
    """Return ``op``; raise ValueError if it is not one of == != <= < >= >."""
    if op not in OPERATORS:
        raise ValueError(f"{op!r} is not an operator: one of {' '.join(OPERATORS)} is expected")
    return op


def truth(name: str, value: object) -> bool:
    """Return a boolean; raise TypeError for anything else, which would be true or false by accident."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}: True or False is expected")
    return value


@dataclass(frozen=True)
class InDomain(Constraint):
    """``x`` takes one of ``values``."""

    x: str
    values: Domain

    def __init__(self, x: VariableLike, values: Iterable[int]) -> None:
        vars(self).update(x=name_of(x), values=domain(values))

    def variables(self) -> Iterable[str]:
        return (self.x,)

    def holds(self, values: Values) -> bool:
        return values[self.x] in self.values

    def holds_many(self, columns: Columns) -> Flags:
        import numpy as np

        column = columns[self.x]
        if column.dtype == object:
            return super().holds_many(columns)
        limits = np.iinfo(column.dtype)
        within = [value for value in self.values if limits.min <= value <= limits.max]
        return np.isin(column, np.array(within, dtype=column.dtype))


@dataclass(frozen=True)
class AllDifferent(Constraint):
    """The values of ``xs`` are pairwise different. A repeated name is an error, as the constraint could never hold."""

    xs: tuple[str, ...]

    def __init__(self, xs: Iterable[VariableLike]) -> None:
        names = names_of(xs)
        if len(set(names)) < len(names):
            twice = next(x for x in names if names.count(x) > 1)
            raise ValueError(f"{twice} appears twice in an AllDifferent")
        vars(self).update(xs=names)

    def holds(self, values: Values) -> bool:
        return len({*map(values.__getitem__, self.xs)}) == len(self.xs)

    def possible(self, domains: Domains) -> bool:
        """Refute if two settled variables have the same value, or if fewer values than variables are left."""
        fixed = [domains[x][0] for x in self.xs if len(domains[x]) == 1]
        left: set[int] = set().union(*(domains[x] for x in self.xs))
        return len(set(fixed)) == len(fixed) and len(left) >= len(self.xs)

    def holds_many(self, columns: Columns) -> Flags:
        import numpy as np

        if not self.xs:
            return np.ones(rows_of(columns), dtype=bool)
        table = np.sort(np.column_stack([columns[x] for x in self.xs]), axis=1)
        return np.asarray((table[:, 1:] != table[:, :-1]).all(axis=1))


@dataclass(frozen=True)
class Linear(Constraint):
    """``sum(coeffs[i] * xs[i]) op k``. A name may occur more than once; its coefficients add up."""

    coeffs: tuple[int, ...]
    xs: tuple[str, ...]
    op: str
    k: int

    def __init__(self, coeffs: Iterable[int], xs: Iterable[VariableLike], op: str, k: int) -> None:
        vars(self).update(coeffs=integers(coeffs), xs=names_of(xs), op=check_operator(op), k=integer(k))
        if len(self.coeffs) != len(self.xs):
            raise ValueError(f"a Linear has {len(self.coeffs)} coefficients for {len(self.xs)} variables")

    def holds(self, values: Values) -> bool:
        total = sum(map(operator.mul, self.coeffs, map(values.__getitem__, self.xs)))
        return bool(OPERATORS[self.op](total, self.k))

    def possible(self, domains: Domains) -> bool:
        """Refute by the smallest and the largest sum that the domains allow."""
        if emptied(self, domains):
            return False
        terms = [(c * domains[x][0], c * domains[x][-1]) for c, x in zip(self.coeffs, self.xs, strict=True)]
        low, high = sum(map(min, terms)), sum(map(max, terms))
        return within(low, high, self.op, self.k)

    def holds_many(self, columns: Columns) -> Flags:
        import numpy as np

        terms = list(zip(self.coeffs, self.xs, strict=True))
        wide = _arithmetic(self.k, sum(abs(c) * _largest(columns[x]) for c, x in terms), *self.coeffs)
        total: Any = np.zeros(rows_of(columns), dtype=wide)
        for c, x in terms:
            total += c * columns[x].astype(wide)
        return np.asarray(OPERATORS[self.op](total, self.k), dtype=bool)


@dataclass(frozen=True)
class Compare(Constraint):
    """``x op y + c``."""

    x: str
    op: str
    y: str
    c: int = 0

    def __init__(self, x: VariableLike, op: str, y: VariableLike, c: int = 0) -> None:
        vars(self).update(x=name_of(x), op=check_operator(op), y=name_of(y), c=integer(c))

    def variables(self) -> Iterable[str]:
        return self.x, self.y

    def holds(self, values: Values) -> bool:
        return bool(OPERATORS[self.op](values[self.x], values[self.y] + self.c))

    def possible(self, domains: Domains) -> bool:
        """Refute by the smallest and the largest difference that the domains allow."""
        xs, ys = domains[self.x], domains[self.y]
        if not xs or not ys:
            return False
        if self.x == self.y:
            return bool(OPERATORS[self.op](0, self.c))
        return within(xs[0] - ys[-1], xs[-1] - ys[0], self.op, self.c)

    def holds_many(self, columns: Columns) -> Flags:
        import numpy as np

        wide = _arithmetic(self.c, _largest(columns[self.y]) + abs(self.c), _largest(columns[self.x]))
        left: Any = columns[self.x].astype(wide)
        right: Any = columns[self.y].astype(wide)
        return np.asarray(OPERATORS[self.op](left, right + self.c), dtype=bool)


@dataclass(frozen=True)
class Table(Constraint):
    """The values of ``xs`` form one of ``tuples`` (or none of them, if ``allowed`` is False)."""

    xs: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]
    allowed: bool = True

    def __init__(self, xs: Iterable[VariableLike], tuples: Iterable[Sequence[int]], allowed: bool = True) -> None:
        rows = tuple(sorted({_row(row) for row in tuples}))
        vars(self).update(xs=names_of(xs), tuples=rows, allowed=truth("allowed", allowed))
        for row in rows:
            if len(row) != len(self.xs):
                raise ValueError(f"a Table over {len(self.xs)} variables holds the tuple {row}")

    def over(self, *xs: str) -> Table:
        """Return the same relation on the same number of other variables; the tuples are shared."""
        if len(xs) != len(self.xs):
            raise ValueError(f"{len(xs)} variables where {len(self.xs)} are expected")
        made = object.__new__(Table)
        vars(made).update(xs=xs, tuples=self.tuples, allowed=self.allowed, members=self.members)
        return made

    @property
    def size(self) -> int:
        return len(self.xs) + len(self.tuples)

    @cached_property
    def members(self) -> frozenset[tuple[int, ...]]:
        """The tuples as a set, the same object in all tables made by ``over``."""
        return frozenset(self.tuples)

    def holds(self, values: Values) -> bool:
        return (tuple(map(values.__getitem__, self.xs)) in self.members) == self.allowed

    def possible(self, domains: Domains) -> bool:
        """Look for a tuple whose values are all left; forbidden tuples are tried if at most one variable is open."""
        if not self.allowed:
            return super().possible(domains)
        left = [frozenset(domains[x]) for x in self.xs]
        return any(all(v in values for v, values in zip(row, left, strict=True)) for row in self.tuples)


def within(low: int, high: int, op: str, k: int) -> bool:
    """Return whether some number from ``low`` to ``high`` satisfies ``op k``."""
    return {
        "==": low <= k <= high,
        "!=": not low == high == k,
        "<=": low <= k,
        "<": low < k,
        ">=": high >= k,
        ">": high > k,
    }[op]


def _row(row: Sequence[int]) -> tuple[int, ...]:
    if type(row) is not tuple and not isinstance(row, Iterable):
        raise TypeError(f"a Table is made of tuples, one value for each variable, not of {row!r}")
    return integers(row)


def _largest(column: np.ndarray[Any, Any]) -> int:
    return max(-int(column.min()), int(column.max()), 0) if len(column) else 0


def _arithmetic(*numbers: int) -> Any:
    """Return the numeric type for computing with numbers of these sizes: 64 bits, or Python's unbounded integers."""
    import numpy as np

    return np.int64 if all(abs(number) < 1 << 62 for number in numbers) else object


def _alike(arrays: Sequence[np.ndarray[Any, Any]]) -> tuple[Any, Any] | None:
    """Return the positions of distinct rows, and for each row the distinct row that it equals.

    Returns None if there are few rows, or if their values are too far apart for a table of all combinations.
    """
    import numpy as np

    if len(arrays[0]) < FEW_ROWS or any(array.dtype == object for array in arrays):
        return None
    ends = [(int(array.min()), int(array.max())) for array in arrays]
    size = prod(high - low + 1 for low, high in ends)
    if size > MOST_COMBINATIONS:
        return None
    key = np.zeros(len(arrays[0]), np.int64)
    for array, (low, high) in zip(arrays, ends, strict=True):
        key = key * (high - low + 1) + (array.astype(np.int64) - low)
    places = np.full(size, -1, np.int64)
    places[key] = np.arange(len(key))
    met = places >= 0
    return places[met], (np.cumsum(met) - 1)[key]


def rows_of(columns: Columns) -> int:
    return next((len(column) for column in columns.values()), 0)
