"""The reading options: the format, the alphabet, the shape and others."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from ..dataclass import dataclass
from ..errors import FormatError
from ..puzzle.shape import LARGEST_SIDE, Shape
from ..puzzle.symbols import ALPHABETS

BoardShape = Shape | Callable[[int], Shape]
"""A shape, or a function from the side to a shape (``Shape.latin``) for boards whose side follows from the text."""


@dataclass(frozen=True)
class Options:
    """The options for reading. ``symbols`` are the symbols of 1, 2, ...; None if they follow from the content.

    ``strict`` makes anything that is not understood an error. ``column`` names the column of puzzles in a table.
    ``guess`` reads drawings as the rules that they look like.
    """

    input_format: str | None = None
    symbols: str | None = None
    shape: BoardShape | None = None
    strict: bool = False
    column: str | None = None
    guess: bool = False

    @property
    def is_plain(self) -> bool:
        """Return whether no option changes how a text is read."""
        return self.input_format is None and self.symbols is None and self.shape is None

    @property
    def fixed(self) -> Shape | None:
        """The shape, if it was given as a Shape."""
        return self.shape if isinstance(self.shape, Shape) else None

    def square(self, side: int) -> Shape:
        """Return the shape of a square board with this side; raise FormatError if there is none."""
        if self.fixed is not None:
            return self._fixed(side, side)
        if side > LARGEST_SIDE:
            raise FormatError(f"a board of side {side}: sides up to {LARGEST_SIDE} are possible")
        try:
            return self.shape(side) if callable(self.shape) else Shape.square(side)
        except ValueError as error:
            raise FormatError(f"{error} (--boxes none, or shape=Shape.latin({side}))") from error

    def board(self, height: int, width: int) -> Shape:
        """Return the shape of a board drawn with these numbers of rows and columns."""
        if height == width:
            return self.square(width)
        if self.fixed is None:
            raise FormatError(f"{height} rows of {width} cells: as many rows as columns are expected")
        return self._fixed(height, width)

    def sized(self, cells: int) -> Shape | None:
        """Return the shape of a board with this number of cells; None if there is none."""
        if self.fixed is not None:
            return self.fixed if self.fixed.cells == cells else None
        side = isqrt(cells)
        return self.square(side) if side * side == cells and side >= self.smallest else None

    @property
    def smallest(self) -> int:
        """The smallest side that is considered."""
        return 4 if self.shape is None else 1

    def _fixed(self, height: int, width: int) -> Shape:
        shape = self.fixed
        assert shape is not None
        if (shape.height, shape.width) != (height, width):
            raise FormatError(f"{height} x {width} cells: {shape.height} x {shape.width} are expected")
        return shape


def symbols_of(alphabet: str | None) -> str | None:
    """Return the symbols of a named alphabet, or the given symbols; raise FormatError if they cannot be used."""
    if alphabet is None:
        return None
    symbols = ALPHABETS.get(alphabet, alphabet)
    if not symbols or len(set(symbols)) < len(symbols) or any(c.isspace() or not c.isprintable() for c in symbols):
        known = ", ".join(ALPHABETS)
        raise FormatError(f"the alphabet {alphabet!r}: {known}, or the distinct symbols of 1, 2, ... are expected")
    return symbols
