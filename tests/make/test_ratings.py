"""Puzzles of a rating, and with techniques that occur."""

from __future__ import annotations

import pytest

from sudoku_models import Shape
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


def test_what_cannot_be_had_is_said() -> None:
    made = generate(1, rating=12.0, tries=128, seed=1)
    assert not made.complete and 128 <= made.tried < 256


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"techniques": ("x-wings",)}, "did you mean X-wing?"),
        ({"rating": (5.0, 3.0)}, "the lower one first"),
        ({"rating": "hard"}, "a number is expected, or two of them"),
        ({"level": ("1.1",)}, "a level is expected, or two such as"),
        ({"rating": (99, 100)}, "the SE-like scale goes from 1.0 to 12.1"),
        ({"rating": (0.1, 0.9)}, "the SE-like scale goes from 1.0 to 12.1"),
        ({"level": ("1.5", "1.8")}, "the levels are 1.0, 1.1, 1.2, 1.3, 1.all, 2.2"),
        ({"rating": 3.0, "shape": Shape.square(6)}, "classic 9 x 9"),
    ],
)
def test_a_wrong_wish_is_answered(wishes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        generate(1, **wishes)  # type: ignore[arg-type]


def test_a_very_hard_puzzle_is_in_its_band() -> None:
    made = generate(1, rating=(9.3, 9.9), seed=4)
    assert made.complete and made.tried > 1024 // 16
    assert 93 <= rate_arrays(made.values, "se").values[0] <= 99
    assert (solve_arrays(made.values).count == 1).all()
    assert (solve_arrays(made.values).values == made.solutions).all()
