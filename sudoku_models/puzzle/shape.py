"""The shape of a board: its side lengths, values and regions, without any givens.

Cells are numbered row by row from 0 and named R1C1, R1C2, ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from ..dataclass import dataclass
from ..model import AllDifferent, Constraint, Domain, Model, domain, variables
from ..model.domain import integer

LARGEST_SIDE = 400
"""The largest number of cells in a row."""
_CELL = re.compile(r"[Rr](\d{1,4})[Cc](\d{1,4})\Z")


@dataclass(frozen=True)
class House:
    """A row, column, box or region: its name ("row 1") and its cells, by number."""

    name: str
    cells: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Shape:
    """A board of ``height`` x ``width`` cells whose rows, columns and regions have no repeated values.

    ``values`` is the domain of every cell. ``regions`` are groups of cells by number (boxes, or irregular ones; empty
    in a Latin square). ``box`` is (height, width) of a box if the regions are boxes in row order, otherwise
    None. Without ``lines``, rows and columns may repeat a value.
    """

    height: int
    width: int
    values: Domain
    regions: tuple[tuple[int, ...], ...] = ()
    box: tuple[int, int] | None = None
    lines: bool = True

    def __post_init__(self) -> None:
        if not (1 <= self.height <= LARGEST_SIDE and 1 <= self.width <= LARGEST_SIDE):
            raise ValueError(
                f"a board of {self.height} x {self.width} cells: sides from 1 to {LARGEST_SIDE} are possible"
            )
        if not self.values:
            raise ValueError("the board has no values: at least one is expected")
        for region in self.regions:
            _check_region(region, self.height * self.width)

    @staticmethod
    def square(n: int, box: tuple[int, int] | None = None) -> Shape:
        """Return the n x n board with boxes of size ``box`` (height, width) and the values 1 to n.

        By default the boxes are as close to square as possible, and not higher than wide (3 x 3 for 9, 2 x 3 for 6).
        Raises ValueError if n has no such boxes (a prime) or the boxes do not divide the board.
        """
        if box is not None and not (isinstance(box, tuple | list) and len(box) == 2):
            raise TypeError(f"box is {box!r}: (height, width) is expected")
        side = integer(n)
        return _square(side, (integer(box[0]), integer(box[1])) if box else default_box(side))

    @staticmethod
    def latin(n: int) -> Shape:
        """Return the n x n board without boxes: a Latin square of the values 1 to n."""
        return _latin(integer(n))

    @staticmethod
    def irregular(regions: Sequence[Sequence[object]] | str) -> Shape:
        """Return an n x n board with irregular regions (jigsaw), given by a label for each cell.

        ``regions`` is n rows of n labels, or a text of n*n characters (white space is skipped). Raises ValueError
        unless there are n regions of n cells.
        """
        labels = list("".join(regions.split())) if isinstance(regions, str) else [x for row in regions for x in row]
        return _irregular(tuple(map(str, labels)))

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.height * self.width

    @property
    def is_square(self) -> bool:
        """Return whether the board has as many rows as columns and the values 1 to that number."""
        return self.height == self.width and self.values == domain(range(1, self.width + 1))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each cell, in order."""
        return tuple(f"R{r}C{c}" for r in range(1, self.height + 1) for c in range(1, self.width + 1))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The number of each cell, by name."""
        return {name: cell for cell, name in enumerate(self.names)}

    @cached_property
    def contents(self) -> frozenset[int | None]:
        """The possible contents of a cell: a value, or None if it is open."""
        return frozenset((None, *self.values))

    def cell(self, name: str) -> int:
        """Return the number of the cell with this name (R1C1); raise ValueError if there is none."""
        match = _CELL.match(name) if isinstance(name, str) else None
        row, column = (int(match[1]), int(match[2])) if match else (0, 0)
        if not (1 <= row <= self.height and 1 <= column <= self.width):
            raise ValueError(f"{name!r} is not a cell: R1C1 to R{self.height}C{self.width} are expected")
        return (row - 1) * self.width + column - 1

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """The rows, the columns (unless ``lines`` is False), then the boxes or regions."""
        rows = [House(f"row {r + 1}", tuple(range(r * self.width, (r + 1) * self.width))) for r in range(self.height)]
        columns = [House(f"column {c + 1}", tuple(range(c, self.cells, self.width))) for c in range(self.width)]
        kind = "box" if self.box else "region"
        regions = [House(f"{kind} {i + 1}", cells) for i, cells in enumerate(self.regions)]
        return (*rows, *columns, *regions) if self.lines else tuple(regions)

    @cached_property
    def region_of(self) -> tuple[int | None, ...]:
        """The index of each cell's region (the first if regions overlap), or None for a cell in no region."""
        found: list[int | None] = [None] * self.cells
        for i, region in enumerate(self.regions):
            for cell in region:
                found[cell] = i if found[cell] is None else found[cell]
        return tuple(found)

    @cached_property
    def houses_by_name(self) -> tuple[tuple[str, ...], ...]:
        """The houses as cell names."""
        return tuple(tuple([self.names[cell] for cell in house.cells]) for house in self.houses)

    @cached_property
    def houses_of(self) -> Mapping[str, frozenset[int]]:
        """The positions in ``houses`` of the houses that contain a cell, by cell name."""
        found: dict[str, set[int]] = {name: set() for name in self.names}
        for i, house in enumerate(self.houses_by_name):
            for name in house:
                found[name].add(i)
        return {name: frozenset(numbers) for name, numbers in found.items()}

    def constraints(self) -> tuple[Constraint, ...]:
        """Return one AllDifferent for each house, always as the same objects."""
        return self.model.constraints

    @cached_property
    def model(self) -> Model:
        """The model of the empty board; one shared object for equal shapes made by the constructors of this class."""
        return Model(variables(self.names, self.values), map(AllDifferent, self.houses_by_name), board=self)

    @cached_property
    def _hash(self) -> int:
        return hash((self.height, self.width, self.values, self.regions, self.box))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return shared_shape, tuple(self.__dict__[key] for key in self.__dataclass_fields__)

    def __repr__(self) -> str:
        return f"<Shape {self}>"

    def __str__(self) -> str:
        boxes = (
            f"boxes {self.box[0]} x {self.box[1]}" if self.box else "irregular regions" if self.regions else "no boxes"
        )
        return f"{self.height} x {self.width}, {boxes}"


T = TypeVar("T")


def reached(start: T, near: Callable[[T], Iterable[T]]) -> set[T]:
    """Return what is connected to a start, through what is near to each."""
    found, waiting = {start}, [start]
    while waiting:
        more = set(near(waiting.pop())) - found
        found |= more
        waiting += more
    return found


def default_box(n: int) -> tuple[int, int]:
    """Return (height, width) of the boxes closest to squares on an n x n board; raise ValueError if n is a prime."""
    if not 1 <= n <= LARGEST_SIDE:
        raise ValueError(f"a board of side {n}: sides from 1 to {LARGEST_SIDE} are possible")
    height = max((h for h in range(1, int(n**0.5) + 1) if n % h == 0), default=1)
    if height == 1 and n > 1:
        raise ValueError(f"a board of side {n} has no boxes: give a Latin square or regions")
    return height, n // height


@lru_cache(maxsize=64)
def _square(n: int, box: tuple[int, int]) -> Shape:
    height, width = box
    if n > LARGEST_SIDE:
        raise ValueError(f"a board of side {n}: sides from 1 to {LARGEST_SIDE} are possible")
    if min(box) < 1 or height * width != n:
        raise ValueError(
            f"boxes of {height} x {width} cells do not divide a board of side {n}: {n} cells each are expected"
        )
    return Shape(n, n, domain(range(1, n + 1)), boxes_of(n, n, box), box)


@lru_cache(maxsize=64)
def boxes_of(height: int, width: int, box: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    """Return the boxes of this height and width that tile a board, in row order, as cell numbers."""
    corners = [(r, c) for r in range(0, height, box[0]) for c in range(0, width, box[1])]
    return tuple(tuple((r + i) * width + c + j for i in range(box[0]) for j in range(box[1])) for r, c in corners)


@lru_cache(maxsize=64)
def _latin(n: int) -> Shape:
    return Shape(n, n, domain(range(1, n + 1)))


@lru_cache(maxsize=64)
def _irregular(labels: tuple[str, ...]) -> Shape:
    n = round(len(labels) ** 0.5)
    if n * n != len(labels) or not labels:
        raise ValueError(f"{len(labels)} region labels: the square of the side is expected")
    groups: dict[str, list[int]] = {}
    for cell, label in enumerate(labels):
        groups.setdefault(label, []).append(cell)
    wrong = next((label for label, cells in groups.items() if len(cells) != n), None)
    if wrong is not None:
        raise ValueError(f"region {wrong!r} has {len(groups[wrong])} cells: {n} are expected")
    return Shape(n, n, domain(range(1, n + 1)), tuple(map(tuple, groups.values())))


@lru_cache(maxsize=64)
def shared_shape(
    height: int,
    width: int,
    values: Domain,
    regions: tuple[tuple[int, ...], ...],
    box: tuple[int, int] | None,
    lines: bool,
) -> Shape:
    """Return a shape; of a usual board there is one object that everything shares."""
    found = Shape(height, width, values, regions, box, lines)
    if not found.is_square or not lines:
        return found
    usual = _square(width, box) if box and box[0] * box[1] == width else _latin(width)
    return usual if usual == found else found


def _check_region(region: Iterable[int], cells: int) -> None:
    listed = list(region)
    if len(set(listed)) < len(listed) or any(not 0 <= cell < cells for cell in listed):
        raise ValueError(f"the region {tuple(listed)} repeats a cell or names a cell outside the board")
