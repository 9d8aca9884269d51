"""``sudoku-models convert``."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import FormatError, meant
from ..formats import FORMATS, Entry, write
from ..puzzle import Puzzle
from .codes import Code, UsageError
from .pictures import KINDS, Wanted, draw
from .reading import Input
from .terminal import Tally
from .writing import output

_PLAIN = ("line", "grid", "numbers")
"""Formats that hold any board without rules and candidates."""


def convert(source: Input, wanted: Wanted, alphabet: str | None, out: str | None) -> Code:
    """Write every puzzle in another format or as a picture; what the format cannot hold is said and left out."""
    to = wanted.kind
    writable = [*(name for name, format in FORMATS.items() if format.writes), *KINDS]
    if to not in writable:
        raise UsageError(f"--to {to}: one of {', '.join(writable)} is expected{meant(to, writable)}")
    if to in KINDS and alphabet is not None:
        raise UsageError(f"--to-alphabet {alphabet}: a picture has none")
    if to not in KINDS and (wanted.solution or wanted.candidates):
        raise UsageError(f"--solution and --candidates are for pictures ({', '.join(KINDS)}), not for {to}")
    tally = Tally()
    with output(out) as put:
        entries = source.entries(tally)
        if to in KINDS:
            draw(entries, wanted, tally, out, put)
        else:
            for piece in write(_fitting(entries, to, alphabet, tally), to, alphabet=alphabet):
                put(piece)
    return tally.code


def _fitting(entries: Iterator[Entry], to: str, alphabet: str | None, tally: Tally) -> Iterator[Puzzle]:
    """Yield the puzzles that the format can hold; say of each other one where it stands and what is in the way."""
    for entry in entries:
        puzzle = entry.puzzle
        if puzzle is None:
            continue
        try:
            if to not in _PLAIN or alphabet is not None or puzzle.rules or puzzle.candidates:
                for _ in write([puzzle], to, alphabet=alphabet):
                    pass
        except FormatError as error:
            tally.problem(f"{entry.place}: {error}", Code.USAGE)
        else:
            yield puzzle
