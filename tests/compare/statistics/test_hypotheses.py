"""Wilcoxon's test and Holm's correction, by hand and against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudoku_models.compare.statistics import holm, wilcoxon


def test_by_hand_all_of_three_positive_is_two_of_eight_signs() -> None:
    assert wilcoxon([1.0, 2.0, 3.0]) == pytest.approx(2 / 8)


def test_by_hand_with_a_tie() -> None:
    """Ranks 1.5, 1.5, 3; the sum of the negative ones is 1.5: three of the eight sign patterns reach it or less."""
    assert wilcoxon([1.0, -1.0, 2.0]) == pytest.approx(2 * 3 / 8)


def test_zeros_and_missing_differences_are_dropped() -> None:
    assert wilcoxon([0.0, 1.0, 2.0, math.nan, 3.0, 0.0]) == wilcoxon([1.0, 2.0, 3.0])
    assert wilcoxon([0.0, 0.0]) == 1.0
    assert wilcoxon([]) == 1.0


def test_infinite_differences_are_the_largest() -> None:
    assert wilcoxon([math.inf, -1.0, 2.0, 3.0]) == wilcoxon([9.0, -1.0, 2.0, 3.0])


@pytest.mark.parametrize("n", [5, 12, 40])
def test_without_ties_it_is_the_exact_test_of_scipy(n: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    drawn = np.random.default_rng(n).normal(0.3, 1.0, n)
    assert wilcoxon(drawn) == pytest.approx(stats.wilcoxon(drawn, method="exact").pvalue, rel=1e-9)


def test_with_ties_it_is_the_permutation_test_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    drawn = np.array([1.0, 1.0, -1.0, 2.0, 2.0, 3.0, -2.0, 5.0, 4.0, 4.0])
    every = stats.PermutationMethod(n_resamples=2**12)
    assert wilcoxon(drawn) == pytest.approx(stats.wilcoxon(drawn, method=every).pvalue, rel=1e-9)


def test_many_differences_take_the_normal_distribution_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    drawn = np.round(np.random.default_rng(0).normal(0.1, 1.0, 900), 1)
    drawn = drawn[drawn != 0]
    known = stats.wilcoxon(drawn, method="approx", correction=True).pvalue
    assert wilcoxon(drawn) == pytest.approx(known, rel=1e-6)


def test_exact_and_normal_meet_where_one_gives_way_to_the_other() -> None:
    stats = pytest.importorskip("scipy.stats")
    drawn = np.random.default_rng(1).normal(0.05, 1.0, 480)
    assert wilcoxon(drawn) == pytest.approx(stats.wilcoxon(drawn, method="approx", correction=True).pvalue, rel=0.02)


def test_holm_by_hand() -> None:
    """0.01 * 3; 0.02 * 2 = 0.04; 0.03 * 1 = 0.03, raised to the 0.04 before it."""
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_keeps_below_one_and_passes_what_could_not_be_tested() -> None:
    found = holm([0.6, math.nan, 0.7])
    assert found[0] == found[2] == 1.0
    assert math.isnan(found[1])
    assert holm([]) == []
