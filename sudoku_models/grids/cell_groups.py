"""Helpers shared by the grids: rows of cells, names of cells, and groups of cells by label."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeVar

from ..puzzle import Puzzle, Shape

Rows = Sequence[Sequence[int | None]]
"""Rows of givens; None for an open cell."""
Label = TypeVar("Label", bound=Hashable)


def name(row: int, column: int) -> str:
    """Return the name of a cell; row and column count from 0."""
    return f"R{row + 1}C{column + 1}"


def named(places: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return the names of cells."""
    return tuple(name(*place) for place in places)


def board(givens: Rows, values: Iterable[int] | None = None, *, lines: bool = False) -> Puzzle:
    """Return a puzzle without regions. The values are 1 to the longer side unless stated; ``lines`` must differ.

    Raises ValueError for rows of different lengths, or no rows.
    """
    if not givens or any(len(row) != len(givens[0]) for row in givens):
        raise ValueError("rows of equal length are expected")
    height, width = len(givens), len(givens[0])
    domain = range(1, max(height, width) + 1) if values is None else values
    shape = Shape(height, width, tuple(domain), lines=lines)
    return Puzzle(shape, tuple(value for row in givens for value in row))


def blank(height: int, width: int) -> Rows:
    """Return rows of open cells."""
    return [[None] * width for _ in range(height)]


def groups(labels: Sequence[Sequence[Label]], but: Iterable[Label] = ()) -> dict[Label, tuple[str, ...]]:
    """Return the cells of each label, in reading order, except those with the labels in ``but``."""
    found: dict[Label, list[str]] = {}
    for row, line in enumerate(labels):
        for column, label in enumerate(line):
            found.setdefault(label, []).append(name(row, column))
    return {label: tuple(cells) for label, cells in found.items() if label not in tuple(but)}


def lines(height: int, width: int) -> list[list[tuple[int, int]]]:
    """Return the positions of each row, then of each column."""
    rows = [[(r, c) for c in range(width)] for r in range(height)]
    return rows + [list(column) for column in zip(*rows, strict=True)]


def runs(is_white: Sequence[Sequence[bool]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the positions of each maximal stretch of white cells, in rows and then in columns."""
    for line in lines(len(is_white), len(is_white[0])):
        for white, places in groupby(line, lambda place: is_white[place[0]][place[1]]):
            if white:
                yield tuple(places)
