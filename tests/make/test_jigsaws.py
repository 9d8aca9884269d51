"""Random regions of a jigsaw."""

from __future__ import annotations

import pytest

from sudoku_models import Shape
from sudoku_models.make import jigsaw


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
