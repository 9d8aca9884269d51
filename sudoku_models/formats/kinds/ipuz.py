"""The format ``ipuz``."""

from __future__ import annotations

from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..lettering import each
from ..readers import each_document


def read_one(text: str) -> Puzzle:
    """Read one puzzle."""
    from ..ipuz_document import read_ipuz

    return read_ipuz(text)


def write_one(puzzle: Puzzle) -> str:
    """Write one puzzle."""
    from ..ipuz_document import write_ipuz

    return write_ipuz(puzzle)


FORMAT = Format(
    "ipuz",
    "JSON of the kind http://ipuz.org/sudoku: givens and solution",
    read=each_document("ipuz", read_one),
    write=each("ipuz", write_one),
    holds=ALL,
    extensions=(".ipuz",),
)
