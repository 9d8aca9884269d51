"""``sudoku-models export``."""

from __future__ import annotations

import sys
from typing import Annotated

from ..exports import pieces
from ..exports.catalogue import LOWERED
from ..formats import Entry
from ..puzzle import Puzzle
from .codes import Code, UsageError
from .inputs import Input
from .options import INPUT, OUTPUT, Out, SourceOptions
from .outputs import output
from .parser import Option, command
from .terminal import Tally

BYTES = 130
"""The memory that one value of a variable takes in the largest formats (measured on empty boards, as OPB)."""


ExportTo = Annotated[
    str,
    Option(
        "--to",
        "-t",
        metavar="NAME",
        panel=OUTPUT,
        help="model (as stated), lowered (rewritten for a backend), dimacs, opb, mps, cp-sat, cp-sat-text, minizinc, "
        "xcsp3, smt-lib, or another format that a backend exports.",
    ),
]
Exporter = Annotated[
    str | None,
    Option(
        "--backend",
        "-b",
        metavar="NAME[:KEY=VALUE,...]",
        help="The backend that exports.",
        show_default="the first that offers the format",
    ),
]
Number = Annotated[
    int | None,
    Option("--number", min=1, help="The number of the puzzle, if there are several; 1 is the first.", panel=INPUT),
]
Largest = Annotated[
    int,
    Option(
        "--largest",
        metavar="N",
        min=1,
        panel=OUTPUT,
        help="The largest total number of values of a model's variables; each value takes about 130 bytes.",
    ),
]


@command("Files", "export puzzle.txt --to dimacs")
def export(
    source: SourceOptions,
    to: ExportTo = "model",
    backend: Exporter = None,
    number: Number = None,
    largest: Largest = 10_000_000,
    out: Out = None,
) -> Code:
    """Write the model of one puzzle, for other programs or for you to read."""
    if to == LOWERED and backend is None:
        raise UsageError("--to lowered: models are lowered for a particular backend; name one with --backend")
    tally = Tally()
    entry = chosen(source.input(), number, tally)
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
