"""Any two backends, instance by instance: how much faster one is, and how certain that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .hypotheses import holm, wilcoxon
from .matrix import Matrix
from .resample import Interval, Resampling
from .virtual_best import TIE

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BackendPair:
    """How ``first`` compares with ``second`` on the instances that both have run.

    ``speedup`` is the geometric mean of the second's time over the first's (above 1: the first is faster). If one of
    the two gave no answer its time is set to the limit, so that the true ratio is more extreme (``censored`` counts
    these); if neither did there is no ratio (``neither``). ``faster``, ``ties`` and ``slower`` count the others, from
    the first's point of view. ``p`` is Wilcoxon's on the logarithms of the ratios, ``corrected`` Holm's for all pairs.
    """

    first: str
    second: str
    speedup: Interval
    faster: int
    ties: int
    slower: int
    neither: int
    censored: int
    p: float
    corrected: float

    @property
    def significant(self) -> bool:
        """Return whether the difference is significant: at the 5 % level, after correction."""
        return self.corrected < 0.05

    def reversed(self) -> BackendPair:
        """Return the same comparison from the second's point of view."""
        value, low, high = self.speedup
        speedup = Interval(1 / value, 1 / high, 1 / low)
        return replace(
            self, first=self.second, second=self.first, speedup=speedup, faster=self.slower, slower=self.faster
        )


def pairs(matrix: Matrix, resampling: Resampling) -> tuple[BackendPair, ...]:
    """Compare every pair of backends in a matrix, with p-values corrected for the number of pairs."""
    return corrected([_pair(matrix, i, j, resampling) for i, j in combinations(range(len(matrix.backends)), 2)])


def corrected(found: Sequence[BackendPair]) -> tuple[BackendPair, ...]:
    """Fill in Holm's correction."""
    values = holm([pair.p for pair in found])
    return tuple(replace(pair, corrected=value) for pair, value in zip(found, values, strict=True))


def _pair(matrix: Matrix, i: int, j: int, resampling: Resampling) -> BackendPair:
    lines = matrix.of_backends([matrix.backends[i], matrix.backends[j]])
    return pair_of(lines, resampling)


def pair_of(matrix: Matrix, resampling: Resampling) -> BackendPair:
    """Compare the two lines of a matrix; Holm's correction is for the caller to fill in."""
    answered = matrix.answered
    ran = np.asarray(~np.isnan(matrix.median).any(axis=0))
    one = np.asarray(answered.any(axis=0) & ran)
    logs = log_ratios(matrix)
    speedup = resampling.interval(logs).mapped(np.exp)
    p = wilcoxon(logs) if (~np.isnan(logs)).any() else np.nan
    counts = _counts(matrix, one)
    censored = int((one & ~answered.all(axis=0)).sum())
    first, second = matrix.backends
    return BackendPair(first, second, speedup, *counts, int((ran & ~one).sum()), censored, p, p)


def log_ratios(matrix: Matrix) -> Floats:
    """Return the logarithms of the second line's times over the first's, NaN if neither gave an answer."""
    one = matrix.answered.any(axis=0) & ~np.isnan(matrix.median).any(axis=0)
    logs: Floats = np.where(one, np.log(matrix.censored[1]) - np.log(matrix.censored[0]), np.nan)
    return logs


def _counts(matrix: Matrix, one: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Count faster, ties, slower. A missing answer counts as slower than any time."""
    first, second = np.where(matrix.answered, matrix.median, np.inf)[:, one]
    faster, slower = first * (1 + TIE) < second, second * (1 + TIE) < first
    return int(faster.sum()), int((~faster & ~slower).sum()), int(slower.sum())
