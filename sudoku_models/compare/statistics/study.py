"""All figures of a comparison, from its rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from ..run_rows import Row
from .backend_pairs import BackendPair, pairs
from .matrix import Matrix, wrong_backends
from .resample import Interval, Resampling
from .standing import Standing, standing_of
from .virtual_best import VirtualBest, virtual_best

SHIFT = 0.001
"""Seconds that the shifted geometric mean adds to each time: much shorter times hardly count."""

NO_INTERVAL = Interval(np.nan, np.nan, np.nan)


@dataclass(frozen=True)
class Study:
    """The figures of all backends: ``standings`` best first (most answers, then PAR2), those with wrong answers last.

    ``instances`` is the number of instances on which the figures are based: those that every ranked backend has run.
    ``left_out`` were not run by all of them. ``matrix`` has the times of the ranked backends on the instances, in the
    order of the standings.
    """

    standings: tuple[Standing, ...]
    matrix: Matrix
    best: VirtualBest
    pairs: tuple[BackendPair, ...]
    wrong: tuple[Row, ...]
    rows: tuple[Row, ...]
    left_out: int
    resampling: Resampling

    @property
    def instances(self) -> int:
        """The number of instances."""
        return len(self.matrix.instances)

    @property
    def ranked(self) -> tuple[Standing, ...]:
        """The backends without a wrong answer, best first."""
        return tuple(standing for standing in self.standings if standing.ranked)

    @property
    def limit(self) -> float | None:
        """The time limit of a run, in seconds."""
        return self.matrix.limit

    def pair(self, first: str, second: str) -> BackendPair:
        """Return how one ranked backend compares with another; KeyError if one is not ranked or both are the same."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.second, pair.first) == (first, second):
                return pair.reversed()
        raise KeyError(f"{first} and {second}: two ranked backends are expected")


def study_of(rows: Iterable[Row], *, seed: int = 0) -> Study:
    """Compute all figures; ``seed`` determines the draws of the bootstrap.

    Raises ValueError if there are no rows, or rows with different time limits.
    """
    given = tuple(rows)
    if not given:
        raise ValueError("there are no runs to report on")
    wrong = wrong_backends(given)
    names = sorted({row.backend for row in given})
    everything = Matrix.of(given, names)
    ranked = everything.of_backends([name for name in names if name not in wrong])
    matrix = ranked.common() if ranked.backends else everything.part(np.zeros(len(everything.instances), dtype=bool))
    resampling = Resampling(len(matrix.instances), seed=seed)
    standings = _standings(given, matrix if ranked.backends else matrix.of_backends([]), names, resampling)
    matrix = matrix.of_backends([standing.backend for standing in standings if standing.ranked])
    left_out = len(everything.instances) - len(matrix.instances)
    found = (row for row in given if row.status == "WRONG")
    pairs_found = pairs(matrix, resampling)
    return Study(standings, matrix, virtual_best(matrix), pairs_found, tuple(found), given, left_out, resampling)


def _standings(
    rows: Sequence[Row], matrix: Matrix, names: Sequence[str], resampling: Resampling
) -> tuple[Standing, ...]:
    par2 = resampling.intervals(_whole(matrix.par2))
    shifted = [_unshifted(interval) for interval in resampling.intervals(_whole(np.log(matrix.censored + SHIFT)))]
    firsts = _firsts(resampling.means(_whole(matrix.par2)))
    chosen = set(matrix.instances)
    found = []
    for name in names:
        if name in matrix.backends:
            i = matrix.backends.index(name)
            own = [row for row in rows if row.backend == name and row.sha256 in chosen]
            found.append(standing_of(name, own, True, par2[i], shifted[i], firsts[i]))
        else:
            own = [row for row in rows if row.backend == name]
            found.append(standing_of(name, own, False, NO_INTERVAL, NO_INTERVAL, 0.0))
    return tuple(sorted(found, key=_rank))


def _whole(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make lines that lack an entry lack all entries: a mean without the hardest instances would flatter."""
    return np.where(np.isnan(values).any(axis=1, keepdims=True), np.nan, values)


def _unshifted(logs: Interval) -> Interval:
    grown = logs.mapped(np.exp)
    return Interval(*(value - SHIFT for value in grown))


def _firsts(means: NDArray[np.float64]) -> list[float]:
    """Return the share of resamples in which each line's mean is the lowest; equal means share a resample."""
    if not means.size:
        return [np.nan] * means.shape[1]
    known = np.where(np.isnan(means), np.inf, means)
    least = np.isfinite(known) & (known == known.min(axis=1, keepdims=True))
    shares = least / np.maximum(least.sum(axis=1, keepdims=True), 1)
    return [float(share) for share in shares.mean(axis=0)]


def _rank(standing: Standing) -> tuple[bool, float, float, str]:
    par2 = standing.par2.value
    share = standing.solved / standing.runs if standing.runs else 0.0
    return not standing.ranked, -share, inf if np.isnan(par2) else par2, standing.backend
