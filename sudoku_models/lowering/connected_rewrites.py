"""Rewrite Connected by distances: how far each place inside is from the first place inside, by steps inside.

The distances are determined, so that no solution is repeated: the first place has 0, and each other place has one more
than the least distance among its neighbours. A place that cannot be reached has the distance "never", and so have all
its neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..model import And, Connected, Constraint, Count, Domain, InDomain, Or, Table
from .rewrite import Scratch

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
