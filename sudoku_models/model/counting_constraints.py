"""Core constraints for lookup, counting, order and connection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..dataclass import dataclass
from .constraint import (
    OPERATORS,
    Constraint,
    Domains,
    InDomain,
    Values,
    check_operator,
    emptied,
    rows_of,
    truth,
    within,
)
from .domain import Domain, domain, integer, integers
from .expression import Variable, VariableLike, name_of, names_of

if TYPE_CHECKING:
    from .constraint import Columns, Flags

_ROWS, _INTEGERS = frozenset([tuple]), frozenset([int])
Term = str | int
"""A variable's name, or a number."""


def term_of(value: VariableLike | int) -> Term:
    """Return a variable's name, or the number itself; raise TypeError for anything else."""
    return name_of(value) if isinstance(value, str | Variable) else integer(value)


def _named(*terms: Term | None) -> tuple[str, ...]:
    return tuple(term for term in terms if isinstance(term, str))


def _value(term: Term, values: Values) -> int:
    return values[term] if isinstance(term, str) else term


def _span(term: Term, domains: Domains) -> tuple[int, int]:
    """Return the smallest and the largest value that a term may have."""
    return (domains[term][0], domains[term][-1]) if isinstance(term, str) else (term, term)


@dataclass(frozen=True)
class Element(Constraint):
    """``xs[i] == y``, indexes from 0; an index outside the list violates it. ``y`` is a variable or a number."""

    xs: tuple[str, ...]
    i: str
    y: Term

    def __init__(self, xs: Iterable[VariableLike], i: VariableLike, y: VariableLike | int) -> None:
        vars(self).update(xs=names_of(xs), i=name_of(i), y=term_of(y))

    def variables(self) -> Iterable[str]:
        return (*self.xs, self.i, *_named(self.y))

    def holds(self, values: Values) -> bool:
        i = values[self.i]
        return 0 <= i < len(self.xs) and values[self.xs[i]] == _value(self.y, values)

    def possible(self, domains: Domains) -> bool:
        """Look for a remaining index at which a wanted value remains."""
        if emptied(self, domains):
            return False
        wanted = set(domains[self.y]) if isinstance(self.y, str) else {self.y}
        places = [i for i in domains[self.i] if 0 <= i < len(self.xs)]
        return any(not wanted.isdisjoint(domains[self.xs[i]]) for i in places)


@dataclass(frozen=True)
class Count(Constraint):
    """The number of ``xs`` whose value is among ``values``, ``op y``. ``y`` is a variable or a number."""

    xs: tuple[str, ...]
    values: Domain
    op: str
    y: Term

    def __init__(self, xs: Iterable[VariableLike], values: Iterable[int], op: str, y: VariableLike | int) -> None:
        vars(self).update(xs=names_of(xs), values=domain(values), op=check_operator(op), y=term_of(y))

    def variables(self) -> Iterable[str]:
        return (*self.xs, self.y) if isinstance(self.y, str) else self.xs

    def holds(self, values: Values) -> bool:
        found = sum(map(self.values.__contains__, map(values.__getitem__, self.xs)))
        return bool(OPERATORS[self.op](found, _value(self.y, values)))

    def holds_many(self, columns: Columns) -> Flags:
        import numpy as np

        found = np.zeros(rows_of(columns), np.int64)
        for x in self.xs:
            found += InDomain(x, self.values).holds_many(columns)
        wanted = columns[self.y] if isinstance(self.y, str) else self.y
        return np.asarray(OPERATORS[self.op](found, wanted), dtype=bool)

    def possible(self, domains: Domains) -> bool:
        """Refute by the number of variables that certainly count and of those that may."""
        if emptied(self, domains):
            return False
        wanted = frozenset(self.values)
        sure = sum(wanted.issuperset(domains[x]) for x in self.xs)
        may = sum(not wanted.isdisjoint(domains[x]) for x in self.xs)
        low, high = _span(self.y, domains)
        return within(sure - high, may - low, self.op, 0)


@dataclass(frozen=True)
class NValue(Constraint):
    """The number of distinct values among ``xs``, ``op y``. ``y`` is a variable or a number."""

    xs: tuple[str, ...]
    op: str
    y: Term

    def __init__(self, xs: Iterable[VariableLike], op: str, y: VariableLike | int) -> None:
        vars(self).update(xs=names_of(xs), op=check_operator(op), y=term_of(y))

    def variables(self) -> Iterable[str]:
        return (*self.xs, *_named(self.y))

    def holds(self, values: Values) -> bool:
        found = len({values[x] for x in self.xs})
        return bool(OPERATORS[self.op](found, _value(self.y, values)))

    def possible(self, domains: Domains) -> bool:
        """Refute by the number of settled distinct values, and of open variables that may each add one."""
        if emptied(self, domains):
            return False
        fixed = {domains[x][0] for x in self.xs if len(domains[x]) == 1}
        open_cells = [x for x in self.xs if len(domains[x]) > 1]
        low, high = _span(self.y, domains)
        least = max(len(fixed), 1 if self.xs else 0)
        return within(least - high, len(fixed) + len(open_cells) - low, self.op, 0)


@dataclass(frozen=True)
class MinMax(Constraint):
    """``lo`` is the smallest and ``hi`` the largest value of ``xs``; each is a variable, a number, or None (unused).

    ``xs`` is not empty.
    """

    xs: tuple[str, ...]
    lo: Term | None
    hi: Term | None

    def __init__(
        self, xs: Iterable[VariableLike], lo: VariableLike | int | None = None, hi: VariableLike | int | None = None
    ) -> None:
        ends = [None if end is None else term_of(end) for end in (lo, hi)]
        vars(self).update(xs=names_of(xs), lo=ends[0], hi=ends[1])
        if not self.xs:
            raise ValueError("an empty list has no smallest or largest value: at least one variable is expected")

    def variables(self) -> Iterable[str]:
        return (*self.xs, *_named(self.lo, self.hi))

    def holds(self, values: Values) -> bool:
        found = [values[x] for x in self.xs]
        return (self.lo is None or min(found) == _value(self.lo, values)) and (
            self.hi is None or max(found) == _value(self.hi, values)
        )

    def possible(self, domains: Domains) -> bool:
        """Refute by the possible ranges of the smallest and the largest value."""
        if emptied(self, domains):
            return False
        firsts, lasts = [domains[x][0] for x in self.xs], [domains[x][-1] for x in self.xs]
        ends = ((self.lo, min(firsts), min(lasts)), (self.hi, max(firsts), max(lasts)))
        return all(end is None or _overlap(_span(end, domains), low, high) for end, low, high in ends)


def _overlap(span: tuple[int, int], low: int, high: int) -> bool:
    return span[0] <= high and low <= span[1]


@dataclass(frozen=True)
class _TwoLists(Constraint):
    """A constraint on two lists of the same length."""

    xs: tuple[str, ...]
    ys: tuple[str, ...]

    def __init__(self, xs: Iterable[VariableLike], ys: Iterable[VariableLike]) -> None:
        vars(self).update(xs=names_of(xs), ys=names_of(ys))
        if len(self.xs) != len(self.ys):
            raise ValueError(f"lists of {len(self.xs)} and {len(self.ys)} variables have different lengths")

    def variables(self) -> Iterable[str]:
        return (*self.xs, *self.ys)


@dataclass(frozen=True)
class LexLess(_TwoLists):
    """``xs`` comes before ``ys`` in lexicographic order; unless ``strict``, they may be equal. Equal lengths."""

    strict: bool = True

    def __init__(self, xs: Iterable[VariableLike], ys: Iterable[VariableLike], strict: bool = True) -> None:
        super().__init__(xs, ys)
        vars(self).update(strict=truth("strict", strict))

    def holds(self, values: Values) -> bool:
        left, right = [values[x] for x in self.xs], [values[y] for y in self.ys]
        return left < right if self.strict else left <= right


@dataclass(frozen=True)
class MultisetEqual(_TwoLists):
    """The values of ``xs`` are those of ``ys`` in some order, equally often. Both have the same length."""

    def __init__(self, xs: Iterable[VariableLike], ys: Iterable[VariableLike]) -> None:
        super().__init__(xs, ys)  # errors in a call then name this kind

    def holds(self, values: Values) -> bool:
        return Counter(values[x] for x in self.xs) == Counter(values[y] for y in self.ys)

    def possible(self, domains: Domains) -> bool:
        """Refute, value by value, by the number of certain and possible occurrences on each side."""
        if emptied(self, domains):
            return False

        def often(value: int, side: Iterable[str]) -> tuple[int, int]:
            """Return how often a value occurs at least and at most."""
            return sum(domains[x] == (value,) for x in side), sum(value in domains[x] for x in side)

        values = set().union(*(domains[x] for x in self.scope))
        return all(_overlap(often(value, self.xs), *often(value, self.ys)) for value in values)


@dataclass(frozen=True)
class Connected(Constraint):
    """The positions in ``xs`` whose value is among ``values`` form one group connected along ``edges``, or none.

    ``edges`` are undirected pairs of positions in ``xs``, from 0.
    """

    xs: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    values: Domain

    def __init__(self, xs: Iterable[VariableLike], edges: Iterable[Iterable[int]], values: Iterable[int]) -> None:
        pairs: Any = tuple(edges)
        if not (_ROWS.issuperset(map(type, pairs)) and _INTEGERS.issuperset(map(type, chain.from_iterable(pairs)))):
            pairs = tuple(map(integers, pairs))
        vars(self).update(xs=names_of(xs), edges=pairs, values=domain(values))
        places = set(range(len(self.xs)))
        for pair in pairs:
            if len(pair) != 2 or not places.issuperset(pair):
                raise ValueError(f"{pair} is not an edge between two of {len(self.xs)} places")

    @cached_property
    def neighbours(self) -> Mapping[int, tuple[int, ...]]:
        """The positions adjacent to each position."""
        found: dict[int, list[int]] = {place: [] for place in range(len(self.xs))}
        for a, b in self.edges:
            found[a].append(b)
            found[b].append(a)
        return {place: tuple(others) for place, others in found.items()}

    @property
    def size(self) -> int:
        return len(self.xs) ** 2  # each place may be each step away from the first

    def holds(self, values: Values) -> bool:
        inside = {place for place, x in enumerate(self.xs) if values[x] in self.values}
        return not inside or self._reached(inside) == inside

    def possible(self, domains: Domains) -> bool:
        """Refute if cells that are certainly inside cannot be joined by cells that may be inside."""
        if emptied(self, domains):
            return False
        wanted = frozenset(self.values)
        may = {place for place, x in enumerate(self.xs) if not wanted.isdisjoint(domains[x])}
        sure = {place for place in may if wanted.issuperset(domains[self.xs[place]])}
        return not sure or sure <= self._reached(may, next(iter(sure)))

    def _reached(self, inside: Collection[int], start: int | None = None) -> set[int]:
        first = next(iter(inside)) if start is None else start
        reached, left = {first}, [first]
        while left:
            for place in self.neighbours[left.pop()]:
                if place in inside and place not in reached:
                    reached.add(place)
                    left.append(place)
        return reached
