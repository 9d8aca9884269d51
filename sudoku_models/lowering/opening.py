"""Kinds of constraint stated by simpler ones, as definitions and a formula: counting, lookup, connection, schedules.

``opened`` returns both. The definitions always hold: for every choice of the stated variables there is exactly one
choice of the auxiliary ones that satisfies them. So the formula may be used inside an Or or a Not.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, compress
from typing import Any

from ..errors import Unsupported
from ..model import OPERATORS, Domain
from ..model.constraint import Constraint
from ..model.kinds import *
from .rewrite import Scratch

Opened = tuple[list[Constraint], Constraint]
"""Definitions, and the formula."""


def opened(constraint: Constraint, scratch: Scratch) -> Opened | None:
    """Return a constraint stated by simpler kinds; None for a kind that has no such form."""
    opener = _OPENERS.get(type(constraint))
    return opener(constraint, scratch) if opener else None


def simpler(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
    """State a kind by its definitions, and its formula or the parts of it."""
    definitions, formula = _OPENERS[type(constraint)](constraint, scratch)
    return [*definitions, *(formula.parts if isinstance(formula, And) else (formula,))]


# ---------------------------------------------------------------- Connected
# By distances: how far each place inside is from the first place inside, by steps inside. They are determined, so that
# no solution is repeated: the first place has 0, and each other place has one more than the least distance among its
# neighbours. A place that cannot be reached has the distance "never", and so have all its neighbours.


OUTSIDE = -1


class _Labels:
    """Makes the definition of the distances, and the formula that no place is unreachable.

    Unless ``total``, the distance "never" does not exist, and the definition alone states that the places are
    connected.
    """

    def __init__(self, c: Connected, scratch: Scratch, total: bool) -> None:
        self.c, self.scratch, self.total = c, scratch, total
        wanted = frozenset(c.values)
        self.places = [p for p, x in enumerate(c.xs) if not wanted.isdisjoint(scratch.domains[x])]
        domains = [scratch.domains[x] for x in c.xs]
        self.inside = {p: InDomain(c.xs[p], wanted.intersection(domains[p])) for p in self.places}
        self.outside = {p: InDomain(c.xs[p], set(domains[p]) - wanted) for p in self.places}
        self.far = min(len(self.places), _most(c, scratch)) - 1
        self.never = len(self.places)
        self.near: dict[tuple[Domain, Domain], Table] = {}
        self.distance = {p: scratch.auxiliary("distance", self._distances(n)) for n, p in enumerate(self.places)}
        self.at = {p: {d: InDomain(x, (d,)) for d in scratch.domains[x]} for p, x in self.distance.items()}

    def _distances(self, number: int) -> Domain:
        finite = range(self.far + 1 if number else 1)
        return (OUTSIDE, *finite, *([self.never] if self.total and number else []))

    def made(self) -> tuple[list[Constraint], Constraint]:
        """Return the definitions and the formula."""
        found = [*self._firsts(), *self._edges(), *self._supports()]
        reached = [InDomain(self.distance[p], self._finite(p)) for p in self.places]
        return found, And(reached if self.total else [])

    def _finite(self, place: int) -> list[int]:
        return [d for d in self.at[place] if d != self.never]

    def _not_at(self, place: int, distance: int) -> InDomain:
        return InDomain(self.distance[place], [d for d in self.at[place] if d != distance])

    def _firsts(self) -> list[Constraint]:
        """The first place inside, and no other, has distance 0; ``begun``: some place so far is inside."""
        found: list[Constraint] = []
        begun: str | None = None
        for p in self.places:
            self.scratch.check()
            inside, outside = self.inside[p], self.outside[p]
            found += [Or(outside, self._not_at(p, OUTSIDE)), Or(inside, self.at[p][OUTSIDE])]
            if begun is not None:
                found.append(Or(InDomain(begun, (1,)), InDomain(self.distance[p], (OUTSIDE, 0))))
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
            every = [(i, j) for i in domains[0] for j in domains[1]]
            near = (OUTSIDE in ij or (ij[0] == ij[1] if self.never in ij else abs(ij[0] - ij[1]) <= 1) for ij in every)
            rows = list(compress(every, near))
            self.near[domains] = Table((x, y), rows)
        return self.near[domains].over(x, y)

    def _supports(self) -> list[Constraint]:
        """A place at a positive distance has a neighbour that is one step closer."""
        found: list[Constraint] = []
        for p in self.places:
            self.scratch.check()
            others = [q for q in dict.fromkeys(self.c.neighbours[p]) if q in self.distance and q != p]
            for steps in self._finite(p):
                if steps > 0:
                    nearer = [self.at[q][steps - 1] for q in others if steps - 1 in self.at[q]]
                    found.append(Or(self._not_at(p, steps), *nearer))
        return found


def _most(c: Connected, scratch: Scratch) -> int:
    """Return how many places may be inside, as far as a Count in the same model limits it."""
    sizes = [len(c.xs)]
    for count in (other for other in scratch.stated if isinstance(other, Count)):
        alike = count.values == c.values and sorted(count.xs) == sorted(c.xs)
        if alike and isinstance(count.y, int) and count.op in ("==", "<=", "<"):
            sizes.append(count.y - (count.op == "<"))
    return max(1, min(sizes))


def by_distances(c: Connected, scratch: Scratch) -> list[Constraint]:
    """State the distances, none of which is "never"."""
    return _Labels(c, scratch, total=False).made()[0]


# ---------------------------------------------------------------- routes, assignments, schedules


def by_places(c: Circuit, scratch: Scratch) -> list[Constraint]:
    """Number the places of a round trip in the order of the visits: the place after one has the next number."""
    xs, last = c.xs, len(c.xs) - 1
    if len(c.scope) < len(xs):
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


def _cumulative(c: Cumulative, scratch: Scratch) -> Opened:
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


# ---------------------------------------------------------------- counting and lookup


def _element(c: Element, scratch: Scratch) -> Opened:
    """The value at the position given by the index is the stated value."""
    inside = [i for i in scratch.domains[c.i] if 0 <= i < len(c.xs)]
    found: list[Constraint] = [InDomain(c.i, inside)]
    for place in inside:
        x, elsewhere = c.xs[place], InDomain(c.i, [i for i in inside if i != place])
        found.append(Or(elsewhere, Compare(x, "==", c.y) if isinstance(c.y, str) else InDomain(x, (c.y,))))
    return [], And(found)


def _min_max(c: MinMax, scratch: Scratch) -> Opened:
    """No value lies beyond an end, and each end is reached."""
    xs, found = dict.fromkeys(c.xs), list[Constraint]()
    for end, op in ((c.lo, ">="), (c.hi, "<=")):
        if isinstance(end, str):
            found += [Compare(x, op, end) for x in xs if x != end]
            if end not in xs:
                values = scratch.domains[end]
                found += [Or(InDomain(end, set(values) - {v}), *(InDomain(x, (v,)) for x in xs)) for v in values]
        elif end is not None:
            found += [InDomain(x, [v for v in scratch.domains[x] if OPERATORS[op](v, end)]) for x in xs]
            found.append(Or(InDomain(x, (end,)) for x in xs))
    return [], And(found)


def _n_value(c: NValue, scratch: Scratch) -> Opened:
    """For each value, 0 or 1 for whether it occurs; their sum is the number of values."""
    xs = tuple(dict.fromkeys(c.xs))
    found: list[Constraint] = []
    flags: list[str] = []
    for value in sorted(set().union(*(scratch.domains[x] for x in xs))):
        flag = scratch.auxiliary("present", (0, 1))
        having = [x for x in xs if value in scratch.domains[x]]
        others = ((x, [v for v in scratch.domains[x] if v != value]) for x in having)
        found += [Or(InDomain(x, values), InDomain(flag, (1,))) for x, values in others]
        found.append(Or(InDomain(flag, (0,)), *(InDomain(x, (value,)) for x in having)))
        flags.append(flag)
    return found, _sum(flags, c)


def _count(c: Count, scratch: Scratch) -> Opened:
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
    ones = [1] * len(flags)
    return Linear([*ones, -1], [*flags, c.y], c.op, 0) if isinstance(c.y, str) else Linear(ones, flags, c.op, c.y)


def _multiset(c: MultisetEqual, scratch: Scratch) -> Opened:
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
    Element: _element,
    MinMax: _min_max,
    NValue: _n_value,
    Count: _count,
    MultisetEqual: _multiset,
    Connected: lambda c, scratch: _Labels(c, scratch, total=True).made(),
    Cumulative: _cumulative,
    **dict.fromkeys(
        (GlobalCardinality, Inverse, LexLessWhere, NoOverlap, NoSubsetSum),
        lambda c, scratch: ([], And(c.parts(scratch.domains))),
    ),
}


# ---------------------------------------------------------------- the costs of these forms, in literals


def distances_cost(c: Connected, scratch: Scratch) -> float:
    """Return the number for all distances: for each place and edge, one for each distance."""
    return 4 * (len(c.xs) + len(c.edges)) * (len(c.xs) + 1)


def parts_cost(c: Constraint, scratch: Scratch) -> float:
    """Estimate by the values of the variables, each of which meets all others."""
    return float(len(c.scope) * sum(len(scratch.domains[x]) for x in c.scope))


def sets_cost(c: NoSubsetSum, scratch: Scratch) -> float | None:
    """Return the number of variables that are counted; None if there are too many sets with the sum."""
    try:
        return float(sum(len(part.scope) for part in c.parts(scratch.domains)))
    except Unsupported:
        return None


def values_cost(c: Constraint, scratch: Scratch) -> float:
    """Return the number of values, counting repeated variables each time."""
    return 1 + sum(len(scratch.domains[x]) for x in c.variables())


def several_cost(c: Constraint, scratch: Scratch) -> float:
    """Return the number of values, for each variable and in both directions."""
    return 2 * len(c.scope) * values_cost(c, scratch)
