"""How much the times of one backend vary between two runs of the same work, although nothing has changed.

Two sessions differ in the machine's speed, in what else is running, and in each process's luck with its memory.
Instances cannot show that, but repeats can: see Georges, Buytaert and Eeckhout, "Statistically rigorous Java
performance evaluation" (2007). Without repeats a session still shows how its times drift from its beginning to its end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from ..run_rows import Row
from .resample import LEVEL, Interval
from .virtual_best import TIE

Floats = NDArray[np.float64]

BLOCKS = 8
"""The number of sections of a session whose times are compared with each other if there are no repeats."""

LEAST = 3
"""The fewest instances of a section."""


@dataclass(frozen=True)
class Noise:
    """The possible error of the mean logarithm of the ratios of two runs.

    ``spread`` is its standard deviation from run to run, known with ``freedom`` degrees of freedom (0: not measured).
    ``shift`` is the logarithm of how much faster the machine itself was now than then, by the control work of the rows;
    0 if they do not have it. ``crowd`` is the logarithm of how many times as many processes shared a core then as now.
    ``floor`` is the error that single runs always have. ``repeated`` says that the spread comes from repeats, not from
    the sections of single runs.
    """

    spread: float
    freedom: int
    shift: float
    floor: float
    repeated: bool
    crowd: float = 0.0

    @property
    def measured(self) -> bool:
        """Return whether there were enough runs to measure their spread."""
        return self.freedom > 0

    @property
    def least(self) -> float:
        """The smallest factor that these runs could show."""
        tail = float(np.quantile(np.abs(self._draws(100_000, 0)), LEVEL)) if self.measured else np.inf
        return float(np.exp(tail + self.floor + abs(self.shift) + abs(self.crowd)))

    def interval(self, value: float, drawn: Floats, seed: int) -> tuple[Interval, float]:
        """Return a mean's interval and p-value from its resampled means, including the noise of the runs."""
        known = drawn[~np.isnan(drawn)]
        if not len(known) or not self.measured:
            return Interval(value, -np.inf, np.inf), 1.0
        moved = known + self._draws(len(known), seed)
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(moved, [tail, 1 - tail])
        quicker = self.floor + max(self.shift, 0.0) + max(self.crowd, 0.0)
        slower = self.floor - min(self.shift, 0.0) - min(self.crowd, 0.0)
        sided = np.mean(moved <= quicker) if value > 0 else np.mean(moved >= -slower)
        p = min(1.0, max(2 * float(sided), 1 / len(known)))
        return Interval(value, float(low - quicker), float(high + slower)), p

    def _draws(self, count: int, seed: int) -> Floats:
        return self.spread * np.random.default_rng(seed + 1).standard_t(self.freedom, size=count)


def noise_of(new: Sequence[Row], old: Sequence[Row]) -> Noise:
    """Measure the noise of one backend's two runs on the instances that they share (rows of one backend)."""
    shift, crowd = _control(new, old), _crowd(new, old)
    rounds = [_rounds(new), _rounds(old)]
    freedom = sum(free for _, free, _ in rounds)
    if freedom:
        variance = sum(squares for squares, *_ in rounds) / freedom
        counts = sum(1 / count for *_, count in rounds)
        single = any(count == 1 for *_, count in rounds)
        return Noise(sqrt(variance * counts), freedom, shift, log(1 + TIE) if single else 0.0, True, crowd)
    spread, freedom = _drift(new, old)
    return Noise(spread, freedom, shift, log(1 + TIE), False, crowd)


def _control(new: Iterable[Row], old: Iterable[Row]) -> float:
    """Return the logarithm of the ratio of the control work's times, then to now."""
    now, then = ([log(row.control) for row in rows if row.control] for rows in (new, old))
    return float(np.median(then) - np.median(now)) if now and then else 0.0


def _crowd(new: Iterable[Row], old: Iterable[Row]) -> float:
    """Return the logarithm of the ratio of the processes sharing a core, then to now; at least one each."""
    now, then = ([max(1.0, row.load) for row in rows if row.load is not None] for rows in (new, old))
    return float(log(np.mean(then)) - log(np.mean(now))) if now and then else 0.0


def _rounds(rows: Iterable[Row]) -> tuple[float, int, int]:
    """Return the squared deviations of a run's repeats from their mean, their degrees of freedom, and their number.

    The mean of a repeat is taken over the logarithms for the instances that have an answer in all repeats of a seed.
    """
    seeds: dict[int, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    repeats = set()
    for row in rows:
        repeats.add(row.repeat)
        if row.verdict.settled:
            seeds[row.seed][row.sha256][row.repeat] = log(max(row.wall, 1e-9))
    squares, freedom = 0.0, 0
    for instances in seeds.values():
        whole = [[times[i] for i in sorted(times)] for times in instances.values() if len(times) == len(repeats)]
        if whole and len(repeats) > 1:
            means = np.asarray(whole).mean(axis=0)
            squares += float(((means - means.mean()) ** 2).sum())
            freedom += len(repeats) - 1
    return squares, freedom, max(1, len(repeats) * len(seeds))


def _drift(new: Sequence[Row], old: Sequence[Row]) -> tuple[float, int]:
    """Return how much the sections of a session differ in their ratios to the other session: deviation and freedom.

    The variation of the few instances of a section is subtracted: that is chance, which the resampling covers already.
    A drift below half of that could not be detected, so at least that is assumed.
    """
    then = {(row.sha256, row.seed): row for row in old if row.verdict.settled}
    ratios = [
        log(max(then[row.sha256, row.seed].wall, 1e-9)) - log(max(row.wall, 1e-9))
        for row in sorted(new, key=lambda row: row.position)
        if row.verdict.settled and (row.sha256, row.seed) in then
    ]
    blocks = min(BLOCKS, len(ratios) // LEAST)
    if blocks < 2:
        return 0.0, 0
    parts = np.array_split(np.asarray(ratios), blocks)
    chance = float(np.mean([np.var(part, ddof=1) / len(part) for part in parts]))
    moved = float(np.var([np.mean(part) for part in parts], ddof=1))
    return sqrt(max(moved - chance, chance / 4)), blocks - 1
