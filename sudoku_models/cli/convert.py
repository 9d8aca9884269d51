"""``sudoku-models convert``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..display import picture
from ..formats import FORMATS, Entry, write
from ..puzzle import Puzzle
from .codes import Code, UsageError
from .reading import Input
from .terminal import Tally
from .writing import output

SVG = "svg"


def convert(source: Input, to: str, alphabet: str | None, out: str | None) -> Code:
    """Write every puzzle in another format, or one as a picture."""
    writable = [*(name for name, format in FORMATS.items() if format.writes), SVG]
    if to not in writable:
        raise UsageError(f"--to {to}: one of {', '.join(writable)} is expected")
    tally = Tally()
    with output(out) as put:
        puzzles = _puzzles(source.entries(tally))
        if to == SVG:
            _draw(puzzles, alphabet, put)
        else:
            for piece in write(puzzles, to, alphabet=alphabet):
                put(piece)
    return tally.code


def _draw(puzzles: Iterator[Puzzle], alphabet: str | None, put: Callable[[str], None]) -> None:
    """Write one puzzle as a picture, with the solution that came with it."""
    if alphabet is not None:
        raise UsageError(f"--alphabet {alphabet}: a picture has none")
    for i, puzzle in enumerate(puzzles):
        if i:
            raise UsageError(f"--to {SVG}: one puzzle is expected, and there is a second")
        put(picture(puzzle, puzzle.stated).alone + "\n")


def _puzzles(entries: Iterable[Entry]) -> Iterator[Puzzle]:
    return (entry.puzzle for entry in entries if entry.puzzle is not None)
