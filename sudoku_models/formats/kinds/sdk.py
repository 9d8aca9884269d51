"""The format ``sdk``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..lettering import cells_text, one_line
from ..sdk import read_sdk


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write the one puzzle, its title and comment in lines with tags."""
    for i, puzzle in enumerate(puzzles):
        if i:
            raise FormatError("sdk holds one puzzle: a second cannot be written")
        line = cells_text(puzzle.givens, puzzle.shape, symbols)
        if len(line) != puzzle.shape.cells:
            raise FormatError(f"sdk holds one symbol a cell: {puzzle.shape} cannot be written")
        width = puzzle.shape.width
        rows = [line[i : i + width] + "\n" for i in range(0, len(line), width)]
        title = [f"#D{one_line(puzzle.title)}\n"] if puzzle.title.strip() else []
        comments = [f"#C{one_line(text)}\n" for text in puzzle.comment.strip().splitlines()]
        yield "".join([*title, *comments, "[Puzzle]\n", *rows])


FORMAT = Format(
    "sdk",
    "nine lines of nine, # lines with tag letters, [Puzzle] sections",
    read=read_sdk,
    write=write_all,
    extensions=(".sdk",),
)
