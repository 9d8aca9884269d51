"""Options for SE-like ratings of classic 9 x 9 puzzles: a band, and techniques that must occur.

Random minimal puzzles are rated many at a time: three in a hundred are at 8 or above, one in a thousand at 9 or above.
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
from .misses import RATING, SIZE, TECHNIQUES, Miss, between, outside

NINE = Shape.square(9)
SCALE_ENDS = NUMBERS[0], SE_INNER[-1][1] + added(SE_INNER[-1][0], MOST_COST)
"""The ends of the SE-like scale, in tenths: nothing is rated beyond them."""

CHUNK = 128
"""Puzzles that are rated together."""


@dataclass(frozen=True)
class Band:
    """Ratings from ``low`` to ``high``, in tenths, techniques that must all occur on the path, and sizes."""

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
        with_rules: bool = False,
    ) -> Band | None:
        """Parse the options of ``generate``; ValueError for impossible values."""
        if rating is None and not techniques and size is None:
            return None
        sizes = None if size is None else band("size", size)
        if shape != NINE or with_rules:
            board = f"{shape}{' with rules' if with_rules else ''}"
            classic = "SE-like ratings, sizes and techniques are those of classic 9 x 9 boards"
            raise ValueError(f"{board}: {classic}; use level for other boards")
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

    def misses(self, puzzles: Array) -> list[Miss | None]:
        """Return how each row misses the band: its size, its rating, its techniques; None if it does not."""
        found: list[Miss | None] = [None] * len(puzzles)
        left = np.arange(len(puzzles))
        if self.sizes is not None:
            left = _missed(puzzles, left, SIZE, *self.sizes, found)
        if self.low or self.high < 1000:
            left = _missed(puzzles, left, RATING, self.low, self.high, found)
        for row in left.tolist() if self.techniques else ():
            found[row] = self._lacks(puzzles[row])
        return found

    def _lacks(self, values: Array) -> Miss | None:
        stages = walked(masks_of_rows(values[None])[0].tolist(), "se", highest=self.high).stages
        lacking = sorted(set(self.techniques) - {stage.technique for stage in stages})
        return Miss(TECHNIQUES, len(lacking), f"its path has no {', no '.join(lacking)}") if lacking else None


_SCALES = {SIZE: ("size", "its size is", 1), RATING: ("se", "its SE-like rating is", 10)}
"""For each option: the scale of ``rate_arrays``, the words for it, and its units per 1."""


def _missed(puzzles: Array, rows: Array, wish: int, low: int, high: int, found: list[Miss | None]) -> Array:
    """Record how the values of some rows on a scale miss a band; return the rows that do not."""
    scale, text, unit = _SCALES[wish]
    rated = rate_arrays(puzzles[rows].astype(np.uint8), scale, highest=high)
    values = np.where(rated.exact, rated.values, np.maximum(rated.values, high + 1))
    off, named = outside(values, low, high), _band_text(low, high, unit)
    for row, value, far, exact in zip(*(x.tolist() for x in (rows, values, off, rated.exact)), strict=True):
        if far:
            least = "" if exact else "at least "
            found[row] = Miss(wish, far / unit, f"{text} {least}{value / unit:g}, {named} is wanted")
    left: Array = rows[off == 0]
    return left


def _band_text(low: int, high: int, unit: int) -> str:
    return f"{low / unit:g} or more" if unit > 1 and high >= 1000 else between(f"{low / unit:g}", f"{high / unit:g}")
