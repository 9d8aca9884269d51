"""What became faster or slower since an earlier run, beyond how much times vary although nothing has changed.

Two sessions differ in the machine's speed, in what else is running, and in each process's luck with its memory.
Instances cannot show that, but repeats can: see Georges, Buytaert and Eeckhout, "Statistically rigorous Java
performance evaluation" (2007). Without repeats a session still shows how its times drift from its beginning to its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np

from ..rows import Row, needed
from .study import (
    LEVEL,
    TIE,
    BackendPair,
    Floats,
    Interval,
    Matrix,
    corrected,
    limit_words,
    log_ratios,
    pair_of,
    resampled_means,
    wrong_backends,
)

OLD, NEW = "old", "new"

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
        if not self.measured:
            return np.inf
        tail = self.spread * needed("scipy.stats", "data").t.ppf((1 + LEVEL) / 2, self.freedom)
        return float(np.exp(tail + self.floor + abs(self.shift) + abs(self.crowd)))

    def interval(self, value: float, drawn: Floats, seed: int) -> tuple[Interval, float]:
        """Return a mean's interval and p-value from its resampled means, including the noise of the runs."""
        known = drawn[~np.isnan(drawn)]
        if not len(known) or not self.measured:
            return Interval(value, -np.inf, np.inf), 1.0
        moved = known + self.spread * np.random.default_rng(seed + 1).standard_t(self.freedom, size=len(known))
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(moved, [tail, 1 - tail])
        quicker = self.floor + max(self.shift, 0.0) + max(self.crowd, 0.0)
        slower = self.floor - min(self.shift, 0.0) - min(self.crowd, 0.0)
        sided = np.mean(moved <= quicker) if value > 0 else np.mean(moved >= -slower)
        p = min(1.0, max(2 * float(sided), 1 / len(known)))
        return Interval(value, float(low - quicker), float(high + slower)), p


def noise_of(new: Sequence[Row], old: Sequence[Row]) -> Noise:
    """Measure the noise of one backend's two runs on the instances that they share (rows of one backend)."""
    control = [[log(row.control) for row in rows if row.control] for rows in (old, new)]
    shift = float(np.median(control[0]) - np.median(control[1])) if all(control) else 0.0
    shared = [[max(1.0, row.load) for row in rows if row.load is not None] for rows in (old, new)]
    crowd = log(np.mean(shared[0])) - log(np.mean(shared[1])) if all(shared) else 0.0
    rounds = [_rounds(new), _rounds(old)]
    freedom = sum(free for _, free, _ in rounds)
    if freedom:
        variance = sum(squares for squares, *_ in rounds) / freedom
        counts = sum(1 / count for *_, count in rounds)
        single = any(count == 1 for *_, count in rounds)
        return Noise(sqrt(variance * counts), freedom, shift, log(1 + TIE) if single else 0.0, True, crowd)
    spread, freedom = _drift(new, old)
    return Noise(spread, freedom, shift, log(1 + TIE), False, crowd)


def _rounds(rows: Sequence[Row]) -> tuple[float, int, int]:
    """Return the squared deviations of a run's repeats from their mean, their degrees of freedom, and their number.

    The mean of a repeat is taken over the logarithms for the instances that have an answer in all repeats of a seed.
    """
    repeats, seeds = {row.repeat for row in rows}, {row.seed for row in rows}
    runs = [(r.seed, r.sha256, r.repeat, log(max(r.wall, 1e-9))) for r in rows if r.verdict.settled]
    table = needed("pandas", "data").DataFrame(runs, columns=["seed", "sha", "repeat", "log"])
    whole = table.pivot_table(index=["seed", "sha"], columns="repeat", values="log").dropna() if runs else table
    if len(repeats) < 2 or whole.shape[1] < len(repeats) or not len(whole):
        return 0.0, 0, max(1, len(repeats) * len(seeds))
    means = whole.groupby("seed").mean()
    squares = float(((len(repeats) - 1) * means.var(axis=1)).sum())
    return squares, len(means) * (len(repeats) - 1), len(repeats) * len(seeds)


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


@dataclass(frozen=True)
class Change:
    """One backend, present against earlier, on the instances (by SHA-256) that both runs share.

    ``pair`` has the present run first: its ``speedup`` is above 1 if the backend became faster; its interval and its
    ``p`` include the ``noise`` of the two runs as well as the choice of the instances. ``gained`` and ``lost`` are the
    instances answered only now, and only then. ``wrong`` says which run has wrong answers: "old", "new", both or none.
    """

    backend: str
    instances: int
    pair: BackendPair
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    wrong: tuple[str, ...]
    noise: Noise

    @property
    def verdict(self) -> str:
        """Return "faster" or "slower" if the interval and the corrected test both exclude chance, otherwise "no clear
        change".
        """
        if NEW in self.wrong:
            return "WRONG"
        if not self.instances:
            return "nothing in common"
        if self.pair.significant and self.pair.speedup.excludes(1.0):
            return "faster" if self.pair.speedup.value > 1 else "slower"
        return "no clear change"


@dataclass(frozen=True)
class Changes:
    """All backends that both runs have, and those that only one has."""

    found: tuple[Change, ...]
    only_new: tuple[str, ...]
    only_old: tuple[str, ...]


def changes(new: Iterable[Row], old: Iterable[Row], *, seed: int = 0) -> Changes:
    """Compare a run with an earlier one, backend by backend; p-values are corrected for the number of backends.

    Raises ValueError if the rows of one run, or of the two, have different time limits, or if a backend was
    asked a different question. A run that loads engines each time (cold) can be compared with one that does not.
    """
    now, then = tuple(new), tuple(old)
    current, earlier = Matrix.of(now, over_all=False), Matrix.of(then, over_all=False)
    if current.limit != earlier.limit:
        limits = f"{limit_words(earlier.limit)} then, {limit_words(current.limit)} now"
        raise ValueError(f"the runs have different time limits ({limits}): their times cannot be compared")
    both = [name for name in current.backends if name in earlier.backends]
    compared = []
    for name in both:
        own_now, own_then = ([row for row in rows if row.backend == name] for rows in (now, then))
        asked, before = ({row.asked for row in rows if row.verdict.settled} for rows in (own_now, own_then))
        if asked and before and asked != before:
            raise ValueError(f"{name} was asked different questions in the two runs: their times cannot be compared")
        line = _joined(current, earlier, name)
        shared = set(line.instances)
        noise = noise_of(*([row for row in rows if row.sha256 in shared] for rows in (own_now, own_then)))
        compared.append((name, line, noise))
    tested = corrected([_noisy(line, noise, seed) for _, line, noise in compared])
    faults = {NEW: wrong_backends(now), OLD: wrong_backends(then)}
    found = []
    for (name, line, noise), pair in zip(compared, tested, strict=True):
        (here, there), shas = line.answered, np.array(line.instances, dtype=object)
        gained, lost = tuple(shas[here & ~there]), tuple(shas[there & ~here])
        wrong = tuple(run for run, backends in faults.items() if name in backends)
        found.append(Change(name, len(shas), pair, gained, lost, wrong, noise))
    only_new = tuple(name for name in current.backends if name not in both)
    return Changes(tuple(found), only_new, tuple(name for name in earlier.backends if name not in both))


def _noisy(line: Matrix, noise: Noise, seed: int) -> BackendPair:
    """Compare the present run with the earlier one, including both the choice of instances and the noise in the
    interval.
    """
    pair = pair_of(line, seed)
    logs = log_ratios(line)[np.newaxis]
    if np.isnan(logs).all():
        return pair
    interval, p = noise.interval(float(np.nanmean(logs)), resampled_means(logs, seed)[:, 0], seed)
    p = max(pair.p, p)
    return replace(pair, speedup=interval.mapped(np.exp), p=p, corrected=p)


def _joined(current: Matrix, earlier: Matrix, name: str) -> Matrix:
    """Return the matrix with the lines new and old of one backend on the instances that both have run."""
    now, then = current.of_backends([name]).common(), earlier.of_backends([name]).common()
    shared = [sha for sha in now.instances if sha in set(then.instances)]
    columns = [[m.instances.index(sha) for sha in shared] for m in (now, then)]
    median = np.stack([now.median[0, columns[0]], then.median[0, columns[1]]])
    par2 = np.stack([now.par2[0, columns[0]], then.par2[0, columns[1]]])
    return Matrix((NEW, OLD), tuple(shared), current.limit, median, par2)
