"""Global constraints that models of routes, schedules and assignments use; engines that have them take them whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

from ..dataclass import dataclass
from .constraint import Compare, Constraint, Domains, InDomain, Values, truth
from .counting_constraints import Count, Term, _named, _TwoLists, _value, term_of
from .domain import Domain, domain, integer, integers
from .expression import VariableLike, names_of
from .logic import Or


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
