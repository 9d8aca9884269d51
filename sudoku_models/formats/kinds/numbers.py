"""The format ``numbers``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..lettering import notes_text
from .grid import read_grids


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write rows of numbers, with blank lines between boards."""
    if symbols is not None:
        raise FormatError("the format numbers uses no alphabet: leave out the alphabet")
    for i, puzzle in enumerate(puzzles):
        width = max(len(str(value)) for value in puzzle.shape.values)
        words = ["." if value is None else str(value) for value in puzzle.givens]
        rows = [words[r : r + puzzle.shape.width] for r in range(0, len(words), puzzle.shape.width)]
        text = "".join(" ".join(word.rjust(width) for word in row) + "\n" for row in rows)
        yield ("\n" if i else "") + notes_text(puzzle) + text


FORMAT = Format(
    "numbers",
    "one row on each line, numbers separated by blanks ('.' or 0 if open), any side up to 400",
    read=read_grids,
    write=write_all,
    extensions=(".txt",),
    states_boxes=False,
    writes_any=True,
)
