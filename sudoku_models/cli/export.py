"""``sudoku-models export``."""

from __future__ import annotations

import sys

from ..exports import pieces
from ..exports.catalogue import LOWERED
from ..formats import Entry
from ..puzzle import Puzzle
from .codes import Code, UsageError
from .inputs import Input
from .outputs import output
from .terminal import Tally

BYTES = 130
"""The memory that one value of a variable takes in the largest formats (measured on empty boards, as OPB)."""


def export(source: Input, to: str, backend: str | None, number: int | None, largest: int, out: str | None) -> Code:
    """Write the model of one puzzle for another program."""
    if to == LOWERED and backend is None:
        raise UsageError("--to lowered: models are lowered for a particular backend; name one with --backend")
    tally = Tally()
    entry = chosen(source, number, tally)
    if entry is None or entry.puzzle is None:
        return tally.code
    _check_size(entry.puzzle, to, largest)
    with output(out) as write:
        for piece in pieces(entry.puzzle.structure, entry.puzzle.domains, to, backend):
            if isinstance(piece, bytes) and out in (None, "-") and sys.stdout.isatty():
                raise UsageError(f"--to {to} is binary: name a file with --out")
            write(piece)
    return Code.SOLVED


def _check_size(puzzle: Puzzle, to: str, largest: int) -> None:
    """Raise UsageError, before any output is made, for a model that would take more memory than allowed."""
    size = sum(map(len, puzzle.structure.narrowed(puzzle.domains).domains.values()))
    if size > largest:
        raise UsageError(
            f"--to {to}: the variables of the model have {size:,} values, which take about {_memory(size)} of memory: "
            f"--largest {size} writes it nonetheless"
        )


def _memory(values: int) -> str:
    size = values * BYTES
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(1, round(size / 1e6))} MB"


def chosen(source: Input, number: int | None, tally: Tally) -> Entry | None:
    """Return the puzzle with that number, or the only one; None if it cannot be read, which has been reported."""
    entries = source.entries(tally, number)
    entry = next(entries, None)
    if number is None and entry is not None and next(entries, None) is not None:
        raise UsageError("there are several puzzles: choose one with --number (1 is the first)")
    if entry is None and number is not None and tally.code is Code.SOLVED:
        raise UsageError(f"--number {number}: the file has fewer puzzles")
    return entry
