"""The bootstrap over instances: how much a figure would change had other instances been drawn (Efron 1979)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RESAMPLES = 2000
LEVEL = 0.95
_CHUNK = 4_000_000


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
    """How often each of ``n`` instances is drawn, in each of many resamples; the same draws for every backend (paired).

    Only ``seed`` determines the draws. Intervals are percentile intervals at ``level``.
    """

    n: int
    resamples: int = RESAMPLES
    seed: int = 0
    level: float = LEVEL

    def means(self, values: Floats) -> Floats:
        """Return the means of each resample, [resamples, lines], of ``values`` [lines, n]; NaN entries are left out.

        A resample in which a line has no entry at all gives NaN.
        """
        known = ~np.isnan(values)
        filled = np.where(known, values, 0.0)
        parts = [_ratio(counts @ filled.T, counts @ known.T) for counts in self._counts()]
        return np.concatenate(parts) if parts else np.empty((0, len(values)))

    def interval(self, values: Floats) -> Interval:
        """Return the mean of ``values`` [n] with its interval; NaN entries are left out."""
        return self.intervals(values[np.newaxis])[0]

    def intervals(self, values: Floats) -> list[Interval]:
        """Return the mean with its interval of every line of ``values`` [lines, n]."""
        drawn = self.means(values)
        return [self._interval(line, drawn[:, i]) for i, line in enumerate(values)]

    def _interval(self, line: Floats, drawn: Floats) -> Interval:
        known, drawn = line[~np.isnan(line)], drawn[~np.isnan(drawn)]
        if not len(known) or not len(drawn):
            return Interval(np.nan, np.nan, np.nan)
        tail = (1 - self.level) / 2
        low, high = np.quantile(drawn, [tail, 1 - tail])
        return Interval(float(known.mean()), float(low), float(high))

    def _counts(self) -> Iterator[Floats]:
        """Yield the counts, [some resamples, n], in blocks that fit into memory."""
        if not self.n:
            return
        source = np.random.default_rng(self.seed)
        step = max(1, _CHUNK // self.n)
        for begin in range(0, self.resamples, step):
            size = min(step, self.resamples - begin)
            yield source.multinomial(self.n, np.full(self.n, 1 / self.n), size=size).astype(np.float64)


def _ratio(sums: Floats, sizes: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = sums / sizes
    return found
