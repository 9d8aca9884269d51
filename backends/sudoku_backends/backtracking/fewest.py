"""Strategy ``fewest``: always fill the cell with the fewest candidates; rows, columns and boxes are bit sets.

Bit d of a set stands for the digit d.
"""

from __future__ import annotations

from collections.abc import Iterator

from .board_to_fill import EMPTY, BoardToFill, Digits
from .meter import SearchMeter

Cell = tuple[int, int, int, int, int]
"""A cell: its number, the places of its row, column and box in ``free``, and its allowed digits as a bit set."""


Frame = tuple[Cell, int, int]
"""A cell on the current path, its candidates still to try, and the bit it has now (0 at first)."""


class FewestFilling:
    """A partly filled board: the digits, the bit sets of free digits and the cells still empty."""

    def __init__(self, board: BoardToFill) -> None:
        g, n = board.geometry, board.geometry.n
        self.digits: Digits = [EMPTY] * g.cells
        self.free = [(1 << n) - 1] * (3 * n)
        self.empty: list[Cell] = [
            (cell, g.row_of[cell], n + g.column_of[cell], 2 * n + g.box_of[cell], sum(1 << d for d in allowed))
            for cell, allowed in enumerate(board.allowed)
        ]

    def put_givens(self) -> bool:
        """Fill the cells with one allowed digit; False if two of them clash or a cell has no digit."""
        cells, self.empty = self.empty, []
        for cell in cells:
            if cell[-1].bit_count() > 1:
                self.empty.append(cell)
            elif not self.candidates(cell):
                return False
            else:
                self.put(cell, cell[-1])
        self.empty.sort(key=lambda cell: self.candidates(cell).bit_count())  # the first of equals is chosen
        return True

    def candidates(self, cell: Cell) -> int:
        """Return the digits that a cell may still take."""
        _, row, column, box, allowed = cell
        return self.free[row] & self.free[column] & self.free[box] & allowed

    def fewest(self) -> tuple[int, int]:
        """Return the place in ``empty`` of a cell with the fewest candidates, and these candidates."""
        free = self.free
        best, found, fewest = -1, 0, len(free)
        for place, (_, row, column, box, allowed) in enumerate(self.empty):
            candidates = free[row] & free[column] & free[box] & allowed
            count = candidates.bit_count()
            if count < fewest:
                best, found, fewest = place, candidates, count
                if count < 2:
                    break
        return best, found

    def put(self, cell: Cell, bit: int) -> None:
        """Place a digit, given as a bit."""
        number, row, column, box, _ = cell
        self.digits[number] = bit.bit_length() - 1
        free, rest = self.free, ~bit
        free[row] &= rest
        free[column] &= rest
        free[box] &= rest

    def lift(self, cell: Cell, bit: int) -> None:
        """Remove a digit."""
        _, row, column, box, _ = cell
        free = self.free
        free[row] |= bit
        free[column] |= bit
        free[box] |= bit


def fewest(board: BoardToFill, meter: SearchMeter) -> Iterator[Digits]:
    """Yield the filled board once per solution; the list is the search's own and changes afterwards."""
    filling = FewestFilling(board)
    if not filling.put_givens():
        return
    frames: list[Frame] = []
    meter.watch(lambda: [(cell[0], bit.bit_length() - 1) for cell, _, bit in frames])
    while True:
        if filling.empty:
            place, candidates = filling.fewest()
            frames.append((filling.empty.pop(place), candidates, 0))
        else:
            yield filling.digits
        if not _advance(filling, frames):
            return
        meter.tick()


def _advance(filling: FewestFilling, frames: list[Frame]) -> bool:
    """Place the next candidate in the deepest cell that has one left; False if none has."""
    while frames:
        cell, left, bit = frames.pop()
        if bit:
            filling.lift(cell, bit)
        if left:
            bit = left & -left
            filling.put(cell, bit)
            frames.append((cell, left ^ bit, bit))
            return True
        filling.empty.insert(0, cell)  # where it failed: among equals it is chosen first
    return False
