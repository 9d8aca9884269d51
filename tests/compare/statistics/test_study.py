"""Figures of small comparisons, computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudoku_models.compare.statistics import Interval, Matrix, Resampling, Study, holm, study_of, wilcoxon
from sudoku_models.compare.statistics.study import pair_of

from ..made import LIMIT, LOST, row, rows


def study(**times: list[float | None]) -> Study:
    return study_of(rows(**times))


@pytest.mark.parametrize(
    ("walls", "median", "par2", "censored"),
    [([1.0, 2.0, 6.0], 2.0, 3.0, 2.0), ([1.0, LOST, LOST], math.inf, (1 + 20 + 20) / 3, LIMIT)],
)
def test_repeats_are_put_together(walls: list[float | None], median: float, par2: float, censored: float) -> None:
    found = Matrix.of([row("a", 1, wall, repeat=i) for i, wall in enumerate(walls)])
    assert (found.median.tolist(), found.par2.tolist(), found.censored.tolist()) == ([[median]], [[par2]], [[censored]])


def test_what_was_not_run_is_no_number_and_runs_with_different_limits_do_not_compare() -> None:
    found = Matrix.of(rows(a=[1.0, 2.0], b=[1.0]))
    assert np.isnan(found.median[1, 1])
    assert found.common().instances == found.instances[:1]
    with pytest.raises(ValueError, match=r"different time limits \(5 s and 10 s\)"):
        Matrix.of([row("a", 1, 1.0), row("a", 2, 1.0, time_limit=5.0)])
    with pytest.raises(ValueError, match="no runs"):
        study_of([])


class TestStandings:
    def test_the_share_of_resamples_in_which_a_backend_is_first(self) -> None:
        assert [s.first for s in study(a=[1.0] * 8, b=[2.0] * 8).standings] == [1.0, 0.0]
        assert all(0.2 < s.first < 0.8 for s in study(a=[1.0, 2.0] * 20, b=[2.0, 1.01] * 20).standings)
        assert [s.first for s in study(a=[LOST] * 4, b=[LOST] * 4).standings] == [0.5, 0.5]

    def test_phases_are_means_sizes_medians_memory_the_median_and_the_most(self) -> None:
        said = [
            row("a", 1, 1.0, phases={"run": {"wall": 1.0}, "extra": {"wall": 3.0}}, sizes={"clauses": 10}, memory=100),
            row("a", 2, 1.0, phases={"run": {"wall": 2.0}}, sizes={"clauses": 30}, memory=None),
            row("a", 3, 1.0, sizes={"clauses": 20}, memory=300),
        ]
        found = study_of(said).standings[0]
        assert (found.phases, found.sizes, found.memory) == ({"run": 1.5, "extra": 1.5}, {"clauses": 20}, (200, 300))


class TestPairs:
    def test_the_speedup_is_the_geometric_mean_of_the_ratios_and_the_other_way_round_its_inverse(self) -> None:
        pair = study(a=[1.0, 1.0], b=[2.0, 8.0]).pair("a", "b")
        assert pair.speedup.value == pytest.approx(4.0)
        assert 2.0 <= pair.speedup.low <= pair.speedup.high <= 8.0 + 1e-9
        found = study(a=[1.0, 1.0, 5.0], b=[2.0, 8.0, 1.0])
        one, other = found.pair("a", "b"), found.pair("b", "a")
        assert one.speedup.value == pytest.approx(1 / other.speedup.value)
        assert one.speedup.low == pytest.approx(1 / other.speedup.high)
        assert (one.faster, one.ties, one.slower) == (other.slower, other.ties, other.faster) == (2, 0, 1)
        assert one.p == other.p


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([1.0, 2.0, 3.0], 2 / 8),  # all of three positive is two of eight patterns of signs
        ([1.0, -1.0, 2.0], 2 * 3 / 8),  # ranks 1.5, 1.5, 3: three of the eight reach a negative sum of 1.5 or less
        ([0.0, 1.0, 2.0, math.nan, 3.0, 0.0], 2 / 8),
        ([math.inf, -1.0, 2.0, 3.0], 4 / 16),
        ([0.0, 0.0], 1.0),
        ([], 1.0),
    ],
)
def test_wilcoxon_by_hand(differences: list[float], p: float) -> None:
    assert wilcoxon(differences) == pytest.approx(p)


def test_holm_by_hand() -> None:
    """0.01 * 3; 0.02 * 2 = 0.04; 0.03 * 1 = 0.03, raised to the 0.04 before it."""
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.6, math.nan, 0.7]) == pytest.approx([1.0, math.nan, 1.0], nan_ok=True)
    assert holm([]) == []


def test_resampling_is_paired_and_repeats_with_its_seed() -> None:
    values = np.random.default_rng(0).normal(size=20)
    one, again, other = (Resampling(20, seed=seed).interval(values) for seed in (1, 1, 2))
    assert one == again != other
    means = Resampling(20).means(np.stack([values, values + 1]))
    assert np.allclose(means[:, 1] - means[:, 0], 1.0)
    assert Resampling(5).interval(np.full(5, 3.0)) == Interval(3.0, 3.0, 3.0)
    missing = Resampling(4).interval(np.array([1.0, np.nan, 3.0, np.nan]))
    assert missing.value == 2.0 and 1.0 <= missing.low <= missing.high <= 3.0
    assert np.isnan(Resampling(2).interval(np.array([np.nan, np.nan])).value)
    assert Resampling(3).interval(np.full(3, np.inf)).value == np.inf


def test_a_backend_that_never_answers_without_a_limit_is_out_of_the_correction() -> None:
    times = np.array([[np.inf, np.inf, np.inf], [1.0, 2.0, 3.0]])
    assert np.isnan(pair_of(Matrix(("a", "b"), ("x", "y", "z"), None, times, times), Resampling(3)).p)


def test_a_monotone_function_keeps_the_bounds_of_an_interval_in_order() -> None:
    assert Interval(2.0, 1.0, 4.0).mapped(np.reciprocal) == Interval(0.5, 0.25, 1.0)
    assert Interval(2.0, 1.5, 3.0).excludes(1.0)
    assert not Interval(2.0, 0.5, 3.0).excludes(1.0)
