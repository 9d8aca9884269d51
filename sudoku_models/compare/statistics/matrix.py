"""The times of every backend on every instance, with repeats and seeds combined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, nan
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...verbs.agreement import Verdict
from ..run_rows import Row

Floats = NDArray[np.float64]


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
    def of(cls, rows: Iterable[Row], backends: Sequence[str] | None = None) -> Matrix:
        """Combine rows; ``backends`` selects and orders the lines (by default all of the rows, sorted).

        Raises ValueError if the rows have different time limits, since they cannot be compared.
        """
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            groups.setdefault((row.backend, row.sha256), []).append(row)
        names = tuple(sorted({backend for backend, _ in groups}) if backends is None else backends)
        instances = tuple(dict.fromkeys(sha for _, sha in groups))
        limit = one_limit(row for group in groups.values() for row in group)
        cells = [[groups.get((name, sha), []) for sha in instances] for name in names]
        return cls(names, instances, limit, _filled(cells, _median), _filled(cells, lambda g: _par2(g, limit)))

    @property
    def censored(self) -> Floats:
        """The median, with the limit for a missing answer (NaN without one)."""
        return np.where(np.isinf(self.median), nan if self.limit is None else self.limit, self.median)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Whether the median run gave an answer."""
        return np.isfinite(self.median)

    def common(self) -> Matrix:
        """Return the instances that every backend has run."""
        return self.part(np.asarray(~np.isnan(self.median).any(axis=0)))

    def part(self, mask: NDArray[np.bool_]) -> Matrix:
        """Return the matrix of some instances."""
        chosen = tuple(sha for sha, keep in zip(self.instances, mask, strict=True) if keep)
        return Matrix(self.backends, chosen, self.limit, self.median[:, mask], self.par2[:, mask])

    def of_backends(self, names: Sequence[str]) -> Matrix:
        """Return the matrix of some backends, in that order."""
        lines = [self.backends.index(name) for name in names]
        return Matrix(tuple(names), self.instances, self.limit, self.median[lines], self.par2[lines])


def one_limit(rows: Iterable[Row]) -> float | None:
    """Return the time limit of all rows; ValueError if there are several."""
    limits = {row.time_limit for row in rows}
    if len(limits) > 1:
        listed = " and ".join(
            "none" if limit is None else f"{limit:g} s" for limit in sorted(limits, key=lambda x: x or 0)
        )
        raise ValueError(f"the runs have different time limits ({listed}): their times cannot be compared")
    return next(iter(limits), None)


def penalised(row: Row, limit: float | None) -> float:
    """Return the run's time, or twice the limit without an answer (NaN if there is no limit)."""
    if row.verdict.settled:
        return row.wall
    return nan if limit is None else 2 * limit


def wrong_backends(rows: Iterable[Row]) -> frozenset[str]:
    """Return the backends that gave a wrong answer."""
    return frozenset(row.backend for row in rows if row.verdict is Verdict.WRONG)


def _median(group: Sequence[Row]) -> float:
    """Return the median of some runs; infinite as soon as half of them have no answer."""
    return median(row.wall if row.verdict.settled else inf for row in group) if group else nan


def _par2(group: Sequence[Row], limit: float | None) -> float:
    return sum(penalised(row, limit) for row in group) / len(group) if group else nan


def _filled(cells: Sequence[Sequence[list[Row]]], value: Any) -> Floats:
    width = len(cells[0]) if cells else 0
    found = np.array([[value(group) for group in line] for line in cells], dtype=np.float64)
    return found.reshape(len(cells), width)
