"""The format ``sdm``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..lettering import cells_text
from ..options import Options
from ..source import Line
from .line import Found, read_lines


def read_all(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read lines; boards other than 9 x 9 are errors."""
    for line, found in read_lines(lines, options):
        if isinstance(found, Puzzle) and found.shape.cells != 81:
            yield line, FormatError(f"{found.shape.cells} cells: 81 are expected in sdm")
        else:
            yield line, found


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write a line of cells for each 9 x 9 puzzle."""
    for puzzle in puzzles:
        if puzzle.shape.cells != 81:
            raise FormatError(f"sdm holds 9 x 9 puzzles: {puzzle.shape} cannot be written")
        yield cells_text(puzzle.givens, puzzle.shape, symbols) + "\n"


FORMAT = Format(
    "sdm",
    "one 9 x 9 puzzle on each line, nothing else",
    read=read_all,
    write=write_all,
    extensions=(".sdm",),
    by_lines=True,
    states_boxes=False,
)
