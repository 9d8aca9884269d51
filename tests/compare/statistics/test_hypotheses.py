"""Wilcoxon's test and Holm's correction, by hand."""

from __future__ import annotations

import math
from itertools import compress, product

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


@pytest.mark.parametrize("equal", [False, True])
def test_few_differences_are_tested_exactly_by_every_choice_of_signs(equal: bool) -> None:
    """The sizes have ranks, or mean ranks; of all 2^n sums of the positive ranks those as far from the middle count."""
    sizes = [1, 1, 1, 2, 2, 3, 5, 4, 4] if equal else list(range(1, 10))
    ranks = [sum(other < size for other in sizes) + (1 + sizes.count(size)) / 2 for size in sizes]
    sums = [sum(compress(ranks, signs)) for signs in product((0, 1), repeat=len(sizes))]
    for negative in ({1}, {0, 3, 4}, {2, 6, 8}):
        positive = sum(rank for i, rank in enumerate(ranks) if i not in negative)
        far = abs(positive - sum(ranks) / 2)
        expected = sum(abs(total - sum(ranks) / 2) >= far for total in sums) / len(sums)
        given = [-size if i in negative else size for i, size in enumerate(sizes)]
        assert wilcoxon(given) == pytest.approx(expected)


@pytest.mark.parametrize("rounded", [1, 9])
def test_many_differences_take_the_normal_distribution(rounded: int) -> None:
    drawn = np.round(np.random.default_rng(0).normal(0.1, 1.0, 900), rounded)
    drawn = drawn[drawn != 0]
    ranks = np.array([(np.abs(drawn) < size).sum() + (1 + (np.abs(drawn) == size).sum()) / 2 for size in np.abs(drawn)])
    far = abs(ranks[drawn > 0].sum() - ranks.sum() / 2) / math.sqrt((ranks**2).sum() / 4)
    assert wilcoxon(drawn) == pytest.approx(math.erfc(far / math.sqrt(2)), rel=1e-6)


def test_holm_by_hand() -> None:
    """0.01 * 3; 0.02 * 2 = 0.04; 0.03 * 1 = 0.03, raised to the 0.04 before it."""
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_keeps_below_one_and_passes_what_could_not_be_tested() -> None:
    found = holm([0.6, math.nan, 0.7])
    assert found[0] == found[2] == 1.0
    assert math.isnan(found[1])
    assert holm([]) == []
