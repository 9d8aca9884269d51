"""The difficulty that the collection states is measured, by logic that loses no solution."""

from __future__ import annotations

from random import Random

from benchmarks.collection.measure import MeasuredDifficulty, rate
from sudoku_models.collection import puzzles


def test_the_collection_states_what_is_measured() -> None:
    stated = [item for item in puzzles() if item.difficulty and item.puzzle.shape.height <= 16]
    for item in Random(4).sample(stated, 30):
        expected = MeasuredDifficulty(item.difficulty or "", item.guesses)
        assert rate(item.puzzle, guesses=item.guesses is not None) == expected
    rated = [item for item in stated if item.guesses is not None]
    assert all((item.difficulty == "hard") == (item.guesses > 0) for item in rated if item.guesses is not None)
