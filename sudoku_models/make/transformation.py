"""Transformations: the source of each cell, and the new name of each value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeVar

from ..puzzle import Grid, Puzzle, Shape
from ..puzzle.grid import Cell

Board = TypeVar("Board", bound=Grid | Puzzle)


@dataclass(frozen=True)
class Transformation:
    """A symmetry of a board: ``cells[i]`` is the cell that moves to cell i, ``values[k]`` the new name of the k-th
    value.

    Cells and values are counted from 0; values are in the order of the shape's domain.
    """

    cells: tuple[int, ...]
    values: tuple[int, ...]

    def __call__(self, board: Board) -> Board:
        """Return the board transformed: its values, candidates and stated solution. Its rules must not change
        under it.
        """
        if isinstance(board, Grid):
            return replace(board, values=self.moved(board.values, board.shape))
        shape, target = board.shape, {source: cell for cell, source in enumerate(self.cells)}
        names = dict(zip(shape.values, self.values, strict=True))
        candidates = [(target[cell], tuple(sorted(names[v] for v in values))) for cell, values in board.candidates]
        stated = None if board.stated is None else self.moved(board.stated, shape)
        return replace(
            board, givens=self.moved(board.givens, shape), candidates=tuple(sorted(candidates)), stated=stated
        )

    def moved(self, values: Sequence[Cell], shape: Shape) -> tuple[Cell, ...]:
        """Return a board's values transformed; None in open cells."""
        names: dict[Cell, Cell] = {None: None, **dict(zip(shape.values, self.values, strict=True))}
        return tuple(names[values[source]] for source in self.cells)

    def inverse(self, shape: Shape) -> Transformation:
        """Return the transformation that undoes this one."""
        back = {name: value for value, name in zip(shape.values, self.values, strict=True)}
        cells = sorted(range(len(self.cells)), key=self.cells.__getitem__)
        return Transformation(tuple(cells), tuple(back[value] for value in shape.values))

    def then(self, other: Transformation, shape: Shape) -> Transformation:
        """Return the transformation that does this one first and ``other`` after it."""
        after = dict(zip(shape.values, other.values, strict=True))
        cells = tuple(self.cells[source] for source in other.cells)
        return Transformation(cells, tuple(after[value] for value in self.values))


def identity(shape: Shape) -> Transformation:
    """Return the transformation that changes nothing."""
    return Transformation(tuple(range(shape.cells)), shape.values)


def blocks(shape: Shape) -> tuple[int, int] | None:
    """Return (rows in a band, columns in a stack): lines are permuted within these; None for other boards.

    Boards with boxes have them, and Latin squares, whose lines can all be permuted freely.
    """
    if shape.box and shape.is_square and shape.lines:
        return shape.box
    if not shape.regions and shape.is_square and shape.lines:
        return shape.height, shape.width
    return None


def random_cells(shape: Shape, rng: Random) -> tuple[int, ...]:
    """Draw one of the symmetries of the cells uniformly. ValueError for a board without blocks."""
    found = blocks(shape)
    if found is None:
        raise ValueError(f"{shape}: a board with boxes, or a Latin square, is expected")
    n = shape.height
    rows, columns = _shuffled(n, found[0], rng), _shuffled(n, found[1], rng)
    if found[0] == found[1] and rng.random() < 0.5:
        return tuple(c * n + r for r in rows for c in columns)
    return tuple(r * n + c for r in rows for c in columns)


def _shuffled(n: int, size: int, rng: Random) -> list[int]:
    groups = [rng.sample(range(start, start + size), size) for start in range(0, n, size)]
    rng.shuffle(groups)
    return [line for group in groups for line in group]


def turns(shape: Shape) -> Iterator[tuple[int, ...]]:
    """Yield the turns and reflections of the cells of a board: eight of a square, four of another rectangle."""
    h, w = shape.height, shape.width
    for transposed in (False, True) if h == w else (False,):
        for down in (1, -1):
            for right in (1, -1):
                rows, columns = range(h)[::down], range(w)[::right]
                yield tuple((c * w + r) if transposed else (r * w + c) for r in rows for c in columns)


def array_of(values: Sequence[Cell]) -> Any:
    """Return a board's values as a row of a numpy array, 0 in open cells."""
    import numpy as np

    return np.array([[value or 0 for value in values]], np.int64)
