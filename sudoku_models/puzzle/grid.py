"""A board with values in its cells, complete (a solution) or partly filled, and the cells that clash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import repeat
from typing import TYPE_CHECKING, Any

from ..dataclass import dataclass
from .drawing import board_html, board_text
from .shape import Shape
from .symbols import line_of

if TYPE_CHECKING:
    import numpy as np


Cell = int | None
"""A cell's value; None if the cell is open."""


@dataclass(frozen=True, repr=False)
class Grid:
    """Values on a board, row by row; None in open cells. Immutable.

    ``grid["R1C2"]`` and ``grid[0, 1]`` (row and column from 0) give one value, ``grid[0]`` a row. ``unused`` are the
    cells, by number, that are not part of the puzzle, and ``black`` the black cells that have a value: they are shown
    with a #. Both affect only the display: grids with the same values are equal.
    """

    shape: Shape
    values: tuple[Cell, ...]
    unused: frozenset[int] = field(default=frozenset(), compare=False)
    black: frozenset[int] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        if len(self.values) != self.shape.cells:
            raise ValueError(f"{len(self.values)} values for a board of {self.shape.cells} cells")

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[Any]], shape: Shape | None = None) -> Grid:
        """Make a grid from rows of values; None, 0, '.' and '' are open cells (0 is a value if the shape has it)."""
        if (
            isinstance(rows, Mapping)
            or not hasattr(rows, "__len__")
            or not all(hasattr(row, "__len__") for row in rows)
        ):
            raise TypeError("rows of values are expected, each row a sequence")
        if any(len(row) != len(rows[0]) for row in rows):
            raise ValueError("the rows have different lengths")
        shape = shape or Shape.square(len(rows))
        return cls._of([value for row in rows for value in row], (len(rows), len(rows[0])), shape)

    @classmethod
    def from_numpy(cls, array: np.ndarray[Any, Any], shape: Shape | None = None) -> Grid:
        """Make a grid from an integer array, (height, width) or (cells,); 0 is open, or a value if the shape has it."""
        if not hasattr(array, "reshape"):
            raise TypeError(f"{array!r:.60} is not an array: a numpy array is expected (from_rows takes lists)")
        flat: list[int] = array.reshape(-1).tolist()
        return cls._of(flat, array.shape, shape or Shape.square(round(len(flat) ** 0.5)))

    @classmethod
    def _of(cls, values: Sequence[Any], size: tuple[int, ...], shape: Shape) -> Grid:
        if size not in ((shape.height, shape.width), (shape.cells,)):
            found = f"{' x '.join(map(str, size))} values" if size else "a single value"
            raise ValueError(f"{found} for a board of {shape.cells} cells, {shape.height} x {shape.width}")
        zero_is_open = 0 not in shape.values
        return cls(shape, tuple(map(_cell, shape.names, values, repeat(zero_is_open))))

    @property
    def complete(self) -> bool:
        """Return whether no cell is open."""
        return None not in self.values

    def __getitem__(self, place: str | int | tuple[int, int]) -> Any:
        if isinstance(place, str):
            return self.values[self.shape.cell(place)]
        if isinstance(place, tuple):
            return self.rows()[place[0]][place[1]]
        return self.rows()[place]

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        return iter(self.rows())

    def __len__(self) -> int:
        return self.shape.height

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the values row by row."""
        w = self.shape.width
        return tuple(self.values[r * w : (r + 1) * w] for r in range(self.shape.height))

    def to_list(self) -> list[list[int]]:
        """Return nested lists, with 0 in open cells. Raises ValueError if there are open cells and 0 is a value."""
        if 0 in self.shape.values and not self.complete:
            raise ValueError("0 is a value of this board: its open cells cannot be written as 0")
        return [[value or 0 for value in row] for row in self.rows()]

    def to_numpy(self, dtype: Any = None) -> np.ndarray[Any, Any]:
        """Return an array of shape (height, width), with 0 in open cells; uint8 if the values fit, otherwise int32."""
        import numpy as np

        small = self.shape.values[0] >= 0 and self.shape.values[-1] < 256
        return np.array(self.to_list(), dtype=dtype or (np.uint8 if small else np.int32))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self.to_numpy(dtype)

    def to_line(self, alphabet: str | None = None) -> str:
        """Return the cells on one line: digits, letters or numbers (see ``symbols``), '.' if open, '#' if unused."""
        return line_of(self.values, self.shape, alphabet, self.unused)

    def __repr__(self) -> str:
        return f"<Grid of {self.shape}: {self.to_line()}>"

    def __str__(self) -> str:
        return board_text(self.shape, self.values, None, self.unused, self.black)

    def _repr_html_(self) -> str:
        return board_html(self.shape, self.values, self.unused, self.black)


def _cell(name: str, value: Any, zero_is_open: bool) -> Cell:
    if value is None or value in ("", ".") or (zero_is_open and value in (0, "0")):
        return None
    if isinstance(value, bool) or not (isinstance(value, str) or hasattr(value, "__index__")):
        raise TypeError(f"{name}: {value!r} is not a value of a cell")
    try:
        return int(value)
    except ValueError:
        raise ValueError(f"{name}: {value!r:.40} is not a value of a cell") from None


def values_of(grid: Grid | Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the values of a grid or of a flat sequence."""
    return grid.values if isinstance(grid, Grid) else tuple(grid)


@dataclass(frozen=True)
class Clash:
    """Cells of one house that hold the same value."""

    house: str
    value: int
    cells: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.house} holds {self.value} in {' and '.join(self.cells)}"


def clashes(shape: Shape, values: Sequence[Cell]) -> tuple[Clash, ...]:
    """List every clash of a partly filled board (None in open cells), rows first, then columns, then regions."""
    found: list[Clash] = []
    for house in shape.houses:
        places: dict[int, list[str]] = {}
        for cell in house.cells:
            value = values[cell]
            if value is not None:
                places.setdefault(value, []).append(shape.names[cell])
        found += [Clash(house.name, value, tuple(cells)) for value, cells in places.items() if len(cells) > 1]
    return tuple(found)
