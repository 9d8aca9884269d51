"""The format ``sudokupad``."""

from __future__ import annotations

from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..lettering import each
from ..link_texts import SUDOKUPAD, kind_of_link
from ..readers import each_document


def is_link(text: str) -> bool:
    """Return whether a line is a link of this program."""
    return kind_of_link(text) == SUDOKUPAD


def read_one(text: str) -> Puzzle:
    """Read one puzzle."""
    from ..documents import read_link

    return read_link(text)


def write_one(puzzle: Puzzle) -> str:
    """Write one puzzle."""
    from ..fpuzzles import sudokupad_link_of

    return sudokupad_link_of(puzzle)


FORMAT = Format(
    SUDOKUPAD,
    "one link to SudokuPad on each line; from drawings, givens, regions, cages and the solution are read",
    read=each_document(SUDOKUPAD, read_one),
    write=each(SUDOKUPAD, write_one),
    tells=is_link,
    turn=5,
    holds=ALL,
    mixes=True,
    by_lines=True,
)
