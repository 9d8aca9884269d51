"""Random irregular regions (jigsaw): boxes whose cells are exchanged while every region stays in one piece."""

from __future__ import annotations

from random import Random

from sudoku_models.puzzle import Shape


def irregular_shape(n: int, rng: Random, exchanges: int | None = None) -> Shape:
    """Return an n x n shape of n connected random regions."""
    labels = [region or 0 for region in Shape.square(n).region_of]
    done, wanted = 0, exchanges or 3 * n
    while done < wanted:
        done += _exchange(labels, n, rng)
    return Shape.irregular([[labels[r * n + c] for c in range(n)] for r in range(n)])


def _exchange(labels: list[int], n: int, rng: Random) -> bool:
    """Exchange the regions of two cells, each next to the other's region; undone when a region would fall apart."""
    cell = rng.randrange(n * n)
    near = [labels[k] for k in _neighbours(cell, n) if labels[k] != labels[cell]]
    if not near:
        return False
    mine, other = labels[cell], rng.choice(near)
    back = [
        k for k, label in enumerate(labels) if label == other and mine in map(labels.__getitem__, _neighbours(k, n))
    ]
    partner = rng.choice(back)
    labels[cell], labels[partner] = other, mine
    if _connected(labels, mine, n) and _connected(labels, other, n):
        return True
    labels[cell], labels[partner] = mine, other
    return False


def _neighbours(cell: int, n: int) -> list[int]:
    r, c = divmod(cell, n)
    sides = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
    return [i * n + j for i, j in sides if 0 <= i < n and 0 <= j < n]


def _connected(labels: list[int], label: int, n: int) -> bool:
    cells = {cell for cell, found in enumerate(labels) if found == label}
    waiting = [cells.pop()]
    while waiting:
        reached = cells.intersection(_neighbours(waiting.pop(), n))
        cells -= reached
        waiting.extend(reached)
    return not cells
