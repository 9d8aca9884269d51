"""Clues are taken away as if one by one, from one board at a time and from many together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudoku_models import Puzzle, Shape, is_unique
from sudoku_models.make import generate, grids, jigsaw
from sudoku_models.make.chance import Stream
from sudoku_models.make.thinning import Uniqueness, thinned
from sudoku_models.make.wishes import orbits

NINE = Shape.square(9)


def one_by_one(board: Any, groups: Any, least: int, unique: Uniqueness) -> Any:
    """Take each group away that leaves one solution and enough clues."""
    left = board.copy()
    for group in groups:
        trial = left.copy()
        trial[group] = 0
        if (trial > 0).sum() >= least and (trial == left).all() | unique(trial[None])[0]:
            left = trial
    return left


@pytest.mark.parametrize("shape", [NINE, Shape.square(4)])
@pytest.mark.parametrize(("symmetry", "least"), [("none", 0), ("none", 0.4), ("half-turn", 0), ("full", 0.35)])
def test_clues_are_taken_as_if_one_by_one(shape: Shape, symmetry: str, least: float) -> None:
    unique, boards = Uniqueness(Puzzle.empty(shape)), grids(12, shape, seed=5)
    assert unique.together == (shape == NINE)
    found = orbits(shape, symmetry)
    most = max(map(len, found))
    cells = np.array([[*group, *[group[-1]] * (most - len(group))] for group in found])
    groups = cells[Stream("orders", symmetry).orders(len(boards), len(cells))]
    lowest = np.full(len(boards), int(least * shape.cells))
    made = thinned(boards, groups, unique, lowest if least else 0)
    alone = [one_by_one(*pair, lowest[0], unique) for pair in zip(boards, groups, strict=True)]
    assert (made == alone).all()


@pytest.mark.parametrize("shape", [jigsaw(6, seed=1), jigsaw(9, seed=1)])
def test_boards_with_other_regions_are_minimal_too(shape: Shape) -> None:
    for puzzle in generate(2, shape=shape, seed=1):
        assert is_unique(puzzle)
        for cell, given in enumerate(puzzle.givens):
            fewer = (*puzzle.givens[:cell], None, *puzzle.givens[cell + 1 :])
            assert given is None or not is_unique(Puzzle(shape, fewer))
