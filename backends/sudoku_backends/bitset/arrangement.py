"""Recognise the classic geometry in a model: 81 cells in rows and columns such that the boxes are 3 x 3 blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sudoku_models.model import Domain, Model
from sudoku_models.model.houses import Square, square_of

N = 9


@dataclass(frozen=True)
class Arrangement:
    """Where the variables of a model lie on a classic board.

    ``cells[9 * r + c]`` is the position in the model of the variable in row r and column c; ``values`` are the nine
    values, of which the k-th stands for the digit k + 1.
    """

    cells: tuple[int, ...]
    values: Domain


def arrange(model: Model) -> Arrangement | str:
    """Return the arrangement of a model, or the reason why it has none; computed once."""
    if "bitset" not in model.memo:
        model.memo["bitset"] = _arrange(model)
    found: Arrangement | str = model.memo["bitset"]
    return found


def _arrange(model: Model) -> Arrangement | str:
    square = square_of(model)
    if square is None:
        return "it is not a square of houses (rows, columns and boxes that all have the same domain)"
    if square.n != N:
        return f"it has side {square.n}: only 9 x 9 is supported"
    if not square.boxes:
        return "it has no boxes"
    lines = _lines(square)
    if lines is None:
        return "its boxes are not the nine 3 x 3 blocks of a board, in any order of rows and columns"
    rows, columns = lines
    return Arrangement(tuple(square.cells[N * r + c] for r in rows for c in columns), square.values)


def _lines(square: Square) -> tuple[list[int], list[int]] | None:
    """Return an order of the rows and one of the columns in which every box is a block; None if there is none."""
    bands = _groups(frozenset(cell // N for cell in box) for box in square.boxes)
    stacks = _groups(frozenset(cell % N for cell in box) for box in square.boxes)
    return (bands, stacks) if bands and stacks else None


def _groups(lines: Iterable[frozenset[int]]) -> list[int] | None:
    """Return the nine lines, grouped in threes as in the boxes; None if the boxes' lines do not form three groups.

    A box of nine cells in three rows and three columns is a block.
    """
    groups = sorted(set(lines), key=min)
    parted = len(groups) == 3 and all(len(group) == 3 for group in groups) and len(frozenset().union(*groups)) == N
    return [line for group in groups for line in sorted(group)] if parted else None
