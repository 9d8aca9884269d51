"""The oracle that counts boards: numbers that are known, and the backends where they can enumerate."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models import Puzzle, Shape, count
from sudoku_models.testing.examples import solved
from tests.testing.counting import filled_boards


@pytest.mark.parametrize(
    ("side", "box", "known"),
    [
        (1, None, 1),
        (4, (2, 2), 288),
        (6, (2, 3), 28_200_960),
        (6, (3, 2), 28_200_960),
        (4, None, 576),
        (5, None, 161_280),
        (6, None, 812_851_200),
        (7, None, 61_479_419_904_000),
    ],
)
def test_known_numbers_of_boards(side: int, box: tuple[int, int] | None, known: int) -> None:
    assert filled_boards(side, box) == known


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("side", "box", "clues"), [(4, (2, 2), 3), (4, None, 3), (5, None, 8), (6, (2, 3), 13)])
def test_as_many_boards_with_givens_as_a_backend_enumerates(
    side: int, box: tuple[int, int] | None, clues: int, seed: int
) -> None:
    rng = Random(seed)
    height, width = box or (1, side)
    grid = solved(rng, height, width)
    kept = dict.fromkeys(rng.sample(range(side * side), clues))
    givens = {divmod(cell, side): grid[cell] for cell in kept}
    if seed % 4 == 3:  # the values of two of the givens are swapped: fewer boards, often none
        one, other = rng.sample(sorted(givens), 2)
        givens |= {one: givens[other], other: givens[one]}
    shape = Shape.square(side, box) if box else Shape.latin(side)
    puzzle = Puzzle(shape, tuple(givens.get(divmod(cell, side)) for cell in range(side * side)))
    found = count(puzzle, limit=None)
    assert found.exact
    assert filled_boards(side, box, givens) == found.value


def test_givens_settle_a_number_too_large_to_enumerate() -> None:
    # the first row is fixed, and so is the value below its first cell: by symmetry the numbers are known fractions
    row = {(0, c): c + 1 for c in range(6)}
    assert filled_boards(6, (2, 3), row) == 28_200_960 // 720
    assert filled_boards(6, (2, 3), row | {(1, 0): 4}) == 28_200_960 // 720 // 3
    assert filled_boards(6, None, {(r, 0): r + 1 for r in range(6)}) == 812_851_200 // 720


def test_boxes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="boxes of 2x2 cells do not hold the 6 values once each"):
        filled_boards(6, (2, 2))
