"""The pace of the machine, by which bounds of CPU time are measured."""

from __future__ import annotations

import time
from functools import cache

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
