"""How certain a figure is: the bootstrap over instances, Wilcoxon's test, Holm's correction."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..extras import needed

Floats = NDArray[np.float64]

RESAMPLES = 2000
LEVEL = 0.95

CHUNK = 4_000_000
"""The most values that are drawn at a time."""

EXACT = 13
"""Up to this number of differences, some of them equal in size, every choice of signs is tried."""


class Interval(NamedTuple):
    """A figure with the bounds that contain it in the given share of resamples."""

    value: float
    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Return whether a value lies outside."""
        return not self.low <= value <= self.high

    def mapped(self, function: np.ufunc) -> Interval:
        """Apply a monotone function to the figure and to both bounds."""
        bounds = sorted((float(function(self.low)), float(function(self.high))))
        return Interval(float(function(self.value)), bounds[0], bounds[1])


@dataclass(frozen=True)
class Resampling:
    """Draws ``n`` instances from ``n``, many times: how much a figure would change had others been drawn (Efron 1979).

    The draws are the same for every backend (paired); only ``seed`` determines them. Intervals are percentile intervals
    at ``level``.
    """

    n: int
    resamples: int = RESAMPLES
    seed: int = 0
    level: float = LEVEL

    def means(self, values: Floats) -> Floats:
        """Return the means of each resample, [resamples, lines], of ``values`` [lines, n]; NaN entries are left out.

        A resample in which a line has no entry at all gives NaN.
        """
        if self.n < 2 or not len(values):
            return np.repeat(values.T, self.resamples, axis=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of means of nothing
            drawn = needed("scipy.stats", "data").bootstrap(
                (values,),
                np.nanmean,
                axis=-1,
                n_resamples=self.resamples,
                batch=max(1, CHUNK // values.size),
                method="percentile",
                rng=np.random.default_rng(self.seed),
            )
        found: Floats = drawn.bootstrap_distribution.T
        return found

    def interval(self, values: Floats) -> Interval:
        """Return the mean of ``values`` [n] with its interval; NaN entries are left out."""
        return self.intervals(values[np.newaxis])[0]

    def intervals(self, values: Floats) -> list[Interval]:
        """Return the mean with its interval of every line of ``values`` [lines, n]."""
        drawn, tail = self.means(values), (1 - self.level) / 2
        return [_interval(line, drawn[:, i], tail) for i, line in enumerate(values)]


def _interval(line: Floats, drawn: Floats, tail: float) -> Interval:
    known, drawn = line[~np.isnan(line)], drawn[~np.isnan(drawn)]
    if not len(known) or not len(drawn):
        return Interval(np.nan, np.nan, np.nan)
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(float(known.mean()), float(low), float(high))


def wilcoxon(differences: Sequence[float] | Floats) -> float:
    """Return the two-sided p-value for differences symmetric about 0 (Wilcoxon 1945); NaN entries are left out.

    Zeros are dropped. The null distribution is exact for few differences, and normal for many. 1.0 if there are no
    differences.
    """
    given = np.asarray(differences, dtype=np.float64)
    given = given[~np.isnan(given) & (given != 0)]
    if not len(given):
        return 1.0
    stats = needed("scipy.stats", "data")
    ties = len(np.unique(np.abs(given))) < len(given)
    every = stats.PermutationMethod(n_resamples=2**EXACT) if ties and len(given) <= EXACT else "auto"
    return float(stats.wilcoxon(given, method=every).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979), in the order given; NaN is kept and not counted."""
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given)[: int((~np.isnan(given)).sum())]
    corrected = np.full(len(given), np.nan)
    raised = np.maximum.accumulate(given[order] * np.arange(len(order), 0, -1))
    corrected[order] = np.minimum(raised, 1.0)
    return [float(value) for value in corrected]
