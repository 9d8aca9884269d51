"""``sudoku-models convert``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..formats import FORMATS, Entry, write
from ..puzzle import Puzzle
from .codes import Code, UsageError
from .reading import Input
from .terminal import Tally
from .writing import output


def convert(source: Input, to: str, alphabet: str | None, out: str | None) -> Code:
    """Write every puzzle in another format."""
    writable = [name for name, format in FORMATS.items() if format.writes]
    if to not in writable:
        raise UsageError(f"--to {to}: one of {', '.join(writable)} is expected")
    tally = Tally()
    with output(out) as put:
        for piece in write(_puzzles(source.entries(tally)), to, alphabet=alphabet):
            put(piece)
    return tally.code


def _puzzles(entries: Iterable[Entry]) -> Iterator[Puzzle]:
    return (entry.puzzle for entry in entries if entry.puzzle is not None)
