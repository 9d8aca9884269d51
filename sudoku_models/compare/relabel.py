"""Puzzles that are equivalent up to names and places: a fair seed for an engine that takes none.

These changes keep a Sudoku a Sudoku: other names for the values; another order of the bands and of the rows within a
band, of the stacks and of the columns within a stack; rows and columns exchanged if the boxes allow it. Irregular
regions only allow other names for the values.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..model import Domain
from ..puzzle import Puzzle, Shape


@dataclass(frozen=True)
class Relabelling:
    """``places[i]`` is the cell that moves to cell i; ``values`` maps each value to its new name."""

    places: tuple[int, ...]
    values: dict[int, int]

    @classmethod
    def of(cls, puzzle: Puzzle, seed: int) -> Relabelling | None:
        """Draw one by a seed; None if nothing changes: for seed 0, and if rules name cells and values."""
        if not seed or puzzle.rules:
            return None
        shape = puzzle.shape
        rng = random.Random(f"relabel/{seed}/{shape.height}/{shape.width}/{shape.box}")
        names = list(shape.values)
        rng.shuffle(names)
        return cls(_places(shape, rng), dict(zip(shape.values, names, strict=True)))

    def __call__(self, domains: Mapping[str, Domain], names: Sequence[str]) -> dict[str, Domain]:
        """Return the domains of the relabelled puzzle, whose solutions correspond one to one."""
        moved = zip(names, (domains.get(names[place]) for place in self.places), strict=True)
        return {name: tuple(sorted(self.values[v] for v in domain)) for name, domain in moved if domain is not None}

    def undone(self, solution: Sequence[int]) -> tuple[int, ...]:
        """Return the solution of the original puzzle for one of the relabelled puzzle."""
        old = {new: value for value, new in self.values.items()}
        pairs = sorted(zip(self.places, solution, strict=True))
        return tuple(old[value] for _, value in pairs)


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
