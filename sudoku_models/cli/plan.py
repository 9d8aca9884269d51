"""``sudoku-models plan``."""

from __future__ import annotations

from collections.abc import Iterator

from ..engine import auto, plan, select
from ..engine.combined import Combined
from ..engine.registry import Selection
from ..errors import Unsupported
from ..puzzle import Puzzle
from .codes import Code
from .export import chosen
from .inputs import Input
from .outputs import output
from .terminal import Tally


def show(source: Input, backend: str | None, number: int | None, out: str | None) -> Code:
    """Show how one puzzle's model is rewritten for a backend; by default, for each backend that auto tries in turn.

    The model is that of the empty board, as in solving: backends receive the givens separately.
    """
    tally = Tally()
    entry = chosen(source, number, tally)
    if entry is None or entry.puzzle is None:
        return tally.code
    with output(out) as write:
        for line in _lines(entry.puzzle, backend):
            write(f"{line}\n")
    return Code.SOLVED


def _lines(puzzle: Puzzle, backend: str | None) -> Iterator[str]:
    if backend is None:
        choice = auto.choose(puzzle.structure)
        selection = choice.selection
        yield f"# {choice.reason}"
    else:
        selection = select(backend)
    members = tuple(_members(selection))
    for member in members:
        yield f"{member}:"
        try:
            yield from (f"  {line}" for line in str(plan(puzzle.structure, member)).splitlines())
        except Unsupported as error:
            if len(members) == 1:
                raise
            yield f"  {error}"


def _members(selection: Selection) -> Iterator[Selection]:
    """Yield the backends of a selection."""
    if isinstance(selection.backend, Combined):
        for member in selection.options:
            yield from _members(member)
    else:
        yield selection
