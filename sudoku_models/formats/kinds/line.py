"""The format ``line``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..lettering import cells_text, one_line
from ..line_texts import read_lines


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write a line for each puzzle, with its comment after #."""
    for puzzle in puzzles:
        comment = one_line(puzzle.comment or puzzle.title)
        yield cells_text(puzzle.givens, puzzle.shape, symbols) + (f" # {comment}" if comment else "") + "\n"


FORMAT = Format(
    "line",
    "one puzzle on each line, one symbol for each cell ('.' or 0 if open); further text is a comment",
    read=read_lines,
    write=write_all,
    extensions=(".txt",),
    by_lines=True,
    states_boxes=False,
    writes_any=True,
    mixes=True,
)
