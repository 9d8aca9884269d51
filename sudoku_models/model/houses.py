"""Recognises houses in a model: groups of variables that hold each value of a shared domain exactly once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from ..dataclass import dataclass
from .constraint import AllDifferent
from .domain import Domain
from .model import Model

House = tuple[int, ...]
"""Positions of variables in the model, in the order in which the constraint names them."""


@dataclass(frozen=True)
class Houses:
    """A model in which every constraint is a house: an AllDifferent with the same number of variables and values."""

    values: Domain
    cells: int
    houses: tuple[House, ...]


@dataclass(frozen=True)
class Square:
    """A square of houses: n rows and n columns that cross in one cell each, and optionally n boxes that tile the cells.

    ``cells[n * r + c]`` is the position in the model of the variable in row r and column c; rows, columns and boxes
    are written in those r and c, as indexes ``n * r + c``. ``boxes`` is empty in a Latin square.
    """

    values: Domain
    cells: tuple[int, ...]
    boxes: tuple[House, ...]

    @property
    def n(self) -> int:
        """The side."""
        return len(self.values)


def houses_of(model: Model) -> Houses | None:
    """Recognise a model whose constraints are all houses over a shared domain; return None for other models."""
    if "houses" not in model.memo:
        model.memo["houses"] = _houses_of(model)
    found: Houses | None = model.memo["houses"]
    return found


def square_of(model: Model) -> Square | None:
    """Recognise a square of houses (Sudoku, jigsaw, Latin square) from its constraints; return None for others."""
    if "square" not in model.memo:
        model.memo["square"] = _square_of(model)
    found: Square | None = model.memo["square"]
    return found


def _houses_of(model: Model) -> Houses | None:
    if not model.variables or model.objective:
        return None
    values = model.variables.unlike[0]
    if len(model.variables.unlike) > 1 or not model.kinds() <= {AllDifferent}:
        return None
    if not {len(values)}.issuperset([len(c.scope) for c in model.constraints]):
        return None
    index = model.index
    houses = tuple(tuple(index[x] for x in c.scope) for c in model.constraints)
    return Houses(values, len(model.variables), houses)


def _square_of(model: Model) -> Square | None:
    found = houses_of(model)
    if found is None or found.cells != len(found.values) ** 2:
        return None
    n = len(found.values)
    parts = _partitions(found.houses, n) or _partitions(_sorted_out(found.houses, n), n)
    if parts is None:
        return None
    for i, rows in enumerate(parts):
        for j, columns in enumerate(parts):
            rest = [part for k, part in enumerate(parts) if k not in (i, j)]
            if i != j and len(rest) <= 1 and _cross(rows, columns):
                return _square(found.values, rows, columns, rest[0] if rest else ())
    return None


def _partitions(houses: Sequence[House], n: int) -> list[tuple[House, ...]] | None:
    """Split the houses, in order, into runs of n disjoint ones that cover all cells; return None if that fails."""
    if not houses or len(houses) % n:
        return None
    parts = [tuple(houses[i : i + n]) for i in range(0, len(houses), n)]
    covers = all(len(set().union(*part)) == n * n for part in parts)
    return parts if covers else None


def _sorted_out(houses: Sequence[House], n: int) -> list[House]:
    """Sort houses in any order into rows, columns and boxes; this fails if they do not form a square.

    Each house gets one of three colours: houses of the same colour are disjoint, and those of the first two cross in
    one cell. The house with the fewest remaining colours is coloured next, and the effect on the others is propagated.
    """
    cells = [frozenset(house) for house in houses]
    meets = [[len(a & b) for b in cells] for a in cells]
    colours = range(len(houses) // n)
    patience = 20 * len(houses)

    def coloured(left: list[set[int]], done: frozenset[int]) -> list[set[int]] | None:
        """Try colours for uncoloured houses, most restricted first; None if none fit or the limit is reached."""
        nonlocal patience
        patience -= 1
        if len(done) == len(houses) or patience < 0:
            return left if patience >= 0 else None
        house = min((h for h in range(len(houses)) if h not in done), key=lambda h: len(left[h]))
        for colour in sorted(left[house]):
            rest = [{colour} if h == house else _left(meets[house][h], colour, left[h]) for h in range(len(houses))]
            found = coloured(rest, done | {house}) if all(rest) else None
            if found:
                return found
        return None

    if len(colours) not in (2, 3) or set(Counter(chain(*houses)).values()) != {len(colours)}:
        return []
    found = coloured([set(colours) for _ in houses], frozenset())
    return [house for colour in colours for house, own in zip(houses, found or [], strict=False) if colour in own]


def _left(shared: int, colour: int, of: set[int]) -> set[int]:
    """Return which of some colours a house may have if it shares this number of cells with a house of a colour."""
    wanted = {colour: 0, 1 - colour: 1}  # 1 - 2 is not a colour: boxes may share any number of cells with lines
    return {own for own in of if shared == wanted.get(own, shared)}


def _cross(rows: Sequence[House], columns: Sequence[House]) -> bool:
    column_of = {cell: c for c, column in enumerate(columns) for cell in column}
    return all(len({column_of[cell] for cell in row}) == len(row) for row in rows)


def _square(values: Domain, rows: Sequence[House], columns: Sequence[House], boxes: Sequence[House]) -> Square:
    n = len(values)
    row_of = {cell: r for r, row in enumerate(rows) for cell in row}
    column_of = {cell: c for c, column in enumerate(columns) for cell in column}
    place = {cell: n * row_of[cell] + column_of[cell] for cell in row_of}
    cells = [0] * (n * n)
    for cell, at in place.items():
        cells[at] = cell
    return Square(values, tuple(cells), tuple(tuple(sorted(place[cell] for cell in box)) for box in boxes))
