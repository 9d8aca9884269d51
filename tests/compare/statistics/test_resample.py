"""The bootstrap over instances."""

from __future__ import annotations

import numpy as np
import pytest

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


def test_two_values_are_drawn_as_often_as_a_coin_falls() -> None:
    """Of two instances the resample is (1, 1), (2, 2) or one of each with 1/4, 1/4, 1/2."""
    means = Resampling(2, resamples=4000).means(np.array([[0.0, 1.0]]))[:, 0]
    assert set(means) == {0.0, 0.5, 1.0}
    assert (means == 0.5).mean() == pytest.approx(0.5, abs=0.03)


def test_the_interval_is_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(3).exponential(size=60)
    ours = Resampling(60, resamples=20000).interval(values)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20000, method="percentile", rng=0).confidence_interval
    assert ours.low == pytest.approx(theirs.low, rel=0.01)
    assert ours.high == pytest.approx(theirs.high, rel=0.01)


def test_many_instances_are_drawn_in_pieces_that_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=(2, 50))
    whole = Resampling(50, resamples=100).means(values)
    monkeypatch.setattr("sudoku_models.compare.statistics.uncertainty.CHUNK", 350)
    assert np.allclose(Resampling(50, resamples=100).means(values), whole)


def test_a_monotone_function_keeps_the_bounds_in_order() -> None:
    assert Interval(2.0, 1.0, 4.0).mapped(np.reciprocal) == Interval(0.5, 0.25, 1.0)
    assert Interval(2.0, 1.5, 3.0).excludes(1.0)
    assert not Interval(2.0, 0.5, 3.0).excludes(1.0)
