"""One backend's line in the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from ...verbs.agreement import Verdict
from ..run_rows import Row
from ..summary import PHASES, quantile
from .resample import Interval

QUANTILES = (0.25, 0.5, 0.75, 0.9, 0.99, 1.0)


@dataclass(frozen=True)
class Standing:
    """The results of one backend. Times are wall seconds.

    ``quantiles`` are over all runs, with those without an answer slower than all others (infinite). ``par2`` and
    ``shifted`` (the shifted geometric mean, with the limit for runs without an answer) are means over instances, with
    intervals from the bootstrap; NaN if a run gave no answer and there is no limit. ``first`` is the share of resamples
    in which its PAR2 is the lowest. ``phases`` are means over the runs that report them, ``sizes`` medians, ``memory``
    the median and the greatest peak in bytes, None if no run reported it.
    """

    backend: str
    ranked: bool
    runs: int
    statuses: Counter[Verdict]
    quantiles: dict[float, float]
    par2: Interval
    shifted: Interval
    first: float
    cpu: float | None
    phases: dict[str, float]
    sizes: dict[str, float]
    memory: tuple[int, int] | None

    @property
    def solved(self) -> int:
        """The number of runs with an answer, including unsatisfiable."""
        return sum(count for status, count in self.statuses.items() if status.settled)


def standing_of(
    backend: str, rows: Sequence[Row], ranked: bool, par2: Interval, shifted: Interval, first: float
) -> Standing:
    """Return the standing that follows from the rows of one backend, with the figures that depend on the others."""
    times = sorted(row.wall if row.verdict.settled else inf for row in rows)
    cpu = [row.cpu for row in rows if row.cpu is not None]
    memory = [row.memory for row in rows if row.memory is not None]
    return Standing(
        backend,
        ranked,
        len(rows),
        Counter(row.verdict for row in rows),
        {q: quantile(times, q) for q in QUANTILES},
        par2,
        shifted,
        first,
        quantile(sorted(cpu), 0.5) if cpu else None,
        mean_phases(rows),
        median_sizes(rows),
        (int(np.median(memory)), max(memory)) if memory else None,
    )


def mean_phases(rows: Iterable[Row]) -> dict[str, float]:
    """Return the mean wall seconds of each phase over the runs that report phases, in the order of the road."""
    known = [row.phases for row in rows if row.phases]
    names = {name for phases in known for name in phases}
    ordered = [name for name in (*PHASES, *sorted(names - set(PHASES))) if name in names]
    return {name: sum(p[name]["wall"] for p in known if name in p) / len(known) for name in ordered}


def median_sizes(rows: Iterable[Row]) -> dict[str, float]:
    """Return the median of each size that runs report, by name."""
    found: dict[str, list[int]] = {}
    for row in rows:
        for name, size in row.sizes.items():
            found.setdefault(name, []).append(size)
    return {name: float(np.median(sizes)) for name, sizes in sorted(found.items())}
