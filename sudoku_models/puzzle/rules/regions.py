"""Groups of cells without repeated values: extra regions, diagonals, hyper boxes, disjoint groups, sub-grids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from ...model import And, Constraint, Count, InDomain, Linear, MultisetEqual
from . import fields as f
from .board import Board, Filled, Sentence, differ, differing
from .rule_base import Rule, _OfCells
from .traits import Placing
from .yields import different

Box = tuple[int, int]


class _Groups(Rule):
    """A rule that the cells of each of some groups differ."""

    def groups_of(self, board: Board) -> Iterable[Sequence[str]]:
        raise NotImplementedError

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return (c for cells in self.groups_of(board) for c in different(board, cells))

    def judge(self, grid: Filled) -> bool:
        return all(differ(grid, cells) for cells in self.groups_of(grid.board))

    def sentences(self, board: Board) -> Iterable[Sentence]:
        return (sentence for cells in self.groups_of(board) for sentence in differing(cells))


class ExtraRegion(_OfCells):
    """All cells differ."""

    drawing = "region", ""
    turning = "cells"
    order = "any"
    only_differ = True
    placing = Placing("cage", 9, 9, grows=True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return different(board, self.cells)

    def judge(self, grid: Filled) -> bool:
        return differ(grid, self.cells)

    def sentences(self, board: Board) -> Iterable[Sentence]:
        return differing(dict.fromkeys(self.cells))


def girandola() -> ExtraRegion:
    """Return the girandola of a 9 x 9 board: the corners, the centre, the middles of the sides one step inwards."""
    return ExtraRegion(("R1C1", "R1C9", "R9C1", "R9C9", "R2C5", "R5C2", "R5C5", "R5C8", "R8C5"))


def asterisk() -> ExtraRegion:
    """Return the asterisk of a 9 x 9 board."""
    return ExtraRegion(("R2C5", "R3C3", "R3C7", "R5C2", "R5C5", "R5C8", "R7C3", "R7C7", "R8C5"))


def centre_dots() -> ExtraRegion:
    """Return the centres of the nine boxes of a 9 x 9 board."""
    return ExtraRegion(tuple(f"R{r}C{c}" for r in (2, 5, 8) for c in (2, 5, 8)))


class Diagonal(Rule):
    """All cells of a main diagonal differ: from the bottom left (``rising``) or from the top left."""

    sentence = "All cells of a marked main diagonal differ."
    drawing = "diagonal", "#2e86de"
    only_differ = True
    _only_shape = True
    rising: bool = f.flag(True, "rising", "falling", "diagonal")

    def check(self, board: Board) -> None:
        _need_square(board)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        n = board.shape.width
        return different(board, [board.cells[r * n + (n - 1 - r if self.rising else r)] for r in range(n)])

    def judge(self, grid: Filled) -> bool:
        n = grid.board.shape.width
        return differ(grid, [f"R{k}C{n + 1 - k if self.rising else k}" for k in range(1, n + 1)])


class Windoku(_Groups):
    """The extra boxes that begin in row and column 2, one line apart, repeat no value; none touches the border.

    ``box`` is (height, width); () means the boxes of the board.
    """

    sentence = "The shaded extra boxes hold no value twice."
    drawing = "windoku", "#7d8794"
    turning = "whole grid"
    only_differ = True
    _only_shape = True
    box: tuple[int, ...] = f.numbers(0, default=())

    def check(self, board: Board) -> None:
        _need_square(board)
        _box(board, self.box)

    def groups_of(self, board: Board) -> Iterator[list[str]]:
        height, width = _box(board, self.box)
        n = board.shape.width
        for top in range(2, n - height + 1, height + 1):
            for left in range(2, n - width + 1, width + 1):
                yield [f"R{top + i}C{left + j}" for i in range(height) for j in range(width)]


class DisjointGroups(_Groups):
    """Cells in the same position of every box all differ. ``box`` is (height, width); () means the board's boxes."""

    sentence = "Cells in the same position of every box all differ."
    turning = "whole grid"
    only_differ = True
    _only_shape = True
    box: tuple[int, ...] = f.numbers(0, default=())

    def check(self, board: Board) -> None:
        _need_square(board)
        _box(board, self.box)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        height, width = _box(board, self.box)
        n = board.shape.width
        for i in range(height):
            for j in range(width):
                rows, columns = range(i, n, height), range(j, n, width)
                yield from different(board, [board.cells[r * n + c] for r in rows for c in columns])

    def groups_of(self, board: Board) -> Iterable[Sequence[str]]:
        height, width = _box(board, self.box)
        places: dict[tuple[int, int], list[str]] = {}
        for name in board.cells:
            _, row, column = board.place(name)
            places.setdefault((row % height, column % width), []).append(name)
        return places.values()


class RegionSameValues(Rule):
    """The largest rows, columns and regions (boxes or irregular ones) all hold the same set of values."""

    _only_shape = True

    def check(self, board: Board) -> None:
        if not board.houses:
            raise ValueError("the board has no rows, columns or regions without repeated values")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        first, *others = self._largest(board)
        if len(first) < len(board.values):
            yield from (MultisetEqual(first, house) for house in others)

    def pieces(self, board: Board) -> Iterable[Constraint]:
        """Yield for two houses that each value is in both or in neither; nothing where each holds all values.

        On square boards these are any two that have a cell in common: rows and columns link all of them.
        """
        houses, shape = self._largest(board), board.shape
        size = len(houses[0])
        all_meet = shape.lines and shape.height == shape.width == size
        for a, b in combinations(houses, 2) if size < len(board.values) else ():
            if not all_meet or set(a).intersection(b):
                yield _alike(board, a, b)

    def judge(self, grid: Filled) -> bool:
        return len({tuple(sorted(grid.along(house))) for house in self._largest(grid.board)}) == 1

    def _largest(self, board: Board) -> list[tuple[str, ...]]:
        most = max(map(len, board.houses))
        return [house for house in board.houses if len(house) == most]


def _alike(board: Board, a: Sequence[str], b: Sequence[str]) -> Constraint:
    """Return that each value is in both of two houses or in neither; a variable for each says which."""
    used = {f"{v} is in {' '.join(a)} and {' '.join(b)}": v for v in board.values}
    for name, v in used.items():
        board.auxiliary(name, (0, 1), Count(a, (v,), "==", name))
    total = Linear([1] * len(used), used, "==", len(a))
    return And([total, *(Count(house, (v,), "==", name) for name, v in used.items() for house in (a, b))])


class SubGrid(_Groups):
    """A Sudoku inside a larger board (samurai and the like): rows, columns and boxes repeat no value.

    ``corner`` is its top left cell, ``box`` the (height, width) of its boxes, or () for none.
    """

    title = "Grid inside the board"
    drawing = "sub grid", "currentColor"
    corner: str = f.cell()
    height: int = f.number(1, 400, default=9)
    width: int = f.number(1, 400, default=9)
    box: tuple[int, ...] = f.numbers(0, default=(3, 3))

    def validate(self) -> None:
        if self.box and (
            len(self.box) != 2 or min(self.box) < 1 or self.height % self.box[0] or self.width % self.box[1]
        ):
            raise ValueError(f"boxes of {self.box} do not divide {self.height} x {self.width} cells")

    def check(self, board: Board) -> None:
        group, row, column = board.place(self.corner)
        if board.at(group, row + self.height - 1, column + self.width - 1) is None:
            raise ValueError(f"{self.height} x {self.width} cells from {self.corner} reach outside the board")

    def groups_of(self, board: Board) -> Iterator[list[str]]:
        height, width = self.height, self.width
        yield from (self._block(board, r, 0, 1, width) for r in range(height))
        yield from (self._block(board, 0, c, height, 1) for c in range(width))
        if self.box:
            h, w = self.box
            yield from (self._block(board, r, c, h, w) for r in range(0, height, h) for c in range(0, width, w))

    def _block(self, board: Board, top: int, left: int, height: int, width: int) -> list[str]:
        group, row, column = board.place(self.corner)
        places = ((row + top + i, column + left + j) for i in range(height) for j in range(width))
        return [name for r, c in places if (name := board.at(group, r, c)) is not None]


class Unused(_OfCells):
    """The cells are not part of the puzzle (gaps between several grids): each holds the smallest value."""

    sentence = "Black cells, which are not part of the puzzle."
    drawing = "unused", "#555"

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return (InDomain(x, board.domain(x)[:1]) for x in dict.fromkeys(self.cells))

    def judge(self, grid: Filled) -> bool:
        return all(grid[x] == min(grid.board.domain(x)) for x in self.cells)


class Black(_OfCells):
    """The cells are black. This does not restrict their values: other rules name the white cells."""

    sentence = "Black cells with a value."
    drawing = "black", "#555"

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return ()

    def judge(self, grid: Filled) -> bool:
        return True


def _need_square(board: Board) -> None:
    if board.shape.height != board.shape.width:
        raise ValueError(f"a square board is expected, not {board.shape}")


def _box(board: Board, stated: tuple[int, ...]) -> Box:
    box = stated or board.shape.box
    if box is None:
        raise ValueError("the board has no boxes: state the height and width of one")
    if len(box) != 2 or min(box) < 1 or board.shape.height % box[0] or board.shape.width % box[1]:
        raise ValueError(f"boxes of {box} do not divide {board.shape}")
    return box[0], box[1]
