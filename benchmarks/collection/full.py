"""Random full grids: a regular pattern shuffled by steps that keep every house complete, or random values one by one.

All chance comes from the generator that is handed in, so that the same seed makes the same grid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from sudoku_models.puzzle import Puzzle, Shape, clashes
from sudoku_models.verbs.solving import solve

SOLVER = "pycosat"
"""Tells whether an irregular board, for which no pattern is known, can still be filled."""

Values = list[int]


def full_grid(shape: Shape, rng: Random) -> Values:
    """Return a random full grid of a square shape. ValueError when an irregular board has none."""
    values = _first(shape, rng)
    if shape.box:
        values = _moved(values, shape, rng)
    if shape.regions or rng.random() < 0.9:
        _switch_pairs(values, shape, rng, steps=20 * len(shape.values))
    names = list(shape.values)
    rng.shuffle(names)
    return [names[value - 1] for value in values]


def _first(shape: Shape, rng: Random) -> Values:
    n = shape.height
    if shape.box or not shape.regions:
        h, w = shape.box or (1, n)
        return [((r % h) * w + r // h + c) % n + 1 for r in range(n) for c in range(n)]
    return _filled(shape, rng)


def _filled(shape: Shape, rng: Random) -> Values:
    """Give each cell in turn a random value that leaves a solution: whatever engine answers, the grid is the same."""
    puzzle = Puzzle.empty(shape)
    for cell in rng.sample(range(shape.cells), shape.cells):
        puzzle = _with_value(puzzle, cell, rng.sample(shape.values, len(shape.values)))
    return [value for value in puzzle.givens if value is not None]


def _with_value(puzzle: Puzzle, cell: int, order: Sequence[int]) -> Puzzle:
    for value in order:
        trial = replace(puzzle, givens=(*puzzle.givens[:cell], value, *puzzle.givens[cell + 1 :]))
        if not clashes(trial.shape, trial.givens) and solve(trial, SOLVER).grid is not None:
            return trial
    raise ValueError(f"{puzzle.shape} with these regions has no full grid")


def _moved(values: Values, shape: Shape, rng: Random) -> Values:
    """Shuffle the bands, the rows in each band, the stacks and the columns in each stack."""
    assert shape.box
    n, (h, w) = shape.height, shape.box
    rows, columns = _order(n, h, rng), _order(n, w, rng)
    return [values[r * n + c] for r in rows for c in columns]


def _order(n: int, size: int, rng: Random) -> list[int]:
    groups = [rng.sample(range(start, start + size), size) for start in range(0, n, size)]
    rng.shuffle(groups)
    return [line for group in groups for line in group]


def _switch_pairs(values: Values, shape: Shape, rng: Random, steps: int) -> None:
    """Exchange two values along a chain, again and again, in place.

    Take two values and a cell that holds one of them. Every house through it holds the other one in another cell,
    every house through that one the first again: the chain that closes so can exchange its two values and leaves
    each house complete (Kempe's chains in the colouring of graphs).
    """
    houses_of: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for house in shape.houses:
        for cell in house.cells:
            houses_of[cell].append(house.cells)
    for _ in range(steps):
        pair = rng.sample(range(1, shape.height + 1), 2)
        start = values.index(pair[0], shape.width * rng.randrange(shape.height))
        for cell in _chain(values, start, pair, houses_of):
            values[cell] = pair[1] if values[cell] == pair[0] else pair[0]


def _chain(values: Values, start: int, pair: list[int], houses_of: dict[int, list[tuple[int, ...]]]) -> set[int]:
    chain, waiting = {start}, [start]
    while waiting:
        for house in houses_of[waiting.pop()]:
            linked = {cell for cell in house if values[cell] in pair} - chain
            chain |= linked
            waiting.extend(sorted(linked))
    return chain
