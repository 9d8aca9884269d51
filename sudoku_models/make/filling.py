"""Random grids of boards without a known uniform method: a start, shuffled by steps that keep every house complete.

The start is a regular pattern, or a solution that is fixed value by value, so that it does not depend on the engine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from ..engine.budget import Budget
from ..errors import LimitReached
from ..puzzle import Puzzle, Shape, clashes
from ..verbs.solving import solve
from .transformation import blocks, random_cells

Values = list[int]


def shuffled_grid(shape: Shape, seed: int, number: int) -> Values:
    """Return the values of a random grid; ValueError if a shape is not square or has no grid."""
    if not shape.is_square or not shape.lines:
        raise ValueError(f"{shape}: a square board with rows and columns is expected")
    rng = Random(f"grid/{seed}/{number}")
    values = _pattern(shape) if blocks(shape) else settled(Puzzle.empty(shape), rng)
    if blocks(shape):
        values = [values[source] for source in random_cells(shape, rng)]
    switch_pairs(values, shape, rng, steps=20 * len(shape.values))
    names = rng.sample(shape.values, len(shape.values))
    return [names[value - 1] for value in values]


def _pattern(shape: Shape) -> Values:
    n = shape.height
    h, w = shape.box or (1, n)
    return [((r % h) * w + r // h + c) % n + 1 for r in range(n) for c in range(n)]


def settled(puzzle: Puzzle, rng: Random, budget: Budget | None = None) -> Values:
    """Return a random solution: each cell in turn gets a random value that leaves a solution, whichever engine answers.

    ValueError if there is no solution; LimitReached if the ``budget`` is spent first.
    """
    known = _solution(puzzle, budget)
    if known is None:
        raise ValueError(f"{puzzle.shape}: no grid keeps these regions, rules and givens")
    for cell in rng.sample(range(puzzle.shape.cells), puzzle.shape.cells):
        for value in rng.sample(puzzle.shape.values, len(puzzle.shape.values)):
            if puzzle.givens[cell] not in (None, value):
                continue
            trial = replace(puzzle, givens=(*puzzle.givens[:cell], value, *puzzle.givens[cell + 1 :]))
            found = known if known[cell] == value else _solution(trial, budget)
            if found is not None:
                puzzle, known = trial, found
                break
    return known


def _solution(puzzle: Puzzle, budget: Budget | None) -> Values | None:
    if clashes(puzzle.shape, puzzle.givens):
        return None
    result = solve(puzzle, budget=budget)
    if result.status == "unknown":
        raise LimitReached(f"no grid was found: {result.reason}", result)
    return None if result.grid is None else [value for value in result.grid.values if value is not None]


def switch_pairs(values: Values, shape: Shape, rng: Random, steps: int) -> None:
    """Exchange two values along a chain, repeatedly, in place.

    Take two values and a cell that has one of them. Every house through it has the other value in another cell, and
    every house through that cell has the first value again: the resulting chain can exchange its two values and leaves
    each house complete (Kempe chains in graph colouring).
    """
    houses_of: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for house in shape.houses:
        for cell in house.cells:
            houses_of[cell].append(house.cells)
    for _ in range(steps if shape.height > 1 else 0):
        pair = rng.sample(range(1, shape.height + 1), 2)
        start = values.index(pair[0], shape.width * rng.randrange(shape.height))
        for cell in _chain(values, start, pair, houses_of):
            values[cell] = pair[1] if values[cell] == pair[0] else pair[0]


def _chain(values: Values, start: int, pair: Sequence[int], houses_of: dict[int, list[tuple[int, ...]]]) -> set[int]:
    chain, waiting = {start}, [start]
    while waiting:
        for house in houses_of[waiting.pop()]:
            linked = {cell for cell in house if values[cell] in pair} - chain
            chain |= linked
            waiting.extend(sorted(linked))
    return chain
