"""Wide variables as numbers of a few digits: the network has the digits, each of which fits into a word.

A word of the network is a window of 62 numbers in a row, the same for all variables. The values of a variable that
reach beyond it are written with digits: ``least`` and the digits, each times its weight, add up to the value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_models.model import Domain

from .numbered import masks_of

Ints = NDArray[np.int64]
Tuples = tuple[tuple[int, ...], ...]


FARTHEST = 1 << 50
"""Wide variables have values below this."""


class TooWide(Exception):
    """Raised with the reason when the wide variables of a model cannot be taken."""


class Digits:
    """How the wide variables of a model are written: all have the same weights, the greatest first.

    ``zero`` is the least number of the window, and stands for the digit 0.
    """

    def __init__(self, zero: int, least: int, most: int, window: int) -> None:
        """Write the numbers from ``least`` to ``most`` with few digits in the window; raise TooWide for huge ones."""
        if max(-least, most) >= FARTHEST:
            raise TooWide(f"it has values of {FARTHEST} or more")
        self.zero, self.least = zero, least
        width, count = most - least + 1, 1
        while window**count < width:
            count += 1
        self.radix: int = next(r for r in _near_root(width, count) if int(r**count) >= width)
        self.weights: tuple[int, ...] = tuple(self.radix**i for i in reversed(range(count)))

    @cached_property
    def offset(self) -> int:
        """The number to add to the weighted sum of the digits, as they are in the window, to get the value."""
        return self.least - self.zero * sum(self.weights)

    def written(self, value: int) -> tuple[int, ...]:
        """Return the digits of a value, as they are in the window."""
        rest, found = value - self.least, []
        for weight in self.weights:
            found.append(rest // weight + self.zero)
            rest %= weight
        return tuple(found)

    def fits(self, value: int) -> bool:
        """Return whether a value can be written."""
        return 0 <= value - self.least < self.radix * self.weights[0]


def _near_root(width: int, count: int) -> Iterable[int]:
    """Return consecutive numbers from a little below a root of the width upwards."""
    return range(max(1, int(width ** (1 / count)) - 2), width + 1)


class Parted(NamedTuple):
    """A wide variable, by its place in the model, and the places of its digits in the network."""

    x: int
    places: tuple[int, ...]
    digits: Digits

    def values(self, bits: Ints, base: int) -> Ints:
        """Return the values of the variable in solutions, rows of bit numbers above ``base``."""
        return (bits[:, list(self.places)] + base) @ np.array(self.digits.weights, np.int64) + self.digits.offset

    def masks(self, values: Collection[int], domain: Domain, base: int) -> list[tuple[int, int]] | None:
        """Return masks of digits, with places, that leave exactly these values of the domain; None if impossible."""
        written = {value: self.digits.written(value) for value in domain if self.digits.fits(value)}
        return masks_of(written, values, self.places, base)


def window_of(domains: Iterable[Domain], width: int) -> int:
    """Return the least number of a window for all variables near 0; it has the numbers from 0 to half its width."""
    near = [d[0] for d in domains if d and -(width // 2) < d[0] and d[-1] < width // 2]
    return min([*near, 0])


def digits_of(domains: Mapping[str, Domain], width: int) -> tuple[Digits, frozenset[str]]:
    """Return how to write the wide variables under some domains, and which they are; raise TooWide if impossible."""
    zero = window_of(domains.values(), width)
    wide = {name: d for name, d in domains.items() if d and not zero <= d[0] <= d[-1] < zero + width}
    least, most = min([d[0] for d in wide.values()], default=0), max([d[-1] for d in wide.values()], default=0)
    return Digits(zero, least, most, width), frozenset(wide)
