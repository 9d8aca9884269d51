"""Where rules may stand on a board: random lines, cages, neighbours, squares, lines seen from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from sudoku_models.puzzle import Shape
from sudoku_models.puzzle.rules import DIAGONAL, ORTHOGONAL, Board

Cells = tuple[str, ...]
Place = Callable[[Board, Random], Cells]


def line(least: int, most: int) -> Place:
    """Return a place: a walk over different cells, straight on or at a corner."""
    return lambda board, rng: _grown(board, rng, rng.randint(least, most), (*ORTHOGONAL, *DIAGONAL), True)


def cage(least: int, most: int) -> Place:
    """Return a place: cells that are connected side by side."""
    return lambda board, rng: tuple(
        sorted(_grown(board, rng, rng.randint(least, most), ORTHOGONAL, False), key=board.cells.index)
    )


def _grown(board: Board, rng: Random, size: int, steps: Sequence[tuple[int, int]], walk: bool) -> Cells:
    cells = [rng.choice(board.cells)]
    while len(cells) < size:
        near = board.around(cells[-1] if walk else rng.choice(cells), steps)
        free = [name for name in near if name not in cells]
        cells = [*cells, rng.choice(free)] if free else [rng.choice(board.cells)]
    return tuple(cells)


def cell(board: Board, rng: Random) -> Cells:
    """Choose one cell."""
    return (rng.choice(board.cells),)


def some(amount: int) -> Place:
    """Return a place: that many cells anywhere."""
    return lambda board, rng: tuple(sorted(rng.sample(board.cells, amount), key=board.cells.index))


def couple(board: Board, rng: Random) -> Cells:
    """Choose two neighbours."""
    return rng.choice(list(board.pairs()))


def square(board: Board, rng: Random) -> Cells:
    """Choose 2 x 2 cells."""
    r, c = rng.randrange(1, board.shape.height), rng.randrange(1, board.shape.width)
    return f"R{r}C{c}", f"R{r}C{c + 1}", f"R{r + 1}C{c}", f"R{r + 1}C{c + 1}"


def outside(board: Board, rng: Random) -> Cells:
    """Choose a row or column, seen from one of its ends."""
    cells = board.line(f"{rng.choice('RC')}{rng.randint(1, board.shape.height)}")
    return cells if rng.random() < 0.5 else cells[::-1]


def row_or_column(board: Board, rng: Random) -> Cells:
    """Choose a row from the left or a column from the top."""
    return board.line(f"{rng.choice('RC')}{rng.randint(1, board.shape.height)}")


def diagonal(board: Board, rng: Random) -> Cells:
    """Choose a diagonal, seen from one of its ends."""
    return rng.choice([d for d in diagonals(board.shape) if len(d) > 1])


def diagonals(shape: Shape) -> list[Cells]:
    """Return all diagonals of a square board, each in both directions."""
    n = shape.height
    falling = [[(r, r + k) for r in range(n) if 0 <= r + k < n] for k in range(1 - n, n)]
    rising = [[(r, n - 1 - c) for r, c in cells] for cells in falling]
    found = [tuple(f"R{r + 1}C{c + 1}" for r, c in cells) for cells in (*falling, *rising)]
    return [*found, *(cells[::-1] for cells in found)]
