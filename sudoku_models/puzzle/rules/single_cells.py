"""Single cells: the values that they take, what they say about other cells, and cells outside the grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...model import Constraint, Element, InDomain
from . import fields as f
from .board import Board, Filled, Group
from .rule_base import Rule
from .traits import Placing
from .yields import among, linear

if TYPE_CHECKING:
    from ..shape import Shape
    from .board import Board


class OneOf(Rule):
    """The cell holds one of the values."""

    drawing = "one of", "currentColor"
    turning = "cells"
    cell: str = f.cell()
    values: tuple[int, ...] = f.value_set(0)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield InDomain(self.cell, self.values)

    def judge(self, grid: Filled) -> bool:
        return grid[self.cell] in self.values


class OnlyValues(Rule):
    """Every cell of the grid holds one of the values; extra cells are not restricted."""

    _only_shape = True
    turning = "cells"
    values: tuple[int, ...] = f.value_set()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for name in board.cells:
            yield from among(board, name, self.values.__contains__)
        for house in board.houses:
            if len(house) == len(self.values):
                yield linear([(1, x) for x in house], "==", sum(self.values))

    def judge(self, grid: Filled) -> bool:
        return set(self.values).issuperset(grid.along(grid.board.cells))


class Parity(Rule):
    """The cell holds an odd (or even) value."""

    sentence = "A circle holds an odd value, a square an even one."
    drawing = "parity", "#7d8794"
    turning = "cells"
    placing = Placing("single", number="odd", value=lambda v: v[0] % 2 == 1)
    cell: str = f.cell()
    odd: bool = f.flag(True, "odd", "even", "cell")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return among(board, self.cell, lambda v: v % 2 == self.odd)

    def judge(self, grid: Filled) -> bool:
        return (grid[self.cell] % 2 == 1) is self.odd


class Half(Rule):
    """The cell holds a value from the low half of the values (or from the high half); a middle value is in neither."""

    sentence = "The cell holds a value of the low half, or of the high half."
    drawing = "half", "#7d8794"
    turning = "cells"
    cell: str = f.cell()
    low: bool = f.flag(True, "low", "high", "half")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return among(board, self.cell, self._kept(board).__contains__)

    def judge(self, grid: Filled) -> bool:
        return grid[self.cell] in self._kept(grid.board)

    def _kept(self, board: Board) -> Sequence[int]:
        """Return one half of the values by position, however far apart they are."""
        half = len(board.values) // 2
        return board.values[:half] if self.low else board.values[len(board.values) - half :]


class _Indexer(Rule):
    """Base: a cell whose value is a position; the rows and columns of extra cells are those of their group."""

    cell: str = f.cell()

    def looked_up(self, board: Board) -> tuple[tuple[str, ...], int]:
        """Return the cells that the value indexes, and the number expected there."""
        raise NotImplementedError

    def constraints(self, board: Board) -> Iterable[Constraint]:
        line, wanted = self.looked_up(board)
        yield from among(board, self.cell, lambda v: 1 <= v <= len(line))
        yield Element((line[0], *line), self.cell, wanted)


class ColumnIndexer(_Indexer):
    """A value v in row r, column c means that row r holds c in column v."""

    drawing = "indexer", "#d1495b"
    placing = Placing("single")

    def looked_up(self, board: Board) -> tuple[tuple[str, ...], int]:
        group, row, column = board.place(self.cell)
        found = board.groups[group]
        return found.cells[row * found.width : (row + 1) * found.width], column + 1

    def judge(self, grid: Filled) -> bool:
        group, row, column = grid.board.place(self.cell)
        found = grid.board.at(group, row, grid[self.cell] - 1)
        return found is not None and grid[found] == column + 1


class RowIndexer(_Indexer):
    """A value v in row r, column c means that column c holds r in row v."""

    drawing = "indexer", "#2e86ab"
    placing = Placing("single")

    def looked_up(self, board: Board) -> tuple[tuple[str, ...], int]:
        group, row, column = board.place(self.cell)
        found = board.groups[group]
        return found.cells[column :: found.width], row + 1

    def judge(self, grid: Filled) -> bool:
        group, row, column = grid.board.place(self.cell)
        found = grid.board.at(group, grid[self.cell] - 1, column)
        return found is not None and grid[found] == row + 1


class BoxIndexer(_Indexer):
    """A value v in the k-th cell of a box (or region) means that the v-th cell of the box holds k.

    The cells of a box count row by row.
    """

    drawing = "indexer", "#3a9d5d"
    placing = Placing("single")

    def check(self, board: Board) -> None:
        super().check(board)
        if board.region(self.cell) is None:
            raise ValueError(f"{self.cell} is in no region")

    def looked_up(self, board: Board) -> tuple[tuple[str, ...], int]:
        region = board.region(self.cell)
        assert region is not None
        cells = tuple(sorted(board.regions[region], key=board.place))
        return cells, cells.index(self.cell) + 1

    def judge(self, grid: Filled) -> bool:
        region = next(region for region in grid.board.regions if self.cell in region)
        cells = [name for name in grid.board.cells if name in region]
        value = grid[self.cell]
        return 1 <= value <= len(cells) and grid[cells[value - 1]] == cells.index(self.cell) + 1


class ValueIndexing(Rule):
    """The second cell is the position, along the third and later cells, of a cell that equals the first."""

    drawing = "value indexing", "#b5651d"
    cells: f.Cells = f.cells(3)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        value, index, *line = self.cells
        yield from among(board, index, lambda k: 1 <= k <= len(line))
        yield Element((line[0], *line), index, value)

    def judge(self, grid: Filled) -> bool:
        value, index, *line = grid.along(self.cells)
        return value in [x for place, x in enumerate(line, start=1) if place == index]


def _group_name(value: object) -> str:
    if (
        not isinstance(value, str)
        or not value.isascii()
        or not value.isalpha()
        or not value.isupper()
        or len(value) > 40
    ):
        raise ValueError(f"{value!r:.60} is not a name for extra cells: capital letters are expected")
    return value


class ExtraCells(Rule):
    """``count`` extra cells NAME1, NAME2, ... (a single one: NAME) in rows of ``width``, with the values of the grid.

    They are not restricted by default; solutions that differ only in them are different.
    """

    sentence = "Cells outside the grid, with the same possible values as its cells."
    name: str = f.stated(_group_name)
    count: int = f.number(1, 1000, default=1)
    width: int = f.number(1, 1000, default=1)
    label: str = f.text()

    def groups(self, shape: Shape) -> Iterable[Group]:
        yield Group(self.name, -(-self.count // self.width), self.width, None, self.count)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return ()

    def judge(self, grid: Filled) -> bool:
        return all(v in grid.board.values for v in grid.along(grid.board.groups[self.name].cells))
