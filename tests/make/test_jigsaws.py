"""Random regions of a jigsaw."""

from __future__ import annotations

import pytest

from sudoku_models import Puzzle, Shape, is_unique
from sudoku_models.make import generate, jigsaw


@pytest.mark.parametrize("side", [6, 8, 9])
def test_regions_are_connected_and_not_boxes(side: int) -> None:
    for seed in range(5):
        shape = jigsaw(side, seed)
        assert len(shape.regions) == side
        assert set(shape.regions) != set(Shape.square(side).regions)
        for region in shape.regions:
            assert len(region) == side
            assert _connected(set(region), side)


def _connected(cells: set[int], side: int) -> bool:
    places = {divmod(cell, side) for cell in cells}
    reached = {min(places)}
    for _ in places:
        reached |= {(r, c) for r, c in places if reached & {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}}
    return reached == places


@pytest.mark.parametrize("shape", [jigsaw(6, seed=1), jigsaw(9, seed=1)])
def test_boards_with_other_regions_are_minimal_too(shape: Shape) -> None:
    for puzzle in generate(2, shape=shape, seed=1):
        assert is_unique(puzzle)
        for cell, given in enumerate(puzzle.givens):
            fewer = (*puzzle.givens[:cell], None, *puzzle.givens[cell + 1 :])
            assert given is None or not is_unique(Puzzle(shape, fewer))
