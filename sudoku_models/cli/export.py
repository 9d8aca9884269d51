"""``sudoku-models export``."""

from __future__ import annotations

import sys

from ..exports import pieces
from ..exports.catalogue import LOWERED
from ..formats import Entry
from .codes import Code, UsageError
from .reading import Input
from .terminal import Tally
from .writing import output


def export(source: Input, to: str, backend: str | None, number: int | None, out: str | None) -> Code:
    """Write one puzzle's model for another program."""
    if to == LOWERED and backend is None:
        raise UsageError("--to lowered: a model is lowered for a backend; name one with --backend")
    tally = Tally()
    entry = _chosen(source, number, tally)
    if entry is None or entry.puzzle is None:
        return tally.code
    with output(out) as write:
        for piece in pieces(entry.puzzle.structure, entry.puzzle.domains, to, backend):
            if isinstance(piece, bytes) and out in (None, "-") and sys.stdout.isatty():
                raise UsageError(f"--to {to} is binary: choose a file with --out")
            write(piece)
    return Code.SOLVED


def _chosen(source: Input, number: int | None, tally: Tally) -> Entry | None:
    """Return the puzzle of that number, or the only one; None when it cannot be read, which was said."""
    entries = source.entries(tally, number)
    entry = next(entries, None)
    if number is None and entry is not None and next(entries, None) is not None:
        raise UsageError("there are several puzzles: choose one with --number (1 is the first)")
    if entry is None and number is not None and tally.code is Code.SOLVED:
        raise UsageError(f"--number {number}: there are fewer puzzles")
    return entry
