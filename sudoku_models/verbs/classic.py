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
        _check_writable(board)
        puzzle = _puzzle(board)
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
    _check_rows(board)
    shape, symbols = Shape.square(len(board)), _symbols(len(board))
    return Puzzle(shape, tuple(_cell(board, r, c, symbols) for r in range(len(board)) for c in range(len(board))))


def _check_rows(board: Board) -> None:
    if not _is_sequence(board) or not all(_is_sequence(row) for row in board):
        raise TypeError("a board must be a list of rows, each a list of characters")
    n = len(board)
    if not 1 <= n <= _LARGEST:
        raise ValueError(f"a board of {n} rows: 1 to {_LARGEST} are expected")
    for r, row in enumerate(board):
        if len(row) != n:
            raise ValueError(f"row {r + 1} has {len(row)} cells: {n} are expected")


def _check_writable(board: Board) -> None:
    """Refuse rows that cannot be written, or that are the same list object, before anything is written."""
    _check_rows(board)
    if not all(isinstance(row, MutableSequence) for row in board):
        raise TypeError("a board to be solved in place must be a list of lists")
    if len(set(map(id, board))) < len(board):
        raise ValueError("two rows of the board are the same list: give each row its own list")


def _is_sequence(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _cell(board: Board, r: int, c: int, symbols: str) -> Cell:
    text: object = board[r][c]
    if not isinstance(text, str):
        raise TypeError(f"R{r + 1}C{c + 1}: {text!r} is not a character")
    if text == ".":
        return None
    if len(text) != 1 or text not in symbols:
        raise ValueError(f"R{r + 1}C{c + 1}: {text!r} is not a cell: '.' or one of {symbols} is expected")
    return symbols.index(text) + 1


def _symbols(n: int) -> str:
    return DIGITS[:n] if n <= len(DIGITS) else ALPHABETS["1-G"][:n]
