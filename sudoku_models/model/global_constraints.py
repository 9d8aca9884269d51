"""Global constraints about many variables: routes, assignments, schedules, ranks, sums that no choice has.

Engines that have them take them whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, pairwise
from typing import Any

from ..dataclass import dataclass
from ..errors import Unsupported
from .constraint import AllDifferent, Compare, Constraint, Domains, InDomain, Values, emptied, truth
from .counting_constraints import Count, Term, _named, _TwoLists, _value, term_of
from .domain import Domain, domain, integer, integers
from .expression import VariableLike, names_of
from .logic import Or
from .regular import Automaton, Regular


def _same_length(what: str, *lists: tuple[object, ...]) -> None:
    if len({*map(len, lists)}) > 1:
        lengths = ", ".join(str(len(one)) for one in lists)
        raise ValueError(f"{what} are given as lists of {lengths}: one length is expected")


@dataclass(frozen=True)
class Circuit(Constraint):
    """``xs[i]`` is the place after place i, from 0, on a round trip that visits each place once."""

    xs: tuple[str, ...]

    def __init__(self, xs: Iterable[VariableLike]) -> None:
        vars(self).update(xs=names_of(xs))
        if not self.xs:
            raise ValueError("a Circuit visits at least one place")

    def holds(self, values: Values) -> bool:
        place = 0
        for left in reversed(range(len(self.xs))):
            place = values[self.xs[place]]
            if not 0 <= place < len(self.xs) or (place == 0) != (left == 0):
                return False
        return True

    @property
    def size(self) -> int:
        return len(self.xs) ** 2


@dataclass(frozen=True)
class Inverse(_TwoLists):
    """``xs[i] == j`` exactly if ``ys[j] == i``, from 0: each list says where the places of the other one are."""

    def __init__(self, xs: Iterable[VariableLike], ys: Iterable[VariableLike]) -> None:
        super().__init__(xs, ys)  # errors in a call then name this kind

    def holds(self, values: Values) -> bool:
        xs, ys, places = [values[x] for x in self.xs], [values[y] for y in self.ys], range(len(self.xs))
        return all(x in places and ys[x] == i for i, x in enumerate(xs)) and all(y in places for y in ys)

    def parts(self, domains: Domains) -> Iterator[Constraint]:
        """Yield constraints that together mean the same."""
        places = range(len(self.xs))
        for x in self.scope:
            yield InDomain(x, places)
        for xs, ys in ((self.xs, self.ys), (self.ys, self.xs)):
            for i, x in enumerate(xs):
                for j in places:
                    if j in domains[x]:
                        yield Or(InDomain(x, [v for v in domains[x] if v != j]), InDomain(ys[j], (i,)))


@dataclass(frozen=True)
class GlobalCardinality(Constraint):
    """Of ``xs``, as many have ``values[k]`` as ``counts[k]`` says, a number or a variable.

    With ``closed`` they have no other values.
    """

    xs: tuple[str, ...]
    values: tuple[int, ...]
    counts: tuple[Term, ...]
    closed: bool = False

    def __init__(
        self,
        xs: Iterable[VariableLike],
        values: Iterable[int],
        counts: Iterable[VariableLike | int],
        closed: bool = False,
    ) -> None:
        terms = tuple(map(term_of, counts))
        vars(self).update(xs=names_of(xs), values=integers(values), counts=terms, closed=truth("closed", closed))
        _same_length("values and how often each occurs", self.values, self.counts)

    def variables(self) -> Iterable[str]:
        return (*self.xs, *_named(*self.counts))

    def holds(self, values: Values) -> bool:
        found = Counter(values[x] for x in self.xs)
        right = all(found[v] == _value(y, values) for v, y in zip(self.values, self.counts, strict=True))
        return right and (not self.closed or set(self.values).issuperset(found))

    def parts(self, domains: Domains) -> Iterator[Constraint]:
        """Yield constraints that together mean the same."""
        for value, count in zip(self.values, self.counts, strict=True):
            yield Count(self.xs, (value,), "==", count)
        if self.closed:
            yield from (InDomain(x, self.values) for x in dict.fromkeys(self.xs))


@dataclass(frozen=True)
class _Tasks(Constraint):
    """A constraint on tasks that begin at ``starts`` and take ``durations``, 1 or more."""

    starts: tuple[str, ...]
    durations: tuple[int, ...]

    def __init__(self, starts: Iterable[VariableLike], durations: Iterable[int]) -> None:
        vars(self).update(starts=names_of(starts), durations=integers(durations))
        _same_length("starts and durations", self.starts, self.durations)
        if any(duration < 1 for duration in self.durations):
            raise ValueError("a duration below 1: whole numbers from 1 are expected")

    def variables(self) -> Iterable[str]:
        return self.starts


@dataclass(frozen=True)
class NoOverlap(_Tasks):
    """Tasks that begin at ``starts`` and take ``durations`` (1 or more) do not overlap: one machine for all."""

    def __init__(self, starts: Iterable[VariableLike], durations: Iterable[int]) -> None:
        super().__init__(starts, durations)

    def holds(self, values: Values) -> bool:
        tasks = sorted((values[x], duration) for x, duration in zip(self.starts, self.durations, strict=True))
        return all(start + duration <= after for (start, duration), (after, _) in pairwise(tasks))

    def parts(self, domains: Domains) -> Iterator[Constraint]:
        """Yield constraints that together mean the same."""
        for (x, d), (y, e) in combinations(zip(self.starts, self.durations, strict=True), 2):
            yield Or(Compare(x, "<=", y, -d), Compare(y, "<=", x, -e)) if x != y else Or()


@dataclass(frozen=True)
class Cumulative(_Tasks):
    """Tasks that begin at ``starts``, take ``durations`` (1 or more) and need ``demands`` (0 or more) of a resource
    never need more than ``capacity`` together.
    """

    demands: tuple[int, ...]
    capacity: int

    def __init__(
        self, starts: Iterable[VariableLike], durations: Iterable[int], demands: Iterable[int], capacity: int
    ) -> None:
        super().__init__(starts, durations)
        vars(self).update(demands=integers(demands), capacity=integer(capacity))
        _same_length("starts and demands", self.starts, self.demands)
        if any(demand < 0 for demand in self.demands):
            raise ValueError("a demand below 0: 0 or more is expected")

    def holds(self, values: Values) -> bool:
        # it is enough to add up what runs at the start of each task: in between the need only falls
        tasks = [(values[x], d, need) for x, d, need in zip(self.starts, self.durations, self.demands, strict=True)]
        most = max((sum(need for s, d, need in tasks if s <= now < s + d) for now, _, _ in tasks), default=0)
        return max(most, 0) <= self.capacity

    def running(self, domains: Domains) -> Iterator[list[tuple[int, str, Domain]]]:
        """Yield for each time at which too much may run its tasks: (demand, start, the starts with which it runs)."""
        tasks = list(zip(self.starts, self.durations, self.demands, strict=True))
        for now in domain(v for x, _, need in tasks if need for v in domains[x]) or (0,):
            windows = [(need, x, tuple(v for v in domains[x] if now - d < v <= now)) for x, d, need in tasks if need]
            found = [window for window in windows if window[2]]
            if sum(need for need, _, _ in found) > self.capacity:
                yield found


# ---------------------------------------------------------------- ranks, and sums that no choice has


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
        if not isinstance(lists, Iterable):
            raise TypeError(f"lists of variables are expected, not {lists!r}")
        vars(self).update(lists=tuple(map(names_of, lists)), first=integer(first), xs=names_of(xs), y=term_of(y))
        vars(self).update(ties=truth("ties", ties))
        if not all(self.lists):
            raise ValueError("an empty list begins with no value: at least one variable is expected")
        if self.y not in (0, 1) and not isinstance(self.y, str):
            raise ValueError(f"y is {self.y}: a variable, 0 or 1 is expected")

    def variables(self) -> Iterable[str]:
        return (*chain.from_iterable(self.lists), *self.xs, *_named(self.y))

    def holds(self, values: Values) -> bool:
        found = set()
        for one in self.lists:
            if values[one[0]] == self.first:
                places = one[1 : 1 + len(self.xs)]
                left, right = [values[x] for x in places], [values[x] for x in self.xs[: len(places)]]
                found.add(left < right if self.ties or left != right else None)
        return len(found) < 2 and _value(self.y, values) in (found or (0,))

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
        """Refute by the settled variables."""
        settled = [domains[x][0] for x in self.xs if len(domains[x]) == 1]
        fits = len(set(settled)) == len(settled) and self.total not in _subset_sums(settled)
        return fits and not emptied(self, domains)

    def parts(self, domains: Domains) -> Iterator[Constraint]:
        """Yield constraints that together mean the same: the values differ, and each set with the sum lacks one.

        Raises Unsupported for more than 20,000 such sets.
        """
        if len(set(self.xs)) < len(self.xs):
            yield InDomain(self.xs[0], ())
            return
        yield AllDifferent(self.xs)
        every = tuple(sorted({value for x in self.xs for value in domains[x]}))
        for values in _sets_of_sum(every, self.total, len(self.xs)):
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
def _sets_of_sum(values: Domain, total: int, largest: int) -> tuple[Domain, ...]:
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
            raise Unsupported(f"more than {MOST_SETS} sets of values add up to {total}")
    return tuple(found)
