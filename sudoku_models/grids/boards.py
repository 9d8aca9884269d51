"""Grids other than Sudoku as puzzles: with cages and runs, with signs and towers, with numbers, with shades."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

from ..model import AllDifferent
from ..puzzle import Puzzle, Shape, rules

Rows = Sequence[Sequence[int | None]]
"""Rows of givens; None for an open cell."""
Label = TypeVar("Label", bound=Hashable)


def name(row: int, column: int) -> str:
    """Return the name of a cell; row and column count from 0."""
    return f"R{row + 1}C{column + 1}"


def named(places: Iterable[tuple[int, int]]) -> tuple[str, ...]:
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


Clues = Sequence[int | None]


def quasigroup(givens: Rows) -> Puzzle:
    """A Latin square to complete (quasigroup with holes): every row and column holds every value once."""
    return board(givens, lines=True)


def futoshiki(givens: Rows, greater: Iterable[tuple[str, str]]) -> Puzzle:
    """A Latin square with signs between cells: in each pair the first cell is greater than the second."""
    return quasigroup(givens).with_rules(*(rules.Greater(tuple(pair)) for pair in greater))


def consecutive(givens: Rows, marked: Iterable[tuple[str, str]]) -> Puzzle:
    """A Latin square with marks between neighbours with consecutive values; other neighbours are not consecutive."""
    dots = dict.fromkeys(tuple(sorted(pair)) for pair in marked)
    return quasigroup(givens).with_rules(rules.NonConsecutive(spare_dots=True), *map(rules.Difference, dots))


def kenken(side: int, cages: Iterable[tuple[str, str, int]], givens: Rows | None = None) -> Puzzle:
    """A Latin square with cages (calcudoku): each a list of cells "R1C1 R1C2", an operation + - * or /, its result."""
    return quasigroup(givens or blank(side, side)).with_rules(
        *(rules.Calculation(tuple(cells.split()), op, total) for cells, op, total in cages)
    )


def towers(givens: Rows, seen: Mapping[str, Clues]) -> Puzzle:
    """A Latin square of towers: ``seen`` gives the number visible from top, bottom, left and right (None: no clue)."""
    puzzle, n = quasigroup(givens), len(givens)
    open_: Clues = [None] * n
    if unknown := set(seen) - {"top", "bottom", "left", "right"}:
        raise ValueError(f"{min(unknown)!r} is not a side: top, bottom, left or right is expected")
    rows, columns = list(map(named, lines(n, n)))[:n], list(map(named, lines(n, n)))[n:]
    ways = {"left": rows, "right": [x[::-1] for x in rows], "top": columns, "bottom": [x[::-1] for x in columns]}
    clues = [(line, k) for side in ways for line, k in zip(ways[side], seen.get(side, open_), strict=True)]
    return puzzle.with_rules(*(rules.Skyscraper(line, k) for line, k in clues if k is not None))


Clue = tuple[int | None, int | None]
"""The sums of the cells below and to the right of a black cell; None if there is no such sum."""


def kakuro(cells: Sequence[Sequence[Clue | int | None]]) -> Puzzle:
    """Sums in a crossword: black cells are pairs (sum below, sum to the right); white cells a given or None.

    The cells of a stretch differ and add up to its sum.
    """
    white = [[not isinstance(cell, tuple) for cell in row] for row in cells]
    puzzle = board([[None if isinstance(x, tuple) else x for x in row] for row in cells], range(1, 10))
    black = groups(white).get(False)
    found: list[rules.Unused | rules.KillerCage] = [rules.Unused(black)] if black else []
    for run in runs(white):
        (row, column), down = run[0], len(run) > 1 and run[1][1] == run[0][1]
        edge = row == 0 if down else column == 0
        before = None if edge else cells[row - 1][column] if down else cells[row][column - 1]
        total = before[0 if down else 1] if isinstance(before, tuple) else None
        found += [rules.KillerCage(named(run), total)] if len(run) > 1 else []
    return puzzle.with_rules(*found)


def killer(labels: Sequence[str], but: str = ".") -> Puzzle:
    """A Sudoku whose cages have no sums: cells with the same letter differ; cells with ``but`` are in no cage."""
    cages = groups(labels, but)
    return Puzzle.empty(len(labels)).with_rules(*(rules.KillerCage(cells) for cells in cages.values()))


def magic_square(givens: Rows) -> Puzzle:
    """The numbers 1 to n * n, once each; rows, columns and both diagonals have the same sum."""
    n = len(givens)
    total, puzzle = n * (n * n + 1) // 2, board(givens, range(1, n * n + 1))
    diagonals = [[(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)]]
    sums = [rules.WeightedSum(named(line), total) for line in [*lines(n, n), *diagonals]]
    return puzzle.with_(AllDifferent(puzzle.shape.names)).with_rules(*sums)


def str8ts(givens: Rows, black: Sequence[Sequence[bool]]) -> Puzzle:
    """Stretches of white cells hold consecutive values in any order; no row or column repeats a value.

    A black cell is empty or has a given, which counts for its row and column.
    """
    puzzle, n = board(givens), len(givens)
    if any(len(row) != n for row in givens):
        raise ValueError(f"{n} rows of {len(givens[0])} cells: as many rows as columns are expected")
    empty = {(r, c) for r in range(n) for c in range(n) if black[r][c] and givens[r][c] is None}
    full = [named(place for place in line if place not in empty) for line in lines(n, n)]
    straights = [named(run) for run in runs([[not b for b in row] for row in black]) if len(run) > 1]
    unused = [rules.Unused(named(sorted(empty)))] if empty else []
    given = [(r, c) for r in range(n) for c in range(n) if black[r][c] and givens[r][c] is not None]
    dark = [*unused, *([rules.Black(named(given))] if given else [])]
    return puzzle.with_rules(*dark, *map(rules.ExtraRegion, filter(None, full)), *map(rules.Renban, straights))


def numbrix(givens: Rows, *, king: bool = False, holes: Sequence[tuple[int, int]] = ()) -> Puzzle:
    """A path of the numbers 1, 2, 3, ... through all cells, from side to side (with ``king``, also diagonally)."""
    height, width = len(givens), len(givens[0])
    path = named((r, c) for r in range(height) for c in range(width) if (r, c) not in holes)
    puzzle = board(givens, range(1, len(path) + 1)).with_rules(rules.NumberPath(path, king))
    return puzzle.with_rules(rules.Unused(named(holes))) if holes else puzzle


def hidato(givens: Rows, holes: Sequence[tuple[int, int]] = ()) -> Puzzle:
    """A path of the numbers 1, 2, 3, ... through all cells except ``holes`` (row, column from 0), also diagonally."""
    return numbrix(givens, king=True, holes=holes)


_NOT_BOTH = ((0, 0), (0, 1), (1, 0))


def binairo(givens: Rows, *, distinct: bool = True) -> Puzzle:
    """Rows and columns hold 0 and 1 equally often, never three alike in a row; if ``distinct``, no two are equal."""
    return board(givens, (0, 1)).with_rules(rules.Balance(distinct))


def hitori(numbers: Sequence[Sequence[int]]) -> Puzzle:
    """Shade cells (1) so that no row or column repeats a number; the rest is connected, shaded cells do not touch."""
    puzzle = board(blank(len(numbers), len(numbers[0])), (0, 1))
    return puzzle.with_rules(rules.Singles(tuple(number for row in numbers for number in row)))


def star_battle(labels: Sequence[str], stars: int = 1) -> Puzzle:
    """Every row, column and region (cells with one letter) has ``stars`` stars (1); no two touch, even diagonally."""
    height, width = len(labels), len(labels[0])
    puzzle = board(blank(height, width), (0, 1))
    houses = [named(line) for line in lines(height, width)]
    squares = [(r, c) for r in range(height - 1) for c in range(width - 1)]
    near = [named((r + i, c + j) for i in (0, 1) for j in (0, 1)) for r, c in squares]
    sums = [rules.WeightedSum(cells, stars) for cells in [*groups(labels).values(), *houses]]
    return puzzle.with_rules(*sums, *(rules.Pair(cells, _NOT_BOTH, True) for cells in near))
