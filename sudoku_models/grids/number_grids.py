"""Grids about sums, stretches and paths of numbers: kakuro, killer, magic squares, str8ts, numbrix, hidato."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import AllDifferent
from ..puzzle import Puzzle
from ..puzzle.rules import Black, ExtraRegion, KillerCage, NumberPath, Renban, Unused, WeightedSum
from .cell_groups import Rows, board, groups, lines, named, runs

Clue = tuple[int | None, int | None]
"""The sums of the cells below and to the right of a black cell; None if there is no such sum."""


def kakuro(cells: Sequence[Sequence[Clue | int | None]]) -> Puzzle:
    """Sums in a crossword: black cells are pairs (sum below, sum to the right); white cells a given or None.

    The cells of a stretch differ and add up to its sum.
    """
    white = [[not isinstance(cell, tuple) for cell in row] for row in cells]
    puzzle = board([[None if isinstance(x, tuple) else x for x in row] for row in cells], range(1, 10))
    black = groups(white).get(False)
    rules: list[Unused | KillerCage] = [Unused(black)] if black else []
    for run in runs(white):
        (row, column), down = run[0], len(run) > 1 and run[1][1] == run[0][1]
        edge = row == 0 if down else column == 0
        before = None if edge else cells[row - 1][column] if down else cells[row][column - 1]
        total = before[0 if down else 1] if isinstance(before, tuple) else None
        rules += [KillerCage(named(run), total)] if len(run) > 1 else []
    return puzzle.with_rules(*rules)


def killer(labels: Sequence[str], but: str = ".") -> Puzzle:
    """A Sudoku whose cages have no sums: cells with the same letter differ; cells with ``but`` are in no cage."""
    cages = groups(labels, but)
    return Puzzle.empty(len(labels)).with_rules(*(KillerCage(cells) for cells in cages.values()))


def magic_square(givens: Rows) -> Puzzle:
    """The numbers 1 to n * n, once each; rows, columns and both diagonals have the same sum."""
    n = len(givens)
    total, puzzle = n * (n * n + 1) // 2, board(givens, range(1, n * n + 1))
    diagonals = [[(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)]]
    sums = [WeightedSum(named(line), total) for line in [*lines(n, n), *diagonals]]
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
    unused = [Unused(named(sorted(empty)))] if empty else []
    given = [(r, c) for r in range(n) for c in range(n) if black[r][c] and givens[r][c] is not None]
    dark = [*unused, *([Black(named(given))] if given else [])]
    return puzzle.with_rules(*dark, *map(ExtraRegion, filter(None, full)), *map(Renban, straights))


def numbrix(givens: Rows, *, king: bool = False, holes: Sequence[tuple[int, int]] = ()) -> Puzzle:
    """A path of the numbers 1, 2, 3, ... through all cells, from side to side (with ``king``, also diagonally)."""
    height, width = len(givens), len(givens[0])
    path = named((r, c) for r in range(height) for c in range(width) if (r, c) not in holes)
    puzzle = board(givens, range(1, len(path) + 1)).with_rules(NumberPath(path, king))
    return puzzle.with_rules(Unused(named(holes))) if holes else puzzle


def hidato(givens: Rows, holes: Sequence[tuple[int, int]] = ()) -> Puzzle:
    """A path of the numbers 1, 2, 3, ... through all cells except ``holes`` (row, column from 0), also diagonally."""
    return numbrix(givens, king=True, holes=holes)
