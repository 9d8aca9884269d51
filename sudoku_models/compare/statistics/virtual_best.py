"""The virtual best solver: an oracle that runs, on each instance, the backend that is best there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .matrix import Matrix

TIE = 0.05
"""Two times that differ by less than this share of the smaller are a tie."""

Bools = NDArray[np.bool_]


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
    """The oracle's figures over the instances of a matrix, and each backend's share in it, by name."""

    solved: int
    par2: float
    shares: dict[str, VirtualBestShare]


def virtual_best(matrix: Matrix) -> VirtualBest:
    """Return the virtual best of a matrix's backends over its instances; NaN if PAR2 needs a limit and there is
    none.
    """
    names = range(len(matrix.backends))
    par2 = _mean(_lowest(matrix.par2))
    answers = matrix.answered
    firsts = first_ones(matrix)
    shares = {}
    for i in names:
        others = [j for j in names if j != i]
        alone = answers[i] & ~answers[others].any(axis=0)
        without = _mean(_lowest(matrix.par2[others])) if others else np.nan
        ties = firsts[i] & firsts[others].any(axis=0)
        own = _mean(matrix.par2[i])
        counts = (int(alone.sum()), int(firsts[i].sum()), int(ties.sum()))
        shares[matrix.backends[i]] = VirtualBestShare(own / par2 if par2 else np.nan, without - par2, *counts)
    return VirtualBest(int(answers.any(axis=0).sum()), par2, shares)


def first_ones(matrix: Matrix) -> Bools:
    """Return, for each backend and instance, whether it is the fastest there or within the tolerance."""
    times = np.where(matrix.answered, matrix.median, np.inf)
    least = times.min(axis=0, initial=np.inf)
    found: Bools = matrix.answered & (times <= least * (1 + TIE))
    return found


def _lowest(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values.min(axis=0) if len(values) else np.empty(0)


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else np.nan
