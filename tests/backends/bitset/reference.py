"""Puzzles of all kinds, and their solutions by the plain search ``fewest``."""

from __future__ import annotations

import random
from itertools import islice

from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import run
from sudoku_models.puzzle import Shape

Masks = list[int]

SOLVED = [1 + (3 * (r % 3) + r // 3 + c) % 9 for r in range(9) for c in range(9)]
NINE = Shape.square(9).model


def some(masks: Masks, limit: int) -> list[tuple[int, ...]]:
    """Return up to ``limit`` grids within the candidate masks, which have a bit for each value."""
    domains = {
        name: tuple(v for v in range(1, 10) if mask >> v - 1 & 1) for name, mask in zip(NINE.names, masks, strict=True)
    }
    with run(NINE, "backtracking:strategy=fewest", Request(domains, limit)) as found:
        return list(islice(found, limit))


def masks_of(values: list[int]) -> Masks:
    """Return the masks of a grid with 0 in open cells."""
    return [1 << value - 1 if value else 0x1FF for value in values]


def shuffled(rng: random.Random) -> list[int]:
    """Return a solved grid, its rows, columns and digits shuffled."""
    names = rng.sample(range(1, 10), 9)
    rows, columns = ([3 * b + k for b in rng.sample(range(3), 3) for k in rng.sample(range(3), 3)] for _ in "rc")
    return [names[SOLVED[9 * r + c] - 1] for r in rows for c in columns]


def random_values(rng: random.Random, share: float = 0.4, wrong: float = 0.3) -> list[int]:
    """Return some givens of a solved grid, perhaps one of them wrong."""
    values = [value if rng.random() < share else 0 for value in shuffled(rng)]
    if rng.random() < wrong:
        values[rng.randrange(81)] = rng.randint(1, 9)
    return values
