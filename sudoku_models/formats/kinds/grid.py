"""The format ``grid``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...puzzle.drawing import board_text
from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..grid import read_grids
from ..lettering import check_symbols, notes_text


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write boards drawn with borders, their notes in # lines before them."""
    for i, puzzle in enumerate(puzzles):
        if symbols is not None:
            check_symbols(symbols, puzzle.shape)
        drawn = board_text(puzzle.shape, puzzle.givens, symbols)
        yield ("\n" if i else "") + notes_text(puzzle) + drawn + "\n"


FORMAT = Format(
    "grid",
    "a row a line, with or without borders, boards apart by blank lines",
    read=read_grids,
    write=write_all,
    extensions=(".txt",),
)
