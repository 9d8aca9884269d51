"""Dancing cells: an exact cover problem while it is searched.

An item keeps the options that may still cover it in a list, the first part of which is alive. An option leaves the list
by changing places with the last one alive, and that part shrinks by one; so going back only means restoring the old
lengths. (Dancing links undo one change at a time instead.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random

from sudoku_models.engine.budget import Meter

from .matrix import CoverMatrix, items_of

COVERED = 1 << 60
"""Replaces the length of an item that is covered."""


class CoverPlan:
    """A matrix in numbers, shared by all runs.

    Item ``i`` is primary if ``i < primary``. A *node* is an option's entry in an item: ``nodes[o]`` are those of option
    o, ``item[n]`` and ``option[n]`` are the item and the option of node n. ``lists[i]`` holds the nodes of item i.
    """

    def __init__(self, matrix: CoverMatrix) -> None:
        number = {item: i for i, item in enumerate(chain(matrix.primary, matrix.secondary))}
        self.primary = len(matrix.primary)
        self.options = matrix.options
        self.nodes: list[range] = []
        self.item: list[int] = []
        self.option: list[int] = []
        self.lists: list[list[int]] = [[] for _ in number]
        for o, items in enumerate(items_of(matrix).values()):
            start = len(self.item)
            for item in items:
                self.lists[number[item]].append(len(self.item))
                self.item.append(number[item])
                self.option.append(o)
            self.nodes.append(range(start, len(self.item)))


class Cells:
    """One search. ``place[n]`` is the position of node n in its item's list, ``length[i]`` the number of nodes of item
    i alive.

    ``forced`` are items that had one option left when they were last examined.
    """

    def __init__(self, plan: CoverPlan, seed: int = 0) -> None:
        self.plan = plan
        self.lists = [row[:] for row in plan.lists]
        if seed:
            rng = Random(seed)
            for row in self.lists:
                rng.shuffle(row)
        self.place = [0] * len(plan.item)
        for row in self.lists:
            for at, node in enumerate(row):
                self.place[node] = at
        self.length = [len(row) for row in self.lists]
        self.forced: list[int] = []
        self.chosen: list[int] = []

    def hide(self, nodes: Iterable[int]) -> bool:
        """Take an option's nodes out of the items that are not covered; return False if a primary item loses its last
        option.
        """
        item, lists, length, place = self.plan.item, self.lists, self.length, self.place
        for node in nodes:
            i = item[node]
            left = length[i]
            if left == COVERED:
                continue
            left -= 1
            row, at = lists[i], place[node]
            last = row[left]
            row[at], row[left] = last, node
            place[last], place[node] = at, left
            length[i] = left
            if left < 2 and i < self.plan.primary:
                if not left:
                    return False
                self.forced.append(i)
        return True

    def choose(self, option: int) -> bool:
        """Add an option to the solution: cover its items; return False if a primary item cannot be covered then."""
        plan, length = self.plan, self.length
        self.chosen.append(option)
        for node in plan.nodes[option]:
            i = plan.item[node]
            rivals = self.lists[i][: length[i]]
            length[i] = COVERED
            for rival in rivals:
                other = plan.option[rival]
                if other != option and not self.hide(plan.nodes[other]):
                    return False
        return True

    def next_item(self) -> int | None:
        """Return the primary item with the fewest options left; None if all are covered."""
        while self.forced:
            i = self.forced.pop()
            if self.length[i] == 1:
                return i
        lengths = self.length[: self.plan.primary]
        fewest = min(lengths, default=COVERED)
        return None if fewest == COVERED else lengths.index(fewest)

    def alive(self, item: int) -> list[int]:
        """Return the options that may still cover an item."""
        return [self.plan.option[node] for node in self.lists[item][: self.length[item]]]

    def solutions(self, meter: Meter) -> Iterator[list[int]]:
        """Yield the chosen options of every exact cover; the list changes afterwards."""
        trail: list[tuple[Iterator[int], list[int], int]] = []
        possible = all(self.length[: self.plan.primary])
        while True:
            item = self.next_item() if possible else None
            if item is None:
                if possible:
                    yield self.chosen
                if not trail:
                    return
            elif self.length[item] > 1:
                trail.append((iter(self.alive(item)), self.length[:], len(self.chosen)))
            else:
                meter.tick()
                possible = self.choose(self.alive(item)[0])
                continue
            possible = self._try_another(trail, meter)

    def _try_another(self, trail: list[tuple[Iterator[int], list[int], int]], meter: Meter) -> bool:
        """Go back to the last item that has an untried option, and choose it; return False if there is none or that
        fails.
        """
        while trail:
            untried, lengths, depth = trail[-1]
            option = next(untried, None)
            if option is not None:
                self.length[:] = lengths
                del self.chosen[depth:]
                self.forced.clear()
                meter.tick()
                return self.choose(option)
            trail.pop()
        return False
