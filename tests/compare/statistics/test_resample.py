"""The bootstrap over instances."""

from __future__ import annotations

import numpy as np

from sudoku_models.compare.statistics import Interval, Resampling


def test_the_same_seed_gives_the_same_interval_and_another_another() -> None:
    values = np.random.default_rng(0).normal(size=(1, 30))
    one, again, other = (Resampling(30, seed=seed).intervals(values)[0] for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_equal_values_leave_no_doubt() -> None:
    assert Resampling(5).interval(np.full(5, 3.0)) == Interval(3.0, 3.0, 3.0)


def test_lines_are_resampled_together() -> None:
    """A line that is another plus one is so in every resample: the comparison is paired."""
    values = np.random.default_rng(0).normal(size=20)
    means = Resampling(20).means(np.stack([values, values + 1]))
    assert np.allclose(means[:, 1] - means[:, 0], 1.0)


def test_missing_entries_are_left_out_of_the_mean() -> None:
    values = np.array([1.0, np.nan, 3.0, np.nan])
    found = Resampling(4).interval(values)
    assert found.value == 2.0
    assert 1.0 <= found.low <= found.high <= 3.0
    assert np.isnan(Resampling(2).interval(np.array([np.nan, np.nan])).value)


def test_a_monotone_function_keeps_the_bounds_in_order() -> None:
    assert Interval(2.0, 1.0, 4.0).mapped(np.reciprocal) == Interval(0.5, 0.25, 1.0)
    assert Interval(2.0, 1.5, 3.0).excludes(1.0)
    assert not Interval(2.0, 0.5, 3.0).excludes(1.0)
