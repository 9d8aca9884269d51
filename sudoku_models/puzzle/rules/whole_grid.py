"""Rules about the whole grid: every 2 x 2 square, connected values, missing values, and the rules of other grids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import prod
from typing import TYPE_CHECKING

from ...model import (
    AllDifferent,
    Automaton,
    Compare,
    Connected,
    Constraint,
    Count,
    InDomain,
    Linear,
    Or,
    Regular,
    Table,
)
from . import fields as f
from .board import DIAGONAL, ORTHOGONAL, Board, Filled, Group, Sentence, _Judged, about, joined
from .lines import thirds
from .rule_base import Rule, _OfCells

if TYPE_CHECKING:
    from ..shape import Shape


def _squares(board: Board, wrap: bool) -> Iterator[tuple[str, ...]]:
    """Yield every 2 x 2 square of four cells once; ``wrap`` adds squares across the edges."""
    height, width = board.shape.height, board.shape.width
    if height > 1 and width > 1:
        for r in range(1, height + (wrap and height > 2)):
            for c in range(1, width + (wrap and width > 2)):
                below, right = r % height + 1, c % width + 1
                yield f"R{r}C{c}", f"R{r}C{right}", f"R{below}C{c}", f"R{below}C{right}"


class GlobalEntropy(_Judged):
    """Every 2 x 2 square holds a low, a middle and a high value (thirds as in ``Entropic``)."""

    sentence = "Every 2 x 2 square holds a low, a middle and a high value."
    turning = "whole grid"
    _only_shape = True
    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        third = thirds(board)
        for square in _squares(board, self.wrap):
            for kind in (0, 1, 2):
                yield Count(square, [v for v in board.values if third[v] == kind], ">=", 1)

    def sentences(self, board: Board) -> Iterable[Sentence]:
        values = board.values
        size = (len(values) + 1) // 3
        kinds = (values[:size], values[size : len(values) - size], values[len(values) - size :])
        return (
            about(square, lambda *found: all(any(v in kind for v in found) for kind in kinds))
            for square in _squares(board, self.wrap)
        )


class GlobalMod(_Judged):
    """Every 2 x 2 square holds all remainders modulo 3."""

    turning = "whole grid"
    _only_shape = True
    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for square in _squares(board, self.wrap):
            for rest in (0, 1, 2):
                yield Count(square, [v for v in board.values if v % 3 == rest], ">=", 1)

    def sentences(self, board: Board) -> Iterable[Sentence]:
        squares = _squares(board, self.wrap)
        return (about(square, lambda *found: {v % 3 for v in found} == {0, 1, 2}) for square in squares)


class DutchFlatmates(Rule):
    """Every 5 has a 1 directly above it or a 9 directly below it."""

    _only_shape = True
    wrap: bool = f.flag(False)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        others = [v for v in board.values if v != 5]
        for name in board.cells:
            flatmates = ((board.step(name, (-1, 0), self.wrap), 1), (board.step(name, (1, 0), self.wrap), 9))
            yield Or([InDomain(name, others), *(InDomain(x, (v,)) for x, v in flatmates if x is not None)])

    def judge(self, grid: Filled) -> bool:
        columns = [grid.along(grid.board.line(f"C{c}")) for c in range(1, grid.board.shape.width + 1)]
        for column in columns:
            padded = [column[-1], *column, column[0]] if self.wrap else [None, *column, None]
            if any(v == 5 and padded[i - 1] != 1 and padded[i + 1] != 9 for i, v in enumerate(column, start=1)):
                return False
        return True


class ConnectedValues(Rule):
    """The cells of a group ("" is the grid) that hold one of ``values`` are connected side by side.

    There are ``size`` of them, or at least one if ``size`` is None. ``wrap`` joins opposite edges of the group.
    """

    sentence = "The cells that hold one of the values are connected side by side."
    values: tuple[int, ...] = f.value_set()
    size: int | None = f.optional_number(0)
    group: str = f.text()
    wrap: bool = f.flag(False)

    def check(self, board: Board) -> None:
        if self.group not in board.groups:
            raise ValueError(f"{self.group!r} is not a group of cells")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        cells = board.groups[self.group].cells
        yield Count(cells, self.values, ">=" if self.size is None else "==", self.size or 1)
        if self.size == 0:
            yield Or()
        yield Connected(cells, board.edges(self.group, self.wrap), self.values)

    def judge(self, grid: Filled) -> bool:
        held = [x for x in grid.board.groups[self.group].cells if grid[x] in self.values]
        return self.size in (None, len(held)) and joined(grid.board, held, self.wrap)


class Doppelganger(Rule):
    """Every row, column and box lacks one value, never 0; rows lack different values, and so do columns and boxes.

    At each 0 the values missing from its row, column and box all differ. The missing values are extra cells: DGC1, ...
    for the rows, DGR1, ... for the columns, DGB1, ... for the boxes (0 if there are none); DGZ is 0.
    """

    _only_shape = True

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
        alike = Table(("cell", "a", "b"), [(0, v, v) for v in board.values], allowed=False)
        for name in board.cells:
            yield from (alike.over(name, a, b) for a, b in combinations(self._missing(board, name), 2))

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


class Calculation(_OfCells):
    """The cells give ``total`` by + - * or /; - and / take two cells in either order. Values may repeat."""

    sentence = "The cells of a cage give its number by its operation."
    drawing = "calculation", "currentColor"
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

    def _makes(self, values: Sequence[int]) -> bool:
        if self.op in ("+", "*"):
            return (sum(values) if self.op == "+" else prod(values)) == self.total
        a, b = values
        if self.op == "-":
            return abs(a - b) == self.total
        return any(y != 0 and x == self.total * y for x, y in ((a, b), (b, a)))

    def judge(self, grid: Filled) -> bool:
        return self._makes(grid.along(self.cells))


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
            yield Or([InDomain(x, (1,)), *(Compare(y, "==", x, -1) for y in near)])  # implied, and engines prune more

    @property
    def _steps(self) -> tuple[tuple[int, int], ...]:
        return (*ORTHOGONAL, *DIAGONAL) if self.king else ORTHOGONAL

    def judge(self, grid: Filled) -> bool:
        at = {grid[x]: x for x in self.cells}
        if sorted(at) != list(range(1, len(self.cells) + 1)):
            return False
        return all(at[v + 1] in grid.board.around(at[v], self._steps) for v in range(1, len(self.cells)))


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
        plain = [x for x in board.cells if grid[x] != 1]
        repeated = any(grid[a] != 1 and grid[b] != 1 for a, b in self._equal(board))
        touching = any(grid[a] == grid[b] == 1 for a, b in board.pairs())
        return not repeated and not touching and (not plain or joined(board, plain))


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
