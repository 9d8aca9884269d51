"""Many boards in arrays: least forms, random symmetries, and the check of answers.

A board is a row of a numpy array, values in row order with 0 in open cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..bulk.solving_arrays import rows_of
from ..engine.batch import check_boards
from ..engine.check import checker_of
from ..model.houses import houses_of
from ..puzzle import Shape
from .board_forms import board_forms
from .chance import Array, Stream
from .grid_forms import grid_forms

TOGETHER = 256
"""Rows that are permuted together: they fit into a cache near the processor."""


def blocks(shape: Shape) -> tuple[int, int] | None:
    """Return (rows in a band, columns in a stack): lines are permuted within these; None for other boards.

    Boards with boxes have them, and Latin squares, whose lines can all be permuted freely.
    """
    if shape.box and shape.is_square and shape.lines:
        return shape.box
    if not shape.regions and shape.is_square and shape.lines:
        return shape.height, shape.width
    return None


def blocks_or_error(shape: Shape) -> tuple[int, int]:
    """Return the same; ValueError for other boards."""
    found = blocks(shape)
    if found is None:
        raise ValueError(f"{shape}: a board with boxes, or a Latin square, is expected")
    return found


@dataclass(frozen=True)
class Forms:
    """Least forms of n boards, with the transformations to them.

    ``boards`` (n x cells) are the forms, ``automorphisms`` (n integers) the numbers of symmetries that keep each board
    up to the names of its values, ``cells`` (n x cells) the source cell of each cell, ``values`` (n x values) what each
    value becomes.
    """

    boards: Array
    automorphisms: Array
    cells: Array
    values: Array


def canonical_arrays(boards: Any, shape: Shape | None = None) -> Forms:
    """Return the least forms of boards, as ``canonical`` does: full grids, puzzles, or both mixed.

    ``boards`` are an array (n x cells), bytes or lines; ``shape`` has boxes or is a Latin square (9 x 9 by default).
    ValueError for other shapes, for numbers that are not values, and for a board with a repeated value in a house;
    LimitReached for large boards that are nearly full.
    """
    shape, rows = _rows(boards, shape)
    found = blocks_or_error(shape)
    bits = np.where(rows > 0, np.left_shift(np.int64(1), rows.astype(np.int64)), 0)
    for house in shape.houses:
        within = bits[:, house.cells]
        wrong = np.flatnonzero(np.bitwise_or.reduce(within, 1) != within.sum(1))
        if len(wrong):
            raise ValueError(f"row {wrong[0]}: a value appears twice in {house.name}, so the board has no solution")
    n, cells = len(rows), shape.cells
    forms = Forms(
        np.zeros((n, cells), np.uint8),
        np.zeros(n, object if shape.height > 9 else np.int64),
        np.zeros((n, cells), np.int64),
        np.zeros((n, shape.height), np.uint8),
    )
    full = rows.all(1) & (shape.box == (3, 3))
    for chosen, finder in ((full, grid_forms), (~full, partial(board_forms, height=found[0], width=found[1]))):
        if chosen.any():
            parts = finder(rows[chosen])
            forms.boards[chosen], forms.automorphisms[chosen], forms.cells[chosen], forms.values[chosen] = parts
    return forms


def augment(*arrays: Any, seed: int, shape: Shape | None = None) -> tuple[Array, ...]:
    """Return boards that are the same up to symmetry: a random symmetry for each row, drawn by ``seed``.

    Several arrays (such as puzzles and their solutions) get the same symmetry in the same row. ValueError unless they
    have equally many rows, and for a shape without boxes that is not a Latin square.
    """
    found = [_rows(boards, shape) for boards in arrays]
    if not found or len({len(rows) for _, rows in found}) > 1:
        raise ValueError("arrays of equally many boards are expected")
    shape, n = found[0][0], len(found[0][1])
    stream, side, (height, width) = Stream("augment", seed), shape.height, blocks_or_error(shape)
    rows, columns = (_line_orders(n, side, size, stream) for size in (height, width))
    turned = (stream.numbers(n) < 0.5) & (height == width)
    down, across = np.where(turned, 1, side)[:, None] * rows, np.where(turned, side, 1)[:, None] * columns
    names = np.concatenate([np.zeros((n, 1), np.int64), stream.orders(n, side) + 1], 1).astype(np.uint8)
    made = [np.empty_like(boards) for _, boards in found]
    for some in (slice(start, start + TOGETHER) for start in range(0, n, TOGETHER)):
        cells = (down[some, :, None] + across[some, None, :]).reshape(-1, shape.cells)
        first = np.arange(len(cells))[:, None]
        cells += first * shape.cells
        for (_, boards), into in zip(found, made, strict=True):
            values = boards[some].reshape(-1).take(cells, mode="clip").astype(np.intp) + first * names.shape[1]
            names[some].reshape(-1).take(values, out=into[some], mode="clip")
    return tuple(made)


def _line_orders(n: int, side: int, size: int, stream: Stream) -> Array:
    """Return random orders of lines that keep the groups of ``size`` lines together (n x side)."""
    groups = side // size
    outer = stream.orders(n, groups)
    inner = stream.orders(n * groups, size).reshape(n, groups, size)
    return (outer[:, :, None] * size + inner).reshape(n, side)


def verify_arrays(puzzles: Any, grids: Any, shape: Shape | None = None) -> Array:
    """Return for each row whether a grid is a solution of its puzzle (bool, n): complete, valid, and with its clues.

    ValueError for arrays of different sizes. The check is the one that all solvers' answers go through.
    """
    shape, clues = _rows(puzzles, shape)
    answers = rows_of(grids)
    if answers.shape != clues.shape:
        raise ValueError(
            f"{len(answers)} grids for {len(clues)} puzzles of {shape.cells} cells: as many grids are expected"
        )
    if houses_of(shape.model) is None:
        raise ValueError(f"{shape}: a board whose houses hold every value is expected")
    good: Array = checker_of(shape.model).good(answers, {}) & ((clues == 0) | (clues == answers)).all(axis=1)
    return good


def credit_arrays(puzzles: Any, grids: Any, solutions: Any, shape: Shape | None = None) -> Array:
    """Return the share of each puzzle's open cells in which a grid agrees with the solution (float64, n).

    A puzzle without open cells has the share 1.
    """
    shape, clues = _rows(puzzles, shape)
    open_cells = clues == 0
    right = ((rows_of(grids) == rows_of(solutions)) & open_cells).sum(1)
    total = open_cells.sum(1)
    share: Array = np.where(total, right / np.maximum(total, 1), 1.0)
    return share


def _rows(boards: Any, shape: Shape | None) -> tuple[Shape, Array]:
    rows = rows_of(boards)
    shape = shape or Shape.square(9)
    check_boards(shape.model, rows)
    if rows.dtype != np.uint8:
        raise ValueError(f"an array of {rows.dtype}: uint8 values are expected, 0 in open cells")
    return shape, rows
