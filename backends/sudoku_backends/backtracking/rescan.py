"""Strategy ``rescan``: without tables, and without keeping a position.

The board is scanned from its start for the next empty cell, and row, column and box are tested each time from scratch.
"""

from __future__ import annotations

from collections.abc import Iterator

from .board_to_fill import EMPTY, BoardToFill, Digits, Geometry
from .meter import SearchMeter

Frame = tuple[int, Iterator[int]]
"""A cell on the current path and the digits still to try there."""


def rescan(board: BoardToFill, meter: SearchMeter) -> Iterator[Digits]:
    """Yield the filled board once per solution; the list is the search's own and changes afterwards."""
    digits = [EMPTY] * board.geometry.cells
    if board.hopeless or not _put_givens(board, digits):
        return
    frames: list[Frame] = []
    meter.watch(lambda: [(cell, digits[cell]) for cell, _ in frames])
    while True:
        cell = first_empty(digits)
        if cell is None:
            yield digits
        else:
            frames.append((cell, iter(board.allowed[cell])))
        if not _advance(board.geometry, digits, frames):
            return
        meter.tick()


def first_empty(digits: Digits) -> int | None:
    """Return the first empty cell, None when the board is full."""
    return digits.index(EMPTY) if EMPTY in digits else None


def fits(geometry: Geometry, digits: Digits, cell: int, digit: int) -> bool:
    """Return whether neither the row, the column nor the box of ``cell`` holds ``digit``."""
    n, row, column = geometry.n, geometry.row_of[cell], geometry.column_of[cell]
    if digit in digits[row * n : (row + 1) * n] or digit in digits[column::n]:
        return False
    return all(digits[other] != digit for other in geometry.boxes[geometry.box_of[cell]])


def _put_givens(board: BoardToFill, digits: Digits) -> bool:
    for cell, digit in board.givens:
        if not fits(board.geometry, digits, cell, digit):
            return False
        digits[cell] = digit
    return True


def _advance(geometry: Geometry, digits: Digits, frames: list[Frame]) -> bool:
    """Place the next fitting digit in the deepest cell that has one left; False if there is none."""
    while frames:
        cell, untried = frames[-1]
        digits[cell] = EMPTY
        for digit in untried:
            if fits(geometry, digits, cell, digit):
                digits[cell] = digit
                return True
        frames.pop()
    return False
