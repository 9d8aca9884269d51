"""Wishes about how hard a puzzle is: a band of levels on the uniform ladder of ``rate``."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..explain.ladder import ALL, INNER_ROUNDS, NUMBERS, ROUNDS, STRONG_ROUNDS, Level, level_text
from ..explain.rating import rate
from ..puzzle import Puzzle

Accept = Callable[[Puzzle], bool]
LEVELS: tuple[Level, ...] = tuple(
    (kind, number)
    for kind, numbers in enumerate((NUMBERS, ROUNDS, STRONG_ROUNDS, INNER_ROUNDS), 1)
    for number in numbers
)
"""All levels, from the lowest to the highest."""


def level_of(text: str) -> Level:
    """Read a level: 1.2, 1.all, 2.4; ValueError for anything else."""
    kind, _, number = text.partition(".")
    names = {"all": ALL, "any": 1000}
    if not (kind.isdecimal() and 1 <= int(kind) <= 4 and (number.isdecimal() or number in names)):
        raise ValueError(f"the level {text!r}: one such as 1.0, 1.2, 1.all, 2.3 or 4.2 is expected")
    return int(kind), names[number] if number in names else int(number)


def in_band(
    levels: str | tuple[str, ...] | None, accept: Accept | None, deadline: float | None = None
) -> Accept | None:
    """Return a condition: the puzzle's level lies from the first to the second one, and it is accepted otherwise.

    No more work is done than to tell that a puzzle takes a higher level: the answer is that of any machine, unless the
    ``deadline`` (of ``time.monotonic``) comes first. ValueError for what are no levels, and where none lies in between.
    """
    if levels is None:
        return accept
    levels = (levels, levels) if isinstance(levels, str) else levels
    if len(levels) != 2:
        raise ValueError(f"level={levels}: a level is expected, or two such as ('1.2', '2.3'), the lower one first")
    low, high = map(level_of, levels)
    if low > high:
        raise ValueError(f"the levels {levels[0]} to {levels[1]}: the lower one first is expected")
    if not any(low <= level <= high for level in LEVELS):
        known = ", ".join(map(level_text, LEVELS))
        raise ValueError(f"no puzzle has a level from {levels[0]} to {levels[1]}: the levels are {known}")

    def fits(puzzle: Puzzle) -> bool:
        """Tell whether a puzzle is as wanted."""
        if accept is not None and not accept(puzzle):
            return False
        found = rate(puzzle, highest=high, time_limit=seconds_to(deadline))
        return found.exact and low <= found.level <= high

    return fits


def seconds_to(deadline: float | None) -> float | None:
    """Return the time that is left, 0 where there is none; None without a deadline (of ``time.monotonic``)."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())
