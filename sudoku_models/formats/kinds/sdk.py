"""``.sdk``: a board with one row on each line, # lines with a tag letter, and optionally sections in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..format import Format
from ..lettering import cells_text, one_line
from ..options import Options
from ..source import Line
from .grid import read_grids
from .line import Found

TAGS = {"A": "author", "B": "date", "S": "source", "L": "level", "U": "address"}
"""The meaning of the tag letters, besides D (the description, here the title) and C (the comment)."""
_SECTION = re.compile(r"\s*\[(\w+)\]\s*\Z")


def section(text: str) -> str | None:
    """Return the name, in small letters, of the section that a line opens."""
    match = _SECTION.match(text)
    return match[1].lower() if match else None


def read_sdk(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read the puzzle sections, or everything if there are no sections."""
    return read_grids(_puzzle_lines(lines), options, tagged)


def tagged(notes: Sequence[str]) -> tuple[str, str]:
    """Make the title from D tags, and the comment from C tags and the other tags with their names."""
    titles = [note[1:].strip() for note in notes if note[:1] == "D"]
    comments = [_comment(note) for note in notes if note[:1] != "D"]
    return " ".join(titles), "\n".join(comments)


def _comment(note: str) -> str:
    name = TAGS.get(note[:1])
    if name is not None:
        return f"{name}: {note[1:].strip()}"
    return note[1:].strip() if note[:1] == "C" else note


def _puzzle_lines(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield the lines of puzzles; a line that opens a section becomes blank, and other sections are left out."""
    inside = True
    for number, text in lines:
        name = section(text) if text is not None else None
        if name is not None:
            inside = name == "puzzle"
            yield number, ""
        elif inside:
            yield number, text


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write the only puzzle, with its title and comment in lines with tags."""
    for i, puzzle in enumerate(puzzles):
        if i:
            raise FormatError("sdk holds one puzzle: a second cannot be written")
        line = cells_text(puzzle.givens, puzzle.shape, symbols)
        if len(line) != puzzle.shape.cells:
            raise FormatError(f"sdk holds one symbol for each cell: {puzzle.shape} cannot be written")
        width = puzzle.shape.width
        rows = [line[i : i + width] + "\n" for i in range(0, len(line), width)]
        title = [f"#D{one_line(puzzle.title)}\n"] if puzzle.title.strip() else []
        comments = [f"#C{one_line(text)}\n" for text in puzzle.comment.strip().splitlines()]
        yield "".join([*title, *comments, "[Puzzle]\n", *rows])


SDK = Format(
    "sdk",
    "nine lines of nine, # lines with tag letters, [Puzzle] sections",
    read=read_sdk,
    write=write_all,
    extensions=(".sdk",),
    single=True,
    states_boxes=False,
)
