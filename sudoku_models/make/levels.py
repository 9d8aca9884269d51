"""Options for the difficulty of a puzzle: a band of levels on the uniform ladder of ``rate``."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ..explain.ladder import ALL, INNER_ROUNDS, NUMBERS, ROUNDS, STRONG_ROUNDS, Level, level_text
from ..explain.rating import rate
from ..puzzle import Puzzle
from .misses import LEVEL, Miss, between

Accept = Callable[[Puzzle], bool]
LEVELS: tuple[Level, ...] = tuple(
    (kind, number)
    for kind, numbers in enumerate((NUMBERS, ROUNDS, STRONG_ROUNDS, INNER_ROUNDS), 1)
    for number in numbers
)
"""All levels, from the lowest to the highest."""


def level_of(text: str) -> Level:
    """Parse a level: 1.2, 1.all, 2.4; ValueError for anything else."""
    kind, _, number = text.partition(".")
    names = {"all": ALL, "any": 1000}
    if not (kind.isdecimal() and 1 <= int(kind) <= 4 and (number.isdecimal() or number in names)):
        raise ValueError(f"the level {text!r}: one such as 1.0, 1.2, 1.all, 2.3 or 4.2 is expected")
    return int(kind), names[number] if number in names else int(number)


@dataclass(frozen=True)
class LevelBand:
    """Levels from ``low`` to ``high``; the ``deadline`` (of ``time.monotonic``) ends a rating."""

    low: Level
    high: Level
    deadline: float | None = None

    @classmethod
    def of(cls, levels: str | tuple[str, ...] | None, deadline: float | None = None) -> LevelBand | None:
        """Parse a band, or one level; ValueError for anything that is not a level, and if no level lies in between."""
        if levels is None:
            return None
        levels = (levels, levels) if isinstance(levels, str) else levels
        if len(levels) != 2:
            raise ValueError(f"level={levels}: a level is expected, or two such as ('1.2', '2.3'), the lower one first")
        low, high = map(level_of, levels)
        if low > high:
            raise ValueError(f"the levels {levels[0]} to {levels[1]}: the lower one first is expected")
        if not any(low <= level <= high for level in LEVELS):
            known = ", ".join(map(level_text, LEVELS))
            raise ValueError(f"no puzzle has a level from {levels[0]} to {levels[1]}: the levels are {known}")
        return cls(low, high, deadline)

    @property
    def is_easy(self) -> bool:
        """Return whether no trials are wanted."""
        return self.high < (2, 0)

    def miss(self, puzzle: Puzzle) -> Miss | None:
        """Return how a puzzle misses the band, counted in levels.

        The work stops once the level is known to be too high, so the answer is the same on any machine unless the
        deadline is reached first.
        """
        found = rate(puzzle, highest=self.high, time_limit=seconds_to(self.deadline))
        if found.exact and self.low <= found.level <= self.high:
            return None
        reached = found.level if found.exact else max(found.level, self.high)
        steps = sum(reached <= level < self.low or self.high < level <= reached for level in LEVELS)
        wanted = between(level_text(self.low), level_text(self.high))
        return Miss(LEVEL, steps + (not found.exact), f"its rating is {found}, level {wanted} is wanted")


def seconds_to(deadline: float | None) -> float | None:
    """Return the time that is left, 0 if there is none; None without a deadline (of ``time.monotonic``)."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())
