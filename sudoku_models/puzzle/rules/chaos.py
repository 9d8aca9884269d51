"""Unknown regions (chaos construction): region labels as extra cells CC1, CC2, ..., one for each cell of the grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import TYPE_CHECKING

from ...model import (
    AllDifferent,
    Automaton,
    Connected,
    Constraint,
    Count,
    Domain,
    Regular,
    Table,
)
from . import fields as f
from .board import DIAGONAL, ORTHOGONAL, Board, Filled, Group, joined
from .rule_base import Rule
from .yields import linear

if TYPE_CHECKING:
    from ..shape import Shape

NAME = "CC"
MOST_NUMBERED = 62
"""The largest number of pairs of a label and a value that one variable numbers."""


class ChaosConstruction(Rule):
    """The grid is divided into connected regions of ``size`` cells with different values (None: the longer side).

    The labels are the first values of the grid, numbered in the order in which the regions begin. ``wrap`` joins
    opposite edges of the board: regions may reach across them.
    """

    sentence = "The grid is divided into connected regions of equal size; the cells of a region differ."
    _only_shape = True
    size: int | None = f.optional_number(1)
    wrap: bool = f.flag(False)

    def groups(self, shape: Shape) -> Iterable[Group]:
        size = self.cells_of(shape)
        count = shape.cells // size
        if shape.cells % size or count > len(shape.values) or shape.cells == 1:
            raise ValueError(
                f"ChaosConstruction: {shape} has no regions of {size} cells with a value each to name them"
            )
        yield Group(NAME, shape.height, shape.width, shape.values[:count])

    def cells_of(self, shape: Shape) -> int:
        """Return the number of cells in a region."""
        return self.size or max(shape.height, shape.width)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        group = board.groups[NAME]
        labels, size, edges = group.values or (), self.cells_of(board.shape), board.edges(NAME, self.wrap)
        yield Regular(group.cells, _in_order(labels))
        for label in labels:
            yield Count(group.cells, (label,), "==", size)
            yield Connected(group.cells, edges, (label,))
        yield from _values_differ(board, group, labels)

    def judge(self, grid: Filled) -> bool:
        board = grid.board
        cells = board.groups[NAME].cells
        regions: dict[int, list[str]] = {}
        for cc in cells:
            regions.setdefault(grid[cc], []).append(cc)
        value = dict(zip(cells, board.cells, strict=True))
        return list(regions) == list(board.values[: len(regions)]) and all(
            len(region) == self.cells_of(board.shape) == len({grid[value[cc]] for cc in region})
            and joined(board, region, self.wrap)
            for region in regions.values()
        )


class ChaosArrow(Rule):
    """The cell is 1 + the sum of (run - 1) over the arms; one less if the first cell is not ``included``.

    A run is the longest beginning of an arm that lies in one region. Arms are lists of CC cells that all begin with the
    same cell; by default they are the four directions from the cell.
    """

    sentence = "The control cell is 1 + the sum of (run - 1) over the arms; one less if included is False."
    control: str = f.cell()
    arms: f.Segments = f.segments(0, default=())
    included: bool = f.flag(True)

    def check(self, board: Board) -> None:
        _check_labels(board, [name for arm in self.arms for name in arm], self.control, "arms")
        if len({arm[0] for arm in self.arms}) > 1:
            raise ValueError("all arms must begin with the same cell")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        flags = [flag for arm in self._arms(board) for flag in _run(board, arm)]
        yield linear([(1, self.control), *((-1, flag) for flag in flags)], "==", int(self.included))

    def judge(self, grid: Filled) -> bool:
        total = 1
        for arm in self._arms(grid.board):
            labels = grid.along(arm)
            run = next((i for i, label in enumerate(labels) if label != labels[0]), len(labels))
            total += run - 1
        return grid[self.control] == (total if self.included else total - 1)

    def _arms(self, board: Board) -> list[list[str]]:
        if self.arms:
            return [list(arm) for arm in self.arms]
        start = _label_of(board, self.control)
        return [_ray(board, start, step) for step in ORTHOGONAL]


class ChaosCount(Rule):
    """The cell is the number of listed CC cells in the region of the first one, itself included if ``included``.

    By default the list is the cell's own position and its up to eight neighbours; ``wrap`` joins opposite edges.
    """

    sentence = (
        "The control cell is the number of listed cells in the region of the first one, which is also "
        "counted unless included is False."
    )
    control: str = f.cell()
    cells: f.Cells = f.cells(0, default=())
    included: bool = f.flag(True)
    wrap: bool = f.flag(False)

    def check(self, board: Board) -> None:
        _check_labels(board, self.cells, self.control, "a list")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        first, *others = self._cells(board)
        same = [(-1, _same(board, first, other)) for other in others if other != first]
        yield linear([(1, self.control), *same], "==", int(self.included) + others.count(first))

    def judge(self, grid: Filled) -> bool:
        labels = grid.along(self._cells(grid.board))
        return grid[self.control] == labels.count(labels[0]) - (not self.included)

    def _cells(self, board: Board) -> list[str]:
        if self.cells:
            return list(self.cells)
        own = _label_of(board, self.control)
        return [own, *board.around(own, (*ORTHOGONAL, *DIAGONAL), self.wrap)]


def _values_differ(board: Board, group: Group, labels: Domain) -> Iterator[Constraint]:
    """Require that no region has a value twice.

    Few pairs of a label and a value are numbered, and the numbers differ. If there are many and every row holds every
    value, each row has for each value a variable with its region, and these regions differ: engines whose domains are
    machine words take that.
    """
    rows_are_full = board.shape.lines and board.shape.width == len(board.values)
    if len(labels) * len(board.values) <= MOST_NUMBERED or not rows_are_full:
        numbers = Table(("a", "b", "c"), [(a, v, i) for i, (a, v) in enumerate(product(labels, board.values))])
        yield AllDifferent([_both(board, x, cc, numbers) for x, cc in zip(board.cells, group.cells, strict=True)])
        return
    rows = [slice(i, i + board.shape.width) for i in range(0, board.shape.cells, board.shape.width)]
    for v in board.values:
        other = Table(("a", "b", "c"), [(v, a, b) for a, b in permutations(labels, 2)], allowed=False)
        yield AllDifferent([_region_of(board, v, board.cells[row], group.cells[row], labels, other) for row in rows])


def _region_of(
    board: Board, value: int, cells: Sequence[str], labelled: Sequence[str], labels: Domain, other: Table
) -> str:
    """Return a variable: the label of the one cell in a row that has a value. ``other``: a cell has it, and another
    label.
    """
    name = f"region of {value} in {cells[0]}.."
    here = [other.over(x, cc, name) for x, cc in zip(cells, labelled, strict=True)]
    return board.auxiliary(name, labels, *here)


def _both(board: Board, x: str, cc: str, numbers: Table) -> str:
    """Return a variable that numbers the pairs of a cell's label and its value."""
    name = f"{cc}&{x}"
    return board.auxiliary(name, range(len(numbers.tuples)), numbers.over(cc, x, name))


def _same(board: Board, a: str, b: str) -> str:
    """Return a variable that is 1 if two cells are in the same region."""
    if board.place(b) < board.place(a):
        a, b = b, a
    name = f"[{a} == {b}]"
    return board.auxiliary(name, (0, 1), _equality(board.domain(a)).over(a, b, name))


@lru_cache(maxsize=64)
def _equality(labels: Domain) -> Table:
    """Return which two labels are equal: 1, or 0 if they differ."""
    return Table(("a", "b", "equal"), [(a, b, int(a == b)) for a, b in product(labels, repeat=2)])


def _run(board: Board, arm: list[str]) -> Iterator[str]:
    """Yield a variable for every cell after the first: 1 if all cells up to it are in the same region."""
    before: str | None = None
    for end in range(1, len(arm)):
        same = None if arm[0] == arm[end] else _same(board, arm[0], arm[end])
        before = _conjunction(board, before, same)
        if before is None:
            before = _one(board)
        yield before


def _conjunction(board: Board, a: str | None, b: str | None) -> str | None:
    if a is None or b is None:
        return a or b
    name = f"{a}&{b}"
    rows = [(x, y, x * y) for x in (0, 1) for y in (0, 1)]
    return board.auxiliary(name, (0, 1), Table((a, b, name), rows))


def _one(board: Board) -> str:
    return board.auxiliary("one", (1,))


@lru_cache(maxsize=64)
def _in_order(labels: tuple[int, ...]) -> Automaton:
    """Return the automaton of words in which labels first occur in order. The state is the number of labels met."""

    def step(met: int, label: int) -> int | None:
        place = labels.index(label)
        return met if place < met else met + 1 if place == met else None

    return Automaton.from_step(step, 0, labels, lambda met: met == len(labels), len(labels) + 1)


def _ray(board: Board, start: str, step: tuple[int, int]) -> list[str]:
    found, here = [start], board.step(start, step)
    while here is not None:
        found.append(here)
        here = board.step(here, step)
    return found


def _label_of(board: Board, cell: str) -> str:
    _, row, column = board.place(cell)
    found = board.at(NAME, row, column)
    assert found is not None
    return found


def _check_labels(board: Board, cells: Sequence[str], control: str, what: str) -> None:
    if NAME not in board.groups:
        raise ValueError("the puzzle has no unknown regions: add the rule ChaosConstruction")
    wrong = next((name for name in cells if board.place(name)[0] != NAME), None)
    if wrong is not None:
        raise ValueError(f"{wrong} is not a region label: cells CC1, CC2, ... are expected")
    if board.place(control)[0] == NAME:
        raise ValueError(f"{control} is a region label: a cell that holds a number is expected")
    if not cells and board.place(control)[0]:
        raise ValueError(f"{control} is not a cell of the grid: give it {what} of region labels")
