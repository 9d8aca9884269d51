"""CPU time in the pace of the machine: what other programs do, and how fast the machine is, do not count."""

from __future__ import annotations

import time
from functools import cache

from sudoku_models.testing.processes import cpu_time

ORDINARY = 0.02
"""CPU seconds that an ordinary machine takes for the piece of work that measures the pace."""


@cache
def pace() -> float:
    """Return how many times slower than an ordinary machine this one is, at least 1, by its CPU time."""
    return max(1.0, min(_piece_of_work() for _ in range(5)) / ORDINARY)


def _piece_of_work() -> float:
    before, total = time.thread_time(), 0
    for number in range(300_000):
        total += number % 7
    return time.thread_time() - before


class PaceMeter:
    """Measures the CPU seconds of this process and its children, divided by the machine's pace.

    Other programs, and the speed of the machine, do not count: a verdict may depend on it.
    """

    def __init__(self) -> None:
        self._began = cpu_time()

    def spent(self) -> float:
        """Return the seconds since the meter was made."""
        return (cpu_time() - self._began) / pace()
