"""The strategies for a square of houses: ``rows``, ``rescan`` and ``fewest``.

All of them place a digit in an empty cell, go on, and take it back where nothing fits: ``search`` is that loop. They
differ in which cell comes next, and in how they know which digits fit there. Cells are numbered row by row from 0. A
digit is an index from 0 to n - 1 into the board's values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from sudoku_models.model import Square

from .general import SearchMeter

EMPTY = -1
"""The number that stands for no digit."""

Digits = list[int]
"""A digit, or EMPTY, for each cell."""

Allowed = Sequence[tuple[int, ...]]
"""The digits that each cell may take, in ascending order."""


class Geometry:
    """The row, column and box of each cell. In a Latin square each row also serves as a box."""

    def __init__(self, square: Square) -> None:
        self.n = n = square.n
        self.cells = n * n
        self.row_of = [cell // n for cell in range(n * n)]
        self.column_of = [cell % n for cell in range(n * n)]
        rows = [tuple(range(r * n, (r + 1) * n)) for r in range(n)]
        self.boxes = square.boxes or tuple(rows)
        self.box_of = [0] * (n * n)
        for b, box in enumerate(self.boxes):
            for cell in box:
                self.box_of[cell] = b


class Filling(ABC):
    """A partly filled board. What a strategy does not define is done as simply as possible."""

    def __init__(self, geometry: Geometry, allowed: Allowed) -> None:
        self.geometry, self.allowed = geometry, allowed
        self.digits: Digits = [EMPTY] * geometry.cells
        self.empty = [cell for cell, digits in enumerate(allowed) if len(digits) > 1]

    @abstractmethod
    def choose(self) -> int | None:
        """Return the empty cell that comes next; None if the board is full."""

    def candidates(self, cell: int) -> Iterable[int]:
        """Return the digits to try in a chosen cell, in ascending order: all that the puzzle allows there."""
        return self.allowed[cell]

    @abstractmethod
    def put(self, cell: int, digit: int) -> bool:
        """Place a digit if neither the row, the column nor the box of the cell has it; return whether it fits."""

    @abstractmethod
    def lift(self, cell: int) -> None:
        """Remove the digit of a cell."""

    @abstractmethod
    def reopen(self, cell: int) -> None:
        """Make a chosen cell one of the empty ones again."""


def search(filling: Filling, allowed: Allowed, meter: SearchMeter) -> Iterator[Digits]:
    """Yield the filled board once per solution; the list is the search's own and changes afterwards."""
    givens = [(cell, digits[0]) for cell, digits in enumerate(allowed) if len(digits) == 1]
    if not all(allowed) or not all(filling.put(cell, digit) for cell, digit in givens):
        return
    frames: list[tuple[int, Iterator[int]]] = []  # the cells of the current path, with the digits still to try there
    meter.watch(lambda: [(cell, filling.digits[cell]) for cell, _ in frames])
    while True:
        cell = filling.choose()
        if cell is None:
            yield filling.digits
        else:
            frames.append((cell, iter(filling.candidates(cell))))
        if not _advance(filling, frames):
            return
        meter.tick()


def _advance(filling: Filling, frames: list[tuple[int, Iterator[int]]]) -> bool:
    """Place the next fitting digit in the deepest cell that has one left; False if there is none."""
    while frames:
        cell, untried = frames[-1]
        if filling.digits[cell] != EMPTY:
            filling.lift(cell)
        for digit in untried:
            if filling.put(cell, digit):
                return True
        frames.pop()
        filling.reopen(cell)
    return False


class Rescan(Filling):
    """Strategy ``rescan``: without tables, and without keeping a position.

    The board is scanned from its start for the next empty cell, and row, column and box are tested each time from
    scratch.
    """

    def choose(self) -> int | None:
        return self.digits.index(EMPTY) if EMPTY in self.digits else None

    def fits(self, cell: int, digit: int) -> bool:
        """Return whether the digit is not yet in the cell's row, column or box."""
        geometry, digits = self.geometry, self.digits
        n, row, column = geometry.n, geometry.row_of[cell], geometry.column_of[cell]
        if digit in digits[row * n : (row + 1) * n] or digit in digits[column::n]:
            return False
        return all(digits[other] != digit for other in geometry.boxes[geometry.box_of[cell]])

    def put(self, cell: int, digit: int) -> bool:
        """Place a digit if a look at every cell of the three houses finds no other one."""
        if self.fits(cell, digit):
            self.digits[cell] = digit
        return self.digits[cell] == digit

    def lift(self, cell: int) -> None:
        self.digits[cell] = EMPTY

    def reopen(self, cell: int) -> None:
        """Do nothing: an empty cell is found by its digit."""


class RowFilling(Filling):
    """Strategy ``rows``: fill the cells in row order, with a table of used digits per row, per column and per box."""

    def __init__(self, geometry: Geometry, allowed: Allowed) -> None:
        super().__init__(geometry, allowed)
        in_row, in_column, in_box = ([[False] * geometry.n for _ in range(geometry.n)] for _ in range(3))
        self.tables_of = [
            (in_row[geometry.row_of[cell]], in_column[geometry.column_of[cell]], in_box[geometry.box_of[cell]])
            for cell in range(geometry.cells)
        ]
        self.empty.reverse()

    def choose(self) -> int | None:
        return self.empty.pop() if self.empty else None

    def put(self, cell: int, digit: int) -> bool:
        """Place a digit and mark it as used in the three houses, unless one of them has it already."""
        row, column, box = self.tables_of[cell]
        if row[digit] or column[digit] or box[digit]:
            return False
        self.digits[cell] = digit
        row[digit] = column[digit] = box[digit] = True
        return True

    def lift(self, cell: int) -> None:
        digit, self.digits[cell] = self.digits[cell], EMPTY
        for used in self.tables_of[cell]:
            used[digit] = False

    def reopen(self, cell: int) -> None:
        self.empty.append(cell)


class FewestFilling(Filling):
    """Strategy ``fewest``: fill the cell with the fewest candidates; rows, columns and boxes are bit sets of free
    digits, in which bit d stands for the digit d.
    """

    def __init__(self, geometry: Geometry, allowed: Allowed) -> None:
        super().__init__(geometry, allowed)
        n = geometry.n
        self.free = [(1 << n) - 1] * (3 * n)
        self.places = [
            (geometry.row_of[cell], n + geometry.column_of[cell], 2 * n + geometry.box_of[cell])
            for cell in range(geometry.cells)
        ]
        self.possible = [sum(1 << digit for digit in digits) for digits in allowed]
        self.begun = False

    def choose(self) -> int | None:
        """Return a cell with the fewest candidates; the first of equals."""
        if not self.begun:
            self.begun = True
            self.empty.sort(key=lambda cell: self._left(cell).bit_count())
        free, places, possible = self.free, self.places, self.possible
        best, fewest = -1, len(free)
        for at, cell in enumerate(self.empty):
            row, column, box = places[cell]
            count = (free[row] & free[column] & free[box] & possible[cell]).bit_count()
            if count < fewest:
                best, fewest = at, count
                if count < 2:
                    break
        return self.empty.pop(best) if self.empty else None

    def _left(self, cell: int) -> int:
        row, column, box = self.places[cell]
        return self.free[row] & self.free[column] & self.free[box] & self.possible[cell]

    def candidates(self, cell: int) -> Iterable[int]:
        left = self._left(cell)
        while left:
            yield (left & -left).bit_length() - 1
            left &= left - 1

    def put(self, cell: int, digit: int) -> bool:
        """Place a digit and take its bit from the free ones of the three houses, if it is free in all of them."""
        (row, column, box), free, bit = self.places[cell], self.free, 1 << digit
        if not free[row] & free[column] & free[box] & bit:
            return False
        self.digits[cell] = digit
        free[row] ^= bit
        free[column] ^= bit
        free[box] ^= bit
        return True

    def lift(self, cell: int) -> None:
        digit, self.digits[cell] = self.digits[cell], EMPTY
        (row, column, box), free, bit = self.places[cell], self.free, 1 << digit
        free[row] |= bit
        free[column] |= bit
        free[box] |= bit

    def reopen(self, cell: int) -> None:
        """Let the cell, where it failed, come first among equals."""
        self.empty.insert(0, cell)


STRATEGIES: dict[str, type[Filling]] = {"rows": RowFilling, "rescan": Rescan, "fewest": FewestFilling}
