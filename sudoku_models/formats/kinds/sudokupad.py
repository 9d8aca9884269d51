"""The format ``sudokupad``."""

from __future__ import annotations

from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..lettering import each
from ..links import kind_of_link
from ..readers import each_document


def is_link(text: str) -> bool:
    """Tell whether a line is a link of this program."""
    return kind_of_link(text) == "sudokupad"


def read_one(text: str) -> Puzzle:
    """Read one puzzle."""
    from ..documents import read_link

    return read_link(text)


def write_one(puzzle: Puzzle) -> str:
    """Write one puzzle."""
    from ..fpuzzles import sudokupad_link_of

    return sudokupad_link_of(puzzle)


FORMAT = Format(
    "sudokupad",
    "one link to SudokuPad a line; of a drawing givens, regions, cages and solution are read",
    read=each_document("sudokupad", read_one),
    write=each("sudokupad", write_one),
    tells=is_link,
    turn=5,
    holds=ALL,
)
