"""The difficulty of the collection's puzzles: a small measure by the logic that a puzzle needs.

Two rules are enough to distinguish three difficulties (their names are the usual ones):

- singles: a cell with one candidate left, or a value with one place left in a house;
- locked candidates: all places of a value in one house lie in a second one, so the rest of the second loses it.

A puzzle is "easy" when singles solve it, "medium" when locked candidates are needed as well, and "hard" when both
together do not reach the solution, so that you have to guess (or to know stronger rules). A hard puzzle is measured
further by the number of guesses of a search that applies both rules after each guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sudoku_models import Puzzle, Shape
from sudoku_models.collection import DIFFICULTIES

MOST_GUESSES, FEW_GUESSES = 20_000, 200
"""The number of guesses after which a puzzle is given up; the second one applies if guesses are not counted."""
Masks = list[int]
"""The candidates of each cell; bit i is the value at place i of the domain."""


@dataclass(frozen=True)
class MeasuredDifficulty:
    """A difficulty, and the guesses made until the search had proved that there is no second solution."""

    difficulty: str
    guesses: int | None


@dataclass(frozen=True)
class Searched:
    """The solutions found (2 for more than one), and the guesses made until the tree was searched."""

    solutions: int
    guesses: int


def rate(puzzle: Puzzle, *, guesses: bool = True) -> MeasuredDifficulty:
    """Measure a puzzle of givens alone, with one solution. Without ``guesses`` those of a hard one are not counted.

    ValueError for a puzzle without a solution, with several, or with more than 20,000 guesses.
    """
    logic = logic_of(puzzle.shape)
    if logic.solves(puzzle, locked=False):
        return MeasuredDifficulty(DIFFICULTIES[0], 0)
    if logic.solves(puzzle, locked=True):
        return MeasuredDifficulty(DIFFICULTIES[1], 0)
    searched = logic.searched(puzzle, MOST_GUESSES if guesses else FEW_GUESSES)
    if searched is None and guesses:
        raise ValueError(f"the puzzle takes more than {MOST_GUESSES} guesses: it is not rated")
    if searched is not None and searched.solutions != 1:
        raise ValueError("the puzzle has no solution, or several: one with exactly one solution is expected")
    return MeasuredDifficulty(DIFFICULTIES[2], searched.guesses if searched is not None and guesses else None)


@lru_cache(maxsize=64)
def logic_of(shape: Shape) -> Logic:
    """Return the logic of a shape."""
    return Logic(shape)


class Logic:
    """Singles and locked candidates on the houses of a shape.

    Every house must have as many cells as there are values, so that each value occurs in each house.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.full = (1 << len(shape.values)) - 1
        self.houses = tuple(house.cells for house in shape.houses)
        members: list[set[int]] = [set() for _ in range(shape.cells)]
        for house in self.houses:
            for cell in house:
                members[cell].update(house)
        self.peers = tuple(tuple(sorted(cells - {cell})) for cell, cells in enumerate(members))
        self.crossings = tuple(_crossings(self.houses))

    def masks(self, puzzle: Puzzle) -> Masks:
        """Return the candidates that a puzzle states, before any are ruled out."""
        bit = {value: 1 << place for place, value in enumerate(self.shape.values)}
        return [self.full if given is None else bit[given] for given in puzzle.givens]

    def solves(self, puzzle: Puzzle, *, locked: bool) -> bool:
        """Return whether singles, with or without locked candidates, lead to a solution."""
        masks = self.masks(puzzle)
        return self.reduce(masks, locked=locked) and all(mask & (mask - 1) == 0 for mask in masks)

    def reduce(self, masks: Masks, *, locked: bool) -> bool:
        """Apply the rules in place until they find no more; False at a contradiction."""
        done = [False] * len(masks)
        before = None
        while before != masks:
            before = list(masks)
            if not (self._naked(masks, done) and self._hidden(masks)):
                return False
            if locked and before == masks:
                self._locked(masks)
        return True

    def _naked(self, masks: Masks, done: list[bool]) -> bool:
        """Remove each value that is settled in a cell from the cell's peers."""
        waiting = [cell for cell, mask in enumerate(masks) if not done[cell] and mask & (mask - 1) == 0]
        while waiting:
            cell = waiting.pop()
            if done[cell]:
                continue
            done[cell], mask = True, masks[cell]
            if not mask:
                return False
            for peer in self.peers[cell]:
                if masks[peer] & mask:
                    masks[peer] &= ~mask
                    if masks[peer] & (masks[peer] - 1) == 0:
                        waiting.append(peer)
        return 0 not in masks

    def _hidden(self, masks: Masks) -> bool:
        """Settle each value that has only one cell of a house left."""
        for house in self.houses:
            once = twice = 0
            for cell in house:
                twice |= once & masks[cell]
                once |= masks[cell]
            if once != self.full:
                return False
            single = once & ~twice
            for cell in house:
                if masks[cell] & single:
                    masks[cell] &= single
        return True

    def _locked(self, masks: Masks) -> None:
        for common, rest, other in self.crossings:
            locked = _union(masks, common) & ~_union(masks, rest)
            if locked:
                for cell in other:
                    masks[cell] &= ~locked

    def searched(self, puzzle: Puzzle, most: int) -> Searched | None:
        """Search the tree of guesses, the cell with fewest candidates first; None after more than ``most`` guesses.

        The search ends at a second solution.
        """
        left, solutions, guesses = [self.masks(puzzle)], 0, 0
        while left and solutions < 2 and guesses <= most:
            masks = left.pop()
            if not self.reduce(masks, locked=True):
                continue
            open_cells = [cell for cell, mask in enumerate(masks) if mask & (mask - 1)]
            if not open_cells:
                solutions += 1
                continue
            cell = min(open_cells, key=lambda cell: masks[cell].bit_count())
            left += [_with(masks, cell, value) for value in _bits(masks[cell])]
            guesses += masks[cell].bit_count()
        return Searched(solutions, guesses) if solutions > 1 or guesses <= most else None


def _crossings(houses: Sequence[tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield, for two houses with two or more common cells: these, the rest of the first and the rest of the second."""
    for first in houses:
        for second in houses:
            common = set(first) & set(second)
            if first is not second and len(common) > 1:
                yield tuple(tuple(sorted(cells)) for cells in (common, {*first} - common, {*second} - common))


def _union(masks: Masks, cells: Sequence[int]) -> int:
    union = 0
    for cell in cells:
        union |= masks[cell]
    return union


def _with(masks: Masks, cell: int, value: int) -> Masks:
    return [*masks[:cell], value, *masks[cell + 1 :]]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
