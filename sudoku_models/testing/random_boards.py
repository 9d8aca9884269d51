"""Boards for the family of Sudoku: structures of houses, solved grids, givens and candidates, all at random."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..model import AllDifferent, Domain, Model, Variable


def structure(height: int, width: int, boxes: bool = True) -> Model:
    """Return the empty Sudoku with boxes of height x width cells (or the Latin square of that side)."""
    n = height * width
    xs = [[Variable(f"R{r + 1}C{c + 1}", range(1, n + 1)) for c in range(n)] for r in range(n)]
    houses = [*xs, *([row[c] for row in xs] for c in range(n))]
    if boxes:
        corners = [(r, c) for r in range(0, n, height) for c in range(0, n, width)]
        houses += [[xs[r + i][c + j] for i in range(height) for j in range(width)] for r, c in corners]
    return Model([x for row in xs for x in row], map(AllDifferent, houses))


def solved(rng: Random, height: int, width: int) -> list[int]:
    """Return a solved grid, row by row: the cyclic one with rows, columns and values shuffled as the boxes allow."""
    n = height * width
    rows = [height * band + i for band in _shuffled(rng, width) for i in _shuffled(rng, height)]
    columns = [width * stack + j for stack in _shuffled(rng, height) for j in _shuffled(rng, width)]
    digits = _shuffled(rng, n)
    return [1 + digits[(width * (r % height) + r // height + c) % n] for r in rows for c in columns]


@dataclass(frozen=True)
class NarrowedBoard:
    """A structure with domains for some of its cells."""

    model: Model
    domains: dict[str, Domain]

    def __str__(self) -> str:
        return f"{len(self.model.names)} cells with {self.domains}"


def random_board(rng: Random, model: Model, height: int, width: int, givens: int) -> NarrowedBoard:
    """Return a board with a number of givens, some with candidates in further cells, and one in six with a wrong
    given.
    """
    grid = dict(zip(model.names, solved(rng, height, width), strict=True))
    chosen = rng.sample(model.names, givens)
    domains: dict[str, Domain] = {name: (grid[name],) for name in chosen}
    values = range(1, height * width + 1)
    if rng.random() < 1 / 6 and chosen:
        domains[chosen[0]] = (rng.choice([v for v in values if v != grid[chosen[0]]]),)
    if rng.random() < 0.5:
        for name in rng.sample(model.names, len(model.names) // 6):
            some = rng.sample(values, rng.randint(1, len(values) - 1))
            domains.setdefault(name, tuple(sorted({*some, grid[name]} if rng.random() < 0.95 else some)))
    return NarrowedBoard(model, domains)


def _shuffled(rng: Random, n: int) -> list[int]:
    return rng.sample(range(n), n)
