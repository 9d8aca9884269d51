"""Rules of other grids: calculations in cages, paths of numbers, shaded cells, balanced 0 and 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import prod

from ...model import AllDifferent, Automaton, Compare, Connected, Constraint, InDomain, Linear, Or, Regular, Table
from . import fields as f
from .board import DIAGONAL, ORTHOGONAL, Board, Filled
from .rule_base import Rule


@dataclass(frozen=True)
class Calculation(Rule):
    """The cells give ``total`` by + - * or /; - and / take two cells in either order. Values may repeat."""

    sentence = "The cells of a cage give its number by its operation."
    drawing = "calculation", "currentColor"
    cells: f.Cells = f.cells()
    op: str = f.choice("+", "-", "*", "/")
    total: int = f.number(0)

    def validate(self) -> None:
        if self.op in ("-", "/") and len(self.cells) != 2:
            raise ValueError(f"{self.op} takes two cells, not {len(self.cells)}")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        if self.op == "+":
            yield Linear([1] * len(self.cells), self.cells, "==", self.total)
        elif self.op == "*":
            yield Regular(self.cells, self._product(board))
        else:
            pairs = [(a, b) for a in board.domain(self.cells[0]) for b in board.domain(self.cells[1])]
            yield Table(self.cells, [pair for pair in pairs if self._makes(pair)])

    def _product(self, board: Board) -> Automaton:
        def step(state: int, value: int) -> int | None:
            grown = state * value
            if self.total == 0:
                return min(grown, 1)
            return grown if grown and self.total % grown == 0 else None

        return Automaton.from_step(step, 1, board.values, lambda state: state == self.total, len(self.cells))

    def _makes(self, values: Iterable[int]) -> bool:
        low, *rest, high = sorted(values) if self.op in ("-", "/") else [*values, 0]
        if self.op == "-":
            return high - low == self.total
        if self.op == "/":
            return low * self.total == high and low != 0
        made = [low, *rest]
        return (sum(made) if self.op == "+" else prod(made)) == self.total

    def judge(self, grid: Filled) -> bool:
        return self._makes(grid.along(self.cells))


@dataclass(frozen=True)
class NumberPath(Rule):
    """The cells hold 1, 2, 3, ... up to their number; each is next to its successor (``king``: even diagonally)."""

    sentence = "1, 2, 3, ... form a path from neighbour to neighbour."
    cells: f.Cells = f.cells(distinct=True)
    king: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        last, inside = len(self.cells), set(self.cells)
        yield AllDifferent(self.cells)
        for x in self.cells:
            yield InDomain(x, range(1, last + 1))
            near = [y for y in board.around(x, self._steps) if y in inside]
            yield Or([InDomain(x, (last,)), *(Compare(y, "==", x, 1) for y in near)])

    @property
    def _steps(self) -> tuple[tuple[int, int], ...]:
        return (*ORTHOGONAL, *DIAGONAL) if self.king else ORTHOGONAL

    def judge(self, grid: Filled) -> bool:
        at = {grid[x]: x for x in self.cells}
        if sorted(at) != list(range(1, len(self.cells) + 1)):
            return False
        return all(at[v + 1] in grid.board.around(at[v], self._steps) for v in range(1, len(self.cells)))


@dataclass(frozen=True)
class Singles(Rule):
    """Cells with 1 are shaded (hitori): the others repeat no number in a row or column, and are connected.

    ``numbers`` are printed in the cells, row by row. No two shaded cells are side by side.
    """

    sentence = (
        "No number is repeated in a row or column except in shaded cells, which do not touch; the rest is connected."
    )
    drawing = "singles", "currentColor"
    numbers: tuple[int, ...] = f.numbers()

    def check(self, board: Board) -> None:
        if len(self.numbers) != board.shape.cells:
            raise ValueError(f"{len(self.numbers)} numbers for {board.shape.cells} cells: one for each is expected")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        plain = tuple(value for value in board.values if value != 1)
        yield from (Or([InDomain(a, (1,)), InDomain(b, (1,))]) for a, b in self._equal(board))
        yield from (Or([InDomain(a, plain), InDomain(b, plain)]) for a, b in board.pairs())
        yield Connected(board.cells, board.edges(), plain)

    def _equal(self, board: Board) -> Iterator[tuple[str, str]]:
        printed = dict(zip(board.cells, self.numbers, strict=True))
        for line in _lines(board):
            yield from ((a, b) for a, b in combinations(line, 2) if printed[a] == printed[b])

    def judge(self, grid: Filled) -> bool:
        board = grid.board
        if any(grid[a] != 1 and grid[b] != 1 for a, b in self._equal(board)):
            return False
        left = {x for x in board.cells if grid[x] != 1}
        reached = [left.pop()] if left else []
        for name in reached:
            near = left.intersection(board.around(name))
            left -= near
            reached += near
        return not left and not any(grid[a] == grid[b] == 1 for a, b in board.pairs())


@dataclass(frozen=True)
class Balance(Rule):
    """Rows and columns hold 0 and 1 equally often, never three alike in a row; if ``distinct``, no two are equal."""

    sentence = (
        "Rows and columns hold 0 and 1 equally often, never three alike in a row; no two are the same unless "
        "distinct is False."
    )
    distinct: bool = f.flag(True)

    def check(self, board: Board) -> None:
        if board.shape.width % 2 or board.shape.height % 2:
            raise ValueError("rows and columns of even length are expected")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        if not {0, 1}.issuperset(board.values):
            yield from (InDomain(x, (0, 1)) for x in board.cells)
        for line in _lines(board):
            yield Linear([1] * len(line), line, "==", len(line) // 2)
            for window in zip(line, line[1:], line[2:], strict=False):
                yield Table(window, [(0, 0, 0), (1, 1, 1)], allowed=False)
        for a, b in _parallel(board) if self.distinct else ():
            yield Or([Compare(x, "!=", y) for x, y in zip(a, b, strict=True)])

    def judge(self, grid: Filled) -> bool:
        lines = [grid.along(line) for line in _lines(grid.board)]
        if any(2 * line.count(1) != len(line) or 2 * line.count(0) != len(line) for line in lines):
            return False
        threes = any(a == b == c for line in lines for (a, b), c in zip(pairwise(line), line[2:], strict=False))
        alike = self.distinct and any(grid.along(a) == grid.along(b) for a, b in _parallel(grid.board))
        return not threes and not alike


def _lines(board: Board) -> list[tuple[str, ...]]:
    return [*_rows(board), *_columns(board)]


def _rows(board: Board) -> list[tuple[str, ...]]:
    return [board.line(f"R{r}") for r in range(1, board.shape.height + 1)]


def _columns(board: Board) -> list[tuple[str, ...]]:
    return [board.line(f"C{c}") for c in range(1, board.shape.width + 1)]


def _parallel(board: Board) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    yield from combinations(_rows(board), 2)
    yield from combinations(_columns(board), 2)
