"""A small solver, and puzzles for it: written apart from the solver under test, and plainly."""

from __future__ import annotations

import random
from collections.abc import Iterator

Masks = list[int]

SOLVED = [1 + (3 * (r % 3) + r // 3 + c) % 9 for r in range(9) for c in range(9)]
PEERS = [
    [
        j
        for j in range(81)
        if j != i and (j // 9 == i // 9 or j % 9 == i % 9 or (j // 27, j % 9 // 3) == (i // 27, i % 9 // 3))
    ]
    for i in range(81)
]


def solutions(masks: Masks) -> Iterator[tuple[int, ...]]:
    """Yield the grids within the candidate masks, a bit for each value, by trying the cell with the fewest."""
    masks = list(masks)
    decided = [False] * 81
    while (cell := _fewest(masks, decided)) is not None and masks[cell].bit_count() == 1:
        decided[cell], others = True, ~masks[cell]
        for peer in PEERS[cell]:
            masks[peer] &= others
    if cell is None:
        yield tuple(mask.bit_length() for mask in masks)
        return
    for value in range(9):
        if masks[cell] >> value & 1:
            yield from solutions([*masks[:cell], 1 << value, *masks[cell + 1 :]])


def _fewest(masks: Masks, decided: list[bool]) -> int | None:
    fewest, cell = 10, None
    for i, mask in enumerate(masks):
        if not decided[i] and (count := mask.bit_count()) < fewest:
            fewest, cell = count, i
            if count < 2:
                break
    return cell


def some(masks: Masks, limit: int) -> list[tuple[int, ...]]:
    """Return up to ``limit`` grids."""
    found = []
    for grid in solutions(masks):
        found.append(grid)
        if len(found) == limit:
            break
    return found


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
