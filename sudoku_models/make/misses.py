"""How far a candidate is from the wanted puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .bands import Array

CLUES, SIZE, RATING, TECHNIQUES, ACCEPT, LEVEL = range(6)
"""The options, in the order in which they are compared."""


@dataclass(frozen=True)
class Miss:
    """The first option that a candidate does not meet, by how much (above 0), and a text that says so."""

    wish: int
    off: float
    text: str

    def is_nearer(self, other: Miss) -> bool:
        """Return whether it misses by less than another one."""
        return (-self.wish, self.off) < (-other.wish, other.off)


def outside(values: Array, low: int, high: int) -> Array:
    """Return by how much each number is below or above a band, 0 within."""
    off: Array = np.maximum(low - values, values - high).clip(0)
    return off


def between(low: object, high: object) -> str:
    """Format a band: "24", "20 to 24"."""
    return str(low) if low == high else f"{low} to {high}"


def clues_missed(clues: Array, low: int, high: int) -> Iterator[Miss | None]:
    """Yield for each number of clues how it misses a band."""
    for number, off in zip(clues.tolist(), outside(clues, low, high).tolist(), strict=True):
        yield Miss(CLUES, off, f"it has {number} clues instead of {between(low, high)}") if off else None
