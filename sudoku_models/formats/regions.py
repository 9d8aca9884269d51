"""Makes shapes from regions and region labels, and finds what hangs together: cells, and the pieces of lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, TypeVar

from ..errors import FormatError
from ..model import domain
from ..puzzle.drawn import Mark
from ..puzzle.shape import LARGEST_SIDE, Shape, reached

MOST_POINTS = 500
"""The number of points of a drawn line that are read."""


def default_box(n: int) -> tuple[int, int]:
    """Return (height, width) of the boxes closest to squares, not higher than wide: (1, n) if n is a prime."""
    height = max(h for h in range(1, int(n**0.5) + 1) if n % h == 0)
    return height, n // height


def default_labels(n: int) -> tuple[int | None, ...]:
    """Return the number, from 0, of the default box that contains each cell of an n x n board."""
    return Shape.square(n, default_box(n)).region_of


def shape_of_labels(n: int, labels: Sequence[Hashable]) -> Shape:
    """Return the n x n board whose regions are the cells with equal labels; cells with the label None are in no region.

    Raises FormatError if a region has more than n cells, or if the numbers of labels and cells differ.
    """
    if len(labels) != n * n:
        raise FormatError(f"{len(labels)} region labels: {n * n} are expected")
    return shape_of_regions(n, grouped((x, cell) for cell, x in enumerate(labels) if x is not None).values())


def shape_of_regions(
    n: int, groups: Iterable[Sequence[int]], *, height: int | None = None, lines: bool = True
) -> Shape:
    """Return the board of ``height`` rows (by default n) of n cells with these regions, given as cell numbers.

    If the regions are boxes, the board has boxes. The values are 1 to the longer side. Without ``lines``, rows and
    columns may repeat a value.
    """
    side = max(n, height or n)
    if not 1 <= side <= LARGEST_SIDE:
        raise FormatError(f"a board of side {side}: sides up to {LARGEST_SIDE} are possible")
    regions = tuple(sorted(tuple(sorted(group)) for group in groups))
    largest = max(map(len, regions), default=0)
    if largest > side:
        raise FormatError(f"a region of {largest} cells: at most {side} can differ")
    return _shape(height or n, n, regions, lines)


@lru_cache(maxsize=64)
def _shape(height: int, width: int, regions: tuple[tuple[int, ...], ...], lines: bool) -> Shape:
    made = Shape(height, width, domain(range(1, max(height, width) + 1)), regions, None, lines)
    if height != width or not lines:
        return made
    if not regions:
        return Shape.latin(width)
    across = sum(cell < width for cell in regions[0])
    boxed = Shape.square(width, (width // across, across)) if across and width % across == 0 else made
    return boxed if sorted(boxed.regions) == list(regions) else made


def cage_mark(name: str, places: Sequence[tuple[int, int]], text: str) -> Mark:
    """Return the drawing of a cage over some places, given by row and column from 0."""
    rows, columns = zip(*places, strict=True)
    centre = (sum(rows) / len(rows) + 0.5, sum(columns) / len(columns) + 0.5)
    return Mark(name, centre, text=text, cells=tuple(dict.fromkeys(f"R{r + 1}C{c + 1}" for r, c in places)))


T = TypeVar("T", bound=Any)
K = TypeVar("K", bound=Hashable)


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return what belongs to each key, in order."""
    found: dict[K, list[T]] = {}
    for key, one in pairs:
        found.setdefault(key, []).append(one)
    return found


def together(items: Iterable[T], near: Callable[[T], Iterable[T]]) -> list[list[T]]:
    """Split items into groups of those that are connected, each in order."""
    left, groups = set(items), list[list[T]]()
    while left:
        group = reached(min(left), near)
        left -= group
        groups.append(sorted(group))
    return groups


def beside(place: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the four places that share an edge with a place, given by its row and column."""
    row, column = place
    return {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}


def touching(places: Collection[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Split places into groups that hang together by edges."""
    known = set(places)
    return together(known, lambda place: known & beside(place))


def walled(height: int, width: int, walls: Collection[frozenset[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Split a board into groups of cells between walls, which are given as pairs of neighbours."""
    cells = set(product(range(height), range(width)))
    return together(cells, lambda place: [one for one in cells & beside(place) if frozenset([place, one]) not in walls])


@lru_cache(maxsize=16)
def outside(height: int, width: int) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return the rows and columns of a board by the places (row, column, from 1) beside it that look along them."""
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for r in range(1, height + 1):
        row = ray(height, width, (r, 1), (0, 1))
        found |= {(r, 0): row, (r, width + 1): row[::-1]}
    for c in range(1, width + 1):
        column = ray(height, width, (1, c), (1, 0))
        found |= {(0, c): column, (height + 1, c): column[::-1]}
    return found


def ray(height: int, width: int, start: tuple[int, int], step: tuple[int, int]) -> tuple[str, ...]:
    """Return the cells of a board in one direction from a place (row, column, from 1) on the board or beside it."""
    (row, column), (down, right) = start, step
    if not (1 <= row <= height and 1 <= column <= width):
        row, column = row + down, column + right
    found = list[str]()
    while 1 <= row <= height and 1 <= column <= width:
        found.append(f"R{row}C{column}")
        row, column = row + down, column + right
    return tuple(found)
