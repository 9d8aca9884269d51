"""The format ``ss``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ...puzzle.shape import Shape
from ..format import Format
from ..lettering import cells_text
from .grid import read_grids


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write boards of nine lines between bars and dashes."""
    for i, puzzle in enumerate(puzzles):
        if puzzle.shape != Shape.square(9):
            raise FormatError(f"ss holds 9 x 9 puzzles: {puzzle.shape} cannot be written")
        line = cells_text(puzzle.givens, puzzle.shape, symbols)
        rows = ["|" + "|".join(line[j : j + 3] for j in range(r, r + 9, 3)) + "|" for r in range(0, 81, 9)]
        bands = "\n|---+---+---|\n".join("\n".join(rows[r : r + 3]) for r in (0, 3, 6))
        yield ("\n" if i else "") + f"*-----------*\n{bands}\n*-----------*\n"


FORMAT = Format(
    "ss",
    "nine lines between drawn bars, as Simple Sudoku prints them",
    read=read_grids,
    write=write_all,
    extensions=(".ss",),
)
