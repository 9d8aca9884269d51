"""Wilcoxon's test and Holm's correction, by hand."""

from __future__ import annotations

import math

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


def test_holm_by_hand() -> None:
    """0.01 * 3; 0.02 * 2 = 0.04; 0.03 * 1 = 0.03, raised to the 0.04 before it."""
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_keeps_below_one_and_passes_what_could_not_be_tested() -> None:
    found = holm([0.6, math.nan, 0.7])
    assert found[0] == found[2] == 1.0
    assert math.isnan(found[1])
    assert holm([]) == []
