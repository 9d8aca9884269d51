"""The context for reading single keys: the side, the cells, and how values are written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...errors import FormatError
from ...puzzle.shape import Shape
from ..json_text import short

LARGEST = 100
"""The largest side that is read."""
MOST_ITEMS = 20_000
"""The largest number of rules in one puzzle."""
Item = Mapping[str, Any]
_OUTSIDE = re.compile(r"R(-?\d{1,3})C(-?\d{1,3})\Z")
_NUMBER = re.compile(r"\s*(-?\d{1,9})\s*\Z")
_STEPS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}


@dataclass
class FPuzzlesContext:
    """The board being read; ``notes`` collects what is not understood."""

    shape: Shape
    dotted: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def side(self) -> int:
        """The side of the board."""
        return self.shape.width

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.shape.names)

    def cell(self, value: object) -> str:
        """Return the name of a cell of the board."""
        name = value.strip().upper() if isinstance(value, str) else None
        if name is None or name not in self._names:
            raise FormatError(f"{short(value)} is not a cell: R1C1 to R{self.side}C{self.side} are expected")
        return name

    def cells(self, value: object, least: int = 1) -> list[str]:
        """Return a list of cells."""
        found = [self.cell(item) for item in listed(value, "cells")]
        if len(found) < least:
            raise FormatError(f"{len(found)} cells: at least {least} are expected")
        return found

    def lines(self, item: Item, least: int = 1, name: str = "") -> list[list[str]]:
        """Return the lines of an item; leave out empty ones and, with a note, those that are too short for a rule."""
        found = [self.cells(line) for line in listed(item.get("lines"), "lines") if line != []]
        for line in found:
            if len(line) < least:
                self.notes.append(f"{name}: the line {' '.join(line)} consists of a single end: it is left out")
        return [line for line in found if len(line) >= least]

    def along(self, value: object) -> tuple[str, ...]:
        """Return the cells of the row or column that a place outside the grid looks along, nearest cell first."""
        row, column = self._place(value)
        n = self.side
        if column in (0, n + 1) and 1 <= row <= n:
            line = [f"R{row}C{c}" for c in range(1, n + 1)]
            return tuple(line if column == 0 else reversed(line))
        if row in (0, n + 1) and 1 <= column <= n:
            line = [f"R{r}C{column}" for r in range(1, n + 1)]
            return tuple(line if row == 0 else reversed(line))
        raise FormatError(f"{short(value)} is not beside any row or column")

    def diagonal(self, value: object, direction: object) -> tuple[str, ...]:
        """Return the cells in a direction, starting from a place on or beside the grid."""
        if not isinstance(direction, str) or direction not in _STEPS:
            raise FormatError(f"the direction {short(direction)}: UR, UL, DR or DL is expected")
        row, column = self._place(value)
        down, right = _STEPS[direction]
        if not self._inside(row, column):
            row, column = row + down, column + right
        found = []
        while self._inside(row, column):
            found.append(f"R{row}C{column}")
            row, column = row + down, column + right
        if not found:
            raise FormatError(f"no cells lie {direction} of {short(value)}")
        return tuple(found)

    def _inside(self, row: int, column: int) -> bool:
        return 1 <= row <= self.side and 1 <= column <= self.side

    @staticmethod
    def _place(value: object) -> tuple[int, int]:
        match = _OUTSIDE.match(value.strip().upper()) if isinstance(value, str) else None
        if not match:
            raise FormatError(f"{short(value)} is not a place: a name such as R0C1 is expected")
        return int(match[1]), int(match[2])


def listed(value: object, what: str) -> Sequence[Any]:
    """Return a list, which is empty if missing."""
    if value is None or value == "" or value is False:
        return ()
    if not isinstance(value, list):
        raise FormatError(f"{short(value)} is not a list of {what}")
    return value


def number(value: object) -> int | None:
    """Return the number in a text; None if it is missing or not a number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        return int(value)
    match = _NUMBER.match(value) if isinstance(value, str) else None
    return int(match[1]) if match else None


def value_or(item: Item, default: int | None) -> int | None:
    """Return the value of an item, or ``default`` if it is missing; raise FormatError if it is not a number."""
    value = item.get("value")
    if value in (None, ""):
        return default
    found = number(value)
    if found is None:
        raise FormatError(f"the value {short(value)} is not a number")
    return found


def text(value: object) -> str:
    """Return a text, or "" if it is missing or not a text."""
    return value if isinstance(value, str) else ""
