"""Ending a long check by the clock."""

from __future__ import annotations

from collections.abc import Callable

from ..engine.record import Clock
from ..errors import LimitReached


def until(time_limit: float | None) -> Callable[[], None]:
    """Return a function that raises LimitReached once ``time_limit`` seconds from now are over."""
    clock = Clock(time_limit)
    clock.resume()

    def look() -> None:
        if clock.expired:
            raise LimitReached(f"the proof was not gone through within {time_limit} s", None)

    return look
