"""The core constraint Connected: cells with certain values form one connected group."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from .constraint import Constraint, Domains, Values
from .domain import Domain, domain, integers
from .expression import VariableLike, names_of


@dataclass(frozen=True)
class Connected(Constraint):
    """The positions in ``xs`` whose value is among ``values`` form one group connected along ``edges``, or none.

    ``edges`` are undirected pairs of positions in ``xs``, from 0.
    """

    xs: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    values: Domain

    def __init__(self, xs: Iterable[VariableLike], edges: Iterable[Iterable[int]], values: Iterable[int]) -> None:
        pairs = tuple(map(integers, edges))
        self._set(xs=names_of(xs), edges=pairs, values=domain(values))
        for pair in pairs:
            if len(pair) != 2 or min(pair) < 0 or max(pair) >= len(self.xs):
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
        """The square of the number of positions: each may be any number of steps away from the first."""
        return len(self.xs) ** 2  # each place may be each step away from the first

    def variables(self) -> Iterable[str]:
        """Return the cells by position."""
        return self.xs

    def holds(self, values: Values) -> bool:
        """Return whether all positions in the group can be reached from one of them inside the group."""
        inside = {place for place, x in enumerate(self.xs) if values[x] in self.values}
        return not inside or self._reached(inside) == inside

    def possible(self, domains: Domains) -> bool:
        """Refute if cells that are certainly inside cannot be joined by cells that may be inside."""
        if any(not domains[x] for x in self.scope):
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
