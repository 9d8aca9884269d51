"""Filled boards for the tests of rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations

from sudoku_models.model import Constraint
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle.rules import Board, Filled, Rule

Values = tuple[int, ...]
Build = Callable[[Board], list[Constraint]]
SUDOKU = Shape.square(4)
LATIN = Shape.latin(4)


@lru_cache(maxsize=2)
def latin_squares(boxes: bool) -> tuple[Values, ...]:
    """All 576 Latin squares of order 4, or the 288 that keep the boxes too."""
    return tuple(grid for grid in _extended(()) if not boxes or _keeps_boxes(grid))


def _extended(filled: Values) -> Iterator[Values]:
    if len(filled) == 16:
        yield filled
        return
    for row in permutations((1, 2, 3, 4)):
        if all(row[i % 4] != value for i, value in enumerate(filled)):
            yield from _extended((*filled, *row))


def _keeps_boxes(grid: Values) -> bool:
    corners = (0, 2, 8, 10)
    return all(len({grid[c], grid[c + 1], grid[c + 4], grid[c + 5]}) == 4 for c in corners)


def filled(shape: Shape, rules: Sequence[Rule], values: Sequence[int]) -> Filled:
    """A board whose grid and extra cells hold these values, in the order of its names."""
    board = Board(shape, rules)
    board.check()
    return Filled(board, dict(zip(board.names, values, strict=True)))


def random_boards(shape: Shape, rules: Sequence[Rule], count: int) -> Iterator[Filled]:
    """Boards filled at random, extra cells too; rows and columns may repeat values."""
    board = Board(shape, rules)
    board.check()
    chance = random.Random(7)
    for _ in range(count):
        yield Filled(board, {name: chance.choice(board.domain(name)) for name in board.names})


def verdicts(rule: Rule, grid: Filled) -> tuple[bool, bool]:
    """What the rule's judge says, and its sentences together, and what its constraints say."""
    judged = rule.judge(grid)
    if type(rule).sentences is not Rule.sentences:
        assert all(sentence(grid) for sentence in rule.sentences(grid.board)) == judged, (rule, grid.values)
    return judged, grid.satisfies(_built(rule, grid.board))


_latest: list[tuple[Rule, Board, Build]] = []


def _built(rule: Rule, board: Board) -> Build:
    """Return what states a rule on boards like this one; its constraints are made once for all grids of a board."""
    if not _latest or _latest[0][0] is not rule or _latest[0][1] is not board:
        made = Board(board.shape, board.rules)
        found = list(rule.constraints(made))

        def build(on: Board) -> list[Constraint]:
            on.auxiliaries.update(made.auxiliaries)
            return found

        _latest[:] = [(rule, board, build)]
    return _latest[0][2]
