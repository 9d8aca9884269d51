"""Clues are taken away as if one by one; small unavoidable sets are seen without a search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.make import generate, grids, jigsaw
from sudoku_models.make.chance import Stream
from sudoku_models.make.many_unique import Uniqueness
from sudoku_models.make.patterns import orbits
from sudoku_models.make.topdown import take_away

NINE = Shape.square(9)
UNIQUE = Uniqueness(Puzzle.empty(NINE))


def one_by_one(board: Any, groups: Any, least: int) -> Any:
    """Take each group away that leaves one solution and enough clues."""
    left = board.copy()
    for group in groups:
        trial = left.copy()
        trial[group[group >= 0]] = 0
        if (trial > 0).sum() >= least and (trial == left).all() | UNIQUE(trial[None])[0]:
            left = trial
    return left


def table(symmetry: str) -> Any:
    """Return the groups of a symmetry, a row each."""
    found = orbits(NINE, symmetry)
    groups = np.full((len(found), max(map(len, found))), -1)
    for row, cells in zip(groups, found, strict=True):
        row[: len(cells)] = cells
    return groups


@pytest.mark.parametrize(("symmetry", "least"), [("none", 0), ("none", 30), ("half-turn", 0), ("full", 28)])
def test_clues_are_taken_as_if_one_by_one(symmetry: str, least: int) -> None:
    boards = grids(12, seed=5)
    cells = table(symmetry)
    groups = cells[Stream("orders", symmetry).orders(len(boards), len(cells))]
    lowest = np.full(len(boards), least)
    found = take_away(boards, groups, lowest, UNIQUE, boards, classic=True).puzzles
    assert (found == [one_by_one(*pair, least) for pair in zip(boards, groups, strict=True)]).all()


def test_it_is_the_same_whether_lines_are_known_to_trade_places_or_not() -> None:
    boards = grids(40, seed=6)
    orders = Stream("orders").orders(40, 81)[:, :, None]
    least = np.zeros(40, np.int64)
    known = take_away(boards, orders, least, UNIQUE, boards, classic=True)
    unknown = take_away(boards, orders, least, UNIQUE)
    assert (known.puzzles == unknown.puzzles).all()
    assert known.tests < 0.85 * unknown.tests


@pytest.mark.parametrize("backend", ["auto", "backtracking"])
def test_a_board_keeps_its_one_solution_without_a_clue_that_is_not_needed(backend: str) -> None:
    shape = Shape.square(4)
    unique = Uniqueness(Puzzle.empty(shape), backend)
    boards = generate(6, shape=shape, clues=8, minimal=False, seed=8).values
    rows, cells = np.nonzero(boards)
    without = boards[rows]
    without[np.arange(len(rows)), cells] = 0
    assert (unique.without(boards[rows], cells) == unique(without)).all()


def test_the_last_clue_of_four_cells_that_two_digits_fill_crosswise_stays() -> None:
    board = grids(1, seed=7)
    for cells in rectangles(board[0]):
        rest = [cell for cell in range(81) if cell not in cells]
        order = np.array([*cells, *rest])[None, :, None]
        taken = take_away(board, order, np.array([77]), Unasked(), board, classic=True).puzzles[0]
        assert np.flatnonzero(taken[list(cells)]).tolist() == [3]


class Unasked(Uniqueness):
    """Says of every board that it has one solution: what stays was seen to be needed."""

    def __init__(self) -> None:
        super().__init__(Puzzle.empty(NINE))

    def __call__(self, rows: Any) -> Any:
        return np.ones(len(rows), bool)

    def without(self, rows: Any, cells: Any) -> Any:
        return np.ones(len(rows), bool)


def rectangles(board: Any) -> set[tuple[int, ...]]:
    """Return the corners of rectangles, in two boxes, that hold two digits crosswise."""
    found = set()
    for a in range(81):
        for d in range(a + 1, 81):
            b, c = a // 9 * 9 + d % 9, d // 9 * 9 + a % 9
            boxes = {cell // 27 * 3 + cell % 9 // 3 for cell in (a, b, c, d)}
            crossed = a // 9 != d // 9 and a % 9 != d % 9 and board[a] == board[d] and board[b] == board[c]
            if crossed and len(boxes) == 2:
                found.add(tuple(sorted((a, b, c, d))))
    return found


def test_boards_with_other_regions_are_minimal_too() -> None:
    shape = jigsaw(9, seed=1)
    unique = Uniqueness(Puzzle.empty(shape))
    for values in generate(2, shape=shape, seed=1).values:
        clues = np.flatnonzero(values)
        without = np.tile(values, (len(clues), 1))
        without[np.arange(len(clues)), clues] = 0
        assert unique(values[None])[0]
        assert not unique(without).any()
