"""Checks whether a partly filled board is legal, and finds the cells that clash and their house."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .grid import Cell
from .shape import House, Shape


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
    return tuple(clash for house in shape.houses for clash in _in_house(shape, values, house))


def _in_house(shape: Shape, values: Sequence[Cell], house: House) -> Iterator[Clash]:
    places: dict[int, list[str]] = {}
    for cell in house.cells:
        value = values[cell]
        if value is not None:
            places.setdefault(value, []).append(shape.names[cell])
    for value, cells in places.items():
        if len(cells) > 1:
            yield Clash(house.name, value, tuple(cells))
