"""Doppelganger zero: values 0 to n in n x n cells, so that every house lacks one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from ...model import AllDifferent, Compare, Constraint, InDomain, Or
from .board import Board, Filled, Group
from .rule_base import Rule

if TYPE_CHECKING:
    from ..shape import Shape


@dataclass(frozen=True)
class Doppelganger(Rule):
    """Every row, column and box lacks one value, never 0; rows lack different values, and so do columns and boxes.

    At each 0 the values missing from its row, column and box all differ. The missing values are extra cells: DGC1, ...
    for the rows, DGR1, ... for the columns, DGB1, ... for the boxes (0 if there are none); DGZ is 0.
    """

    def groups(self, shape: Shape) -> Iterable[Group]:
        n = shape.height
        yield Group("DGC", n, 1)
        yield Group("DGR", 1, n)
        yield Group("DGB", n, 1)
        yield Group("DGZ", 1, 1, (0,))

    def check(self, board: Board) -> None:
        shape = board.shape
        if shape.height != shape.width or board.values != tuple(range(shape.width + 1)) or not shape.lines:
            raise ValueError(f"a board of n x n cells with the values 0 to n is expected, not {shape}")
        if len(board.regions) not in (0, shape.width):
            raise ValueError("as many boxes as rows, or none, are expected")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        n = board.shape.height
        rows, columns, boxes = (board.groups[name].cells for name in ("DGC", "DGR", "DGB"))
        for i in range(n):
            yield AllDifferent((*board.line(f"R{i + 1}"), rows[i]))
            yield AllDifferent((*board.line(f"C{i + 1}"), columns[i]))
            yield AllDifferent((*board.regions[i], boxes[i])) if board.regions else InDomain(boxes[i], (0,))
        for missing in (rows, columns, *([boxes] if board.regions else [])):
            yield AllDifferent((*missing, "DGZ"))
        others = [v for v in board.values if v]
        for name in board.cells:
            for a, b in combinations(self._missing(board, name), 2):
                yield Or(InDomain(name, others), Compare(a, "!=", b))

    @staticmethod
    def _missing(board: Board, name: str) -> list[str]:
        """Return the extra cells of the houses of a cell."""
        _, row, column = board.place(name)
        region = board.region(name)
        found = [board.groups["DGC"].cells[row], board.groups["DGR"].cells[column]]
        return found if region is None else [*found, board.groups["DGB"].cells[region]]

    def judge(self, grid: Filled) -> bool:
        board = grid.board
        n, every = board.shape.height, set(board.values)
        rows = [every.difference(grid.along(board.line(f"R{i}"))) for i in range(1, n + 1)]
        columns = [every.difference(grid.along(board.line(f"C{i}"))) for i in range(1, n + 1)]
        boxes = [every.difference(grid.along(region)) for region in board.regions]
        families = [family for family in (rows, columns, boxes) if family]
        if any(set().union(*family) != every - {0} or any(len(m) != 1 for m in family) for family in families):
            return False
        stated = [rows, columns, boxes or [{0}] * n, [{0}]]
        names = [board.groups[name].cells for name in ("DGC", "DGR", "DGB", "DGZ")]
        if any(
            {grid[x]} != m
            for cells, family in zip(names, stated, strict=True)
            for x, m in zip(cells, family, strict=True)
        ):
            return False
        zeros = [(*board.place(x), board.region(x)) for x in board.cells if grid[x] == 0]
        misses = [[rows[r], columns[c], *([boxes[b]] if b is not None else [])] for _, r, c, b in zeros]
        return all(len({min(m) for m in found}) == len(found) for found in misses)
