"""Core constraints for lookup, counting, order and connection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..dataclass import dataclass
from .constraint import (
    OPERATORS,
    AllDifferent,
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
from .regular import Automaton, Regular

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
class LexLessWhere(Constraint):
    """``y``, a variable or a number, is 1 if a list that begins with ``first`` goes on with less than ``xs``, else 0.

    Of several such ``lists`` all do, or none. What follows the first variable of a list is compared with ``xs`` in
    lexicographic order, as far as both reach; it is never equal, unless ``ties`` are allowed.
    """

    lists: tuple[tuple[str, ...], ...]
    first: int
    xs: tuple[str, ...]
    y: Term
    ties: bool = False

    def __init__(
        self,
        lists: Iterable[Iterable[VariableLike]],
        first: int,
        xs: Iterable[VariableLike],
        y: VariableLike | int,
        ties: bool = False,
    ) -> None:
        vars(self).update(lists=tuple(map(names_of, lists)), first=integer(first), xs=names_of(xs), y=term_of(y))
        vars(self).update(ties=truth("ties", ties))
        if not all(self.lists):
            raise ValueError("an empty list begins with no value: at least one variable is expected")
        if self.y not in (0, 1) and not isinstance(self.y, str):
            raise ValueError(f"y is {self.y}: a variable, 0 or 1 is expected")

    def where(self, first: int, y: Term, ties: bool) -> LexLessWhere:
        """Return the same for another first value, with the same lists and ``xs``."""
        made = object.__new__(LexLessWhere)
        vars(made).update(lists=self.lists, first=first, xs=self.xs, y=y, ties=ties, listed=self.listed)
        return made

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The distinct variables of the lists and of ``xs``, the same object in all that ``where`` makes."""
        return tuple(dict.fromkeys((*chain.from_iterable(self.lists), *self.xs)))

    def variables(self) -> Iterable[str]:
        return (*self.listed, self.y) if isinstance(self.y, str) else self.listed

    def holds(self, values: Values) -> bool:
        y = _value(self.y, values)
        begun = [one for one in self.lists if values[one[0]] == self.first]
        return (y == 0 or (y == 1 and bool(begun))) and all(self._goes_on(one, y, values) for one in begun)

    def _goes_on(self, one: tuple[str, ...], y: int, values: Values) -> bool:
        for a, b in zip(one[1:], self.xs, strict=False):
            if values[a] != values[b]:
                return y == (values[a] < values[b])
        return self.ties and y == 0

    def possible(self, domains: Domains) -> bool:
        """Refute by the lists that certainly begin with ``first``, and the least and the greatest values."""
        begin = [one for one in self.lists if self.first in domains[one[0]]]
        begun = [list(zip(one[1:], self.xs, strict=False)) for one in begin if len(domains[one[0]]) == 1]
        can = {
            0: all(_may_precede([pair[::-1] for pair in pairs], domains, not self.ties) for pairs in begun),
            1: bool(begin) and all(_may_precede(pairs, domains, True) for pairs in begun),
        }
        return any(can.get(y, False) for y in (domains[self.y] if isinstance(self.y, str) else (self.y,)))

    def parts(self, domains: Domains) -> Iterator[Constraint]:
        """Yield constraints that together mean the same: an automaton for each list reads ``xs`` and it in turns."""
        if isinstance(self.y, str) and not {0, 1}.issuperset(domains[self.y]):
            yield InDomain(self.y, (0, 1))
        if self.y != 0:
            yield Count([one[0] for one in self.lists], (self.first,), ">=", self.y)
        letters = tuple(sorted({value for x in self.scope for value in domains[x]}))
        y = (self.y,) if isinstance(self.y, str) else ()
        automaton = _going_on(letters, self.first, None if y else int(self.y), self.ties)
        for one in self.lists:
            turns = chain.from_iterable(pair for pair in zip(self.xs, one[1:], strict=False) if pair[0] != pair[1])
            yield Regular((one[0], *y, *turns), automaton)


def _may_precede(pairs: Iterable[tuple[str, str]], domains: Domains, strict: bool) -> bool:
    """Return whether the first of each pair may come before the second of each in lexicographic order."""
    for a, b in pairs:
        if not (domains[a] and domains[b]):
            return False
        if a != b and domains[a][0] != domains[b][-1]:
            return domains[a][0] < domains[b][-1]
    return not strict


@lru_cache(maxsize=64)
def _going_on(letters: Domain, first: int, y: int | None, ties: bool) -> Automaton:
    """Return the automaton of ``LexLessWhere`` for one list; if ``y`` is None, it is a letter too, the second one.

    A state has ``y``, and the value of ``xs`` at a place that is half read.
    """

    def step(state: tuple[Any, ...], value: int) -> tuple[Any, ...] | None:
        match state:
            case ("begin",):
                return () if value != first else ("y",) if y is None else (y,)
            case ("y",):
                return (value,) if value in (0, 1) else None
            case (less,):
                return less, value
            case (less, other):
                return (less,) if value == other else () if less == (value < other) else None
        return state

    return Automaton.from_step(step, ("begin",), letters, lambda state: state == () or (ties and state == (0,)), 4)


@dataclass(frozen=True)
class NoSubsetSum(Constraint):
    """The values of ``xs`` differ, and no choice of one or more of them adds up to ``total``."""

    xs: tuple[str, ...]
    total: int

    def __init__(self, xs: Iterable[VariableLike], total: int) -> None:
        vars(self).update(xs=names_of(xs), total=integer(total))

    def holds(self, values: Values) -> bool:
        found = [values[x] for x in self.xs]
        return len(set(found)) == len(found) and self.total not in _subset_sums(found)

    def possible(self, domains: Domains) -> bool:
        """Refute by the settled variables, and by those with one value too few."""
        settled = [domains[x][0] for x in self.xs if len(domains[x]) == 1]
        if emptied(self, domains) or len(set(settled)) < len(settled):
            return False
        missing = {self.total - number for number in (0, *_subset_sums(settled))}
        return self.total not in _subset_sums(settled) and not any(
            missing.union(settled).issuperset(domains[x]) for x in self.xs if len(domains[x]) > 1
        )

    def parts(self, domains: Domains) -> Iterator[Constraint]:
        """Yield constraints that together mean the same: the values differ, and each set with the sum lacks one.

        Raises ValueError for more than 20,000 such sets.
        """
        if len(set(self.xs)) < len(self.xs):
            yield InDomain(self.xs[0], ())
            return
        yield AllDifferent(self.xs)
        every = tuple(sorted({value for x in self.xs for value in domains[x]}))
        for values in sets_of_sum(every, self.total, len(self.xs)):
            yield Count(self.xs, values, "<", len(values))


def _subset_sums(numbers: Iterable[int]) -> set[int]:
    """Return the sums of all choices of one or more of some numbers."""
    sums: set[int] = set()
    for number in numbers:
        sums |= {number, *(number + other for other in sums)}
    return sums


MOST_SETS = 20_000
"""The largest number of sets of values with a sum that are listed."""


@lru_cache(maxsize=256)
def sets_of_sum(values: Domain, total: int, largest: int) -> tuple[Domain, ...]:
    """Return the sets of up to ``largest`` values that add up to ``total``; longer sets leave out zero."""
    found: list[Domain] = [(0,)] if total == 0 and 0 in values else []
    left: list[tuple[Domain, int]] = [((), 0)]
    numbers = [v for v in values if v]
    while left:
        chosen, start = left.pop()
        for i in range(start, len(numbers)):
            more, rest = (*chosen, numbers[i]), total - sum(chosen) - numbers[i]
            if rest == 0:
                found.append(more)
            if len(more) < largest and (rest > numbers[i] or numbers[0] < 0):
                left.append((more, i + 1))
        if len(found) + len(left) > MOST_SETS:
            raise ValueError(f"more than {MOST_SETS} sets of values add up to {total}")
    return tuple(found)


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
