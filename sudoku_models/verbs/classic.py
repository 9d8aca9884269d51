"""The two classic exercises on a board of characters: solve it in place, and check whether it is legal so far."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from ..puzzle import Puzzle, Shape, clashes
from ..puzzle.grid import Cell
from ..puzzle.symbols import ALPHABETS, DIGITS
from .solving import solve

Board = list[list[str]]
"""n rows of n characters: '1' to '9' (then 'A', 'B', ... on boards above 9 x 9), '.' in open cells."""

_LARGEST = 25


class Solution:
    """Solves and validates boards of characters, 9 x 9 or any other size up to 25 x 25 that has boxes.

    ``backend`` is any backend's specification; by default the plain search in row order.
    """

    def __init__(self, backend: str = "backtracking:strategy=rows") -> None:
        self.backend = backend

    def solveSudoku(self, board: Board) -> None:  # noqa: N802
        """Fill the open cells of ``board`` in place with a solution.

        Raises ValueError if the board is malformed, illegal or unsolvable, and TypeError if it holds anything but
        strings; the board is then left unchanged.
        """
        puzzle = _puzzle(board)
        if not all(isinstance(row, MutableSequence) for row in board):
            raise TypeError("a board to be solved in place must be a list of lists")
        if len(set(map(id, board))) < len(board):
            raise ValueError("two rows of the board are the same list: give each row its own list")
        found = clashes(puzzle.shape, puzzle.givens)
        if found:
            raise ValueError(f"the board is illegal: {found[0]}")
        grid = solve(puzzle, backend=self.backend).grid
        if grid is None:
            raise ValueError("the board has no solution")
        symbols = _symbols(len(board))
        for row, values in zip(board, grid.to_list(), strict=True):
            row[:] = [symbols[value - 1] for value in values]

    def isValidSudoku(self, board: Board) -> bool:  # noqa: N802
        """Return whether no row, column or box of a partly filled board holds a digit twice.

        A legal board may still have no solution. Raises ValueError and TypeError as ``solveSudoku`` does.
        """
        puzzle = _puzzle(board)
        return not clashes(puzzle.shape, puzzle.givens)


def _puzzle(board: Board) -> Puzzle:
    """Read a board; ValueError or TypeError if it is malformed."""
    if not _is_list(board) or not all(map(_is_list, board)):
        raise TypeError("a board must be a list of rows, each a list of characters")
    n, values = len(board), list[Cell]()
    if not 1 <= n <= _LARGEST:
        raise ValueError(f"a board of {n} rows: 1 to {_LARGEST} are expected")
    symbols = _symbols(n)
    for r, row in enumerate(board, 1):
        if len(row) != n:
            raise ValueError(f"row {r} has {len(row)} cells: {n} are expected")
        for c, text in enumerate(row, 1):
            if not isinstance(text, str):
                raise TypeError(f"R{r}C{c}: {text!r} is not a character")
            if text not in (".", *symbols):
                raise ValueError(f"R{r}C{c}: {text!r} is not a cell: '.' or one of {symbols} is expected")
            values.append(None if text == "." else symbols.index(text) + 1)
    return Puzzle(Shape.square(n), tuple(values))


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _symbols(n: int) -> str:
    return DIGITS[:n] if n <= len(DIGITS) else ALPHABETS["1-G"][:n]
