"""Kinds of constraint stated by simpler ones, as definitions and a formula: counting, lookup, connection, schedules.

``opened`` returns both. The definitions always hold: for every choice of the stated variables there is exactly one
choice of the auxiliary ones that satisfies them. So the formula may be used inside an Or or a Not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from ..model import (
    AllDifferent,
    And,
    Circuit,
    Compare,
    Connected,
    Constraint,
    Count,
    Cumulative,
    Domain,
    Element,
    GlobalCardinality,
    InDomain,
    Inverse,
    Linear,
    MinMax,
    MultisetEqual,
    NoOverlap,
    NValue,
    Or,
    Table,
)
from .rewrite import Scratch

# ---------------------------------------------------------------- Connected
# By distances: how far each place inside is from the first place inside, by steps inside. They are determined, so that
# no solution is repeated: the first place has 0, and each other place has one more than the least distance among its
# neighbours. A place that cannot be reached has the distance "never", and so have all its neighbours.


OUTSIDE = -1


def labelled(c: Connected, scratch: Scratch, total: bool) -> tuple[list[Constraint], Constraint]:
    """Return the definition of the distances, and the formula that no place is unreachable.

    Unless ``total``, the distance "never" does not exist, and the definition alone states that the places are
    connected.
    """
    return _Labels(c, scratch, total).made()


class _Labels:
    def __init__(self, c: Connected, scratch: Scratch, total: bool) -> None:
        self.c, self.scratch, self.total = c, scratch, total
        wanted = frozenset(c.values)
        self.places = [p for p, x in enumerate(c.xs) if not wanted.isdisjoint(scratch.domains[x])]
        self.inside = {p: InDomain(c.xs[p], [v for v in scratch.domains[c.xs[p]] if v in wanted]) for p in self.places}
        self.outside = {
            p: InDomain(c.xs[p], [v for v in scratch.domains[c.xs[p]] if v not in wanted]) for p in self.places
        }
        self.far = min(len(self.places), _most(c, scratch)) - 1
        self.never = len(self.places)
        self.near: dict[tuple[Domain, Domain], Table] = {}
        self.literals: dict[tuple[int, tuple[int, ...], bool], InDomain] = {}
        self.distance = {p: scratch.auxiliary("distance", self._distances(n)) for n, p in enumerate(self.places)}

    def _distances(self, number: int) -> Domain:
        finite = range(self.far + 1 if number else 1)
        return (OUTSIDE, *finite, *([self.never] if self.total and number else []))

    def made(self) -> tuple[list[Constraint], Constraint]:
        """Return the definitions and the formula."""
        found = [*self._firsts(), *self._edges(), *self._supports()]
        reached = [InDomain(self.distance[p], self._finite(p)) for p in self.places]
        return found, And(reached if self.total else [])

    def _finite(self, place: int) -> list[int]:
        return [d for d in self.scratch.domains[self.distance[place]] if d != self.never]

    def _at(self, place: int, *distances: int) -> InDomain:
        return self._literal(place, distances, True)

    def _not_at(self, place: int, *distances: int) -> InDomain:
        return self._literal(place, distances, False)

    def _literal(self, place: int, distances: tuple[int, ...], there: bool) -> InDomain:
        key, name = (place, distances, there), self.distance[place]
        if key not in self.literals:
            values = distances if there else [d for d in self.scratch.domains[name] if d not in distances]
            self.literals[key] = InDomain(name, values)
        return self.literals[key]

    def _firsts(self) -> list[Constraint]:
        """The first place inside, and no other, has distance 0; ``begun``: some place so far is inside."""
        found: list[Constraint] = []
        begun: str | None = None
        for p in self.places:
            self.scratch.check()
            inside, outside = self.inside[p], self.outside[p]
            found += [Or(outside, self._not_at(p, OUTSIDE)), Or(inside, self._at(p, OUTSIDE))]
            if begun is not None:
                found.append(Or(InDomain(begun, (1,)), self._at(p, OUTSIDE, 0)))
                found.append(Or(InDomain(begun, (0,)), self._not_at(p, 0)))
            if p != self.places[-1]:
                begun = self._begun(p, begun, found)
        return found

    def _begun(self, place: int, before: str | None, out: list[Constraint]) -> str:
        """Return the variable that is true if some place up to this one is inside."""
        now = self.scratch.auxiliary("begun", (0, 1))
        yes, no = InDomain(now, (1,)), InDomain(now, (0,))
        out.append(Or(self.outside[place], yes))
        if before is None:
            out.append(Or(self.inside[place], no))
        else:
            out += [Or(InDomain(before, (0,)), yes), Or(self.inside[place], InDomain(before, (1,)), no)]
        return now

    def _edges(self) -> list[Constraint]:
        """Two neighbours inside are at most one step apart, or both unreachable."""
        pairs = {(min(edge), max(edge)) for edge in self.c.edges if edge[0] != edge[1]}
        return [self._near(a, b) for a, b in sorted(pairs) if a in self.distance and b in self.distance]

    def _near(self, a: int, b: int) -> Constraint:
        x, y = self.distance[a], self.distance[b]
        domains = self.scratch.domains[x], self.scratch.domains[y]
        if domains not in self.near:
            rows = [(i, j) for i in domains[0] for j in domains[1] if self._agree(i, j)]
            self.near[domains] = Table((x, y), rows)
        return self.near[domains].over(x, y)

    def _agree(self, i: int, j: int) -> bool:
        if OUTSIDE in (i, j):
            return True
        return i == j if self.never in (i, j) else abs(i - j) <= 1

    def _supports(self) -> list[Constraint]:
        """A place at a positive distance has a neighbour that is one step closer."""
        found: list[Constraint] = []
        for p in self.places:
            self.scratch.check()
            others = [q for q in dict.fromkeys(self.c.neighbours[p]) if q in self.distance and q != p]
            for steps in self._finite(p):
                if steps > 0:
                    nearer = [self._at(q, steps - 1) for q in others if self._has(q, steps - 1)]
                    found.append(Or(self._not_at(p, steps), *nearer))
        return found

    def _has(self, place: int, distance: int) -> bool:
        return distance in self.scratch.domains[self.distance[place]]


def _most(c: Connected, scratch: Scratch) -> int:
    """Return how many places may be inside, as far as a Count in the same model limits it."""
    sizes = [len(c.xs)]
    for other in scratch.stated:
        if isinstance(other, Count) and sorted(other.xs) == sorted(c.xs) and other.values == c.values:
            sizes += _bound(other)
    return max(1, min(sizes))


def _bound(count: Count) -> Sequence[int]:
    if not isinstance(count.y, int):
        return ()
    return {"==": (count.y,), "<=": (count.y,), "<": (count.y - 1,)}.get(count.op, ())


def distances_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Estimate the number of literals for all distances: for each place and edge, one for each distance."""
    assert isinstance(constraint, Connected)
    return 4 * (len(constraint.xs) + len(constraint.edges)) * (len(constraint.xs) + 1)


def by_distances(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """State the distances, none of which is "never"."""
    assert isinstance(constraint, Connected)
    return labelled(constraint, scratch, total=False)[0]


# ---------------------------------------------------------------- routes, assignments, schedules


Opened = tuple[list[Constraint], Constraint]
"""Definitions, and the formula."""


def parts_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Estimate by the values of the variables, each of which meets all others."""
    return float(len(constraint.scope) * sum(len(domains[x]) for x in constraint.scope))


def parts(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """State a kind by the parts that its class names."""
    assert isinstance(constraint, Inverse | GlobalCardinality | NoOverlap)
    return list(constraint.parts(scratch.domains))


def by_places(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Number the places of a round trip in the order of the visits: the place after one has the next number."""
    assert isinstance(constraint, Circuit)
    xs, last = constraint.xs, len(constraint.xs) - 1
    if len(constraint.scope) < len(xs):
        return [Or()]
    found: list[Constraint] = [InDomain(x, [v for v in range(len(xs)) if v != i or not last]) for i, x in enumerate(xs)]
    if not last:
        return found
    found.append(AllDifferent(xs))
    order = ["", *(scratch.auxiliary("visit", tuple(range(1, last + 1))) for _ in range(last))]
    for i, x in enumerate(xs):
        for j in range(len(xs)):
            if i == j or j not in scratch.domains[x]:
                continue
            number: Constraint = InDomain(order[i], (last,)) if not j else InDomain(order[j], (1,))
            if i and j:
                number = Compare(order[j], "==", order[i], 1)
            found.append(Or(InDomain(x, [v for v in scratch.domains[x] if v != j]), number))
    return found


def opened_cumulative(c: Cumulative, scratch: Scratch) -> Opened:
    """For each task and time, 0 or 1 for whether it runs then; at each time what runs fits the capacity."""
    found: list[Constraint] = []
    flags: dict[tuple[str, Domain], str] = {}
    sums: list[Constraint] = []
    for tasks in c.running(scratch.domains):
        fixed, running = 0, list[tuple[int, str]]()
        for need, x, window in tasks:
            outside = tuple(v for v in scratch.domains[x] if v not in window)
            if not outside:
                fixed += need
                continue
            if (x, window) not in flags:
                flag = flags[x, window] = scratch.auxiliary("runs", (0, 1))
                found += [Or(InDomain(x, outside), InDomain(flag, (1,))), Or(InDomain(x, window), InDomain(flag, (0,)))]
            running.append((need, flags[x, window]))
        needs, names = [need for need, _ in running], [name for _, name in running]
        sums.append(Linear(needs, names, "<=", c.capacity - fixed) if running else Or())
    return found, And(sums)


def by_times(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """State at each time that what runs fits."""
    assert isinstance(constraint, Cumulative)
    found, sums = opened_cumulative(constraint, scratch)
    assert isinstance(sums, And)
    return [*found, *sums.parts]


# ---------------------------------------------------------------- counting and lookup


def opened(constraint: Constraint, scratch: Scratch) -> Opened | None:
    """Return a constraint stated by simpler kinds; None for a kind that has no such form."""
    opener = _OPENERS.get(type(constraint))
    return opener(constraint, scratch) if opener else None


def clauses_of_element(c: Element, scratch: Scratch) -> list[Constraint]:
    """The value at the position given by the index is the stated value."""
    inside = [i for i in scratch.domains[c.i] if 0 <= i < len(c.xs)]
    found: list[Constraint] = [InDomain(c.i, inside)]
    for place in inside:
        elsewhere = InDomain(c.i, [i for i in inside if i != place])
        if isinstance(c.y, str):
            found.append(Or(elsewhere, Compare(c.xs[place], "==", c.y)))
        else:
            found.append(Or(elsewhere, InDomain(c.xs[place], (c.y,))))
    return found


def parts_of_min_max(c: MinMax, scratch: Scratch) -> list[Constraint]:
    """No value lies beyond an end, and each end is reached."""
    found: list[Constraint] = []
    for end, op in ((c.lo, ">="), (c.hi, "<=")):
        if isinstance(end, str):
            found += [Compare(x, op, end) for x in dict.fromkeys(c.xs) if x != end]
            found += _met(c.xs, end, scratch)
        elif end is not None:
            found += [InDomain(x, _bounded(scratch.domains[x], op, end)) for x in dict.fromkeys(c.xs)]
            found.append(Or(InDomain(x, (end,)) for x in dict.fromkeys(c.xs)))
    return found


def _bounded(values: Iterable[int], op: str, end: int) -> list[int]:
    return [v for v in values if (v >= end if op == ">=" else v <= end)]


def _met(xs: Iterable[str], end: str, scratch: Scratch) -> list[Constraint]:
    """Some variable has the value of the end: a clause for each value."""
    if end in xs:
        return []
    values = scratch.domains[end]
    return [Or(InDomain(end, set(values) - {v}), *(InDomain(x, (v,)) for x in dict.fromkeys(xs))) for v in values]


def presence(c: NValue, scratch: Scratch) -> Opened:
    """For each value, 0 or 1 for whether it occurs; their sum is the number of values."""
    xs = tuple(dict.fromkeys(c.xs))
    found: list[Constraint] = []
    flags: list[str] = []
    for value in sorted(set().union(*(scratch.domains[x] for x in xs))):
        flag = scratch.auxiliary("present", (0, 1))
        having = [x for x in xs if value in scratch.domains[x]]
        found += [Or(_other(x, value, scratch), InDomain(flag, (1,))) for x in having]
        found.append(Or(InDomain(flag, (0,)), *(InDomain(x, (value,)) for x in having)))
        flags.append(flag)
    return found, _sum(flags, c)


def _other(x: str, value: int, scratch: Scratch) -> InDomain:
    return InDomain(x, [v for v in scratch.domains[x] if v != value])


def flagged(c: Count, scratch: Scratch) -> Opened:
    """For each variable, 0 or 1 for whether it has one of the values; their sum is the number."""
    found: list[Constraint] = []
    flags: list[str] = []
    for x in c.xs:
        flag = scratch.auxiliary("one", (0, 1))
        inside = InDomain(x, [v for v in scratch.domains[x] if v in c.values])
        outside = InDomain(x, [v for v in scratch.domains[x] if v not in c.values])
        found += [Or(outside, InDomain(flag, (1,))), Or(inside, InDomain(flag, (0,)))]
        flags.append(flag)
    return found, _sum(flags, c)


def _sum(flags: list[str], c: Count | NValue) -> Constraint:
    if isinstance(c.y, str):
        return Linear([*[1] * len(flags), -1], [*flags, c.y], c.op, 0)
    return Linear([1] * len(flags), flags, c.op, c.y)


def numbers(c: MultisetEqual, scratch: Scratch) -> Opened:
    """For each value, how often it occurs on either side: these numbers are equal."""
    xs, ys = _without_common(c)
    found: list[Constraint] = []
    equal: list[Constraint] = []
    for value in sorted(set().union(*(scratch.domains[x] for x in (*xs, *ys)))):
        names = [scratch.auxiliary("number", tuple(range(len(xs) + 1))) for _ in range(2)]
        found += [Count(side, (value,), "==", name) for side, name in zip((xs, ys), names, strict=True)]
        equal.append(Compare(names[0], "==", names[1]))
    return found, And(equal)


def shared_numbers(c: MultisetEqual, scratch: Scratch) -> list[Constraint]:
    """For each value, one number for how often it occurs on both sides."""
    xs, ys = _without_common(c)
    found: list[Constraint] = []
    for value in sorted(set().union(*(scratch.domains[x] for x in (*xs, *ys)))):
        having = [[x for x in side if value in scratch.domains[x]] for side in (xs, ys)]
        most = min(map(len, having))
        number = scratch.auxiliary("number", tuple(range(most + 1))) if most else 0
        found += [Count(side, (value,), "==", number) for side in having if side]
    return found


def _without_common(c: MultisetEqual) -> tuple[list[str], list[str]]:
    """Return both sides without the elements that they have in common."""
    left, right = [], list(c.ys)
    for x in c.xs:
        if x in right:
            right.remove(x)
        else:
            left.append(x)
    return left, right


_OPENERS: dict[type[Constraint], Callable[[Any, Scratch], Opened]] = {
    AllDifferent: lambda c, scratch: ([], And(Compare(x, "!=", y) for x, y in combinations(c.xs, 2))),
    Element: lambda c, scratch: ([], And(clauses_of_element(c, scratch))),
    MinMax: lambda c, scratch: ([], And(parts_of_min_max(c, scratch))),
    NValue: presence,
    Count: flagged,
    MultisetEqual: numbers,
    Connected: lambda c, scratch: labelled(c, scratch, total=True),
    Cumulative: opened_cumulative,
    **dict.fromkeys((GlobalCardinality, Inverse, NoOverlap), lambda c, scratch: ([], And(c.parts(scratch.domains)))),
}


# ---------------------------------------------------------------- their rewrites


def values_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of values, counting repeated variables each time."""
    return 1 + sum(len(domains[x]) for x in constraint.variables())


def places_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of literals: two for each value at each place."""
    assert isinstance(constraint, Element)
    return 1 + sum(2 * len(domains[x]) for x in constraint.xs)


def flags_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of values, and a sum of zeros and ones."""
    assert isinstance(constraint, Count)
    return values_cost(constraint, domains) + 2 * len(constraint.xs) ** 2


def several_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float:
    """Return the number of values, for each variable and in both directions."""
    return 2 * len(constraint.scope) * values_cost(constraint, domains)


def element(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """A clause for each place that the index may point to."""
    assert isinstance(constraint, Element)
    return clauses_of_element(constraint, scratch)


def min_max(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Comparisons with each end, and clauses stating that the end is reached."""
    assert isinstance(constraint, MinMax)
    return parts_of_min_max(constraint, scratch)


def n_value(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Flags for the values that occur, and their sum."""
    assert isinstance(constraint, NValue)
    found, total = presence(constraint, scratch)
    return [*found, total]


def count(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Flags for the variables that have the values, and their sum."""
    assert isinstance(constraint, Count)
    found, total = flagged(constraint, scratch)
    return [*found, total]


def multiset(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """Counts of each value on both sides, equal to one number."""
    assert isinstance(constraint, MultisetEqual)
    return shared_numbers(constraint, scratch)
