"""All figures of a comparison, from its rows."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...verbs.agreement import Verdict
from ..rows import Row, needed
from ..summary import Figures, figures_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SHIFT = 0.001
"""Seconds that the shifted geometric mean adds to each time: much shorter times hardly count."""

TIE = 0.05
"""Two times that differ by less than this share of the smaller are a tie."""

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


def resampled_means(values: Floats, seed: int = 0) -> Floats:
    """Return means over instances that are drawn anew many times, [resamples, lines], of ``values`` [lines, n].

    They show how much a figure would change had other instances been drawn (Efron 1979). The draws are the same for
    every line (paired); only ``seed`` determines them. NaN entries are left out: a resample in which a line has no
    entry at all gives NaN.
    """
    if values.shape[1] < 2 or not len(values):
        return np.repeat(values.T, RESAMPLES, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of means of nothing
        drawn = needed("scipy.stats", "data").bootstrap(
            (values,),
            np.nanmean,
            axis=-1,
            n_resamples=RESAMPLES,
            batch=max(1, CHUNK // values.size),
            method="percentile",
            rng=np.random.default_rng(seed),
        )
    found: Floats = drawn.bootstrap_distribution.T
    return found


def intervals(values: Floats, seed: int = 0) -> list[Interval]:
    """Return the mean of every line of ``values`` [lines, n], without NaN entries, with its percentile interval."""
    return _intervals(values, resampled_means(values, seed))


def _intervals(values: Floats, resampled: Floats) -> list[Interval]:
    found = []
    for line, drawn in zip(values, resampled.T, strict=True):
        known, kept = line[~np.isnan(line)], drawn[~np.isnan(drawn)]
        if len(known) and len(kept):
            with np.errstate(invalid="ignore"):  # between infinite means
                bounds = np.quantile(kept, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
            found.append(Interval(float(known.mean()), *map(float, bounds)))
        else:
            found.append(Interval(nan, nan, nan))
    return found


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


@dataclass(frozen=True)
class Matrix:
    """Wall seconds, one line for each backend, one column for each instance (by SHA-256, in the order of the rows).

    ``median`` is the median of an instance's runs: infinite if it falls among runs without an answer, NaN if there was
    no run. ``par2`` is the mean of its runs, with twice the limit for one without an answer: NaN if there was no run,
    or no limit to double. ``censored`` is the median with the limit in place of infinity: a lower bound.
    """

    backends: tuple[str, ...]
    instances: tuple[str, ...]
    limit: float | None
    median: Floats
    par2: Floats

    @classmethod
    def of(cls, rows: Iterable[Row], backends: Sequence[str] | None = None, *, over_all: bool = True) -> Matrix:
        """Combine rows; ``backends`` selects and orders the lines (by default all of the rows, sorted).

        A puzzle that a backend does not take is a run without an answer, or no run unless ``over_all``. Raises
        ValueError if the rows have different time limits, since they cannot be compared.
        """
        given = tuple(rows)
        limits = sorted({row.time_limit for row in given}, key=lambda limit: limit or 0)
        if len(limits) > 1:
            listed = " and ".join(map(limit_words, limits))
            raise ValueError(f"the runs have different time limits ({listed}): their times cannot be compared")
        limit = limits[0] if limits else None
        names = tuple(sorted({row.backend for row in given}) if backends is None else backends)
        shas = tuple(dict.fromkeys(row.sha256 for row in given))
        lost = inf if limit is None else 2 * limit
        runs = [
            (row.backend, row.sha256, *((row.wall, row.wall) if row.verdict.settled else (inf, lost)))
            for row in given
            if over_all or row.verdict is not Verdict.UNSUPPORTED
        ]
        table = needed("pandas", "data").DataFrame(runs, columns=["backend", "sha", "time", "par2"])
        cells = table.groupby(["sha", "backend"], sort=False)

        def lines(values: Any) -> Floats:
            found: Floats = values.unstack().reindex(index=shas, columns=names).to_numpy(np.float64).T
            return found

        par2 = lines(cells["par2"].mean())
        return cls(names, shas, limit, lines(cells["time"].median()), np.where(np.isinf(par2), nan, par2))

    @property
    def censored(self) -> Floats:
        """The median, with the limit for a missing answer (NaN without one)."""
        return np.where(np.isinf(self.median), nan if self.limit is None else self.limit, self.median)

    @property
    def answered(self) -> Bools:
        """Whether the median run gave an answer."""
        return np.isfinite(self.median)

    def common(self) -> Matrix:
        """Return the instances that every backend has run; none without any backend."""
        return self.part(np.asarray(~np.isnan(self.median).any(axis=0) & bool(self.backends)))

    def part(self, mask: Bools) -> Matrix:
        chosen = tuple(sha for sha, keep in zip(self.instances, mask, strict=True) if keep)
        return Matrix(self.backends, chosen, self.limit, self.median[:, mask], self.par2[:, mask])

    def of_backends(self, names: Sequence[str]) -> Matrix:
        """Return the matrix of some backends, in that order."""
        lines = [self.backends.index(name) for name in names]
        return Matrix(tuple(names), self.instances, self.limit, self.median[lines], self.par2[lines])


def limit_words(limit: float | None) -> str:
    return "none" if limit is None else f"{limit:g} s"


def wrong_backends(rows: Iterable[Row]) -> frozenset[str]:
    """Return the backends that gave a wrong answer."""
    return frozenset(row.backend for row in rows if row.verdict is Verdict.WRONG)


@dataclass(frozen=True, kw_only=True)
class Standing(Figures):
    """The results of one backend, over the instances of the study. Times are wall seconds.

    ``score`` (PAR2) and ``shifted`` (the shifted geometric mean, with the limit for runs without an answer) are means
    over instances, with intervals from the bootstrap; NaN if a run gave no answer and there is no limit. ``first`` is
    the share of resamples in which its PAR2 is the lowest. ``sizes`` are medians over the runs that report them,
    ``memory`` the median and the greatest peak in bytes, None if no run reported it. A backend that is not ``ranked``
    has a wrong answer, or takes none of the puzzles.
    """

    ranked: bool
    score: Interval
    shifted: Interval
    first: float
    sizes: dict[str, float]
    memory: tuple[int, int] | None


@dataclass(frozen=True)
class VirtualBestShare:
    """The relation of one backend to the virtual best solver.

    ``gap`` is the backend's PAR2 divided by the virtual best's. ``contribution`` is the number of seconds per instance
    by which the virtual best's PAR2 would grow without the backend, ``alone`` the number of instances that no other
    backend answers. ``fastest`` counts the instances on which it is the fastest or tied with it, ``ties`` those that it
    shares.
    """

    gap: float
    contribution: float
    alone: int
    fastest: int
    ties: int


@dataclass(frozen=True)
class VirtualBest:
    """The oracle that runs, on each instance, the backend that is best there; each backend's share in it, by name."""

    solved: int
    par2: float
    shares: dict[str, VirtualBestShare]


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


@dataclass(frozen=True)
class Study:
    """The figures of all backends: ``standings`` best first (most answers, then PAR2), those not ranked last.

    ``instances`` is the number of instances on which the figures are based: those that every ranked backend has run.
    ``left_out`` were not run, or not taken, by all of them. ``matrix`` has the times of the ranked backends on the
    instances, in the order of the standings. With ``over_all`` a puzzle that a backend does not take is a run without
    an answer.
    """

    standings: tuple[Standing, ...]
    matrix: Matrix
    best: VirtualBest
    pairs: tuple[BackendPair, ...]
    wrong: tuple[Row, ...]
    rows: tuple[Row, ...]
    left_out: int
    over_all: bool = False

    @property
    def instances(self) -> int:
        return len(self.matrix.instances)

    @property
    def ranked(self) -> tuple[Standing, ...]:
        """The ranked backends, best first."""
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


def study_of(rows: Iterable[Row], *, seed: int = 0, over_all: bool = False) -> Study:
    """Compute all figures; ``seed`` determines the draws of the bootstrap.

    Figures are based on the puzzles that every backend takes, or on all with ``over_all``. Raises ValueError if there
    are no rows, or rows with different time limits; ImportError, with the command that installs it, if pandas or scipy
    is missing.
    """
    given = tuple(rows)
    if not given:
        raise ValueError("there are no runs to report on")
    wrong = wrong_backends(given)
    everything = Matrix.of(given, over_all=over_all)
    taken = np.asarray(~np.isnan(everything.median).all(axis=1))
    names = [name for name, some in zip(everything.backends, taken, strict=True) if some and name not in wrong]
    matrix = everything.of_backends(names).common()
    standings = _standings(given, matrix, everything.backends, seed)
    matrix = matrix.of_backends([standing.backend for standing in standings if standing.ranked])
    return Study(
        standings,
        matrix,
        virtual_best(matrix),
        pairs(matrix, seed),
        tuple(row for row in given if row.verdict is Verdict.WRONG),
        given,
        len(everything.instances) - len(matrix.instances),
        over_all,
    )


def _standings(rows: Sequence[Row], matrix: Matrix, names: Sequence[str], seed: int) -> tuple[Standing, ...]:
    """Return the standings in order; those of backends that are not ranked are over all their runs."""
    par2 = _whole(matrix.par2)
    drawn = resampled_means(par2, seed)
    logs = intervals(_whole(np.log(matrix.censored + SHIFT)), seed)
    shifted = [Interval(*(value - SHIFT for value in interval.mapped(np.exp))) for interval in logs]
    compared = zip(_intervals(par2, drawn), shifted, _firsts(drawn), strict=True)
    ranked = dict(zip(matrix.backends, compared, strict=True))
    unknown, chosen = (Interval(nan, nan, nan), Interval(nan, nan, nan), 0.0), set(matrix.instances)
    found = []
    for name in names:
        own = [row for row in rows if row.backend == name and (name not in ranked or row.sha256 in chosen)]
        taken = own if name in ranked else [row for row in own if row.verdict is not Verdict.UNSUPPORTED]
        score, mean, first = ranked.get(name, unknown)
        memory = [row.memory for row in own if row.memory is not None]
        met = dict.fromkeys(size for row in own for size in row.sizes)
        standing = Standing(
            **vars(figures_of(name, own, taken)),
            ranked=name in ranked,
            score=score,
            shifted=mean,
            first=first,
            sizes={size: float(np.median([row.sizes[size] for row in own if size in row.sizes])) for size in met},
            memory=(int(np.median(memory)), max(memory)) if memory else None,
        )
        found.append(standing)
    return tuple(sorted(found, key=_rank))


def _whole(values: Floats) -> Floats:
    """Make lines that lack an entry lack all entries: a mean without the hardest instances would flatter."""
    return np.where(np.isnan(values).any(axis=1, keepdims=True), nan, values)


def _firsts(means: Floats) -> list[float]:
    """Return the share of resamples in which each line's mean is the lowest; equal means share a resample."""
    if not means.size:
        return [nan] * means.shape[1]
    known = np.where(np.isnan(means), inf, means)
    least = np.isfinite(known) & (known == known.min(axis=1, keepdims=True))
    shares: Floats = least / np.maximum(least.sum(axis=1, keepdims=True), 1)
    return list(map(float, shares.mean(axis=0)))


def _rank(standing: Standing) -> tuple[bool, float, float, str]:
    par2 = standing.score.value
    share = standing.solved / standing.runs if standing.runs else 0.0
    return not standing.ranked, -share, inf if np.isnan(par2) else par2, standing.backend


def virtual_best(matrix: Matrix) -> VirtualBest:
    """Return the virtual best of a matrix's backends over its instances; NaN if PAR2 needs a limit and there is
    none.
    """
    answers, names = matrix.answered, range(len(matrix.backends))
    times = np.where(answers, matrix.median, inf)
    firsts = answers & (times <= times.min(axis=0, initial=inf) * (1 + TIE))
    par2 = _best(matrix.par2)
    shares = {}
    for i in names:
        others = [j for j in names if j != i]
        own, without = _best(matrix.par2[[i]]), _best(matrix.par2[others])
        alone = answers[i] & ~answers[others].any(axis=0)
        ties = firsts[i] & firsts[others].any(axis=0)
        counts = (int(alone.sum()), int(firsts[i].sum()), int(ties.sum()))
        shares[matrix.backends[i]] = VirtualBestShare(own / par2 if par2 else nan, without - par2, *counts)
    return VirtualBest(int(answers.any(axis=0).sum()), par2, shares)


def _best(par2: Floats) -> float:
    """Return the mean of the lowest value of each instance; NaN if there is none."""
    return float(par2.min(axis=0).mean()) if par2.size else nan


def pairs(matrix: Matrix, seed: int = 0) -> tuple[BackendPair, ...]:
    """Compare every pair of backends in a matrix, with p-values corrected for the number of pairs."""
    return corrected([pair_of(matrix.of_backends(two), seed) for two in combinations(matrix.backends, 2)])


def corrected(found: Sequence[BackendPair]) -> tuple[BackendPair, ...]:
    """Fill in Holm's correction."""
    values = holm([pair.p for pair in found])
    return tuple(replace(pair, corrected=value) for pair, value in zip(found, values, strict=True))


def pair_of(matrix: Matrix, seed: int = 0) -> BackendPair:
    """Compare the two lines of a matrix; Holm's correction is for the caller to fill in."""
    answered = matrix.answered
    ran = np.asarray(~np.isnan(matrix.median).any(axis=0))
    one = np.asarray(answered.any(axis=0) & ran)
    logs = log_ratios(matrix)
    p = nan if np.isnan(logs).all() else wilcoxon(logs)
    times = np.where(answered, matrix.median, inf)[:, one]  # a missing answer is slower than any time
    faster, slower = times[0] * (1 + TIE) < times[1], times[1] * (1 + TIE) < times[0]
    masks = faster, ~faster & ~slower, slower, ran & ~one, one & ~answered.all(axis=0)
    more, ties, less, neither, censored = (int(mask.sum()) for mask in masks)
    first, second = matrix.backends
    speedup = intervals(logs[np.newaxis], seed)[0].mapped(np.exp)
    return BackendPair(first, second, speedup, more, ties, less, neither, censored, p, p)


def log_ratios(matrix: Matrix) -> Floats:
    """Return the logarithms of the second line's times over the first's, NaN if neither gave an answer."""
    one = matrix.answered.any(axis=0) & ~np.isnan(matrix.median).any(axis=0)
    logs: Floats = np.where(one, np.log(matrix.censored[1]) - np.log(matrix.censored[0]), nan)
    return logs
