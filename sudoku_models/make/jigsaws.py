"""The verb ``jigsaw``: random regions, made from boxes by exchanging cells while every region stays connected."""

from __future__ import annotations

from random import Random

from ..puzzle import Shape


def jigsaw(side: int, seed: int = 0, exchanges: int | None = None) -> Shape:
    """Return a board of ``side`` rows with random connected regions; the same seed gives the same board.

    ``exchanges`` is the number of exchanges of two cells (three times the side by default): more give wilder regions.
    The regions may have no grid: ``generate`` then raises ValueError. ValueError for a side without boxes.
    """
    return exchanged(side, Random(f"jigsaw/{seed}"), exchanges)


def exchanged(side: int, rng: Random, exchanges: int | None = None) -> Shape:
    """Return what ``jigsaw`` returns, using a given random generator."""
    labels = [region or 0 for region in Shape.square(side).region_of]
    done, wanted = 0, exchanges or 3 * side
    while done < wanted:
        done += _exchange(labels, side, rng)
    return Shape.irregular([labels[start : start + side] for start in range(0, side * side, side)])


def _exchange(labels: list[int], n: int, rng: Random) -> bool:
    """Exchange the regions of two cells, each next to the other's region; undo it if a region would fall apart."""
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
