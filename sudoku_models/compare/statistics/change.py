"""What became faster or slower since an earlier run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..run_rows import Row
from .backend_pairs import BackendPair, corrected, log_ratios, pair_of
from .matrix import Matrix, wrong_backends
from .noise import Noise, noise_of
from .resample import Resampling

OLD, NEW = "old", "new"


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
    current, earlier = Matrix.of(now), Matrix.of(then)
    if current.limit != earlier.limit:
        raise ValueError(
            f"the runs have different time limits ({_limit(earlier.limit)} then, {_limit(current.limit)} now): "
            "their times cannot be compared"
        )
    both = [name for name in current.backends if name in earlier.backends]
    for name in both:
        asked, earlier_asked = _asked(now, name), _asked(then, name)
        if asked and earlier_asked and asked != earlier_asked:
            raise ValueError(f"{name} was asked different questions in the two runs: their times cannot be compared")
    lines = [_joined(current, earlier, name) for name in both]
    noises = [_noise(now, then, name, line) for name, line in zip(both, lines, strict=True)]
    tested = corrected([_noisy(line, noise, seed) for line, noise in zip(lines, noises, strict=True)])
    faults = {NEW: wrong_backends(now), OLD: wrong_backends(then)}
    parts = zip(both, lines, tested, noises, strict=True)
    found = [_change(name, line, pair, noise, faults) for name, line, pair, noise in parts]
    only_new = tuple(name for name in current.backends if name not in both)
    return Changes(tuple(found), only_new, tuple(name for name in earlier.backends if name not in both))


def _noise(now: Iterable[Row], then: Iterable[Row], name: str, line: Matrix) -> Noise:
    shared = set(line.instances)
    own = ([row for row in rows if row.backend == name and row.sha256 in shared] for rows in (now, then))
    return noise_of(*own)


def _noisy(line: Matrix, noise: Noise, seed: int) -> BackendPair:
    """Compare the present run with the earlier one, including both the choice of instances and the noise in the
    interval.
    """
    resampling = Resampling(len(line.instances), seed=seed)
    pair = pair_of(line, resampling)
    logs = log_ratios(line)[np.newaxis]
    if np.isnan(logs).all():
        return pair
    interval, p = noise.interval(float(np.nanmean(logs)), resampling.means(logs)[:, 0], seed)
    p = max(pair.p, p)
    return replace(pair, speedup=interval.mapped(np.exp), p=p, corrected=p)


def _change(name: str, line: Matrix, pair: BackendPair, noise: Noise, faults: dict[str, frozenset[str]]) -> Change:
    now, then = line.answered
    names = np.array(line.instances, dtype=object)
    wrong = tuple(run for run, backends in faults.items() if name in backends)
    return Change(name, len(line.instances), pair, tuple(names[now & ~then]), tuple(names[then & ~now]), wrong, noise)


def _joined(current: Matrix, earlier: Matrix, name: str) -> Matrix:
    """Return the matrix with the lines new and old of one backend on the instances that both have run."""
    now, then = current.of_backends([name]).common(), earlier.of_backends([name]).common()
    shared = [sha for sha in now.instances if sha in set(then.instances)]
    columns = [[m.instances.index(sha) for sha in shared] for m in (now, then)]
    median = np.stack([now.median[0, columns[0]], then.median[0, columns[1]]])
    par2 = np.stack([now.par2[0, columns[0]], then.par2[0, columns[1]]])
    return Matrix((NEW, OLD), tuple(shared), current.limit, median, par2)


def _asked(rows: Iterable[Row], name: str) -> set[str]:
    """Return the question that a backend was asked when it answered."""
    return {row.asked for row in rows if row.backend == name and row.verdict.settled}


def _limit(limit: float | None) -> str:
    return "none" if limit is None else f"{limit:g} s"
