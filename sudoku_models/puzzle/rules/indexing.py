"""Cells whose value gives the position of another value. Positions count from 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...model import Constraint, Element
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule
from .traits import Placing
from .yields import among


@dataclass(frozen=True)
class _Indexer(Rule):
    """Base: a cell whose value is a position; the rows and columns of extra cells are those of their group."""

    cell: str = f.cell()

    def looked_up(self, board: Board) -> tuple[tuple[str, ...], int]:
        """Return the cells that the value indexes, and the number expected there."""
        raise NotImplementedError

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Require that the value is a position, and that the number is there."""
        line, wanted = self.looked_up(board)
        yield from among(board, self.cell, lambda v: 1 <= v <= len(line))
        yield Element((line[0], *line), self.cell, wanted)


@dataclass(frozen=True)
class ColumnIndexer(_Indexer):
    """A value v in row r, column c means that row r holds c in column v."""

    drawing = "indexer", "#d1495b"
    placing = Placing("single")

    def looked_up(self, board: Board) -> tuple[tuple[str, ...], int]:
        group, row, column = board.place(self.cell)
        row_of_group = (board.at(group, row, i) for i in range(board.groups[group].width))
        return tuple(name for name in row_of_group if name is not None), column + 1

    def judge(self, grid: Filled) -> bool:
        group, row, column = grid.board.place(self.cell)
        found = grid.board.at(group, row, grid[self.cell] - 1)
        return found is not None and grid[found] == column + 1


@dataclass(frozen=True)
class RowIndexer(_Indexer):
    """A value v in row r, column c means that column c holds r in row v."""

    drawing = "indexer", "#2e86ab"
    placing = Placing("single")

    def looked_up(self, board: Board) -> tuple[tuple[str, ...], int]:
        group, row, column = board.place(self.cell)
        column_of_group = (board.at(group, i, column) for i in range(board.groups[group].height))
        return tuple(name for name in column_of_group if name is not None), row + 1

    def judge(self, grid: Filled) -> bool:
        group, row, column = grid.board.place(self.cell)
        found = grid.board.at(group, grid[self.cell] - 1, column)
        return found is not None and grid[found] == row + 1


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
