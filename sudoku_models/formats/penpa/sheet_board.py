"""The board of a sheet: its regions, derived from thick borders between cells, its givens, candidates and solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import FormatError
from ...model import Domain
from ...puzzle.shape import Shape
from ..json_text import short
from ..sudokupad import shape_of
from .packing import PenpaSheet
from .paper import CORNER, Paper, Place

THICK = (2, 21)
"""The styles of lines that separate regions: black and thick black."""
_WHOLE = ("1", "6", "10")
"""The sizes in which a number fills its cell: normal, middle, large."""
MARKS = "7"
"""Numbers written as marks in three rows of three."""


def entries(part: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the entries under a key, by point; raise FormatError for anything but an object."""
    found = part.get(key) or {}
    if not isinstance(found, dict):
        raise FormatError(f"penpa-edit's {key}: an object is expected, not {short(found)}")
    return found


def board_of(sheet: PenpaSheet, paper: Paper, notes: list[str]) -> Shape:
    """Return the shape of a board: thick borders separate regions; without them there are only rows and columns."""
    walls = set(_walls(sheet, paper))
    left = {(row, column) for row in range(paper.height) for column in range(paper.width)}
    groups: list[list[Place]] = []
    while left:
        groups.append(sorted(_reached(min(left), left, walls)))
        left.difference_update(groups[-1])
    if len(groups) == 1:
        groups = []
    regions = [[list(place) for place in group] for group in groups]
    return shape_of(regions, paper.height, paper.width, True, notes)


def _walls(sheet: PenpaSheet, paper: Paper) -> Iterator[frozenset[Place]]:
    """Yield the pairs of neighbours between which a thick border is drawn."""
    for key, style in entries(sheet.question, "lineE").items():
        ends = [paper.index(end) for end in key.split(",")]
        if style not in THICK or len(ends) != 2 or any(paper.kind(end) != CORNER for end in ends):
            continue
        (r1, c1), (r2, c2) = sorted(map(paper.place, ends))
        if (r2 - r1, c2 - c1) == (0, 1):
            yield frozenset([(r1, c2), (r1 + 1, c2)])
        elif (r2 - r1, c2 - c1) == (1, 0):
            yield frozenset([(r2, c1), (r2, c1 + 1)])


def _reached(start: Place, cells: set[Place], walls: set[frozenset[Place]]) -> set[Place]:
    found, waiting = {start}, [start]
    while waiting:
        row, column = waiting.pop()
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if near in cells and near not in found and frozenset([(row, column), near]) not in walls:
                found.add(near)
                waiting.append(near)
    return found


@dataclass(frozen=True)
class DrawnNumbers:
    """The numbers in cells: givens, candidates, and the points of other numbers."""

    givens: tuple[int | None, ...]
    candidates: tuple[tuple[int, Domain], ...]
    others: tuple[str, ...]


class DrawnNumber(NamedTuple):
    """A drawn number: its text (or marks, a list of zeros and ones), the number of its style, and its size."""

    content: object
    style: int
    size: str

    @classmethod
    def of(cls, item: object) -> DrawnNumber:
        """Parse an entry for a number; return an empty number for anything else."""
        if not isinstance(item, list) or len(item) < 3:
            return cls("", 0, "")
        return cls(item[0], item[1] if type(item[1]) is int else 0, str(item[2])[:4])

    @property
    def text(self) -> str:
        """The text; "" for marks."""
        plain = isinstance(self.content, str | int) and not isinstance(self.content, bool)
        return str(self.content)[:100] if plain else ""


def numbers_of(part: Mapping[str, Any], paper: Paper, shape: Shape) -> DrawnNumbers:
    """Classify the numbers of a part: a value in a cell is a given, marks are candidates, others are drawings."""
    givens: list[int | None] = [None] * shape.cells
    candidates: dict[int, Domain] = {}
    others = []
    for key, item in entries(part, "number").items():
        cell = None if key.endswith("E") else paper.cell(key)
        number = DrawnNumber.of(item)
        value, marks = value_of(number.text, shape), _marks(number.content, shape)
        if cell is None or not (value or marks):
            others.append(key)
        elif number.size == MARKS and marks:
            candidates[cell[0] * paper.width + cell[1]] = marks
        elif number.size in _WHOLE and value:
            givens[cell[0] * paper.width + cell[1]] = value
        else:
            others.append(key)
    return DrawnNumbers(tuple(givens), tuple(sorted(candidates.items())), tuple(others))


def value_of(text: str, shape: Shape) -> int | None:
    """Return the value of the board that a text names; None if it names none."""
    word = text.strip()
    value = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None
    return value if value in shape.values else None


def _marks(marks: object, shape: Shape) -> Domain:
    """Return the candidates given by a list of zeros and ones."""
    if not isinstance(marks, list):
        return ()
    return tuple(value for value, mark in enumerate(marks[:9], 1) if mark in (1, True, "1") and value in shape.values)


def stated_of(
    sheet: PenpaSheet, paper: Paper, shape: Shape, givens: Iterable[int | None]
) -> tuple[int | None, ...] | None:
    """Return the solution in a link; None if it is missing or incomplete."""
    found = list(givens)
    for item in sheet.solution:
        point, _, text = item.partition(",")
        place, value = paper.cell(point), value_of(text, shape)
        if place is not None and value is not None:
            found[place[0] * paper.width + place[1]] = value
    return tuple(found) if sheet.solution and None not in found else None
