"""``sudoku-models export``."""

from __future__ import annotations

from ..engine.exports import LOWERED
from ..engine.exports import export as exported
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
        for piece in exported(entry.puzzle.structure, entry.puzzle.domains, to, backend):
            write(piece)
    return Code.SOLVED


def _chosen(source: Input, number: int | None, tally: Tally) -> Entry | None:
    """Return the puzzle of that number, or the only one."""
    last = None
    for count, entry in enumerate(source.entries(Tally() if number else tally), 1):
        if number == count:
            return _readable(entry, tally)
        if number is None and count == 2:
            raise UsageError("there are several puzzles: choose one with --number (1 is the first)")
        last = entry
    if number is not None:
        raise UsageError(f"--number {number}: there are fewer puzzles")
    return last


def _readable(entry: Entry, tally: Tally) -> Entry:
    if entry.error:
        tally.problem("that puzzle cannot be read", Code.USAGE)
    return entry
