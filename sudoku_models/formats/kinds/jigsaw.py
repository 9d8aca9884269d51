"""The format ``jigsaw``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...puzzle.puzzle import Puzzle
from ..format import REGIONS, Format
from ..jigsaw import is_jigsaw, read_jigsaws, write_jigsaw
from ..lettering import cells_text


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write the givens and the labels of the regions, a line each."""
    for puzzle in puzzles:
        yield write_jigsaw(puzzle, cells_text(puzzle.givens, puzzle.shape, symbols))


FORMAT = Format(
    "jigsaw",
    "a line of givens, then a line with the region's label of each cell",
    read=read_jigsaws,
    write=write_all,
    tells=is_jigsaw,
    turn=9,
    holds=frozenset([REGIONS]),
)
