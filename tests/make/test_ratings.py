"""Puzzles of a rating, and with techniques that occur."""

from __future__ import annotations

from sudoku_models.bulk import solve_arrays
from sudoku_models.explain.classic import rate_arrays
from sudoku_models.make import generate


def test_puzzles_lie_in_the_band() -> None:
    made = generate(3, rating=(8.0, 8.9), seed=1)
    values = rate_arrays(made.values, "se").values
    assert made.complete and ((values >= 80) & (values <= 89)).all()
    assert (generate(3, rating=(8.0, 8.9), seed=1, workers=2).values == made.values).all()


def test_a_technique_occurs() -> None:
    (puzzle,) = generate(1, techniques=("X-wing",), seed=2)
    assert rate_arrays([puzzle.to_line()], "se").values[0] >= 32


def test_a_very_hard_puzzle_is_in_its_band() -> None:
    made = generate(1, rating=(9.3, 9.9), seed=4)
    assert made.complete and made.tried > 1024 // 16
    assert 93 <= rate_arrays(made.values, "se").values[0] <= 99
    assert (solve_arrays(made.values).count == 1).all()
    assert (solve_arrays(made.values).values == made.solutions).all()
