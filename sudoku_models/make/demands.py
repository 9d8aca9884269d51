"""The puzzles that are wanted, and options that no puzzle can satisfy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..engine.registry import BackendLike
from ..puzzle import Grid, Shape
from .bands import Array
from .keywords import band
from .patterns import orbits, pattern_cells, sums
from .solution_grids import block_size

Clues = int | tuple[int, int] | None
GRIDS = 4096
"""Classic puzzles that are made together."""

FEWEST = 17
"""The fewest clues of a classic 9 x 9 puzzle with one solution (McGuire, Tugemann, Civario 2012)."""


@dataclass(frozen=True)
class Wanted:
    """The wanted puzzles: see ``generate``. ValueError for incompatible options.

    The ``deadline`` (of ``time.monotonic``) also ends the making of a puzzle.
    """

    shape: Shape
    clues: Clues = None
    minimal: bool = True
    symmetry: str = "none"
    pattern: str | Iterable[int] | None = None
    grid: Grid | None = None
    seed: int = 0
    uniform: bool = False
    backend: BackendLike = "auto"
    deadline: float | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        low, high = self.span
        if not 0 <= low <= high <= self.shape.cells:
            raise ValueError(
                f"{self.asked} clues: numbers from 0 to {self.shape.cells} are expected, the lower one first"
            )
        if self.grid is not None and (self.grid.shape != self.shape or not self.grid.complete):
            raise ValueError("the starting grid must be complete, and of the same shape as the puzzles")
        _ = self.groups, self.open

    def refuse_what_is_never_met(self, with_rules: bool = False) -> None:
        """Raise ValueError if no puzzle with one solution has such a number of givens."""
        (low, high), asked = self.span, self.asked
        fewest = FEWEST if self.shape == Shape.square(9) else len(self.shape.values) - 1
        fewest = 0 if with_rules else fewest
        if high < fewest:
            raise ValueError(f"{asked} clues: a puzzle with one solution has at least {fewest}")
        room = self.shape.cells - len(self.open)
        if room < max(low, fewest):
            raise ValueError(f"{max(low, fewest)} clues or more: the pattern has room for {room}")
        numbers = self.numbers
        if not any(low <= number <= high for number in numbers):
            near = [*[n for n in numbers if n < low][-1:], *[n for n in numbers if n > high][:1]]
            among = " or ".join(map(str, near))
            raise ValueError(f"{asked} clues: with the symmetry {self.symmetry!r} there can be {among}")

    @property
    def asked(self) -> str:
        """The number of clues as text."""
        low, high = self.span
        return str(low) if low == high else f"{low} to {high}"

    @property
    def numbers(self) -> list[int]:
        """The numbers of clues that the symmetry allows, in order."""
        return sorted(sums((self.groups >= 0).sum(1).tolist()))

    @property
    def span(self) -> tuple[int, int]:
        """The least and the greatest number of clues."""
        if self.clues is None:
            return 0, self.shape.cells
        return band("clues", self.clues)

    @cached_property
    def groups(self) -> Array:
        """The cells that are given or open together, a row each, padded with -1."""
        found = orbits(self.shape, self.symmetry)
        table = np.full((len(found), max(map(len, found))), -1, np.int16)
        for row, cells in zip(table, found, strict=True):
            row[: len(cells)] = cells
        return table

    @cached_property
    def open(self) -> Array:
        """The cells outside the pattern."""
        cells = frozenset(range(self.shape.cells))
        kept = cells if self.pattern is None else pattern_cells(self.pattern, self.shape)
        return np.array(sorted(cells - kept), np.int64)

    @property
    def is_free(self) -> bool:
        """Return whether clues may be anywhere, on any grid."""
        return self.symmetry == "none" and self.pattern is None and self.grid is None

    @property
    def size(self) -> int:
        """The number of candidates that are made together."""
        return GRIDS if block_size(self.shape) > 1 else 1
