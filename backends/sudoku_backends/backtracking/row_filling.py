"""Strategy ``rows``: fill the cells in row order, with a table of used digits per row, per column and per box."""

from __future__ import annotations

from collections.abc import Iterator

from .board_to_fill import EMPTY, BoardToFill, Digits
from .meter import SearchMeter


class RowFilling:
    """A partly filled board and its three tables."""

    def __init__(self, board: BoardToFill) -> None:
        geometry, n = board.geometry, board.geometry.n
        self.digits: Digits = [EMPTY] * geometry.cells
        in_row, in_column, in_box = ([[False] * n for _ in range(n)] for _ in range(3))
        self.tables_of = [
            (in_row[geometry.row_of[cell]], in_column[geometry.column_of[cell]], in_box[geometry.box_of[cell]])
            for cell in range(geometry.cells)
        ]

    def fits(self, cell: int, digit: int) -> bool:
        """Return whether neither the row, the column nor the box of ``cell`` uses ``digit``."""
        row, column, box = self.tables_of[cell]
        return not (row[digit] or column[digit] or box[digit])

    def put(self, cell: int, digit: int) -> None:
        """Place a digit."""
        self.digits[cell] = digit
        for used in self.tables_of[cell]:
            used[digit] = True

    def lift(self, cell: int) -> None:
        """Remove the digit of a cell, if there is one."""
        digit = self.digits[cell]
        if digit != EMPTY:
            self.digits[cell] = EMPTY
            for used in self.tables_of[cell]:
                used[digit] = False


def rows(board: BoardToFill, meter: SearchMeter) -> Iterator[Digits]:
    """Yield the filled board once per solution; the list is the search's own and changes afterwards.

    ``untried`` has, for each open cell on the current path, the digits still to try there: the frames of the recursion
    that fills one cell after another.
    """
    filling = RowFilling(board)
    if board.hopeless or not _put_givens(board, filling):
        return
    cells = board.open_cells
    untried: list[Iterator[int]] = []
    meter.watch(lambda: [(cell, filling.digits[cell]) for cell in cells[: len(untried)]])
    while True:
        if len(untried) == len(cells):
            yield filling.digits
        else:
            untried.append(iter(board.allowed[cells[len(untried)]]))
        if not _advance(filling, cells, untried):
            return
        meter.tick()


def _put_givens(board: BoardToFill, filling: RowFilling) -> bool:
    for cell, digit in board.givens:
        if not filling.fits(cell, digit):
            return False
        filling.put(cell, digit)
    return True


def _advance(filling: RowFilling, cells: list[int], untried: list[Iterator[int]]) -> bool:
    """Place the next fitting digit in the deepest cell that has one left; False if there is none."""
    while untried:
        cell = cells[len(untried) - 1]
        filling.lift(cell)
        for digit in untried[-1]:
            if filling.fits(cell, digit):
                filling.put(cell, digit)
                return True
        untried.pop()
    return False
