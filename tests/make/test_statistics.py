"""How many clues all minimal puzzles have."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_models.bulk import solve_arrays
from sudoku_models.explain.classic import rate_arrays
from sudoku_models.make import minimal_statistics
from sudoku_models.make.statistics import MinimalStatistics
from sudoku_models.make.wishes import level_of


@pytest.fixture(scope="module")
def found() -> MinimalStatistics:
    return minimal_statistics(600, runs=3, seed=1)


def test_the_puzzles_that_were_met_are_minimal(found: MinimalStatistics) -> None:
    few = found.puzzles[:30]
    fewer = [np.where(np.arange(81) == cell, 0, row) for row in few for cell in np.flatnonzero(row)]
    assert (solve_arrays(few).count == 1).all()
    assert (solve_arrays(np.array(fewer, np.uint8)).count == 2).all()


def test_all_minimal_puzzles_have_more_clues_than_those_that_are_met(found: MinimalStatistics) -> None:
    """The plain way has its mean at 24.4 clues, all minimal puzzles at 26.6."""
    assert 25 < found.mean.value < 28
    assert 1e14 < found.puzzles_per_grid.value < 1e17


def test_ratings_are_shared_out_with_the_same_weights(found: MinimalStatistics) -> None:
    levels = found.ratings("level")
    assert np.isclose(sum(share.value for share in levels.values()), 1)
    rated = rate_arrays(found.puzzles, "level").texts()
    plain = sum(w for text, w in zip(rated, found.weights, strict=True) if text == "2.2") / found.weights.sum()
    assert np.isclose(levels["2.2"].value, plain) and levels["2.2"].low < plain < levels["2.2"].high
    assert [*levels] == sorted(levels, key=level_of)
