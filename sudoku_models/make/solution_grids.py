"""The verbs ``grids`` and ``jigsaw``: random solution grids of any board, and random regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import permutations
from random import Random

import numpy as np

from ..engine.budget import Budget
from ..errors import LimitReached
from ..puzzle import Puzzle, Shape, clashes
from ..puzzle.shape import reached
from ..verbs.solving import solve
from .arrays import blocks
from .chance import Array, Stream, in_blocks
from .grid_chance import random_grids
from .laying import is_whole, neighbours_of
from .symmetry import random_cells
from .wishes import shape_or_nine

BLOCK = 4096

Values = list[int]


def grids(n: int, shape: Shape | None = None, *, seed: int = 0, fast: bool = False, workers: int = 1) -> Array:
    """Return ``n`` random solution grids of a shape (9 x 9 by default), uint8 of shape (n, cells).

    Those of 4 x 4, 6 x 6 (boxes 2 x 3) and 9 x 9 are uniform: each grid has the same chance, by the method in
    ``grid_chance``. ``fast`` makes 9 x 9 grids about five times as quickly, but not quite uniformly: among the 416
    kinds of bands the shares differ by a few percent. Other boards start with a regular pattern, or a solution, and are
    shuffled at length by steps that keep every house complete: it is not known how uniform that is. The same seed gives
    the same grids, with any number of ``workers`` (threads). ValueError for a shape that is not square, or has no grid.
    """
    if n < 0:
        raise ValueError(f"{n} grids: 0 or more are expected")
    shape = shape_or_nine(shape)
    size = block_size(shape)
    parts = (range(start, min(start + size, n)) for start in range(0, n, size))
    found = list(in_blocks(partial(grid_rows, shape, seed, fast), workers, parts))
    whole: Array = np.concatenate([np.zeros((0, shape.cells), np.uint8), *found])
    return whole


def grid_rows(shape: Shape, seed: int, fast: bool, numbers: range) -> Array:
    """Return the grids with some numbers of a seed, counted from 0."""
    found = [_block(shape, seed, fast, block, stop)[start:] for block, start, stop in parts_of(shape, numbers)]
    rows: Array = np.concatenate(found)
    return rows


def parts_of(shape: Shape, numbers: range) -> Iterator[tuple[int, int, int]]:
    """Yield the blocks in which some numbers are, each with the first one in it and the one after the last."""
    size = block_size(shape)
    for block in range(numbers.start // size, -(-numbers.stop // size)):
        yield block, max(numbers.start - block * size, 0), min(numbers.stop - block * size, size)


def block_size(shape: Shape) -> int:
    """Return how many boards of a shape share a stream of random numbers."""
    return BLOCK if shape.box in ((3, 3), (2, 2), (2, 3), (3, 2)) and blocks(shape) else 1


def _block(shape: Shape, seed: int, fast: bool, number: int, stop: int) -> Array:
    """Return the first grids of a block."""
    if block_size(shape) == 1:
        return np.array([_shuffled_grid(shape, seed, number)], np.uint8)
    stream, n = Stream("grids", seed, shape, fast, number), shape.height
    if shape.box == (3, 3):
        made, classic, left = 0, np.zeros((stop, 81), np.uint8), np.zeros(0)
        while made < stop:
            chance = np.concatenate([left, stream.numbers((stop - made) * (34 if fast else 255) + 600)])
            made, used = random_grids(chance, fast, classic, made)
            left = chance[used:]
        return classic
    table = small_grids(n, *(shape.box or (1, 1)))
    chosen = table[(stream.numbers(BLOCK)[:stop] * len(table)).astype(np.int64)]
    names = stream.orders(stop, n).astype(np.uint8) + 1
    found: Array = np.take_along_axis(names, chosen.astype(np.int64) - 1, 1)
    return found


@lru_cache(maxsize=4)
def small_grids(n: int, height: int, width: int) -> Array:
    """Return all grids (uint8, m x n*n) whose first row is 1 to n: 12 of 4 x 4, 39,168 of 6 x 6."""
    rows = np.array(list(permutations(range(n))), np.uint8)
    apart = np.array([(row != rows).all(1) for row in rows])
    boxes = (1 << rows).reshape(len(rows), -1, width).sum(2)
    in_band = apart & np.array([((own & boxes) == 0).all(1) for own in boxes])
    found = np.zeros((1, 1), np.int64)
    for r in range(1, n - 1):
        fits = (in_band if r % height else apart)[found[:, -1]]
        for earlier in range(r - 1):
            fits &= (in_band if earlier // height == r // height else apart)[found[:, earlier]]
        grid, row = np.nonzero(fits)
        found = np.concatenate([found[grid], row[:, None]], 1)
    whole = rows[found]
    last = n * (n - 1) // 2 - whole.sum(1, dtype=np.uint8)[:, None]  # what the columns lack
    grids: Array = np.concatenate([whole, last], 1).reshape(len(found), -1) + 1
    return grids


# ---- boards without a known uniform method


def _shuffled_grid(shape: Shape, seed: int, number: int) -> Values:
    """Return a random grid; ValueError if a shape is not square or has no grid.

    The start is a regular pattern, or a solution that is fixed value by value, so that it does not depend on the
    engine; it is shuffled by steps that keep every house complete.
    """
    if not shape.is_square or not shape.lines:
        raise ValueError(f"{shape}: a square board with rows and columns is expected")
    rng, n = Random(f"grid/{seed}/{number}"), shape.height
    if blocks(shape):
        h, w = shape.box or (1, n)
        pattern = [((r % h) * w + r // h + c) % n + 1 for r in range(n) for c in range(n)]
        values = [pattern[source] for source in random_cells(shape, rng)]
    else:
        values = settled(Puzzle.empty(shape), rng)
    _switch_pairs(values, shape, rng, steps=20 * n)
    names = rng.sample(shape.values, n)
    return [names[value - 1] for value in values]


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


def _switch_pairs(values: Values, shape: Shape, rng: Random, steps: int) -> None:
    """Exchange two values along a chain, repeatedly, in place.

    Take two values and a cell that has one of them. Every house through it has the other value in another cell, and
    every house through that cell has the first value again: the resulting chain can exchange its two values and leaves
    each house complete (Kempe chains in graph colouring).
    """
    seen = [set[int]() for _ in values]  # by each cell
    for house in shape.houses:
        for cell in house.cells:
            seen[cell].update(house.cells)
    for _ in range(steps if shape.height > 1 else 0):
        pair = rng.sample(range(1, shape.height + 1), 2)
        start = values.index(pair[0], shape.width * rng.randrange(shape.height))
        either = {cell for cell, value in enumerate(values) if value in pair}
        for cell in reached(start, lambda cell, either=either: either & seen[cell]):  # type: ignore[misc]
            values[cell] = pair[1] if values[cell] == pair[0] else pair[0]


# ---- random regions


def jigsaw(side: int, seed: int = 0, exchanges: int | None = None) -> Shape:
    """Return a board of ``side`` rows with random connected regions; the same seed gives the same board.

    The regions are made from boxes by exchanging cells while every region stays connected. ``exchanges`` is the number
    of exchanges of two cells (three times the side by default): more give wilder regions. The regions may have no grid:
    ``generate`` then raises ValueError. ValueError for a side without boxes.
    """
    rng, labels = Random(f"jigsaw/{seed}"), [region or 0 for region in Shape.square(side).region_of]
    done, beside = 0, neighbours_of(Shape.latin(side))[1]
    wanted = 0 if side == 1 else exchanges or 3 * side  # a single region has nothing to exchange
    while done < wanted:
        done += _exchange(labels, beside, rng)
    return Shape.irregular([labels[start : start + side] for start in range(0, side * side, side)])


def _exchange(labels: list[int], beside: Sequence[Sequence[int]], rng: Random) -> bool:
    """Exchange the regions of two cells, each next to the other's region; undo it if a region would fall apart."""
    cell = rng.randrange(len(labels))
    mine, near = labels[cell], [labels[k] for k in beside[cell]]
    others = [label for label in near if label != mine]
    if not others:
        return False
    other = rng.choice(others)
    partner = rng.choice(
        [k for k, label in enumerate(labels) if label == other and mine in (labels[i] for i in beside[k])]
    )
    labels[cell], labels[partner] = other, mine
    if all(is_whole({k for k, found in enumerate(labels) if found == label}, beside) for label in (mine, other)):
        return True
    labels[cell], labels[partner] = mine, other
    return False
