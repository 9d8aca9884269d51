"""Boards in arrays: random symmetries and the check of answers."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_models.make import augment, credit_arrays, generate, verify_arrays


def test_several_arrays_get_the_same_symmetry() -> None:
    made = generate(50, seed=1)
    puzzles, solutions = augment(made.values, made.solutions, seed=2)
    assert verify_arrays(puzzles, solutions).all()
    assert (puzzles != made.values).any(1).all()
    assert (augment(made.values, seed=2)[0] == puzzles).all()


def test_a_wrong_answer_is_found() -> None:
    made = generate(4, seed=1)
    wrong = made.solutions.copy()
    wrong[1] = wrong[0]
    wrong[2, 0] = 0
    assert verify_arrays(made.values, wrong).tolist() == [True, False, False, True]


def test_credit_is_the_share_of_the_open_cells() -> None:
    made = generate(1, seed=1)
    answer = made.solutions.copy()
    answer[0, np.flatnonzero(made.values[0] == 0)[0]] = 0
    left = int((made.values[0] == 0).sum())
    assert credit_arrays(made.values, answer, made.solutions).tolist() == [(left - 1) / left]
    assert credit_arrays(made.solutions, answer, made.solutions).tolist() == [1.0]


def test_arrays_of_different_sizes_are_refused() -> None:
    made = generate(3, seed=1)
    with pytest.raises(ValueError, match="as many grids are expected"):
        verify_arrays(made.values, made.solutions[:2])
    with pytest.raises(ValueError, match="equally many"):
        augment(made.values, made.solutions[:2], seed=1)
