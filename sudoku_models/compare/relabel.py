"""Puzzles that are equivalent up to names and places: a fair seed for an engine that takes none.

These changes keep a Sudoku a Sudoku: other names for the values; another order of the bands and of the rows within a
band, of the stacks and of the columns within a stack; rows and columns exchanged if the boxes allow it. Irregular
regions only allow other names for the values.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..puzzle import Puzzle, Shape
from ..puzzle.grid import Cell


@dataclass(frozen=True)
class Relabelling:
    """``places[i]`` is the cell that moves to cell i; ``values`` maps each value to its new name."""

    places: tuple[int, ...]
    values: dict[int, int]

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle, seed: int) -> Relabelling | None:
        """Draw one for a puzzle; None if nothing changes: for seed 0, and if rules name cells and values."""
        return cls.of(puzzle.shape, seed) if seed and not puzzle.rules else None

    @classmethod
    def of(cls, shape: Shape, seed: int) -> Relabelling:
        """Draw one by a seed; 0 changes nothing."""
        if seed == 0:
            return cls(tuple(range(shape.cells)), {value: value for value in shape.values})
        rng = random.Random(f"relabel/{seed}/{shape.height}/{shape.width}/{shape.box}")
        names = list(shape.values)
        rng.shuffle(names)
        return cls(_places(shape, rng), dict(zip(shape.values, names, strict=True)))

    def __call__(self, puzzle: Puzzle) -> Puzzle:
        """Return the relabelled puzzle, whose solutions correspond one to one."""
        target = {place: cell for cell, place in enumerate(self.places)}
        narrowed = [(target[cell], tuple(sorted(self.values[v] for v in values))) for cell, values in puzzle.candidates]
        return replace(
            puzzle,
            givens=self._moved(puzzle.givens),
            candidates=tuple(narrowed),
            stated=None if puzzle.stated is None else self._moved(puzzle.stated),
        )

    def _moved(self, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        moved = (cells[place] for place in self.places)
        return tuple(None if value is None else self.values[value] for value in moved)

    def undone(self, solution: Sequence[int]) -> tuple[int, ...]:
        """Return the solution of the original puzzle for one of the relabelled puzzle."""
        old = {new: value for value, new in self.values.items()}
        found = [0] * len(self.places)
        for cell, place in enumerate(self.places):
            found[place] = old[solution[cell]]
        return tuple(found)


def _places(shape: Shape, rng: random.Random) -> tuple[int, ...]:
    if shape.regions and not shape.box:
        return tuple(range(shape.cells))
    height, width = shape.box or (1, 1)
    rows = _shuffled(shape.height, height, rng)
    columns = _shuffled(shape.width, width, rng)
    transposed = shape.height == shape.width and height == width and rng.random() < 0.5
    if transposed:
        return tuple(c * shape.width + r for r in rows for c in columns)
    return tuple(r * shape.width + c for r in rows for c in columns)


def _shuffled(side: int, group: int, rng: random.Random) -> list[int]:
    """Return the lines of a board in another order: groups of adjacent ones stay together."""
    groups = [list(range(start, min(start + group, side))) for start in range(0, side, group)]
    rng.shuffle(groups)
    for lines in groups:
        rng.shuffle(lines)
    return [line for lines in groups for line in lines]
