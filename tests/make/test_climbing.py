"""Very hard puzzles are found by a climb; what is made does not depend on how fast the machine is."""

from __future__ import annotations

from sudoku_models import Puzzle, Shape
from sudoku_models.bulk import solve_arrays
from sudoku_models.explain.classic import rate_arrays
from sudoku_models.make import generate
from sudoku_models.make.chance import Stream
from sudoku_models.make.neighbours import climb
from sudoku_models.make.thinning import Uniqueness

UNIQUE = Uniqueness(Puzzle.empty(Shape.square(9)))


def test_a_climb_yields_harder_and_harder_puzzles_and_the_same_for_the_same_seed() -> None:
    first = generate(64, seed=1).values
    steps = [next(climb(first, Stream("climb", seed), UNIQUE)) for seed in (1, 1, 2)]
    assert (steps[0][0] == steps[1][0]).all() and steps[0][1] == steps[1][1] > 0
    levels = rate_arrays(first, "level").values
    assert rate_arrays(steps[0][0], "level").values.max() >= sorted(levels)[-2]
    assert UNIQUE(steps[0][0]).all()


def test_a_very_hard_puzzle_is_in_its_band() -> None:
    made = generate(1, rating=(9.3, 9.9), seed=4)
    assert made.complete and made.tried > 1024 // 16
    assert 93 <= rate_arrays(made.values, "se").values[0] <= 99
    assert (solve_arrays(made.values).count == 1).all()
    assert (solve_arrays(made.values).values == made.solutions).all()
