"""How many clues minimal puzzles have, and how hard they are: over all of them, without the bias of a generator.

Removing clues favours some puzzles over others (the simple method has a mean of 24.4 clues). Here sets of clues are
thinned step by step, and lost sets are replaced by copies. Suppose a population is uniform over all sets of m clues
with one solution, over all grids. Take a random clue from each, and keep those that still have one solution: every set
of m - 1 clues with one solution has 82 - m sets of m clues above it, all with one solution, so that what is left is
uniform again. The share that is kept says how many sets there are at each step; the share from which no clue can go
says how many of them are minimal. (Splitting of rare events: Kahn and Harris 1951. Subsets with known bias: Berthier
2011, who found 25 clues 13.4 %, 26 31.9 %, 27 32.7 %, 28 15.5 %.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb, sqrt

import numpy as np

from ..explain.classic import rate_arrays
from ..puzzle import Shape
from .chance import Array, Stream
from .solution_grids import grids
from .thinning import Uniqueness

START = 40
"""Clues of the random sets at the start, most of which have one solution."""

_QUANTILES = (0.0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23)
"""The 97.5 % quantiles of Student's distribution by its degrees of freedom."""


@dataclass(frozen=True)
class Share:
    """A share of all minimal puzzles, and an interval that contains the true share in 95 of 100 cases."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class MinimalStatistics:
    """What several independent runs say about all minimal 9 x 9 puzzles.

    ``counts`` (runs x 82) estimate how many minimal puzzles with each number of clues a grid has on average.
    ``puzzles`` (uint8, n x 81) are minimal puzzles that were found, ``weights`` (n) how many each represents and
    ``runs`` (n) the run that found it: averages with these weights estimate averages over all minimal puzzles.
    """

    counts: Array
    puzzles: Array
    weights: Array
    runs: Array

    @cached_property
    def shares(self) -> dict[int, Share]:
        """The share of each number of clues."""
        each = self.counts / self.counts.sum(1, keepdims=True)
        whole = self.counts.sum(0) / self.counts.sum()
        return {k: _interval(each[:, k], float(whole[k])) for k in range(82) if whole[k] > 0}

    @property
    def mean(self) -> Share:
        """The mean number of clues."""
        clues = np.arange(82)
        each = (self.counts * clues).sum(1) / self.counts.sum(1)
        return _interval(each, float((self.counts.sum(0) * clues).sum() / self.counts.sum()))

    def average(self, values: Array) -> Share:
        """Estimate the average over all minimal puzzles of a number given for each of ``puzzles`` (n)."""
        number = len(self.counts)
        whole = np.bincount(self.runs, self.weights, number)
        each = np.bincount(self.runs, self.weights * values, number)
        return _interval(each / whole, float(each.sum() / whole.sum()))

    def ratings(self, scale: str = "se") -> dict[str, Share]:
        """Estimate the shares of ratings among all minimal puzzles, the lowest ones first.

        ``scale`` is "se" (SE-like ratings, those from 7.0 to 7.9 as "7") or "level", as ``rate`` has them.
        ``puzzles`` are rated for it, some thousands a second. ValueError for another scale.
        """
        rated = rate_arrays(self.puzzles, scale)
        keys = rated.values // 10 if scale == "se" else rated.values
        texts = [str(key) for key in keys.tolist()] if scale == "se" else rated.texts()
        named = dict(sorted(zip(keys.tolist(), texts, strict=True)))
        return {text: self.average(keys == key) for key, text in named.items()}

    @property
    def puzzles_per_grid(self) -> Share:
        """The average number of minimal puzzles of a grid."""
        return _interval(self.counts.sum(1), float(self.counts.sum(1).mean()))


def _interval(runs: Array, value: float) -> Share:
    n = len(runs)
    if n < 2:
        return Share(value, -np.inf, np.inf)
    quantile = _QUANTILES[n - 1] if n <= len(_QUANTILES) else 1.96 + 2.6 / n
    half = quantile * float(runs.std(ddof=1)) / sqrt(n)
    return Share(value, value - half, value + half)


def minimal_statistics(population: int = 4000, runs: int = 8, *, seed: int = 0, workers: int = 1) -> MinimalStatistics:
    """Estimate how many clues all minimal 9 x 9 puzzles have, from ``runs`` independent populations.

    A population of 4,000 takes some seconds. The same seed gives the same result. ValueError for fewer than 2 runs or
    for fewer than 100 sets in a population.
    """
    if runs < 2 or population < 100:
        raise ValueError(f"{runs} runs of {population} sets: at least 2 runs of at least 100 sets are expected")
    counts, puzzles, weights = np.zeros((runs, 82)), [np.zeros((0, 81), np.uint8)], [np.zeros(0)]
    numbers = [np.zeros(0, np.int64)]
    unique = Uniqueness(Shape.square(9), workers=workers)
    for run in range(runs):
        for clues, sets, minimal in _levels(population, Stream("minimal", seed, run), seed * runs + run, unique):
            counts[run, clues] = sets * len(minimal) / population
            puzzles.append(minimal)
            weights.append(np.full(len(minimal), sets))
            numbers.append(np.full(len(minimal), run))
    return MinimalStatistics(counts, np.concatenate(puzzles), np.concatenate(weights), np.concatenate(numbers))


def _levels(n: int, stream: Stream, seed: int, unique: Uniqueness) -> Iterator[tuple[int, float, Array]]:
    """Yield, for fewer and fewer clues, how many sets with one solution a grid has, and the minimal ones among n."""
    whole = grids(n, seed=seed)
    kept = np.argsort(stream.orders(n, 81), 1) < START
    sets = np.where(kept, whole, 0).astype(np.uint8)
    good = unique(sets)
    number = comb(81, START) * float(good.mean())
    sets = sets[good]
    for clues in range(START, 16, -1):
        sets = _resampled(sets, n, stream)
        fewer, minimal = _thinned(sets, clues, stream, unique)
        yield clues, number, minimal
        if not len(fewer):
            return
        number *= len(fewer) / n * clues / (82 - clues)
        sets = fewer


def _resampled(sets: Array, n: int, stream: Stream) -> Array:
    """Return n sets, each of the given ones equally often up to a difference of one."""
    start = stream.numbers(1)[0]
    copies: Array = sets[((np.arange(n) + start) * len(sets) / n).astype(np.int64) % len(sets)]
    return copies


def _thinned(sets: Array, clues: int, stream: Stream, unique: Uniqueness) -> tuple[Array, Array]:
    """Return the sets that still have one solution without a random clue, and those from which no clue can be
    removed.
    """
    n = len(sets)
    cells = np.nonzero(sets)[1].reshape(n, clues)
    order = np.take_along_axis(cells, stream.orders(n, clues), 1)
    left, fewer = np.arange(n), sets[:0]
    for turn in range(clues):
        trials = sets[left]
        trials[np.arange(len(left)), order[left, turn]] = 0
        good = unique(trials)
        if turn == 0:
            fewer = trials[good]
        left = left[~good]
        if not len(left):
            break
    return fewer, sets[left]
