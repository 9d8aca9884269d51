"""Wishes about SE-like ratings of classic 9 x 9 puzzles: a band, and techniques that must occur.

Random minimal puzzles are rated many at once: three of a hundred are at 8 or above, one of a thousand at 9 or above.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import meant
from ..explain.classic import rate_arrays, walked
from ..explain.classic.literals import NAMES, NUMBERS
from ..explain.classic.rating_arrays import masks_of_rows
from ..explain.classic.trees import MOST_COST
from ..explain.classic.walk import SE_INNER, added
from ..puzzle import Shape
from .bands import Array
from .keywords import band

NINE = Shape.square(9)
SCALE_ENDS = NUMBERS[0], SE_INNER[-1][1] + added(SE_INNER[-1][0], MOST_COST)
"""The ends of the SE-like scale, in tenths: nothing is rated beyond them."""

CHUNK = 128
"""Puzzles that are rated together."""


@dataclass(frozen=True)
class Band:
    """Ratings from ``low`` to ``high``, in tenths, techniques each of which must occur on the path, and sizes."""

    low: int = 0
    high: int = 1000
    techniques: tuple[str, ...] = ()
    sizes: tuple[int, int] | None = None

    @classmethod
    def of(
        cls,
        rating: float | tuple[float, float] | None,
        techniques: tuple[str, ...],
        shape: Shape,
        size: int | tuple[int, int] | None = None,
    ) -> Band | None:
        """Read the options of ``generate``; ValueError for what they cannot be."""
        if rating is None and not techniques and size is None:
            return None
        sizes = None if size is None else band("size", size)
        if shape != NINE:
            raise ValueError(f"{shape}: SE-like ratings, sizes and techniques are those of classic 9 x 9 boards")
        if sizes and not 0 <= sizes[0] <= sizes[1]:
            raise ValueError(
                f"the sizes {sizes[0]} to {sizes[1]}: two numbers of 0 or more, the lower one first, are expected"
            )
        unknown = next((name for name in techniques if name not in NAMES), None)
        if unknown is not None:
            one = f"one of {', '.join(NAMES)} is expected{meant(unknown, NAMES)}"
            raise ValueError(f"{unknown!r} is not a technique: {one}")
        low, high = band("rating", 0.0 if rating is None else rating, whole=False)
        high = high if isinstance(rating, tuple | list) else 100.0
        if not 0 <= low <= high:
            raise ValueError(
                f"the ratings {low} to {high}: two numbers of 0 or more, the lower one first, are expected"
            )
        if round(high * 10) < SCALE_ENDS[0] or round(low * 10) > SCALE_ENDS[1]:
            scale = f"the SE-like scale goes from {SCALE_ENDS[0] / 10} to {SCALE_ENDS[1] / 10}"
            raise ValueError(f"no puzzle has a rating from {low} to {high}: {scale}")
        return cls(round(low * 10), round(high * 10), techniques, sizes)

    def holds(self, puzzles: Array) -> Array:
        """Tell of each row whether it is as wanted."""
        good = self._in_sizes(puzzles)
        if self.low or self.high < 1000:
            good[good] = _between(puzzles[good], "se", self.low, self.high)
        for row in np.flatnonzero(good).tolist() if self.techniques else ():
            good[row] = self._shows(puzzles[row])
        return good

    def _in_sizes(self, puzzles: Array) -> Array:
        return np.ones(len(puzzles), bool) if self.sizes is None else _between(puzzles, "size", *self.sizes)

    def _shows(self, values: Array) -> bool:
        stages = walked(masks_of_rows(values[None])[0].tolist(), "se", highest=self.high).stages
        return set(self.techniques) <= {stage.technique for stage in stages}


def _between(puzzles: Array, scale: str, low: int, high: int) -> Array:
    """Tell of each row whether its value on a scale is in a band."""
    found = rate_arrays(puzzles.astype(np.uint8), scale, highest=high)
    good: Array = found.exact & (found.values >= low) & (found.values <= high)
    return good
