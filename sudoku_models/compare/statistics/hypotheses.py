"""Hypothesis tests: Wilcoxon's signed ranks, and Holm's correction for many of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EXACT = 500
"""Up to this number of differences the null distribution is exact; beyond it the normal one is close enough."""


def wilcoxon(differences: Sequence[float] | Floats) -> float:
    """Return the two-sided p-value for differences symmetric about 0 (Wilcoxon 1945); NaN entries are left out.

    Zeros are dropped, equal sizes share the mean of their ranks. The null distribution is exact, ties included: every
    set of signs is equally likely, and the doubled ranks are integers whose sums can be counted.
    Infinite differences are the largest of all. 1.0 if there are no differences.
    """
    given = np.asarray(differences, dtype=np.float64)
    given = given[~np.isnan(given) & (given != 0)]
    if not len(given):
        return 1.0
    doubled = _doubled_ranks(np.abs(given))
    positive = int(doubled[given > 0].sum())
    smaller = min(positive, int(doubled.sum()) - positive)
    tail = _exact_tail(doubled, smaller) if len(given) <= EXACT else _normal_tail(doubled, smaller)
    return min(1.0, 2 * tail)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979), in the order given; NaN is kept and not counted."""
    order = sorted((i for i, p in enumerate(p_values) if p == p), key=lambda i: p_values[i])
    corrected = list(p_values)
    least = 0.0
    for place, i in enumerate(order):
        least = max(least, min(1.0, (len(order) - place) * p_values[i]))
        corrected[i] = least
    return corrected


def _doubled_ranks(sizes: Floats) -> NDArray[np.int64]:
    """Return twice the rank of each, with the mean rank for equal ones: first + last rank."""
    ordered = np.sort(sizes)
    first = np.searchsorted(ordered, sizes, side="left") + 1
    last = np.searchsorted(ordered, sizes, side="right")
    return (first + last).astype(np.int64)


def _exact_tail(doubled: NDArray[np.int64], bound: int) -> float:
    """Return the probability that a random half of the ranks sums to ``bound`` (doubled) or less."""
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    for rank in doubled:
        moved = np.zeros_like(chances)
        moved[rank:] = chances[:-rank]
        chances = (chances + moved) / 2
    return float(chances[: bound + 1].sum())


def _normal_tail(doubled: NDArray[np.int64], bound: int) -> float:
    from math import erfc, sqrt

    mean, deviation = doubled.sum() / 2, sqrt(float((doubled.astype(np.float64) ** 2).sum())) / 2
    return erfc((mean - bound - 1) / deviation / sqrt(2)) / 2 if deviation else 0.5
