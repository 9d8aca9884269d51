"""Killer cages that cover a board: grown in orbits of its symmetry, then changed until one solution is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ..puzzle.rules import KillerCage
from .laying import Ground, is_whole

Values = Sequence[int]
Others = Callable[[int], tuple[Sequence[Values], bool]]
"""Returns, for a seed, some wrong solutions that keep the cages, and whether it is proved that there are no more."""

ROUNDS = 60
"""Rounds in which cages are changed because of wrong solutions, before this is given up."""

KEPT = 96
"""The wrong solutions that are remembered."""

ABOUT, WAYS, JOINED = 12, 12, 12
"""Cells about which a cage is changed, ways that are tried to cut one, and cages that are tried for joining."""


Cut = tuple[float, frozenset[int], tuple[set[int], set[int]]]
"""How good a cut is, the cages that give way, and the two that come in their place."""


class Cover:
    """Cages of ``least`` to ``most`` cells on a ground whose solution is known; each cell is in one."""

    def __init__(self, ground: Ground, least: int, most: int) -> None:
        self.ground, self.least, self.most, self.rng = ground, least, min(most, len(ground.shape.values)), ground.rng
        self.cage_of = [-1] * ground.shape.cells
        self.cages: dict[int, set[int]] = {}
        self.twins: dict[int, list[int]] = {}  # the images of a cage, itself too
        self._grow()

    @property
    def rules(self) -> tuple[KillerCage, ...]:
        """The cages, with their sums."""
        ground, every = self.ground, [sorted(cells) for cells in self.cages.values()]
        return tuple(KillerCage(ground.names(cells), total=sum(ground.seen(cells))) for cells in sorted(every))

    @property
    def odd_sizes(self) -> list[int]:
        """The sizes of cages with too few or too many cells; a single cell in the middle is allowed."""
        found = sorted(len(cells) for cells in self.cages.values() if not self.least <= len(cells) <= self.most)
        return [] if found == [1] and self.ground.maps else found

    def _add(self, cells: set[int]) -> None:
        orbit = list(dict.fromkeys(map(frozenset, (cells, *self.ground.images(sorted(cells))))))
        first = max(self.cages, default=-1) + 1
        keys = [first + i for i in range(len(orbit))]
        for key, cage in zip(keys, orbit, strict=True):
            self.cages[key], self.twins[key] = set(cage), keys
            for cell in cage:
                self.cage_of[cell] = key

    def _take_off(self, key: int) -> None:
        for twin in self.twins[key]:
            for cell in self.cages.pop(twin):
                self.cage_of[cell] = -1

    def _fits(self, cells: set[int]) -> bool:
        """Return whether cells differ in the solution, in every image too, and are equal to an image that they meet."""
        places = [set(place) for place in (cells, *self.ground.images(sorted(cells)))]
        return all(_differ(self.ground.seen(place)) and (place == cells or place.isdisjoint(cells)) for place in places)

    def _grow(self) -> None:
        """Begin where there is least room, so that few single cells are left; join these to a neighbour."""
        while opened := [cell for cell, cage in enumerate(self.cage_of) if cage < 0]:
            cells, goal = {min(opened, key=self._room)}, self.rng.randint(self.least, self.most)
            while len(cells) < goal:
                beside = self.ground.beside
                around = {d for c in cells for d in beside[c] if self.cage_of[d] < 0} - cells
                edge = [d for d in sorted(around) if self._fits(cells | {d})]
                if not edge:
                    break
                cells.add(min(edge, key=lambda d: self._room(d) - 0.7 * sum(e in cells for e in beside[d])))
            self._add(cells if self._fits(cells) else {min(cells)})  # a cell may lie beside its image
        for key in [key for key, cells in self.cages.items() if len(cells) < self.least]:
            if key in self.cages:
                self._join(key)

    def _room(self, cell: int) -> float:
        return sum(self.cage_of[d] < 0 for d in self.ground.beside[cell]) + self.rng.random()

    def _near(self, key: int) -> list[int]:
        """Return the cages beside one, without its images."""
        return sorted({self.cage_of[d] for c in self.cages[key] for d in self.ground.beside[c]} - {*self.twins[key]})

    def _join(self, key: int) -> bool:
        """Join a cage with a small neighbour, if all cells differ and they are not too many."""
        for other in sorted(self._near(key), key=lambda k: len(self.cages[k]) + self.rng.random()):
            union = self.cages[key] | self.cages[other]
            if len(union) <= self.most and self._fits(union):
                self._take_off(key)
                self._take_off(other)
                self._add(union)
                return True
        return False

    def _refuses(self, cells: Iterable[int], wrong: Values) -> bool:
        values = [wrong[cell] for cell in cells]
        return sum(values) != sum(self.ground.seen(cells)) or not _differ(values)

    def _ways(self, cells: set[int]) -> list[tuple[set[int], set[int]]]:
        """Return some ways to cut cells into two connected parts of a wanted size."""
        found, small, large = [], min(self.least, len(cells) - 1), max(1, len(cells) - self.least)
        for _ in range(WAYS if len(cells) > 1 else 0):
            goal, part = self.rng.randint(min(small, large), max(small, large)), {self.rng.choice(sorted(cells))}
            while len(part) < goal and (edge := {d for c in part for d in self.ground.beside[c]} & cells - part):
                part.add(self.rng.choice(sorted(edge)))
            rest = cells - part
            if rest and max(len(part), len(rest)) <= self.most and is_whole(rest, self.ground.beside):
                found += [(part, rest)] if self._fits(part) and self._fits(rest) else []
        return found

    def _cuts(self, wrong: Sequence[Values]) -> Iterable[Cut]:
        """Yield cages that may be cut, and neighbours that may be divided anew, where wrong solutions differ most."""
        often = Counter(c for values in wrong for c, value in enumerate(values) if value != self.ground.seen([c])[0])
        for cell in sorted(often, key=lambda c: -often[c] * self.rng.random())[:ABOUT]:
            key = self.cage_of[cell]
            mine = self.cages[key]
            unions = [(frozenset([key]), mine)] if len(mine) >= 2 * self.least else []
            apart = [k for k in self._near(key) if k not in self.twins[key]]
            for keys, union in [*unions, *((frozenset([key, k]), mine | self.cages[k]) for k in apart)]:
                for parts in self._ways(union):
                    refused = sum(any(self._refuses(part, values) for part in parts) for values in wrong) / len(wrong)
                    small = sum(len(part) < self.least for part in parts)
                    yield refused - 0.4 * small - 0.1 * (len(keys) == 1) + 0.1 * self.rng.random(), keys, parts

    def _cut(self, keys: Iterable[int], parts: tuple[set[int], set[int]]) -> None:
        for key in sorted(keys):
            self._take_off(key)
        for part in parts:
            self._add(part)

    def settle(self, others: Others) -> None:
        """Change cages until there is one solution, or that takes too many rounds."""
        pool: list[Values] = []
        for _ in range(ROUNDS):
            alive = [t for t in pool if not any(self._refuses(cells, t) for cells in self.cages.values())]
            if not alive:
                more, proved = others(len(pool))
                alive = [*more]
                if alive:
                    pool = [*pool, *alive][-KEPT:]
                elif proved or not self.ease():  # to ease: it is not known whether there are any
                    return
                else:
                    continue
            if best := max(self._cuts(alive), default=None, key=lambda cut: cut[0]):
                self._cut(*best[1:])

    def ease(self) -> bool:
        """Cut one of the largest cages."""
        for key in sorted(self.cages, key=lambda k: -len(self.cages[k]) - self.rng.random()):
            if len(self.cages[key]) >= 2 * self.least and (ways := self._ways(self.cages[key])):
                self._cut([key], ways[0])
                return True
        return False

    def harden(self, others: Others) -> bool:
        """Join two cages so that one solution is left."""
        for key in self.rng.sample(sorted(self.cages), len(self.cages))[:JOINED]:
            kept = list(self.cage_of), dict(self.cages), dict(self.twins)
            if len(self.cages[key]) < self.most and self._join(key):
                wrong, proved = others(0)
                if proved and not wrong:
                    return True
                self.cage_of, self.cages, self.twins = kept
        return False


def _differ(values: Sequence[int]) -> bool:
    return len(set(values)) == len(values)
